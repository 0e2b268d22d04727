import { describe, expect, it } from 'vitest';
import { Generator } from '../../../server/engine/chat/generator.ts';
import type { SequenceMasks } from '../../../server/engine/chat/output/masks.ts';
import { KvCache } from '../../../server/engine/chat/schedule/kv-cache.ts';
import { Scheduler } from '../../../server/engine/chat/schedule/scheduler.ts';
import { Sequence, type SequenceOptions } from '../../../server/engine/chat/schedule/sequence.ts';
import { FakeModel, fakeGreedy, fakeVocabulary } from '../../support/chat/fake-model.ts';
import { greedy } from '../../support/chat/sampling.ts';

function setUp(slots = 4, speculate = false) {
  const model = new FakeModel(slots);
  const cache = new KvCache(slots, model);
  const scheduler = new Scheduler(cache, { stepTokens: 32, sharedStepTokens: 8 });
  const generator = new Generator({ runner: model, scheduler, cache, vocabulary: fakeVocabulary, speculate });
  return { model, cache, scheduler, generator };
}

interface Asked extends Partial<Omit<SequenceOptions, 'sink'>> {
  prompt: readonly number[];
  onToken?: (tokens: number[], sequence: Sequence) => boolean | undefined;
}

/** A sequence and the promise of what becomes of it. */
function ask({ onToken, ...options }: Asked) {
  const tokens: number[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<{ tokens: number[]; reason: string }>();
  const sequence: Sequence = new Sequence({
    owner: 'one',
    maxTokens: 20,
    sampling: greedy,
    masks: null,
    topLogprobs: null,
    batchInvariant: false,
    leader: null,
    ...options,
    listener: {
      token(token) {
        tokens.push(token);
        return onToken?.(tokens, sequence) ?? false;
      },
      finish: (reason) => resolve({ tokens, reason }),
      fail: reject,
    },
  });
  return { sequence, tokens, done: promise };
}

const promptOf = (seed: number, length = 10) => Array.from({ length }, (_, at) => (seed * 31 + at * 7) % 60);

describe('Generator', () => {
  it('generates what the model says, to the end or to the limit', async () => {
    const { generator } = setUp();
    const asked = Array.from({ length: 12 }, (_, seed) => ask({ prompt: promptOf(seed), maxTokens: 30 }));
    for (const { sequence } of asked) generator.add(sequence);
    const results = await Promise.all(asked.map(({ done }) => done));
    for (const [seed, { reason, tokens }] of results.entries()) {
      const wanted = fakeGreedy(promptOf(seed), 30);
      expect(tokens).toEqual(wanted);
      expect(reason).toBe(wanted.length < 30 ? 'stop' : 'length');
    }
    expect(new Set(results.map(({ reason }) => reason)).size).toBe(2);
  });

  it('serves a hundred sequences of many lengths on four slots', async () => {
    const { generator, scheduler, cache, model } = setUp();
    const asked = Array.from({ length: 100 }, (_, seed) =>
      ask({
        prompt: promptOf(seed % 40, 1 + (seed % 37) * 3),
        owner: `owner ${seed % 7}`,
        maxTokens: 1 + (seed % 9),
      }),
    );
    for (const { sequence } of asked) generator.add(sequence);
    const results = await Promise.all(asked.map(({ done }) => done));
    for (const [seed, { tokens }] of results.entries())
      expect(tokens).toEqual(fakeGreedy(promptOf(seed % 40, 1 + (seed % 37) * 3), 1 + (seed % 9)));
    expect(Math.max(...model.runs.map(({ rows }) => rows.length))).toBe(4);
    await generator.close();
    expect([scheduler.running, scheduler.waiting]).toEqual([0, 0]);
    expect([0, 1, 2, 3].some((slot) => cache.isBusy(slot))).toBe(false);
  });

  it('prefills the new text of a second turn only', async () => {
    const { generator, model } = setUp();
    const first = ask({ prompt: promptOf(1, 100), maxTokens: 10 });
    generator.add(first.sequence);
    const { tokens } = await first.done;
    model.runs.length = 0;
    const prompt = [...promptOf(1, 100), ...tokens, ...promptOf(2, 6)];
    const second = ask({ prompt, maxTokens: 1 });
    generator.add(second.sequence);
    expect((await second.done).tokens).toEqual(fakeGreedy(prompt, 1));
    const computed = model.runs.reduce((sum, { rows }) => sum + rows.length * rows[0]!.tokens.length, 0);
    expect(computed).toBeLessThanOrEqual(8);
  });

  it('computes the prompt of several choices once', async () => {
    const { generator, model } = setUp();
    const prompt = promptOf(3, 60);
    const leader = ask({ prompt, maxTokens: 5 });
    const others = [1, 2].map(() => ask({ prompt, maxTokens: 5, leader: leader.sequence }));
    for (const { sequence } of [leader, ...others]) generator.add(sequence);
    for (const { done } of [leader, ...others]) expect((await done).tokens).toEqual(fakeGreedy(prompt, 5));
    const prefilled = model.runs.filter(({ rows }) => rows[0]!.tokens.length > 1);
    expect(prefilled.reduce((sum, { rows }) => sum + rows[0]!.tokens.length, 0)).toBe(60);
  });

  it('gives the same tokens with drafts as without, in fewer runs, as far as there are masks for them', async () => {
    const prompt = promptOf(4);
    /** @param most masks along a draft; null: the sequence has none */
    const run = async (speculate: boolean, most: number | null = null) => {
      const { generator, model } = setUp(2, speculate);
      // Logits that follow from the last three tokens alone repeat themselves, as copied text does.
      const forgetful = model.run.bind(model);
      model.run = async (given, signal) => {
        const logits = await forgetful(given, signal);
        const tokens = given.rows[0]!.tokens;
        for (const [row, place] of given.wanted.entries())
          logits.set(peak((tokens[place]! * 5 + 3) % 20), row * 64);
        return logits;
      };
      const masks: SequenceMasks = {
        next: async (draft) => Array(1 + Math.min(most ?? 0, draft.length)).fill(null),
        accept() {},
      };
      const asked = ask({ prompt, maxTokens: 60, masks: most === null ? null : masks });
      generator.add(asked.sequence);
      const { tokens } = await asked.done;
      return { tokens, runs: model.runs.length };
    };
    const plain = await run(false);
    const drafted = [await run(true), await run(true, 99), await run(true, 1), await run(true, 0)];
    for (const { tokens } of drafted) expect(tokens).toEqual(plain.tokens);
    const [free, masked, one, none] = drafted.map(({ runs }) => runs);
    expect(free).toBeLessThan(plain.runs / 2);
    expect(masked).toBe(free);
    expect(one).toBeLessThan(plain.runs);
    expect(none).toBe(plain.runs);
  });

  it('gives the same tokens with drafts that fail', async () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const { generator } = setUp(2, true);
      const prompt = Array.from({ length: 40 }, (_, at) => (at * seed) % 5);
      const asked = ask({ prompt, maxTokens: 40 });
      generator.add(asked.sequence);
      expect((await asked.done).tokens).toEqual(fakeGreedy(prompt, 40));
    }
  });

  it('computes rows in pairs for exact sequences, alone and together', async () => {
    const { generator, model } = setUp();
    const asked = [1, 2, 3].map((seed) =>
      ask({ prompt: promptOf(seed, 9 + seed), batchInvariant: true, maxTokens: 3 + seed }),
    );
    for (const { sequence } of asked) generator.add(sequence);
    for (const [at, { done }] of asked.entries())
      expect((await done).tokens).toEqual(fakeGreedy(promptOf(at + 1, 10 + at), 4 + at));
    for (const { rows, wanted } of model.runs) {
      const count = rows.length * rows[0]!.tokens.length;
      expect(count % 2).toBe(0);
      if (rows.length > 1) expect(wanted.length % 2).toBe(0);
    }
  });

  it('ends a sequence whose reader stops it, and drops what was computed beyond', async () => {
    const { generator } = setUp();
    const asked = ask({ prompt: promptOf(6), onToken: (tokens) => tokens.length === 3 });
    const other = ask({ prompt: promptOf(7) });
    generator.add(asked.sequence);
    generator.add(other.sequence);
    expect(await asked.done).toEqual({ tokens: fakeGreedy(promptOf(6), 3), reason: 'stop' });
    expect((await other.done).tokens).toEqual(fakeGreedy(promptOf(7), 20));
  });

  it('keeps to masks, asked while the model runs', async () => {
    const { generator, model } = setUp();
    let asked = 0;
    let running = false;
    model.onRun = async () => {
      running = true;
      await null;
      queueMicrotask(() => {
        running = false;
      });
    };
    const bits = new Uint32Array(2);
    const masks: SequenceMasks & { accepted: number[] } = {
      accepted: [],
      async next() {
        asked += 1;
        expect(running).toBe(true);
        bits.fill(0);
        for (const id of [this.accepted.length, this.accepted.length + 30]) bits[id >>> 5]! |= 1 << (id & 31);
        return [bits];
      },
      accept(token) {
        this.accepted.push(token);
      },
    };
    const { done, sequence } = ask({ prompt: promptOf(8), masks, maxTokens: 6 });
    generator.add(sequence);
    const { tokens } = await done;
    expect(tokens.map((token, at) => (token === at || token === at + 30 ? 'allowed' : token))).toEqual(
      Array(6).fill('allowed'),
    );
    expect(masks.accepted).toEqual(tokens);
    expect(asked).toBe(6);
  });

  it('goes on with others while a mask is made', async () => {
    const { generator } = setUp();
    const made = Promise.withResolvers<(Uint32Array | null)[]>();
    const masks: SequenceMasks = { next: () => made.promise, accept() {} };
    const slow = ask({ prompt: promptOf(8), masks, maxTokens: 3 });
    const other = ask({ prompt: promptOf(9), maxTokens: 20 });
    generator.add(slow.sequence);
    generator.add(other.sequence);
    expect((await other.done).tokens).toEqual(fakeGreedy(promptOf(9), 20));
    expect(slow.tokens).toEqual([]);
    const late = ask({ prompt: promptOf(10), maxTokens: 5 });
    generator.add(late.sequence);
    expect((await late.done).tokens).toEqual(fakeGreedy(promptOf(10), 5));
    made.resolve([null]);
    expect((await slow.done).tokens).toEqual(fakeGreedy(promptOf(8), 3));
  });

  it('ends a sequence that waits for its mask, and one whose mask cannot be made', async () => {
    const { cache, generator } = setUp();
    const never = new Promise<never>(() => {});
    const gone = ask({ prompt: promptOf(8), masks: { next: () => never, accept() {} } });
    const refused = ask({
      prompt: promptOf(9),
      masks: { next: () => Promise.reject(new Error('too complex')), accept() {} },
    });
    generator.add(gone.sequence);
    generator.add(refused.sequence);
    await expect(refused.done).rejects.toThrow('too complex');
    generator.cancel(gone.sequence);
    await generator.close();
    expect([0, 1, 2, 3].some((slot) => cache.isBusy(slot))).toBe(false);
  });

  it('fails the sequences of a run that fails, and goes on with others', async () => {
    const { generator, model } = setUp();
    const bad = ask({ prompt: promptOf(9, 5) });
    const good = ask({ prompt: promptOf(10, 5) });
    model.onRun = ({ rows }) => {
      if (rows[0]!.tokens[0] === promptOf(9)[0]) throw new Error('out of memory');
    };
    generator.add(bad.sequence);
    generator.add(good.sequence);
    await expect(bad.done).rejects.toThrow('out of memory');
    expect((await good.done).tokens).toEqual(fakeGreedy(promptOf(10, 5), 20));
  });
});

