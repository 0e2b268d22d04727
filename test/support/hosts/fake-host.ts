/**
 * A host process for tests: speaks the protocol, with answers that sleep, stream, crash and claim memory. What it does is
 * the first text of `embed`, the text of both `analyze`s, or the owner of `generate`; numbers come back as tokens.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GenerateEvent } from '../../../server/engine/chat/types.ts';
import type { CallMessage, FromHost, ToHost } from '../../../server/engine/protocol.ts';

const send = (message: FromHost<'embeddings'> | FromHost<'chat'> | FromHost<'images'>) =>
  process.send?.(message);
const cancelled = new Set<number>();
let pack: unknown = null;

type Call =
  | CallMessage<'embeddings', 'embed'>
  | CallMessage<'chat', 'generate'>
  | CallMessage<'threat', 'analyze'>;

/** The command and its number. */
function commandOf({ params }: Call): [command: string, number: number] {
  const text = 'texts' in params ? params.texts[0]! : 'owner' in params ? params.owner : params.text;
  const [command = '', number = '0'] = (text ?? 'pack').split(' ');
  return [command, Number(number)];
}

const numbers = (...tokens: number[]) => ({ vectors: Float32Array.from([1, 2, 3]), tokens });

async function call(message: Call): Promise<void> {
  const { id } = message;
  const [command, number] = commandOf(message);
  const done = (...tokens: number[]) => send({ type: 'done', id, value: numbers(...tokens) });
  if (command === 'pid') return void done(process.pid);
  if (message.method === 'generate') return generate(id, command);
  if (command === 'pack') {
    const value = { results: [], images: 0, frames: 0, warnings: [JSON.stringify(pack)] };
    return void send({ type: 'done', id, value });
  }
  if (command === 'crash') process.kill(process.pid, 'SIGKILL');
  if (command === 'refuse') {
    const failure = { code: 'input_too_long', message: 'too long', param: 'input[1]' };
    return void send({ type: 'failed', id, failure });
  }
  if (command === 'claim') send({ type: 'memory', residentMb: number });
  if (command === 'hang') await sleep(60_000);
  done(...cancelled);
}

async function generate(id: number, command: string): Promise<void> {
  const item = (value: GenerateEvent) => send({ type: 'item', id, value });
  if (command === 'pack') item({ kind: 'text', choice: 0, text: JSON.stringify(pack) });
  if (command === 'cancelled') item({ kind: 'prompt', tokens: cancelled.size });
  for (let tokens = 0; command === 'count' && tokens < 100 && !cancelled.has(id); tokens += 1) {
    item({ kind: 'prompt', tokens });
    await sleep(5);
  }
  send({ type: 'done', id, value: null });
}

process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToHost<'embeddings'> | ToHost<'chat'> | ToHost<'threat'>) => {
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
  } else if (message.type === 'call') void call(message as Call);
  else if (message.type === 'cancel') cancelled.add(message.id);
  else process.exit(0);
});
