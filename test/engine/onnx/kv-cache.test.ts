import { describe, expect, test } from 'vitest';
import { createGraph } from '../../../server/engine/onnx/graph/graph.ts';
import { openSession } from '../../../server/engine/onnx/open.ts';
import type { Session } from '../../../server/engine/onnx/session.ts';
import { Tensor } from '../../../server/engine/onnx/tensor.ts';
import { randomNumbers, randomWeights } from '../../support/onnx/random.ts';

const size = 16;
const slots = 8;

/** One head of grouped attention over a preallocated cache of `rows` rows. */
function attentionModel(): Uint8Array {
  const graph = createGraph('cache');
  for (const name of ['query', 'key', 'value']) graph.input(name, 'float32', ['rows', 'steps', size]);
  for (const name of ['past_key', 'past_value']) graph.input(name, 'float32', ['rows', 1, slots, size]);
  graph.input('seqlens', 'int32', ['rows']);
  graph.input('total', 'int32', []);
  const inputs = ['query', 'key', 'value', 'past_key', 'past_value', 'seqlens', 'total'];
  graph.node('GroupQueryAttention', inputs, ['mixed', 'present_key', 'present_value'], {
    domain: 'com.microsoft',
    attributes: { num_heads: 1, kv_num_heads: 1 },
  });
  graph.output('mixed', 'float32', ['rows', 'steps', size]);
  for (const name of ['present_key', 'present_value'])
    graph.output(name, 'float32', ['rows', 1, slots, size]);
  return graph.toModel();
}

/** The cache of some rows of a slab, as tensors over the slab itself. */
function cacheView(slab: Float32Array, from: number, rows: number): Tensor {
  const stride = slots * size;
  return new Tensor('float32', slab.subarray(from * stride, (from + rows) * stride), [rows, 1, slots, size]);
}

interface Step {
  keys: Tensor;
  values: Tensor;
  /** New tokens by row, and how many each row has after them. */
  states: Float32Array;
  lengths: number[];
}

/** Runs new tokens over the cache in place and returns what attention gives for them. */
async function attend(session: Session, { keys, values, states, lengths }: Step): Promise<number[]> {
  const rows = lengths.length;
  const data = new Tensor('float32', states, [rows, states.length / (rows * size), size]);
  const seqlens = new Tensor(
    'int32',
    Int32Array.from(lengths, (length) => length - 1),
    [rows],
  );
  const total = new Tensor('int32', Int32Array.of(Math.max(...lengths)), []);
  const cache = { past_key: keys, past_value: values };
  const inputs = { query: data, key: data, value: data, ...cache, seqlens, total };
  const results = await session.bind(inputs, { mixed: null, present_key: keys, present_value: values }).run();
  return [...(results.mixed!.data as Float32Array)];
}

describe('a key-value cache that is input and output at once', () => {
  const tokens = randomWeights(randomNumbers(8), 6 * size, 1);
  const token = (index: number, count = 1) => tokens.slice(index * size, (index + count) * size);

  test('grows in place, token by token as in one go', async () => {
    await using session = await openSession(attentionModel());
    const [keys, values] = [
      Tensor.zeros('float32', [1, 1, slots, size]),
      Tensor.zeros('float32', [1, 1, slots, size]),
    ];
    const stepped: number[] = [];
    for (let step = 0; step < 3; step++) {
      stepped.push(...(await attend(session, { keys, values, states: token(step), lengths: [step + 1] })));
    }
    expect([...keys.data].slice(0, 3 * size)).toEqual([...token(0, 3)]);
    expect([...keys.data].slice(3 * size).every((value) => value === 0)).toBe(true);
    const [freshKeys, freshValues] = [keys, values].map(({ dims }) => Tensor.zeros('float32', dims));
    const whole = { keys: freshKeys!, values: freshValues!, states: token(0, 3), lengths: [3] };
    const atOnce = await attend(session, whole);
    for (const [index, value] of atOnce.entries()) expect(value).toBeCloseTo(stepped[index]!, 5);
  });

  test('rows of one slab are filled one by one and read together', async () => {
    await using session = await openSession(attentionModel());
    const slabs = [new Float32Array(2 * slots * size), new Float32Array(2 * slots * size)];
    const view = (from: number, rows: number) => ({
      keys: cacheView(slabs[0]!, from, rows),
      values: cacheView(slabs[1]!, from, rows),
    });
    await attend(session, { ...view(0, 1), states: token(0, 3), lengths: [3] });
    await attend(session, { ...view(1, 1), states: token(3, 2), lengths: [2] });
    const states = Float32Array.of(...token(4), ...token(5));
    const together = await attend(session, { ...view(0, 2), states, lengths: [4, 3] });

    const alone = view(0, 1);
    (alone.keys.data as Float32Array).fill(0);
    (alone.values.data as Float32Array).fill(0);
    await attend(session, { ...alone, states: token(0, 3), lengths: [3] });
    const first = await attend(session, { ...alone, states: token(4), lengths: [4] });
    for (const [index, value] of first.entries()) expect(value).toBeCloseTo(together[index]!, 5);
  });
});
