/** The `Port` of server/hosts over Electron's utility process, so that hosts are Chromium's children and not Node's. */

import type { HostKind } from '../server/engine/contract.ts';
import { hostEntry, launchArgument, launcher, type Port, type SpawnHost } from '../server/hosts/port.ts';
import type { UtilityChildApi, UtilityProcessApi } from './electron-api.ts';

/** As in Node: a small environment and no output, since native libraries print what they like. */
export function utilitySpawn(
  utilityProcess: UtilityProcessApi,
  env: NodeJS.ProcessEnv,
  entry: string = hostEntry,
): SpawnHost {
  return (grant) =>
    toPort(
      utilityProcess.fork(launcher, [launchArgument(env, entry, grant)], {
        env,
        stdio: 'ignore',
        serviceName: 'Lokal engine',
      }),
    );
}

function toPort<Kind extends HostKind>(child: UtilityChildApi): Port<Kind> {
  let exited = false;
  child.on('exit', () => {
    exited = true;
  });
  return {
    /** Known once the process has started. */
    get pid() {
      return child.pid;
    },
    send: (message) => {
      if (!exited) child.postMessage(message);
    },
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.on('exit', (code) => listener(`exit code ${code}`)),
    kill: () => kill(child),
  };
}

/** Electron's own kill asks with SIGTERM, which a host stuck in native code may never see. */
function kill(child: UtilityChildApi): void {
  if (child.pid === undefined) return void child.kill();
  try {
    process.kill(child.pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