describe('cancel', () => {
  it('takes a waiting sequence out', async () => {
    const { generator, scheduler, model } = setUp(2);
    const asked = [1, 2, 3].map((seed) => ask({ prompt: promptOf(seed) }));
    for (const { sequence } of asked) generator.add(sequence);
    generator.cancel(asked[2]!.sequence);
    await Promise.all([asked[0]!.done, asked[1]!.done]);
    await generator.close();
    expect(asked[2]!.tokens).toEqual([]);
    expect(scheduler.waiting).toBe(0);
    expect(model.runs.map(({ rows }) => rows[0]!.tokens)).not.toContainEqual(promptOf(3));
  });

  it('stops a run that serves nobody else, in its middle', async () => {
    const { generator, model, cache } = setUp();
    const started = Promise.withResolvers<void>();
    let stopped = false;
    model.onRun = (_run, signal) =>
      new Promise((_resolve, reject) => {
        started.resolve();
        signal.addEventListener('abort', () => {
          stopped = true;
          reject(signal.reason);
        });
      });
    const asked = ask({ prompt: promptOf(1, 100) });
    generator.add(asked.sequence);
    await started.promise;
    generator.cancel(asked.sequence);
    await generator.close();
    expect(stopped).toBe(true);
    expect(asked.tokens).toEqual([]);
    expect(cache.isBusy(0)).toBe(false);
  });

  it('lets a run that serves others finish, and them go on', async () => {
    const { generator, model } = setUp();
    const [gone, stays] = [ask({ prompt: promptOf(1) }), ask({ prompt: promptOf(2) })];
    model.onRun = ({ rows }, signal) => {
      if (rows.length < 2 || gone!.sequence.ended) return;
      generator.cancel(gone!.sequence);
      expect(signal.aborted).toBe(false);
    };
    for (const { sequence } of [gone!, stays!]) generator.add(sequence);
    expect((await stays!.done).tokens).toEqual(fakeGreedy(promptOf(2), 20));
    expect(gone!.tokens.length).toBeLessThan(3);
  });

  it('takes new sequences after everything was cancelled', async () => {
    const { generator } = setUp();
    const first = ask({ prompt: promptOf(1, 50) });
    generator.add(first.sequence);
    generator.cancel(first.sequence);
    const second = ask({ prompt: promptOf(2) });
    generator.add(second.sequence);
    expect((await second.done).tokens).toEqual(fakeGreedy(promptOf(2), 20));
  });
});

function peak(token: number): Float32Array {
  const logits = new Float32Array(64);
  logits[token] = 1;
  return logits;
}
