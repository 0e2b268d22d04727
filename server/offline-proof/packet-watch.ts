/** Sees every packet of the namespace that is meant for anything but loopback, by a packet socket on its one device. */
import { readFileSync } from 'node:fs';
import { openSystem, type System } from '../engine/system.ts';

export interface Attempt {
  /** Milliseconds since the watch began. */
  at_ms: number;
  kind: 'connect' | 'datagram' | 'look-up' | 'page' | 'other' | 'no route';
  /** Address and port, the name that was looked up, or the origin that the page asked for. */
  target: string;
}

const calls = process.arch === 'arm64' ? { socket: 198, recvfrom: 207 } : { socket: 41, recvfrom: 45 };
const packetFamily = 17;
const datagrams = 2;
const allProtocols = 0x0300;
const outgoing = 4;
const dontWait = 0x40;
const protocol = { tcp: 6, udp: 17 };
const everyMs = 10;
/** Look-ups are the stand-in's to count (dns-stand-in.ts). */
const namePort = 53;

export interface PacketWatch {
  readonly attempts: Attempt[];
  stop(): void;
}

export function watchPackets(now: () => number, system: System = openSystem()): PacketWatch {
  const socket = system.call('packet socket', calls.socket, packetFamily, datagrams, allProtocols);
  const packet = new Uint8Array(2048);
  const from = new Uint8Array(20);
  const size = new Uint8Array(4);
  const [packetAt, fromAt, sizeAt] = [packet, from, size].map(system.addressOf) as [bigint, bigint, bigint];
  const attempts: Attempt[] = [];
  const routeless = readRouteless();
  const read = () => {
    for (;;) {
      new DataView(size.buffer).setUint32(0, from.length, true);
      let length: number;
      try {
        length = system.call(
          'receive',
          calls.recvfrom,
          socket,
          packetAt,
          packet.length,
          dontWait,
          fromAt,
          sizeAt,
        );
      } catch {
        return; // nothing more for now
      }
      // The loopback device shows each packet as it leaves and as it arrives.
      if (from[10] !== outgoing) continue;
      const attempt = toAttempt(packet.subarray(0, length));
      if (attempt) attempts.push({ at_ms: Math.round(now()), ...attempt });
    }
  };
  const timer = setInterval(read, everyMs);
  return {
    attempts,
    stop() {
      clearInterval(timer);
      read();
      system.close(socket);
      for (let missed = readRouteless() - routeless; missed > 0; missed -= 1)
        attempts.push({ at_ms: Math.round(now()), kind: 'no route', target: 'unknown' });
    },
  };
}

/** Null for what stays on this machine, and for answers. */
export function toAttempt(packet: Uint8Array): Omit<Attempt, 'at_ms'> | null {
  const version = (packet[0] ?? 0) >> 4;
  if (version !== 4 && version !== 6) return null;
  const four = version === 4;
  const target = four ? packet.subarray(16, 20) : packet.subarray(24, 40);
  if (four ? target[0] === 127 : isLoopback6(target)) return null;
  const next = four ? packet[9] : packet[6];
  const header = packet.subarray(four ? ((packet[0] ?? 0) & 15) * 4 : 40);
  const [fromPort, toPort] = [port(header, 0), port(header, 2)];
  const address = four ? target.join('.') : `[${hex(target)}]`;
  if (next === protocol.tcp) {
    const [begins, answers] = [(header[13] ?? 0) & 2, (header[13] ?? 0) & 16];
    return begins && !answers ? { kind: 'connect', target: `${address}:${toPort}` } : null;
  }
  if (next === protocol.udp) {
    if (toPort === namePort || fromPort === namePort) return null;
    return { kind: 'datagram', target: `${address}:${toPort}` };
  }
  // Refusals that the kernel sends back.
  const refusal = four ? next === 1 && header[0] === 3 : next === 58 && header[0] === 1;
  return refusal ? null : { kind: 'other', target: `${address} (protocol ${next})` };
}

const port = (header: Uint8Array, at: number): number => ((header[at] ?? 0) << 8) | (header[at + 1] ?? 0);
const isLoopback6 = (address: Uint8Array): boolean =>
  address.every((byte, index) => byte === (index === 15 ? 1 : 0)) ||
  // ::ffff:127.0.0.0/8
  (hex(address).startsWith('0000:0000:0000:0000:0000:ffff') && address[12] === 127);
const hex = (address: Uint8Array): string =>
  Array.from({ length: 8 }, (_, index) =>
    port(address, index * 2)
      .toString(16)
      .padStart(4, '0'),
  ).join(':');

/** Packets that found no way at all: the kernel's own count. */
function readRouteless(): number {
  const count = (file: string, pattern: RegExp) => Number(pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  const names =
    /^Ip: (.*OutNoRoutes.*)$/m.exec(readFileSync('/proc/self/net/snmp', 'utf8'))?.[1]?.split(' ') ?? [];
  const values = /^Ip: (\d.*)$/m.exec(readFileSync('/proc/self/net/snmp', 'utf8'))?.[1]?.split(' ') ?? [];
  return (
    Number(values[names.indexOf('OutNoRoutes')] ?? 0) +
    count('/proc/self/net/snmp6', /^Ip6OutNoRoutes\s+(\d+)/m)
  );
}
