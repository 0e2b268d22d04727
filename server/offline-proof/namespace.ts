/**
 * The inside of the empty network namespace: every address there is leads back to this machine, so that whatever is sent
 * anywhere arrives where it is counted. Files can be written in the proof's folder and in memory alone.
 */
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { openSystem, type System } from '../engine/system.ts';

const calls =
  process.arch === 'arm64'
    ? { socket: 198, ioctl: 29, sendto: 206, mount: 40, mountSetattr: 442 }
    : { socket: 41, ioctl: 16, sendto: 44, mount: 165, mountSetattr: 442 };
const family = { inet: 2, inet6: 10, netlink: 16 };
const socketKind = { datagram: 2, raw: 3 };
const setFlags = 0x8914;
const up = 0x1 | 0x40;

/** Brings up the loopback device and makes all addresses local. @throws SystemError */
export function catchAllAddresses(system: System = openSystem()): void {
  const control = system.call('socket', calls.socket, family.inet, socketKind.datagram, 0);
  const request = new Uint8Array(40);
  request.set(Buffer.from('lo'));
  new DataView(request.buffer).setInt16(16, up, true);
  system.call('bring lo up', calls.ioctl, control, setFlags, system.addressOf(request));
  system.close(control);
  for (const each of [family.inet, family.inet6]) {
    const netlink = system.call('socket', calls.socket, family.netlink, socketKind.raw, 0);
    const message = localRoute(each);
    system.call('add route', calls.sendto, netlink, system.addressOf(message), message.length, 0);
    system.close(netlink);
  }
}

/** RTM_NEWROUTE of `local 0.0.0.0/0 dev lo` (rtnetlink(7)); the loopback device has index 1 in every namespace. */
function localRoute(addressFamily: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(36));
  const create = 0x1 | 0x400;
  bytes.setUint32(0, 36, true);
  bytes.setUint16(4, 24, true);
  bytes.setUint16(6, create, true);
  const [localTable, byBoot, thisHost, local] = [255, 3, 254, 2];
  bytes.setUint8(16, addressFamily);
  bytes.setUint8(20, localTable);
  bytes.setUint8(21, byBoot);
  bytes.setUint8(22, addressFamily === family.inet ? thisHost : 0);
  bytes.setUint8(23, local);
  const outputDevice = 4;
  bytes.setUint16(28, 8, true);
  bytes.setUint16(30, outputDevice, true);
  bytes.setUint32(32, 1, true);
  return new Uint8Array(bytes.buffer);
}

const mountFlags = { bind: 0x1000, recursive: 0x4000 };
const readOnlyAttribute = 1n;
const recursively = 0x8000;
/** Hidden behind empty folders in memory: temporary files, and sockets of services that would look up names for others. */
const hidden = ['/tmp', '/var/tmp', '/dev/shm', '/run'];

/**
 * Leaves `writable` and the hidden places to be written, and nothing else. The folders of `needed` stay visible.
 * @returns places beside `writable` where files can be written
 * @throws SystemError
 */
export function closeDisk(writable: string, needed: string[], system: System = openSystem()): string[] {
  const text = (value: string) => system.addressOf(Buffer.from(`${value}\0`));
  const mount = (source: string, target: string, options: { type?: string; flags?: number }) =>
    system.call(
      `mount ${target}`,
      calls.mount,
      text(source),
      text(target),
      text(options.type ?? 'none'),
      options.flags ?? 0,
      0,
    );
  const setReadOnly = (path: string, on: boolean, flags: number) => {
    const attributes = new BigUint64Array([on ? readOnlyAttribute : 0n, on ? 0n : readOnlyAttribute, 0n, 0n]);
    const address = system.addressOf(new Uint8Array(attributes.buffer));
    system.call(`seal ${path}`, calls.mountSetattr, -100, text(path), flags, address, 32);
  };
  const places = [...new Set(hidden.filter(existsSync).map((path) => realpathSync(path)))];
  const isHidden = (path: string) => places.some((place) => path.startsWith(`${place}/`));
  const asked = [writable, ...needed.filter(existsSync)];
  // Outer folders come before inner ones, and what links lead to before the links: with it some are there again.
  const real = asked.map((path) => realpathSync(path)).sort();
  const kept = [...new Set([...real, ...asked])].filter(isHidden);
  const opened = kept.map((path) => ({ path, fd: system.openPath(path)! }));
  for (const place of places) mount('tmpfs', place, { type: 'tmpfs' });
  for (const { path, fd } of opened) {
    if (real.includes(path) || !existsSync(path)) {
      mkdirSync(path, { recursive: true });
      mount(`/proc/self/fd/${fd}`, path, { flags: mountFlags.bind | mountFlags.recursive });
    }
    system.close(fd);
  }
  if (!kept.includes(writable)) mount(writable, writable, { flags: mountFlags.bind });
  setReadOnly('/', true, recursively);
  for (const place of [writable, ...places]) setReadOnly(place, false, 0);
  return places;
}
