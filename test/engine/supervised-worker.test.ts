import { afterEach, describe, expect, test } from 'vitest';
import { SupervisedWorker, type WorkerRules } from '../../server/engine/supervised-worker.ts';

/** Answers `ask` with a number that counts on while the thread lives; `work` answers never, `block` hears nothing. */
const entry = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    let asked = 0;
    parentPort.on('message', (message) => {
      if (message === 'ask') parentPort.postMessage(++asked);
      if (message === 'leave') parentPort.postMessage('left');
      if (message === 'block') for (;;);
    });`)}`,
);
const rules: WorkerRules = {
  entry,
  maxHeapMb: 64,
  maxResidentBytes: Number.POSITIVE_INFINITY,
  tooSlow: () => new Error('slow'),
  tooLarge: () => new Error('large'),
  broken: () => new Error('broken'),
};
const leave = { message: 'leave', isLeft: (message: unknown) => message === 'left' };
const timeouts = { openMs: 60_000, stallMs: 60_000 };
let worker: SupervisedWorker;

afterEach(() => worker.close());

async function send(message: string, signal = new AbortController().signal): Promise<number> {
  const exchange = worker.exchange<string, number, number>(signal, async function* (talk) {
    talk.post(message);
    yield await talk.next();
  });
  let answer = Number.NaN;
  for await (const item of exchange) answer = item;
  return answer;
}

function leaveSoon(message: string): Promise<number> {
  const gone = new AbortController();
  setTimeout(() => gone.abort(new Error('gone')), 100);
  return send(message, gone.signal);
}

describe('a supervised thread', () => {
  test('that hears its caller leave goes on with the next call', async () => {
    worker = new SupervisedWorker({ ...rules, leave }, timeouts);
    expect(await send('ask')).toBe(1);
    await expect(leaveSoon('work')).rejects.toThrow('gone');
    expect(await send('ask')).toBe(2);
  });

  test('that does not hear is ended', async () => {
    worker = new SupervisedWorker({ ...rules, leave }, timeouts);
    expect(await send('ask')).toBe(1);
    await expect(leaveSoon('block')).rejects.toThrow('gone');
    expect(await send('ask')).toBe(1);
  });

  test('without a word for leaving is ended', async () => {
    worker = new SupervisedWorker(rules, timeouts);
    expect(await send('ask')).toBe(1);
    await expect(leaveSoon('work')).rejects.toThrow('gone');
    expect(await send('ask')).toBe(1);
  });

  test('is left alone where its process ends with it', async () => {
    let ends = 0;
    const endsProcess = () => {
      ends += 1;
      return true;
    };
    worker = new SupervisedWorker({ ...rules, leave, endsProcess }, timeouts);
    await expect(leaveSoon('work')).rejects.toThrow('gone');
    expect(ends).toBe(0);
    await expect(leaveSoon('block')).rejects.toThrow('gone');
    expect(ends).toBe(1);
    expect(await send('ask')).toBe(1);
  });
});
