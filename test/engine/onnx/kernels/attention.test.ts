import { describe, expect, it } from 'vitest';
import { decodeHalf } from '../../../../server/engine/onnx/float16.ts';
import {
  type AttentionShape,
  attentionName,
  keyBlock,
} from '../../../../server/engine/onnx/kernels/attention-layout.ts';
import {
  encodeHalf,
  keyPlace,
  plainAttention,
} from '../../../../server/engine/onnx/kernels/attention-plain.ts';
import { withAttention } from '../../../../server/engine/onnx/kernels/attention-rewrite.ts';
import { attentionRefusal } from '../../../../server/engine/onnx/kernels/attention-support.ts';
import { openSession } from '../../../../server/engine/onnx/open.ts';
import { Tensor } from '../../../../server/engine/onnx/tensor.ts';
import {
  type AttentionCase,
  type AttentionNumbers,
  attend as attendBy,
  groupQueryModel,
  queryWidth,
  randomNumbers,
} from '../../../support/chat/attention-graph.ts';
import { servingFamilies } from '../../../support/chat/serving-families.ts';
import { random } from '../../../support/chat/tiny-decoder.ts';

const serving = await servingFamilies();
/** Of families that share their code, one. */
const families = (['avx512_vnni', 'avx2'] as const).filter((family) => serving.includes(family));

const largestDifference = (a: Float32Array, b: Float32Array) =>
  a.reduce((most, each, at) => Math.max(most, Math.abs(each - b[at]!)), 0);

const usual: AttentionShape = {
  ...{ heads: 8, kvHeads: 2, headDim: 64, packed: true },
  ...{ rotaryDims: 64, rotaryRows: 2048, scale: 0.125, window: 0 },
};

/** A shape, and rows of different lengths where each has one new token. */
function randomCase(next: () => number): AttentionCase {
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const among = <Of>(all: readonly Of[]): Of => all[whole(0, all.length - 1)]!;
  const headDim = among([16, 32, 48, 64, 80, 96, 128, 256]);
  const kvHeads = whole(1, 3);
  const shape = {
    ...{ headDim, kvHeads, heads: kvHeads * among([1, 2, 3, 4, 5, 6, 7, 8, 11]), packed: next() < 0.5 },
    ...{ rotaryDims: among([0, headDim, 2 * whole(1, headDim / 2)]), rotaryRows: 1400 },
    ...{ scale: among([headDim ** -0.5, 0.1]), window: among([0, 0, whole(1, 40), whole(400, 700)]) },
  };
  const tokens = among([1, 1, 1, 2, 5, 19]);
  const longest = among([keyBlock, 200, 600, 1100]);
  const rows = tokens === 1 ? whole(1, 4) : 1;
  const lengths = Array.from({ length: rows }, () => whole(tokens, Math.max(tokens, longest)));
  const positions = Math.ceil(Math.max(...lengths) / keyBlock) * keyBlock + keyBlock * whole(0, 1);
  return { shape, tokens, positions, lengths };
}

