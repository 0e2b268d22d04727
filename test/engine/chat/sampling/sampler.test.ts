import { describe, expect, it } from 'vitest';
import { draw } from '../../../../server/engine/chat/sampling/candidates.ts';
import { logProbabilities } from '../../../../server/engine/chat/sampling/log-probabilities.ts';
import { type SamplingOptions, sample } from '../../../../server/engine/chat/sampling/sampler.ts';
import { greedy } from '../../../support/chat/sampling.ts';
import { random } from '../../../support/chat/tiny-decoder.ts';

const state = { counts: new Map<number, number>(), position: 0, mask: null };
const logitsOf = (...values: number[]) => Float32Array.from(values);

/** How often each token is drawn. */
function shares(logits: Float32Array, options: Partial<SamplingOptions>, mask: Uint32Array | null = null) {
  const draws = 20_000;
  const counts = new Array<number>(logits.length).fill(0);
  for (let position = 0; position < draws; position += 1) {
    const token = sample(logits, { ...greedy, temperature: 1, ...options }, { ...state, position, mask });
    counts[token]! += 1;
  }
  return counts.map((count) => count / draws);
}

/** The textbook way: everything sorted. */
function expected(logits: Float32Array, { temperature = 1, topK = 0, topP = 1, minP = 0 }): number[] {
  const top = logits.reduce((a, b) => Math.max(a, b));
  let entries = [...logits].map((logit, id) => ({ id, weight: Math.exp((logit - top) / temperature) }));
  entries.sort((a, b) => b.weight - a.weight || a.id - b.id);
  entries = entries.filter(({ weight }) => weight >= minP);
  if (topK > 0) entries = entries.slice(0, topK);
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  let held = 0;
  const kept = entries.filter(({ weight }) => {
    const wanted = held < topP * total;
    held += weight;
    return wanted;
  });
  const left = kept.reduce((sum, { weight }) => sum + weight, 0);
  const result = new Array<number>(logits.length).fill(0);
  for (const { id, weight } of kept) result[id] = weight / left;
  return result;
}

