import { describe, expect, it } from 'vitest';
import { KvCache } from '../../../../server/engine/chat/schedule/kv-cache.ts';
import { Scheduler, type Step } from '../../../../server/engine/chat/schedule/scheduler.ts';
import { Sequence, type SequenceOptions } from '../../../../server/engine/chat/schedule/sequence.ts';
import { greedy } from '../../../support/chat/sampling.ts';

const store = { copy() {}, swap() {} };
const sink = { token: () => false, finish() {}, fail() {} };

function setUp(slots = 4) {
  const cache = new KvCache(slots, store);
  return { cache, scheduler: new Scheduler(cache, { stepTokens: 100, sharedStepTokens: 20 }) };
}

let distinct = 0;
function sequenceOf(length: number, options: Partial<SequenceOptions> = {}): Sequence {
  distinct += 1000;
  return new Sequence({
    owner: 'one',
    prompt: Array.from({ length }, (_, at) => distinct + at),
    maxTokens: 50,
    sampling: greedy,
    masks: null,
    topLogprobs: null,
    batchInvariant: false,
    leader: null,
    listener: sink,
    ...options,
  });
}

/** As the loop does: everything scheduled is computed, whole prompts get a token. */
function run(cache: KvCache, step: Step): void {
  for (const { sequence, count } of [
    ...step.prefill,
    ...step.decode.map((sequence) => ({ sequence, count: 1 })),
  ]) {
    const whole = count === sequence.pending;
    cache.extend(sequence.slot!, sequence.tokens.slice(sequence.computed, sequence.computed + count), true);
    sequence.computed += count;
    if (whole) sequence.append(7);
  }
}

const shape = (step: Step | null) =>
  step && { decode: step.decode.length, prefill: step.prefill.map(({ count }) => count) };

describe('Scheduler', () => {
  it('has nothing to do without sequences', () => {
    expect(setUp().scheduler.schedule()).toBeNull();
  });

  it('computes a prompt in chunks of the budget, then token by token', () => {
    const { cache, scheduler } = setUp();
    scheduler.add(sequenceOf(230));
    const steps = Array.from({ length: 5 }, () => {
      const step = scheduler.schedule()!;
      run(cache, step);
      return shape(step);
    });
    expect(steps).toEqual([
      { decode: 0, prefill: [100] },
      { decode: 0, prefill: [100] },
      { decode: 0, prefill: [30] },
      { decode: 1, prefill: [] },
      { decode: 1, prefill: [] },
    ]);
  });

  it('never lets a long prompt hold up decodes for more than a chunk', () => {
    const { cache, scheduler } = setUp();
    scheduler.add(sequenceOf(10));
    run(cache, scheduler.schedule()!);
    scheduler.add(sequenceOf(500));
    for (let step = 0; step < 5; step += 1) {
      const next = scheduler.schedule()!;
      expect(shape(next)).toEqual({ decode: 1, prefill: [20] });
      run(cache, next);
    }
  });

  it('fills a step with several short prompts, counting odd ones as even', () => {
    const { scheduler } = setUp();
    for (const length of [31, 31, 60]) scheduler.add(sequenceOf(length));
    expect(shape(scheduler.schedule())).toEqual({ decode: 0, prefill: [31, 31, 36] });
  });

  it('lets the last token of a prompt decode with others, but not when it must be exact', () => {
    const { scheduler } = setUp();
    scheduler.add(sequenceOf(1));
    expect(shape(scheduler.schedule())).toEqual({ decode: 1, prefill: [] });
    scheduler.add(sequenceOf(1, { batchInvariant: true }));
    expect(shape(scheduler.schedule())).toEqual({ decode: 1, prefill: [1] });
  });

  it('shares slots between owners, whoever came first', () => {
    const { cache, scheduler } = setUp(2);
    const greedyOwner = Array.from({ length: 6 }, () => sequenceOf(4, { owner: 'many' }));
    for (const sequence of greedyOwner) scheduler.add(sequence);
    run(cache, scheduler.schedule()!);
    const late = sequenceOf(4, { owner: 'few' });
    scheduler.add(late);
    scheduler.remove(greedyOwner[0]!);
    scheduler.schedule();
    expect(late.slot).not.toBeNull();
    expect(scheduler.waiting).toBe(4);
  });

  it('serves an owner in order and owners in turn', () => {
    const { scheduler } = setUp(2);
    const all = ['a', 'a', 'a', 'b', 'b', 'c'].map((owner) => sequenceOf(4, { owner }));
    for (const sequence of all) scheduler.add(sequence);
    const order: number[] = [];
    for (let oldest = 0; oldest < all.length; oldest += 1) {
      scheduler.schedule();
      for (const [at, { slot }] of all.entries()) if (slot !== null && !order.includes(at)) order.push(at);
      scheduler.remove(all[order[oldest]!]!);
    }
    expect(order).toEqual([0, 3, 5, 1, 4, 2]);
  });

  it('takes waiting and running sequences out', () => {
    const { cache, scheduler } = setUp(1 + 1);
    const [first, second, third] = [sequenceOf(4), sequenceOf(4), sequenceOf(4)];
    for (const sequence of [first!, second!, third!]) scheduler.add(sequence);
    scheduler.schedule();
    scheduler.remove(third!);
    scheduler.remove(first!);
    expect([scheduler.waiting, scheduler.running, cache.isBusy(0), first!.slot]).toEqual([0, 1, false, null]);
  });

  it('holds further choices back until the first has the prompt, which they copy', () => {
    const { cache, scheduler } = setUp();
    const leader = sequenceOf(150);
    const follower = sequenceOf(0, { prompt: leader.tokens, leader });
    scheduler.add(leader);
    scheduler.add(follower);
    run(cache, scheduler.schedule()!);
    expect(follower.slot).toBeNull();
    run(cache, scheduler.schedule()!);
    scheduler.schedule();
    expect(follower.slot).not.toBeNull();
    expect(follower.computed).toBe(149);
  });

  it('lets a further choice go ahead when the first is gone', () => {
    const { scheduler } = setUp();
    const leader = sequenceOf(150);
    const follower = sequenceOf(0, { prompt: leader.tokens, leader });
    scheduler.add(leader);
    scheduler.add(follower);
    leader.ended = true;
    scheduler.remove(leader);
    scheduler.schedule();
    expect(follower.slot).not.toBeNull();
  });

  it('closes gaps between decoding rows', () => {
    const { cache, scheduler } = setUp(4);
    const all = Array.from({ length: 4 }, () => sequenceOf(4));
    for (const sequence of all) scheduler.add(sequence);
    run(cache, scheduler.schedule()!);
    scheduler.remove(all[1]!);
    scheduler.remove(all[0]!);
    expect(scheduler.schedule()!.decode.map(({ slot }) => slot)).toEqual([2, 3]);
    run(cache, scheduler.schedule()!);
    const late = sequenceOf(4);
    scheduler.add(late);
    run(cache, scheduler.schedule()!);
    const slots = scheduler.schedule()!.decode.map(({ slot }) => slot!);
    expect(Math.max(...slots) - Math.min(...slots)).toBe(2);
    for (const sequence of [all[2]!, all[3]!, late])
      expect(cache.lengthOf(sequence.slot!)).toBe(sequence.computed);
  });
});
