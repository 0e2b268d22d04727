import { describe, expect, it } from 'vitest';
import { Graph } from '../../../../server/engine/onnx/graph/graph.ts';
import {
  type AttentionShape,
  attentionName,
} from '../../../../server/engine/onnx/kernels/attention-layout.ts';
import { withChains } from '../../../../server/engine/onnx/kernels/chain-rewrite.ts';
import {
  chainRefusal,
  type LayerRun,
  type LayerSizes,
  runLayers,
} from '../../../../server/engine/onnx/kernels/chain-support.ts';
import {
  operatorDomain,
  operatorName,
  operatorVersion,
} from '../../../../server/engine/onnx/kernels/custom-op.ts';
import type { MatMulShape } from '../../../../server/engine/onnx/kernels/matmul-layout.ts';
import { servingFamilies } from '../../../support/chat/serving-families.ts';
import { random } from '../../../support/chat/tiny-decoder.ts';

const families = (await servingFamilies()).filter((family) => !family.startsWith('neon'));

describe.each(families)('chains of operators: %s', (family) => {
  const next = random(9);
  const upTo = (most: number) => 1 + Math.floor(next() * most);
  const one = <Of>(...choices: Of[]): Of => choices[Math.floor(next() * choices.length)]!;

  const randomSizes = (): LayerSizes => {
    const kvHeads = upTo(3);
    return {
      ...{ hidden: 32 * upTo(8), heads: kvHeads * upTo(3), kvHeads, headDim: 16 * upTo(4) },
      ...{ ffn: 16 * upTo(20), layers: upTo(5), bits: one(4, 8), block: one(32, 64, 128, 256) },
      ...{ window: one(0, 0, 20), packed: one(true, false) },
    };
  };
  const randomRun = (): LayerRun => {
    const rows = one(1, 1, 2, 4, 9, 16, 19);
    return { rows, tokens: one(1, 1, 1, upTo(4), upTo(40)), past: one(0, upTo(60), upTo(600)) };
  };

  it('serve', async () => {
    expect(await chainRefusal(family)).toBeNull();
  });

  it('give to the last bit what their operators give, on any count of threads', async () => {
    for (let each = 0; each < 12; each += 1) {
      const [sizes, run] = [randomSizes(), randomRun()];
      const threads = one(1, 2, 2, 3, 5);
      const alone = await runLayers(sizes, run, { family, threads: 1, chained: false });
      const chained = await runLayers(sizes, run, { family, threads, chained: true });
      expect(chained.equals(alone), JSON.stringify({ sizes, run, threads })).toBe(true);
    }
  }, 240_000);

  it('give the same where each thread does what others have at hand instead of waiting', async () => {
    for (let each = 0; each < 6; each += 1) {
      const [rows, tokens] = one([1, 1], [2, 1], [4, 1], [1, 4], [2, 2]) as [number, number];
      const [sizes, run] = [
        { ...randomSizes(), layers: upTo(8) },
        { rows, tokens, past: upTo(600) },
      ];
      const threads = one(2, 3, 5);
      const alone = await runLayers(sizes, run, { family, threads: 1, chained: false });
      for (let again = 0; again < 3; again += 1) {
        const chained = await runLayers(sizes, run, { family, threads, chained: true, looks: 0 });
        expect(chained.equals(alone), JSON.stringify({ sizes, run, threads })).toBe(true);
      }
    }
  }, 240_000);
});

describe('a graph with chains', () => {
  const attention: AttentionShape = {
    ...{ heads: 1, kvHeads: 1, headDim: 16, packed: true, rotaryDims: 0, rotaryRows: 0 },
    ...{ scale: 0.25, window: 0 },
  };
  const product = (columns: number, outputs: number): MatMulShape => ({
    ...{ columns, outputs, bits: 4, block: 32, zeroPoints: false },
  });
  const [first, second, wide] = [product(16, 32), product(32, 32), product(4096, 32)];
  const long = product(1 << 26, 32);
  const operators = { shapes: [first, second, wide, long], attentions: [attention], rows: [] };

  function chainsOf(last: MatMulShape, { between = 0, domain = operatorDomain, x = 'middle' } = {}) {
    const graph = new Graph('chain', { [operatorDomain]: operatorVersion });
    const attended = ['attended', 'present.keys', 'present.values'];
    const inputs = ['qkv', 'keys', 'values', 'seqlens', 'total'];
    graph.node(attentionName(attention), inputs, attended, { domain: operatorDomain });
    graph.node(operatorName(first), ['attended', 'a/codes', 'a/scales'], ['middle'], {
      domain: operatorDomain,
    });
    const values = [x, ...Array.from({ length: between }, (_, at) => `value.${at}`)];
    for (const [at, value] of values.slice(1).entries())
      graph.node(operatorName(second), [values[at]!, 'c/codes', 'c/scales'], [value], {
        domain: operatorDomain,
      });
    graph.node(operatorName(last), [values.at(-1)!, 'b/codes', 'b/scales'], ['y'], { domain });
    graph.output('y', 'float32', ['B', 'S', 32]);
    return withChains(graph.toModel(), operators, { threads: 2 }).chains;
  }

  it('has one where widths agree', () => {
    const [chain, ...others] = chainsOf(second);
    expect(chain!.nodes.map(({ kind }) => kind)).toEqual(['attention', 'product', 'product']);
    expect(others).toEqual([]);
  });

  it('has a place for each value where work is done over, and else places that values share', () => {
    const [chain] = chainsOf(second, { between: 4 });
    const places = chain!.nodes.flatMap(({ y }) => ('bytes' in y ? [y] : []));
    expect(places.map(({ bytes }) => bytes)).toEqual([0, 64, 192, 64, 192, 64]);
    expect(places.map(({ own }) => own)).toEqual([0, 64, 192, 320, 448, 576]);
    expect([chain!.rowBytes, chain!.ownBytes]).toEqual([320, 704]);
  });

  it('has none where a product would read behind what another gave, or sizes of one value differ', () => {
    expect(chainsOf(wide)).toEqual([]);
    expect(chainsOf(second, { x: 'qkv' })).toEqual([]);
  });

  it('has none where rows are so long that code could not reach all of their bytes', () => {
    expect(chainsOf(wide, { x: 'x' })).toHaveLength(1);
    expect(chainsOf(long, { x: 'x' })).toEqual([]);
  });

  it('has none of operators that bear the same name elsewhere', () => {
    expect(chainsOf(second, { domain: 'com.example' })).toEqual([]);
  });
});
