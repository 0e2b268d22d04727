/**
 * The product of rows with weights of four bits by each family of custom kernels that serves here, beside onnxruntime's MatMulNBits
 * (packed, rows as bytes), for blocks of 256 and of 32. Where it can be, the runtime sees no later instructions than the family's
 * (`kernels/limited-processor.ts`): `peer_limited`; what it does with all it finds is `beside_all`.
 */
import { availableParallelism } from 'node:os';
import { type KernelFamily, kernelFamilies } from '../../server/engine/engine.ts';
import { createGraph } from '../../server/engine/onnx/graph/graph.ts';
import { withCustomKernels } from '../../server/engine/onnx/kernels/graph-rewrite.ts';
import type { MatMulShape } from '../../server/engine/onnx/kernels/matmul-layout.ts';
import { openSession } from '../../server/engine/onnx/open.ts';
import type { Session } from '../../server/engine/onnx/session.ts';
import { Tensor } from '../../server/engine/onnx/tensor.ts';
import { servingFamilies } from '../support/chat/serving-families.ts';
import { figuresOf, limitedTo } from './kernels/limited-processor.ts';
import { alternate, progress, rounded } from './measure.ts';

const questions = { one: 1, four: 4, eight: 8, rows_128: 128 };
const threads = Math.min(2, availableParallelism());

export async function run({ quick }: { quick: boolean }): Promise<object> {
  const size = quick ? { columns: 512, outputs: 1024 } : { columns: 2048, outputs: 16_384 };
  const asked = process.env.LOKAL_BENCH_KERNELS?.split(',') ?? kernelFamilies;
  const families = (await servingFamilies()).filter((family) => asked.includes(family));
  const blocks = [256, 32] as const;
  const found: Record<string, object> = {};
  for (const block of blocks) {
    const shape: MatMulShape = { ...size, bits: 4, block, zeroPoints: true };
    const plain = matMulModel(shape);
    await using peer = await openSession(plain, { threads });
    for (const family of families) {
      const ratios = await ratiosOf({ family, shape, plain, peer, quick });
      found[family] = { ...found[family], ...(block === 256 ? ratios : { blocks_of_32: ratios }) };
    }
  }
  if (process.env.BENCH_PROCESSOR) return { threads, ...found };
  for (const family of families) {
    const env = await limitedTo(family);
    if (env)
      found[family] = {
        ...(await figuresOf(family, env, quick)),
        peer_limited: true,
        beside_all: found[family]!,
      };
  }
  return { threads, ...found };
}

interface Subject {
  family: KernelFamily;
  shape: MatMulShape;
  plain: Uint8Array;
  peer: Session;
  quick: boolean;
}

async function ratiosOf({ family, shape, plain, peer, quick }: Subject) {
  const { model, kernels: shapes } = withCustomKernels(plain);
  await using ours = await openSession(model, { threads, kernels: { family, shapes } });
  const ratios: Record<string, number> = {};
  for (const [question, rows] of Object.entries(questions)) {
    using x = new Tensor('float32', waves(rows * shape.columns), [rows, shape.columns]);
    const times = quick ? 1 : Math.ceil(240 / (rows + 7));
    // As in a model, whose products write into memory that was there: pages of fresh memory are no part of a product.
    using y = Tensor.zeros('float32', [rows, shape.outputs]);
    const repeat = (session: Session) => {
      const binding = session.bind({ x }, { y });
      return async () => {
        for (let index = 0; index < times; index += 1) await binding.run();
      };
    };
    progress(`${family}, ${rows} rows, blocks of ${shape.block}`);
    const { oursMs, peerMs } = await alternate({
      ours: repeat(ours),
      peer: repeat(peer),
      runs: quick ? 1 : 21,
    });
    ratios[question] = rounded(peerMs / oursMs);
  }
  return ratios;
}

const waves = (count: number) => Float32Array.from({ length: count }, (_, at) => Math.sin(at * 1.3));

/** Codes, scales and zero points without meaning: times do not depend on them. */
function matMulModel({ block, columns, outputs }: MatMulShape): Uint8Array {
  const blocks = columns / block;
  const bytes = (count: number) => Uint8Array.from({ length: count }, (_, at) => (at * 37 + (at >> 8)) & 255);
  const graph = createGraph('product');
  graph.input('x', 'float32', ['rows', columns]);
  graph.initializer('codes', 'uint8', [outputs, blocks, block / 2], bytes((outputs * columns) / 2));
  graph.initializer('scales', 'float32', [outputs * blocks], new Float32Array(outputs * blocks).fill(0.01));
  graph.initializer(
    'zeros',
    'uint8',
    [outputs * Math.ceil(blocks / 2)],
    bytes(outputs * Math.ceil(blocks / 2)),
  );
  graph.node('MatMulNBits', ['x', 'codes', 'scales', 'zeros'], ['y'], {
    domain: 'com.microsoft',
    attributes: { K: columns, N: outputs, bits: 4, block_size: block, accuracy_level: 4 },
  });
  graph.output('y', 'float32', ['rows', outputs]);
  return graph.toModel();
}
