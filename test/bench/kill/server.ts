/** The whole server over hosts that answer at once: what is measured is what a kill leaves of keys, answers and usage. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../../server/config.ts';
import type { HostKind } from '../../../server/engine/contract.ts';
import type { FromHost, ToHost } from '../../../server/engine/protocol.ts';
import type { Port, SpawnHost } from '../../../server/hosts/port.ts';
import { startServer } from '../../../server/main.ts';

const calm = { scores: {}, flaggedCategories: {}, spans: [] };

/** A host in this process: opens anything and finds nothing in any text. */
const spawn: SpawnHost = <Kind extends HostKind>() => {
  let tell: (message: FromHost<Kind>) => void = () => {};
  let end: (reason: string) => void = () => {};
  const answer = async (message: ToHost<Kind>) => {
    if (message.type === 'open')
      tell({ type: 'opened', info: { provider: 'none', threads: 1 } } as FromHost<Kind>);
    if (message.type === 'close') end('exit code 0');
    if (message.type !== 'call') return;
    await sleep(Math.random() * 20);
    tell({ type: 'done', id: message.id, value: calm } as unknown as FromHost<Kind>);
  };
  const port: Port<Kind> = {
    pid: process.pid,
    send: (message) => void setImmediate(answer, message),
    onMessage: (listener) => {
      tell = listener;
    },
    onExit: (listener) => {
      end = listener;
    },
    kill: () => end('signal SIGKILL'),
  };
  return port;
};

const server = await startServer(readConfig({ port: '0' }, { ...process.env, LOKAL_LOG: 'silent' }), {
  spawn,
});
console.log(JSON.stringify({ port: Number(new URL(server.url).port) }));
