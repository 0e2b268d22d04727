/** One child process, however it was started: Node's fork here, Electron's utilityProcess in electron/. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HostKind } from '../engine/contract.ts';
import type { HostGrant } from '../engine/host-grant.ts';
import type { FromHost, ToHost } from '../engine/protocol.ts';

export interface Port<Kind extends HostKind> {
  readonly pid: number | undefined;
  send(message: ToHost<Kind>): void;
  onMessage(listener: (message: FromHost<Kind>) => void): void;
  /** Called once, however the process ended; `reason` is for the console, e.g. `signal SIGKILL`. */
  onExit(listener: (reason: string) => void): void;
  kill(): void;
}

/** Starts a process that will be told by its first message which engine it is for. */
export type SpawnHost = <Kind extends HostKind>(grant: HostGrant) => Port<Kind>;

/** The entry of a host, beside this file in source and in the compiled output alike. */
export const hostEntry = fileURLToPath(
  new URL(`../engine/main.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

/** The first program of every host: gives up the network, other processes and foreign files, then becomes `hostEntry`. */
export const launcher = fileURLToPath(
  new URL(`../engine/confinement/launch.${import.meta.url.endsWith('.ts') ? 'cts' : 'cjs'}`, import.meta.url),
);

/** The launcher's argument. `LOKAL_CONFINEMENT=off` leaves hosts as they are, which every answer then says. */
export const launchArgument = (env: NodeJS.ProcessEnv, main: string, grant: HostGrant): string =>
  JSON.stringify({
    main,
    libraryPath: env.LD_LIBRARY_PATH ?? '',
    grant,
    off: env.LOKAL_CONFINEMENT === 'off' ? 'LOKAL_CONFINEMENT is off' : null,
  });

/** A child process with what may be said to it and what it says. */
interface HostChild<Kind extends HostKind> {
  readonly pid?: number | undefined;
  readonly connected: boolean;
  send(message: ToHost<Kind>, sent: () => void): boolean;
  kill(signal: 'SIGKILL'): boolean;
  on(event: 'message', listener: (message: FromHost<Kind>) => void): unknown;
  on(event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/**
 * Hosts get a small environment and no output stream: native libraries print what they like, and a payload must never
 * end in a log. What a host has to say comes as messages.
 */
export function nodeSpawn(env: NodeJS.ProcessEnv, entry: string = hostEntry): SpawnHost {
  return (grant) =>
    toPort(
      fork(launcher, [launchArgument(env, entry, grant)], {
        env,
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
    );
}

function toPort<Kind extends HostKind>(child: HostChild<Kind>): Port<Kind> {
  let ended = false;
  const exitListeners: ((reason: string) => void)[] = [];
  const end = (reason: string) => {
    if (ended) return;
    ended = true;
    for (const listener of exitListeners) listener(reason);
  };
  child.on('exit', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`));
  child.on('error', (error) => end(`could not start: ${error.code ?? error.name}`));
  return {
    pid: child.pid,
    send: (message) => {
      // A host that just died is reported by its exit; a send into the closed channel must not throw as well.
      if (child.connected) child.send(message, () => {});
    },
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void exitListeners.push(listener),
    kill: () => void child.kill('SIGKILL'),
  };
}