describe.each(families)('attention by custom kernels: %s', (family) => {
  const attend = (given: AttentionCase, numbers: AttentionNumbers, threads?: number) =>
    attendBy({ ...given, family }, numbers, threads);

  it('is what plain numbers say, over hundreds of shapes', async () => {
    const next = random(7);
    for (let each = 0; each < 200; each += 1) {
      const given = randomCase(next);
      const numbers = randomNumbers(next, given);
      const plain = { ...numbers, keys: numbers.keys.slice(), values: numbers.values.slice() };
      const expected = plainAttention(given.shape, { ...plain, ...given });
      const found = await attend(given, numbers);
      expect(largestDifference(found.y, expected), JSON.stringify(given)).toBeLessThan(2e-3);
      // Number by number in one go: vitest's own comparison of so many takes most of the test's time.
      expect(Buffer.compare(Buffer.from(found.values.buffer), Buffer.from(plain.values.buffer))).toBe(0);
      // Turned in float32, a key may round to the half beside.
      expect(found.keys.every((half, at) => Math.abs(half - plain.keys[at]!) <= 1)).toBe(true);
    }
  }, 240_000);

  it('gives a token the same numbers alone, in a prompt, beside others and on any threads', async () => {
    const next = random(11);
    const [length, tokens] = [1100, 37];
    const positions = 1152;
    const shape = { ...usual, window: 700 };
    const given = { shape, tokens, positions, lengths: [length] };
    const numbers = randomNumbers(next, given);
    const whole = await attend(given, numbers);
    for (const threads of [1, 3]) expect(await attend(given, numbers, threads)).toEqual(whole);
    const width = queryWidth(shape);
    const perToken = shape.heads * shape.headDim;
    let { keys, values } = numbers;
    for (let token = 0; token < tokens; token += 1) {
      const query = numbers.query.subarray(token * width, (token + 1) * width);
      const own = { ...numbers, query, keys, values, seqlens: Int32Array.of(length - tokens + token) };
      const alone = await attend({ ...given, tokens: 1, lengths: [length - tokens + token + 1] }, own);
      expect(alone.y).toEqual(whole.y.subarray(token * perToken, (token + 1) * perToken));
      ({ keys, values } = alone);
    }
    expect(keys).toEqual(whole.keys);
    // Beside rows of other lengths.
    const others = { shape, tokens: 1, positions, lengths: [3, length, 640] };
    const more = randomNumbers(next, others);
    const query = numbers.query.subarray((tokens - 1) * width);
    more.query.set(query, width);
    more.keys.set(whole.keys, whole.keys.length);
    more.values.set(whole.values, whole.values.length);
    const { y } = await attend(others, { ...more, cosines: numbers.cosines!, sines: numbers.sines! });
    expect(y.subarray(perToken, 2 * perToken)).toEqual(whole.y.subarray((tokens - 1) * perToken));
  });

  it('is told by nothing that lies in the cache from before', async () => {
    const next = random(13);
    const given = { shape: usual, tokens: 1, positions: 128, lengths: [70] };
    const numbers = randomNumbers(next, given);
    const clean = await attend(given, numbers);
    const { headDim, kvHeads } = usual;
    for (let head = 0; head < kvHeads; head += 1)
      for (let position = 70; position < 128; position += 1)
        for (let number = 0; number < headDim; number += 1) {
          const cache = head * 128 * headDim;
          numbers.keys[cache + keyPlace(position, number, headDim)] = encodeHalf(65_504);
          numbers.values[cache + position * headDim + number] = encodeHalf(-65_504);
        }
    expect((await attend(given, numbers)).y).toEqual(clean.y);
  });

  it('keeps the largest half of what is larger, or no number', async () => {
    const given = { shape: { ...usual, rotaryDims: 0 }, tokens: 1, positions: 64, lengths: [1] };
    const numbers = randomNumbers(random(17), given);
    numbers.query.set([1e9, -1e9, Number.NaN, Number.POSITIVE_INFINITY], 10 * 64);
    const { values } = await attend(given, numbers);
    expect(decodeHalf(values[0]!)).toBe(decodeHalf(encodeHalf(numbers.query[10 * 64]!)));
    const { keys } = await attend(given, numbers);
    const kept = [0, 1, 2, 3].map((number) => decodeHalf(keys[64 * 64 + number * keyBlock]!));
    const stored = [...values.subarray(0, 4)].map(decodeHalf);
    expect([...kept, ...stored].every(Number.isFinite)).toBe(true);
  });

  it.each<[string, Partial<AttentionCase>]>([
    ['ends behind its cache', { lengths: [129] }],
    ['begins before its first position', { tokens: 3, lengths: [2, 4] }],
    ['has a cache of broken blocks', { positions: 100, lengths: [50] }],
    ['ends behind its tables', { positions: 2112, lengths: [2049] }],
  ])('refuses a row that %s', async (_why, change) => {
    const given = { shape: usual, tokens: 1, positions: 128, lengths: [100], ...change };
    await expect(attend(given, randomNumbers(random(3), given))).rejects.toMatchObject({
      detail: expect.stringContaining('not of the shape'),
    });
  });

  it('gives its known answer', async () => {
    expect(await attentionRefusal(family)).toBeNull();
  });

  /** The runtime's own over float32, where halves say the same numbers. */
  async function byRuntime({ lengths, positions, shape, tokens }: AttentionCase, numbers: AttentionNumbers) {
    await using session = await openSession(groupQueryModel(shape, numbers), { threads: 1 });
    const rows = lengths.length;
    const { headDim, heads, kvHeads } = shape;
    const cache = [rows, kvHeads, positions, headDim];
    const values = Float32Array.from(numbers.values, decodeHalf);
    const keys = new Float32Array(values.length);
    for (let head = 0; head < rows * kvHeads; head += 1)
      for (let at = 0; at < positions * headDim; at += 1) {
        const place = keyPlace(Math.floor(at / headDim), at % headDim, headDim);
        keys[head * positions * headDim + at] = decodeHalf(numbers.keys[head * positions * headDim + place]!);
      }
    const caches = [new Tensor('float32', keys, cache), new Tensor('float32', values, cache)];
    const y = Tensor.zeros('float32', [rows, tokens, heads * headDim]);
    const inputs = {
      query: new Tensor('float32', numbers.query, [rows, tokens, queryWidth(shape)]),
      'past_key_values.0.key': caches[0]!,
      'past_key_values.0.value': caches[1]!,
      seqlens: new Tensor('int32', numbers.seqlens, [rows]),
      total: new Tensor('int32', Int32Array.of(Math.max(...lengths)), []),
    };
    const outputs = { y, 'present.0.key': caches[0]!, 'present.0.value': caches[1]! };
    await session.bind(inputs, outputs).run();
    return y.data as Float32Array;
  }

  it.each<[string, Partial<AttentionCase>]>([
    ['one token', {}],
    ['several tokens after others', { tokens: 9 }],
    ['a first prompt', { tokens: 90, lengths: [90] }],
    ['rows of different lengths', { lengths: [90, 5, 128] }],
    ['a window', { shape: { ...usual, window: 20 }, tokens: 9 }],
    ['heads turned in part', { shape: { ...usual, rotaryDims: 32 } }],
    ['heads of 128', { shape: { ...usual, headDim: 128, heads: 2 } }],
  ])('is the runtime’s, but for what halves round: %s', async (_what, change) => {
    const given = { shape: usual, tokens: 1, positions: 128, lengths: [100], ...change };
    const numbers = randomNumbers(random(5), given);
    const { y } = await attend(given, numbers);
    expect(largestDifference(y, await byRuntime(given, numbers))).toBeLessThan(3e-3);
  });
});

