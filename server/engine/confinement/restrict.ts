/** Takes from this process what a host does not need, in layers; each that cannot be had is named. */
import { readdirSync, readlinkSync } from 'node:fs';
import { openSystem, type System } from '../system.ts';
import { landlockVersion, restrictFiles } from './landlock.ts';
import type { Launch, Layers } from './launch-types.ts';
import { confineOnMac } from './macos.ts';
import { fileRules } from './readable.ts';
import { hostFilter, install, noExecution } from './seccomp.ts';
import { callNumbers } from './system-calls.ts';

const option = { parentDeath: 1, dumpable: 4, noNewPrivileges: 38 };
const coreLimit = 4;
const killSignal = 9;

/** @param single the process has its first threads only, since it is a launcher that executes the host next */
export function restrict(launch: Launch, single: boolean): Layers {
  if (launch.off !== null) return { holding: [], missing: [launch.off] };
  if (process.platform === 'darwin') return confineOnMac(launch);
  if (process.platform !== 'linux') {
    return {
      holding: [],
      missing: ['Windows offers a process no way to give up network and files by itself'],
    };
  }
  try {
    return restrictOnLinux(openSystem(), launch, single);
  } catch (error) {
    return { holding: [], missing: [`the C library cannot be called (${(error as Error).name})`] };
  }
}

function restrictOnLinux(system: System, launch: Launch, single: boolean): Layers {
  const layers: Layers = { holding: [], missing: [] };
  const attempt = (name: string, apply: () => string | null) => {
    const refusal = outcome(apply);
    if (refusal === null) layers.holding.push(name);
    else layers.missing.push(`${name}: ${refusal}`);
  };
  const calls = callNumbers(process.arch);
  attempt('no-new-privileges', () => {
    system.prctl(option.noNewPrivileges, 1);
    // A dump of a host's memory would hold payloads.
    if (calls) limitCore(system, calls.prlimit64);
    // Chromium's launching threads come and go; theirs is not the life to watch.
    if (single) system.prctl(option.parentDeath, killSignal);
    return null;
  });
  attempt('landlock', () => {
    const version = landlockVersion(system);
    if (version === 0) return 'this kernel has none (Linux 5.13 or later, with landlock in its lsm= list)';
    const { allThreads, held } = restrictFiles(system, version, fileRules(launch));
    if (single) held.forEach(system.keepOpen);
    return allThreads || single ? null : 'this kernel restricts later threads only, not those of Electron';
  });
  attempt('seccomp', () => {
    if (!calls) return `the calls of ${process.arch} are not listed`;
    install(system, calls, hostFilter(calls, process.pid));
    if (single) return null;
    install(system, calls, noExecution(calls));
    return hasRings() ? 'rings that libuv has open (io_uring) stay open' : null;
  });
  return layers;
}

function outcome(apply: () => string | null): string | null {
  try {
    return apply();
  } catch (error) {
    return (error as Error).message;
  }
}

/** By a ring a process can do what its system calls are refused; the executed host has none. */
function hasRings(): boolean {
  const folder = '/proc/self/fd';
  return readdirSync(folder).some((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).includes('[io_uring]');
    } catch {
      return false; // closed meanwhile: the listing's own
    }
  });
}

function limitCore(system: System, prlimit: number): void {
  const none = new Uint8Array(16);
  system.call('prlimit', prlimit, 0, coreLimit, system.addressOf(none), 0);
}

/** The host's own last step, once its program runs: nothing else is executed, and nobody looks into its memory. */
export function closeDoor(): void {
  if (process.platform !== 'linux') return;
  const system = openSystem();
  const calls = callNumbers(process.arch);
  system.prctl(option.dumpable, 0);
  if (calls) install(system, calls, noExecution(calls));
}
