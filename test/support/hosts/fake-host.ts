/**
 * A host process for tests: speaks the protocol, with answers that sleep, block, stream, crash and take memory. What it does is
 * the first text of `embed`, the text of both `analyze`s, or the owner of `generate`; numbers come back as tokens.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { toFailure } from '../../../server/engine/answer-call.ts';
import type { GenerateEvent } from '../../../server/engine/chat/types.ts';
import type { AnalyzeItem } from '../../../server/engine/images/types.ts';
import { watchParent } from '../../../server/engine/parent-watch.ts';
import type { CallMessage, FromHost, ToHost } from '../../../server/engine/protocol.ts';

type Item = { type: 'item'; id: number; value: GenerateEvent | AnalyzeItem };
const send = (message: FromHost<'embeddings'> | Item) => process.send?.(message);
const cancelled = new Set<number>();
const held: Buffer[] = [];
let pack: unknown = null;
let checkCommand: unknown;

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

/** As native code or a loop does it: nothing is heard meanwhile. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const numbers = (...tokens: number[]) => ({ vectors: Float32Array.from([1, 2, 3]), tokens });

async function call(message: Call): Promise<void> {
  const { id } = message;
  const [command, number] = commandOf(message);
  const done = (...tokens: number[]) => send({ type: 'done', id, value: numbers(...tokens) });
  if (command === 'pid') return void done(process.pid);
  if (message.method === 'generate') return generate(id, message.params.owner.split(' '));
  if (command === 'pack') {
    const value = { results: [], images: 0, frames: 0, warnings: [JSON.stringify(pack)] };
    send({ type: 'item', id, value: { kind: 'result', result: value } });
    return void send({ type: 'done', id, value: null });
  }
  if (command === 'crash') process.kill(process.pid, 'SIGKILL');
  if (command === 'throw') {
    const failure = toFailure(new TypeError('a payload'), 'The engine failed.');
    return void send({ type: 'failed', id, failure });
  }
  if (command === 'refuse') {
    const failure = { code: 'input_too_long', message: 'too long', param: 'input[1]' };
    return void send({ type: 'failed', id, failure });
  }
  if (command === 'harm') {
    const failure = { code: 'document_unreadable', message: 'too long', param: 'file' };
    send({ type: 'failed', id, failure });
    return void send({ type: 'replace' });
  }
  if (command === 'block') block(number);
  if (command === 'grow') {
    held.push(Buffer.alloc(number * 2 ** 20, 1));
    block(10_000);
  }
  if (command === 'hang') await sleep(60_000);
  done(...cancelled);
}

function check(id: number): void {
  if (checkCommand === 'grow 1500') {
    held.push(Buffer.alloc(1500 * 2 ** 20, 1));
    block(10_000);
  }
  send({ type: 'done', id, value: null });
}

async function generate(id: number, [command, , then, milliseconds]: string[]): Promise<void> {
  const item = (value: GenerateEvent) => send({ type: 'item', id, value });
  if (command === 'text') {
    item({ kind: 'text', choice: 0, text: 'begun' });
    await sleep(100);
    if (then === 'block') block(Number(milliseconds));
    else await sleep(60_000);
  }
  if (command === 'pack') item({ kind: 'text', choice: 0, text: JSON.stringify(pack) });
  if (command === 'cancelled') item({ kind: 'prompt', tokens: cancelled.size });
  for (let tokens = 0; command === 'count' && tokens < 100 && !cancelled.has(id); tokens += 1) {
    item({ kind: 'prompt', tokens });
    await sleep(5);
  }
  send({ type: 'done', id, value: null });
}

watchParent();
process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToHost<'embeddings'> | ToHost<'chat'> | ToHost<'threat'>) => {
  if (message.type === 'open') {
    pack = message.pack;
    checkCommand = message.pack.manifest.check;
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
        refusedProviders: [{ provider: 'cuda', detail: 'loader.cc:7 Open: no such library' }],
      },
    });
  } else if (message.type === 'check') check(message.id);
  else if (message.type === 'call') void call(message as Call);
  else if (message.type === 'cancel') {
    cancelled.add(message.id);
    send({ type: 'heard', id: message.id });
  } else process.exit(0);
});