describe('sample', () => {
  it('takes the likeliest at temperature 0, the lowest id of equals', () => {
    expect(sample(logitsOf(1, 3, 3, 2), greedy, state)).toBe(1);
  });

  it.each<Partial<SamplingOptions>>([
    {},
    { temperature: 0.5 },
    { temperature: 2 },
    { topK: 3 },
    { topP: 0.7 },
    { topK: 4, topP: 0.6 },
    { minP: 0.2 },
    { topP: 0 },
    { temperature: 1.5, topK: 6, topP: 0.9, minP: 0.05 },
  ])('draws from the distribution that %o asks for', (options) => {
    const next = random(5);
    const logits = Float32Array.from({ length: 40 }, () => next() * 6);
    const wanted = expected(logits, options);
    for (const [id, share] of shares(logits, options).entries()) {
      expect(Math.abs(share - wanted[id]!)).toBeLessThan(0.015);
      if (wanted[id] === 0) expect(share).toBe(0);
    }
  });

  it('finds the same with a vocabulary of 128,000', () => {
    const next = random(9);
    const logits = Float32Array.from({ length: 128_000 }, () => next() * 3);
    for (const [id, value] of [12, 11.5, 11, 9].entries()) logits[id * 40_000 + 7] = value;
    const wanted = expected(logits, { topP: 0.5 });
    for (let position = 0; position < 50; position += 1) {
      const token = sample(logits, { ...greedy, temperature: 1, topP: 0.5 }, { ...state, position });
      expect(wanted[token]).toBeGreaterThan(0);
    }
  });

  it('gives many unlikely tokens their share, and each of them the same', () => {
    // 120,000 tokens at a distance of 16.2 weigh 1.1 % of the best together, a little less than what is reckoned with.
    const logits = new Float32Array(120_001).fill(3.8);
    logits[60_000] = 20;
    const options = { temperature: 1, topK: 0, topP: 1, minP: 0, mask: null };
    const others = 120_000 * Math.exp(-16.2);
    const draws = 4000;
    const found = Array.from({ length: draws }, (_, at) => draw(logits, options, (at + 0.5) / draws));
    const far = found.filter((id) => id !== 60_000);
    expect(far.length / draws).toBeCloseTo(others / (1 + others), 3);
    const middle = far.reduce((sum, id) => sum + id, 0) / far.length;
    expect(Math.abs(middle - 60_000)).toBeLessThan(3000);
    // At half the temperature they are beyond everything.
    expect(draw(logits, { ...options, temperature: 0.5 }, 0.9999)).toBe(60_000);
  });

  it('keeps to the mask, whatever is likely', () => {
    const mask = new Uint32Array(3);
    for (const id of [2, 31, 32, 69]) mask[id >>> 5]! |= 1 << (id & 31);
    const logits = Float32Array.from({ length: 70 }, (_, id) => (id === 5 ? 50 : id / 70));
    expect(sample(logits, greedy, { ...state, mask })).toBe(69);
    const found = shares(logits, {}, mask);
    expect(found.flatMap((share, id) => (share > 0 ? [id] : []))).toEqual([2, 31, 32, 69]);
  });

  it('adds biases and takes penalties, and leaves the logits as they were', () => {
    const logits = logitsOf(1, 2, 3, 0);
    const counts = new Map([
      [2, 2],
      [1, 1],
    ]);
    const pick = (options: Partial<SamplingOptions>) =>
      sample(logits, { ...greedy, ...options }, { ...state, counts });
    expect(pick({ logitBias: new Map([[3, 100]]) })).toBe(3);
    expect(pick({ logitBias: new Map([[2, -100]]) })).toBe(1);
    expect(pick({ frequencyPenalty: 0.4 })).toBe(2);
    expect(pick({ frequencyPenalty: 2 })).toBe(0);
    expect(pick({ presencePenalty: 0.5 })).toBe(2);
    expect(pick({ presencePenalty: 1.9, logitBias: new Map([[1, 0.5]]) })).toBe(2);
    expect(pick({ logitBias: new Map([[99, 5]]) })).toBe(2);
    expect([...logits]).toEqual([1, 2, 3, 0]);
  });

  it('draws by seed, choice and position alone', () => {
    const logits = Float32Array.from({ length: 1000 }, (_, id) => Math.sin(id));
    const text = (seed: number, choice: number) =>
      Array.from({ length: 20 }, (_, position) =>
        sample(logits, { ...greedy, temperature: 1, random: { seed, choice } }, { ...state, position }),
      );
    expect(text(7, 0)).toEqual(text(7, 0));
    expect(text(7, 0)).not.toEqual(text(7, 1));
    expect(text(7, 0)).not.toEqual(text(8, 0));
    expect(text(Number.MAX_SAFE_INTEGER, 0)).not.toEqual(text(Number.MIN_SAFE_INTEGER, 0));
    expect(text(2 ** 40, 0)).not.toEqual(text(2 ** 41, 0));
  });

  it('refuses logits that are not numbers', () => {
    expect(() => sample(logitsOf(Number.NaN, Number.NaN), greedy, state)).toThrow('no usable logits');
    expect(() => sample(logitsOf(1, 2), greedy, { ...state, mask: new Uint32Array(1) })).toThrow();
  });
});

describe('logProbabilities', () => {
  it('are those of the plain distribution, the best first', () => {
    const logits = logitsOf(1, 3, 2, 3.5);
    const { chosen, top } = logProbabilities(logits, 2, 3);
    const sum = [...logits].reduce((total, value) => total + Math.exp(value), 0);
    expect(chosen.logprob).toBeCloseTo(2 - Math.log(sum), 6);
    expect(top.map(({ id }) => id)).toEqual([3, 1, 2]);
    expect(logProbabilities(logits, 0, 0).top).toEqual([]);
  });
});
