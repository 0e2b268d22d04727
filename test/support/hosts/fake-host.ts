/** A host process for tests: speaks the protocol, with methods that sleep, stream, crash and claim memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FromHost, ToHost } from '../../../server/engine/protocol.ts';

const send = (message: FromHost) => process.send?.(message);
const cancelled = new Set<number>();
let pack: unknown = null;

async function call({ id, method, params }: Extract<ToHost, { type: 'call' }>): Promise<void> {
  if (method === 'echo') return void send({ type: 'done', id, value: params });
  if (method === 'pid') return void send({ type: 'done', id, value: { pid: process.pid } });
  if (method === 'pack') return void send({ type: 'done', id, value: pack });
  if (method === 'crash') process.kill(process.pid, 'SIGKILL');
  if (method === 'refuse') {
    const failure = { code: 'input_too_long', message: 'too long', param: 'input[1]' };
    return void send({ type: 'failed', id, failure });
  }
  if (method === 'claim') send({ type: 'memory', residentMb: (params as { megabytes: number }).megabytes });
  if (method === 'count') {
    for (let value = 0; value < 100 && !cancelled.has(id); value += 1) {
      send({ type: 'item', id, value });
      await sleep(5);
    }
  }
  if (method === 'hang') await sleep(60_000);
  send({ type: 'done', id, value: { cancelled: [...cancelled] } });
}

process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToHost) => {
  if (message.type === 'open') {
    pack = message.pack;
    if (message.pack.manifest.crash === 'on open') process.exit(3);
    if (message.pack.manifest.crash === 'refuse') {
      const failure = { code: 'model_not_installed', message: 'the graph is damaged', param: null };
      return void send({ type: 'refused', failure });
    }
    send({
      type: 'opened',
      info: {
        provider: 'fake',
        threads: message.options.threads,
        refused_providers: [{ provider: 'cuda', detail: 'loader.cc:7 Open: no such library' }],
      },
    });
  } else if (message.type === 'call') void call(message);
  else if (message.type === 'cancel') cancelled.add(message.id);
  else process.exit(0);
});
