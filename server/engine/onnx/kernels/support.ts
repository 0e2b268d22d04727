/** Custom kernels serve where the processor has the instructions, the system lets code be made, and the code is right. */
import { type CustomKernels, type KernelFamily, kernelFamilies } from '../../engine.ts';
import { Graph } from '../graph/graph.ts';
import { openSession } from '../open.ts';
import { Tensor } from '../tensor.ts';
import { operatorDomain, operatorName, operatorVersion } from './custom-op.ts';
import { familyCode } from './families.ts';
import { layoutOf, type MatMulShape } from './matmul-layout.ts';
import { processorSets } from './processor-sets.ts';

/** The family that serves, or the reason against the last that was tried, which asks the least of a processor. */
export type KernelVerdict = { family: KernelFamily; refusal: null } | { family: null; refusal: string };

const verdicts = new Map<CustomKernels, Promise<KernelVerdict>>();

/** Found out once a process. */
export function kernelVerdict(asked: CustomKernels = true): Promise<KernelVerdict> {
  const verdict = verdicts.get(asked) ?? judge(asked);
  verdicts.set(asked, verdict);
  return verdict;
}

async function judge(asked: CustomKernels): Promise<KernelVerdict> {
  if (asked === false) return { family: null, refusal: 'they are switched off' };
  const named = asked !== true;
  if (!named && untried.includes(platform))
    return {
      family: null,
      refusal: `not yet run on ${platform}; LOKAL_CUSTOM_KERNELS=${familiesHere().at(-1)} takes them`,
    };
  if (!tried.includes(platform) && !untried.includes(platform))
    return { family: null, refusal: `there are none for ${platform}` };
  const refusals: string[] = [];
  for (const family of named ? [asked] : familiesHere()) {
    const refusal = await findRefusal(family);
    if (refusal === null) return { family, refusal };
    refusals.push(refusal);
  }
  return { family: null, refusal: refusals.at(-1)! };
}

/** Systems and processors that kernels were run on. */
const tried = ['linux-x64', 'linux-arm64', 'win32-x64'];
/** Those that they were written for by reading: there a family serves only if it is named. */
const untried = ['darwin-x64', 'darwin-arm64', 'win32-arm64'];
const platform = `${process.platform}-${process.arch}`;

const familiesHere = (): KernelFamily[] =>
  kernelFamilies.filter((family) => familyCode[family].arch === process.arch);

async function findRefusal(family: KernelFamily): Promise<string | null> {
  if (familyCode[family].arch !== process.arch) return `made for ${familyCode[family].arch} processors`;
  try {
    const sets = processorSets();
    const missing = familyCode[family].needs.filter((set) => !sets.includes(set));
    if (missing.length > 0) return `the processor lacks ${missing.join(', ')}`;
    familyCode[family].prepare?.();
    for (const shape of knownShapes) await checkKernel(shape, family);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Both kinds of code and what tiles serve, with a last block that is not full. */
const knownShapes: MatMulShape[] = [
  { columns: 150, outputs: 6, bits: 4, block: 32, zeroPoints: true },
  { columns: 150, outputs: 6, bits: 8, block: 128, zeroPoints: true },
  { columns: 150, outputs: 34, bits: 4, block: 128, zeroPoints: true },
];
/** Takes the code for eight rows and that for one. */
const knownRows = 9;
/** Of the largest number: x is rounded to one in 127. */
const tolerance = 0.02;

/** @throws Error when a product is not what it must be */
async function checkKernel(shape: MatMulShape, family: KernelFamily): Promise<void> {
  const { bits, block, columns, outputs } = shape;
  const { blocks, codeRow, zeroRow } = layoutOf(shape);
  const codes = Uint8Array.from({ length: outputs * codeRow }, (_, at) => (at * 37 + 11) & 255);
  const zeros = Uint8Array.from({ length: outputs * zeroRow }, (_, at) => (at * 29 + 5) & 255);
  const scales = Float32Array.from({ length: outputs * blocks }, (_, at) => 0.01 + 0.001 * (at % 7));
  const x = Float32Array.from({ length: knownRows * columns }, (_, at) => Math.sin(at));
  const graph = new Graph('product', { [operatorDomain]: operatorVersion });
  graph.input('x', 'float32', [knownRows, columns]);
  graph.initializer('codes', 'uint8', [outputs, codeRow], codes);
  graph.initializer('scales', 'float32', [outputs, blocks], scales);
  graph.initializer('zeros', 'uint8', [outputs, zeroRow], zeros);
  graph.node(operatorName(shape), ['x', 'codes', 'scales', 'zeros'], ['y'], { domain: operatorDomain });
  graph.output('y', 'float32', [knownRows, outputs]);
  await using session = await openSession(graph.toModel(), {
    threads: 2,
    kernels: { family, shapes: [shape] },
  });
  using input = new Tensor('float32', x, [knownRows, columns]);
  const { y } = await session.run({ x: input });
  const half = (bytes: Uint8Array, row: number, at: number) =>
    bits === 8 ? bytes[row + at]! : (bytes[row + (at >> 1)]! >> (4 * (at & 1))) & 15;
  const weight = (output: number, column: number) => {
    const at = Math.floor(column / block);
    const difference = half(codes, output * codeRow, column) - half(zeros, output * zeroRow, at);
    return difference * scales[output * blocks + at]!;
  };
  const expected = Array.from({ length: knownRows * outputs }, (_, place) => {
    const [row, output] = [Math.floor(place / outputs), place % outputs];
    let sum = 0;
    for (let column = 0; column < columns; column += 1)
      sum += x[row * columns + column]! * weight(output, column);
    return sum;
  });
  const largest = Math.max(...expected.map(Math.abs));
  const right = expected.every(
    (value, place) => Math.abs((y!.data[place] as number) - value) < tolerance * largest,
  );
  if (!right) throw new Error(`${family}: a product of ${bits} bits does not give the known answer`);
}
