import { beforeEach, describe, expect, it } from 'vitest';
import { KvCache } from '../../../../server/engine/chat/schedule/kv-cache.ts';
import { KvSlab } from '../../../../server/engine/chat/schedule/kv-slab.ts';

const calls: unknown[] = [];
const store = {
  copy: (...args: unknown[]) => void calls.push(['copy', ...args]),
  swap: (...args: unknown[]) => void calls.push(['swap', ...args]),
};
beforeEach(() => {
  calls.length = 0;
});

const tokens = (count: number, start = 0) => Array.from({ length: count }, (_, at) => start + at);

/** Runs `all` through a slot and leaves it idle. */
function fill(cache: KvCache, all: number[], { exact = true, busy = false } = {}): number {
  const { slot, computed } = cache.acquire(all, false)!;
  cache.extend(slot, all.slice(computed), exact);
  if (!busy) cache.release(slot);
  return slot;
}

describe('KvCache', () => {
  it('takes a turn up where the last one ended, in its slot', () => {
    const cache = new KvCache(4, store);
    const slot = fill(cache, tokens(100));
    fill(cache, tokens(50, 1000));
    expect(cache.acquire([...tokens(100), 7, 8], false)).toEqual({ slot, computed: 100 });
    expect(calls).toEqual([]);
  });

  it('always leaves the last token to compute', () => {
    const cache = new KvCache(2, store);
    fill(cache, tokens(10));
    expect(cache.acquire(tokens(10), false)?.computed).toBe(9);
    expect(cache.lengthOf(0)).toBe(9);
  });

  it('copies a prefix out of a busy slot', () => {
    const cache = new KvCache(2, store);
    fill(cache, tokens(60), { busy: true });
    expect(cache.acquire([...tokens(40), 900], false)).toEqual({ slot: 1, computed: 40 });
    expect(calls).toEqual([['copy', 0, 1, 40]]);
    expect(cache.lengthOf(1)).toBe(40);
  });

  it('copies a short prefix of a long idle text rather than losing the text', () => {
    const cache = new KvCache(2, store);
    fill(cache, tokens(100));
    expect(cache.acquire([...tokens(30), 900], false)).toEqual({ slot: 1, computed: 30 });
    expect(cache.lengthOf(0)).toBe(100);
  });

  it('computes a few tokens rather than copying them', () => {
    const cache = new KvCache(2, store);
    fill(cache, tokens(100));
    expect(cache.acquire([...tokens(5), 900], false)).toEqual({ slot: 1, computed: 0 });
    expect(calls).toEqual([]);
  });

  it('gives up the text unused for longest when none is empty', () => {
    const cache = new KvCache(3, store);
    fill(cache, tokens(20));
    fill(cache, tokens(20, 100));
    fill(cache, tokens(20, 200));
    cache.release(cache.acquire(tokens(21), false)!.slot);
    expect(cache.acquire(tokens(20, 500), false)).toEqual({ slot: 1, computed: 0 });
  });

  it('is full when every slot is busy', () => {
    const cache = new KvCache(2, store);
    fill(cache, [1], { busy: true });
    fill(cache, [2], { busy: true });
    expect(cache.hasFree).toBe(false);
    expect(cache.acquire([3], false)).toBeNull();
    cache.release(1);
    expect(cache.acquire([3], false)?.slot).toBe(1);
  });

  it('gives exact sequences no more than prefill computed', () => {
    const cache = new KvCache(2, store);
    const slot = fill(cache, tokens(50), { busy: true });
    cache.extend(slot, tokens(20, 50), false);
    cache.extend(slot, tokens(10, 70), true);
    cache.release(slot);
    expect(cache.acquire([...tokens(80), 1], true)).toEqual({ slot, computed: 50 });
  });

  it('keeps what a copy knows exact', () => {
    const cache = new KvCache(3, store);
    const slot = fill(cache, tokens(50), { busy: true });
    cache.extend(slot, tokens(20, 50), false);
    const copy = cache.acquire([...tokens(70), 1], false)!;
    expect(copy.computed).toBe(70);
    cache.release(copy.slot);
    expect(cache.acquire([...tokens(70), 1], true)?.computed).toBe(50);
  });

  it('exchanges slots with all they hold', () => {
    const cache = new KvCache(2, store);
    fill(cache, tokens(5));
    fill(cache, tokens(9, 100), { busy: true });
    cache.swap(1, 0);
    expect(calls).toEqual([['swap', 1, 0, { one: 9, other: 5 }]]);
    expect([cache.isBusy(0), cache.lengthOf(0), cache.isBusy(1), cache.lengthOf(1)]).toEqual([
      true,
      9,
      false,
      5,
    ]);
  });
});

describe('KvSlab', () => {
  const dimensions = { slots: 3, heads: 2, positions: 4, headDim: 2 };
  const size = 3 * 2 * 4 * 2;
  const make = (block = 1) => {
    const slabs = [0, 1].map((slab) => Float32Array.from({ length: size }, (_, at) => slab * 1000 + at));
    return { slabs, store: new KvSlab(slabs, { ...dimensions, block }) };
  };
  /** The first positions of a head of a slot. */
  const read = (slab: Float32Array, slot: number, head: number, length: number) => [
    ...slab.subarray((slot * 2 + head) * 8, (slot * 2 + head) * 8 + length * 2),
  ];

  it('copies the first positions of every head and nothing else', () => {
    const { slabs, store: slab } = make();
    const before = slabs.map((each) => each.slice());
    slab.copy(0, 2, 3);
    for (const [index, each] of slabs.entries()) {
      for (const head of [0, 1]) {
        expect(read(each, 2, head, 3)).toEqual(read(before[index]!, 0, head, 3));
        expect(read(each, 2, head, 4).slice(6)).toEqual(read(before[index]!, 2, head, 4).slice(6));
      }
      expect(each.subarray(0, 32)).toEqual(before[index]!.subarray(0, 32));
    }
  });

  it('copies whole blocks where numbers of positions lie mixed', () => {
    const { slabs, store: slab } = make(4);
    const before = slabs.map((each) => each.slice());
    slab.copy(0, 2, 1);
    for (const [index, each] of slabs.entries())
      expect(read(each, 2, 1, 4)).toEqual(read(before[index]!, 0, 1, 4));
  });

  it('swaps as far as the longer goes', () => {
    const { slabs, store: slab } = make();
    const before = slabs.map((each) => each.slice());
    slab.swap(0, 1, { one: 1, other: 3 });
    for (const [index, each] of slabs.entries()) {
      expect(read(each, 0, 1, 3)).toEqual(read(before[index]!, 1, 1, 3));
      expect(read(each, 1, 0, 3)).toEqual(read(before[index]!, 0, 0, 3));
    }
  });

  it('shows neighbouring slots as they lie in memory', () => {
    const { slabs, store: slab } = make();
    const [keys] = slab.view(1, 2);
    expect(keys!.buffer).toBe(slabs[0]!.buffer);
    expect([...keys!]).toEqual([...slabs[0]!.subarray(16)]);
  });
});
