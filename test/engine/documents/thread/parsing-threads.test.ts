import { availableParallelism } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { minSecondThreadProcessors } from '../../../../server/engine/documents/limits.ts';
import { maxSmallBytes, ParsingThreads } from '../../../../server/engine/documents/thread/parsing-threads.ts';
import type { ParseItem, ParseParams } from '../../../../server/engine/documents/types.ts';
import { openStarter } from '../../../support/documents/open-starter.ts';
import { makePdf } from '../helpers.ts';

const { signal } = new AbortController();
const params = (bytes: Uint8Array): ParseParams => ({
  bytes,
  template: null,
  pages: null,
  outputFormat: 'json',
});
const small = params(new Uint8Array(10));
const large = params(new Uint8Array(maxSmallBytes + 1));

/** A thread whose calls end when they are told to, in turn; it notes who was asked. */
class HeldThread {
  readonly asked: ParseParams[] = [];
  readonly ends: (() => void)[] = [];
  #turn = Promise.resolve();

  async *stream(_method: string, asked: object): AsyncGenerator<never> {
    const before = this.#turn;
    const end = new Promise<void>((resolve) => this.ends.push(resolve));
    this.#turn = end;
    this.asked.push(asked as ParseParams);
    await before;
    await end;
  }
  call = () => Promise.reject(new Error('not asked for'));
  close = () => Promise.resolve();
}

function held(allowed = true) {
  const [first, second] = [new HeldThread(), new HeldThread()];
  let opened = 0;
  const host = { isFull: false, replaced: 0 };
  const threads = new ParsingThreads(
    first as never,
    () => {
      opened++;
      return allowed ? (second as never) : null;
    },
    { isFull: () => host.isFull, replace: () => void host.replaced++ },
  );
  const parse = (each: ParseParams, again = false): Promise<unknown> =>
    threads.stream('parse', each, { signal, again }).next();
  return { first, second, parse, host, openings: () => opened };
}

describe('who waits for whom', () => {
  test('a small document passes a large one', async () => {
    const { first, second, parse } = held();
    const ended: string[] = [];
    const giant = parse(large).then(() => ended.push('large'));
    const note = parse(small).then(() => ended.push('small'));
    second.ends[0]!();
    await note;
    first.ends[0]!();
    await giant;
    expect(ended).toEqual(['small', 'large']);
  });

  test('one document alone needs one thread', async () => {
    const { first, parse, openings } = held();
    const only = parse(small);
    first.ends[0]!();
    await only;
    expect(openings()).toBe(0);
  });

  test('large documents wait for each other; small ones take the shorter row', () => {
    const { first, second, parse } = held();
    for (const each of [large, large, small, small]) void parse(each);
    expect(first.asked).toEqual([large, large]);
    expect(second.asked).toEqual([small, small].slice(0, second.asked.length));
    void parse(small);
    expect(first.asked.length + second.asked.length).toBe(5);
    expect(second.asked.every((each) => each === small)).toBe(true);
  });

  test('all wait in one row where there is no room for a second thread', () => {
    const { first, second, parse } = held(false);
    for (const each of [large, small, small]) void parse(each);
    expect(first.asked).toEqual([large, small, small]);
    expect(second.asked).toEqual([]);
  });
});

describe('a host that is full of what earlier documents left', () => {
  test('is replaced before the next one', async () => {
    const { first, parse, host } = held();
    host.isFull = true;
    const only = parse(small);
    expect(host.replaced).toBe(0);
    first.ends[0]!();
    await only;
    void parse(small);
    expect(host.replaced).toBe(1);
    expect(first.asked).toEqual([small]);
  });

  test('goes on while it reads', () => {
    const { first, parse, host } = held(false);
    host.isFull = true;
    for (const each of [small, small]) void parse(each);
    expect(host.replaced).toBe(0);
    expect(first.asked).toEqual([small, small]);
  });

  test('a document that is asked again shares the next one with nobody', () => {
    const { first, second, parse } = held();
    void parse(small, true);
    void parse(small);
    void parse(small, true);
    expect(first.asked).toEqual([small, small, small]);
    expect(second.asked).toEqual([]);
  });
});

const engine = await openStarter();
afterAll(() => engine.close());

describe.skipIf(availableParallelism() < minSecondThreadProcessors)('threads of the engine', () => {
  test('a letter that came after a long document is answered before it', async () => {
    const page = (_page: unknown, text: (value: string, x: number, y: number) => void) => {
      for (let line = 0; line < 400; line++)
        text(`line ${line} of a long page`, 20 + (line % 5) * 100, 2 * line);
    };
    const long = Buffer.concat([
      await makePdf(...Array.from({ length: 12 }, () => page)),
      Buffer.alloc(maxSmallBytes, 10),
    ]);
    const letter = await makePdf((_page, text) => text('a letter', 50, 50));
    const ended: string[] = [];
    const read = async (name: string, bytes: Uint8Array): Promise<void> => {
      const items: ParseItem[] = [];
      for await (const item of engine.methods.parse(params(bytes), { signal })) items.push(item);
      expect(items.at(-1)).toMatchObject({ kind: 'result' });
      ended.push(name);
    };
    await Promise.all([read('long', long), read('letter', letter)]);
    expect(ended).toEqual(['letter', 'long']);
  });
});
