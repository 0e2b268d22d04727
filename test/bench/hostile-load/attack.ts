/** The hostile key's process: `attack.ts URL KEY STEP` makes each STEPth body, tells so, and sends them when it is told to. */
import { once } from 'node:events';
import { progress } from '../measure.ts';
import { hostileCases } from './cases.ts';
import { post } from './post.ts';

export interface Attacked {
  cases: number;
  fiveXx: number;
  /** Cases without an answer. */
  left: number;
  failed: Record<string, string>;
}

/** A hostile client leaves after so long, as one that wants only the harm would. */
const patienceMs = 10_000;
const samples = new URL('../../../renderer/public/samples/', import.meta.url);
const [url, key, step] = process.argv.slice(2) as [string, string, string];

const waiting = hostileCases(samples)
  .filter((_, index) => index % Number(step) === 0)
  .map(({ name, path, body }) => ({ name, path, bytes: new TextEncoder().encode(body()) }));
const attacked: Attacked = { cases: waiting.length, fiveXx: 0, left: 0, failed: {} };

const told = once(process, 'message');
process.send?.({});
await told;
// Two at a time, as the key may.
await Promise.all([client(), client()]);
process.send?.(attacked);
process.disconnect();

async function client(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    await send(next);
    if (waiting.length % 20 === 0) progress(`${waiting.length} of ${attacked.cases} cases are left`);
  }
}

async function send({ name, path, bytes }: (typeof waiting)[number]): Promise<void> {
  try {
    const { status, text } = await post(url + path, key, bytes, AbortSignal.timeout(patienceMs));
    if (status < 500) return;
    attacked.fiveXx += 1;
    attacked.failed[name] = `${status} ${text.slice(0, 200)}`;
    progress(`${name} was answered ${attacked.failed[name]}`);
  } catch (error) {
    attacked.left += 1;
    if ((error as Error).name !== 'TimeoutError') attacked.failed[name] = String((error as Error).name);
  }
}
