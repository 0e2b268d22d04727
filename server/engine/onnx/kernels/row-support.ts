/** Row operators serve where there is code for the family and it gives known answers. */
import type { KernelFamily } from '../../engine.ts';
import { Graph } from '../graph/graph.ts';
import { openSession } from '../open.ts';
import { Tensor } from '../tensor.ts';
import { operatorDomain, operatorVersion } from './custom-op.ts';
import { familyCode } from './families.ts';
import { type RowShape, rowName } from './row-layout.ts';
import { plainRows } from './row-plain.ts';

const refusals = new Map<KernelFamily, Promise<string | null>>();

/** Reason against them beside a family that serves, or null. Found out once a process. */
export function rowRefusal(family: KernelFamily): Promise<string | null> {
  const refusal = refusals.get(family) ?? findRefusal(family);
  refusals.set(family, refusal);
  return refusal;
}

const known: readonly RowShape[] = [
  { kind: 'gated', columns: 48 },
  { kind: 'normed', columns: 48, epsilon: 1e-5 },
];
const knownRows = 3;
const tolerance = 1e-5;

async function findRefusal(family: KernelFamily): Promise<string | null> {
  if (!familyCode[family].emitRows) return `there are none for ${family}`;
  try {
    for (const shape of known) await check(shape, family);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

export interface RowInputs {
  x: Float32Array;
  addend: Float32Array;
  weights: Float32Array;
}

/** Numbers that a session with one row operator gives: of gated rows nothing but y. */
export async function runRows(
  shape: RowShape,
  { addend, weights, x }: RowInputs,
  { family, threads = 1 }: { family: KernelFamily; threads?: number },
): Promise<{ y: Float32Array; sum?: Float32Array }> {
  const { columns, kind } = shape;
  const gated = kind === 'gated';
  const width = gated ? 2 * columns : columns;
  const graph = new Graph('rows', { [operatorDomain]: operatorVersion });
  const names = gated ? ['x'] : ['x', 'addend', 'weights'];
  const outputs = gated ? ['y'] : ['sum', 'y'];
  for (const name of names.slice(0, 2)) graph.input(name, 'float32', ['rows', width]);
  if (!gated) graph.initializer('weights', 'float32', [columns], weights);
  graph.node(rowName(shape), names, outputs, { domain: operatorDomain });
  for (const name of outputs) graph.output(name, 'float32', ['rows', columns]);
  const kernels = { family, shapes: [], rows: [shape] };
  await using session = await openSession(graph.toModel(), { threads, kernels });
  const dims = [x.length / width, width];
  using first = new Tensor('float32', x, dims);
  using second = new Tensor('float32', addend, dims);
  const found = await session.run(gated ? { x: first } : { x: first, addend: second });
  const numbers = (name: string) => (found[name]!.data as Float32Array).slice();
  return { y: numbers('y'), ...(!gated && { sum: numbers('sum') }) };
}

/** @throws Error when rows are not what they must be */
async function check(shape: RowShape, family: KernelFamily): Promise<void> {
  const { columns } = shape;
  const waves = (length: number, phase: number) =>
    Float32Array.from({ length }, (_, at) => 9 * Math.sin(at * 1.7 + phase));
  const width = shape.kind === 'gated' ? 2 * columns : columns;
  const inputs = {
    x: waves(knownRows * width, 0),
    addend: waves(knownRows * width, 1),
    weights: waves(columns, 2),
  };
  const found = await runRows(shape, inputs, { family });
  const expected = plainRows(shape, inputs);
  const near = (numbers: Float32Array, plain: Float32Array) =>
    numbers.length === plain.length &&
    numbers.every(
      (number, at) => Math.abs(number - plain[at]!) <= tolerance * Math.max(1, Math.abs(plain[at]!)),
    );
  if (!near(found.y, expected.y) || (found.sum && !near(found.sum, expected.sum!)))
    throw new Error(`${family}: ${rowName(shape)} does not give the known answer`);
}
