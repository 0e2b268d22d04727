/**
 * Products of random shapes by one family of kernels, in onnxruntime, beside plain numbers. A program as well, for systems
 * that the tests do not run on: `node check-kernels.ts [COUNT] [FAMILY]` prints what serves here and what was found.
 */
import { type KernelFamily, kernelFamilies } from '../../../server/engine/engine.ts';
import { Graph } from '../../../server/engine/onnx/graph/graph.ts';
import { attentionRefusal } from '../../../server/engine/onnx/kernels/attention-support.ts';
import { chainRefusal } from '../../../server/engine/onnx/kernels/chain-support.ts';
import {
  operatorDomain,
  operatorName,
  operatorVersion,
} from '../../../server/engine/onnx/kernels/custom-op.ts';
import type { MatMulShape } from '../../../server/engine/onnx/kernels/matmul-layout.ts';
import { kernelVerdict } from '../../../server/engine/onnx/kernels/support.ts';
import { openSession } from '../../../server/engine/onnx/open.ts';
import { Tensor } from '../../../server/engine/onnx/tensor.ts';
import { type Weights, worstDifference } from './plain-matmul.ts';
import { randomNumbers } from './random.ts';
import { randomProduct } from './random-product.ts';

function modelOf(shape: MatMulShape, { codes, scales, zeros }: Weights): Uint8Array {
  const graph = new Graph('product', { [operatorDomain]: operatorVersion });
  graph.input('x', 'float32', ['rows', shape.columns]);
  graph.initializer('codes', 'uint8', [codes.length], codes);
  graph.initializer('scales', 'float32', [scales.length], scales);
  if (zeros) graph.initializer('zeros', 'uint8', [zeros.length], zeros);
  const inputs = ['x', 'codes', 'scales', ...(zeros ? ['zeros'] : [])];
  graph.node(operatorName(shape), inputs, ['y'], { domain: operatorDomain });
  graph.output('y', 'float32', ['rows', shape.outputs]);
  return graph.toModel();
}

/** Of what float32 may add up wrongly, by the magnitudes that were added. */
const tolerance = 1e-6;

export interface CheckedKernels {
  /** The largest difference from plain numbers, as a part of what was added up. */
  worst: number;
  /** Shapes whose numbers differ more, or whose rows are others alone. */
  wrong: { shape: MatMulShape; rows: number; difference: number; alone: boolean }[];
}

export async function checkKernels(family: KernelFamily, count: number, seed = 1): Promise<CheckedKernels> {
  const random = randomNumbers(seed);
  const found: CheckedKernels = { worst: 0, wrong: [] };
  for (let index = 0; index < count; index += 1) {
    const { rows, shape, weights, x } = randomProduct(random);
    const { columns, outputs } = shape;
    await using session = await openSession(modelOf(shape, weights), {
      threads: 1 + (index % 2),
      kernels: { family, shapes: [shape] },
    });
    const multiply = async (numbers: Float32Array) => {
      using input = new Tensor('float32', numbers, [numbers.length / columns, columns]);
      return (await session.run({ x: input })).y!.data as Float32Array;
    };
    const y = await multiply(x);
    const chosen = Math.floor(random() * rows);
    const numbers = x.slice(chosen * columns, (chosen + 1) * columns);
    const single = await multiply(numbers);
    const alone = single.every((each, at) => Object.is(each, y[chosen * outputs + at]));
    const difference = worstDifference({ shape, rows, x, weights }, y, [chosen, rows - 1]);
    found.worst = Math.max(found.worst, difference);
    if (difference > tolerance || !alone) found.wrong.push({ shape, rows, difference, alone });
  }
  return found;
}

if (process.argv[1]?.includes('check-kernels')) {
  const [count = '200', asked] = process.argv.slice(2);
  const wanted = kernelFamilies.filter((family) => !asked || family === asked);
  for (const family of wanted) {
    const verdict = await kernelVerdict(family);
    const found = verdict.family && (await checkKernels(verdict.family, Number(count)));
    const attention = verdict.family && (await attentionRefusal(verdict.family));
    const chains = verdict.family && (await chainRefusal(verdict.family));
    const told = { family, refusal: verdict.refusal, attention, chains, count, ...found };
    process.stdout.write(`${JSON.stringify(told)}\n`);
  }
  process.stdout.write(`${JSON.stringify({ unasked: await kernelVerdict() })}\n`);
}