describe('a graph for custom attention', () => {
  const shape = { ...usual, rotaryRows: 32 };
  const tables = { cosines: new Float32Array(32 * 32), sines: new Float32Array(32 * 32) };

  it('names what its nodes do, and keeps its cache in halves', () => {
    for (const packed of [true, false]) {
      const own = { ...shape, packed };
      const { attentions, model } = withAttention(groupQueryModel(own, tables));
      expect(attentions).toEqual([own]);
      expect(Buffer.from(model).includes(attentionName(own))).toBe(true);
      expect(Buffer.from(model).includes('GroupQueryAttention')).toBe(false);
    }
    const windowed = { ...shape, window: 8 };
    expect(withAttention(groupQueryModel(windowed, tables)).attentions).toEqual([windowed]);
    const unlimited = groupQueryModel(shape, {
      ...tables,
      attributes: { local_window_size: -1, softcap: { float: 0 } },
    });
    expect(withAttention(unlimited).attentions).toEqual([shape]);
  });

  it.each<[string, Parameters<typeof groupQueryModel>[1]]>([
    ['caps its scores', { attributes: { softcap: { float: 30 } } }],
    ['turns neighbours', { attributes: { rotary_interleaved: 1 } }],
    ['weighs what it does not see', { attributes: { smooth_softmax: 1 } }],
    ['asks for something unknown', { attributes: { new_setting: 1 } }],
    ['has a cache in 8 bits', { attributes: { kv_cache_bit_width: 8 } }],
    ['has heads that do not fit', { attributes: { kv_num_heads: 3 } }],
    ['may be run with other tables', { constantTables: false }],
    ['reads its cache elsewhere', { twice: true }],
  ])('is left alone where it %s', (_why, setting) => {
    const model = groupQueryModel(shape, { ...tables, ...setting });
    expect(withAttention(model)).toEqual({ model, attentions: [] });
  });

  it('is left alone where heads are no whole registers', () => {
    const model = groupQueryModel({ ...shape, headDim: 40, rotaryDims: 0 }, {});
    expect(withAttention(model)).toEqual({ model, attentions: [] });
  });

  it('is refused when cut off', () => {
    const model = groupQueryModel(shape, tables);
    expect(() => withAttention(model.subarray(0, model.length - 9))).toThrow(RangeError);
  });
});
