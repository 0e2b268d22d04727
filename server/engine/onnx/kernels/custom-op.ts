/**
 * MatMulNBits as a custom operator: the same inputs (x, codes, scales, zero points) and the same numbers to within the
 * rounding of x, from the code of matmul-code.ts. Weights are used as they lie in the file, mapped, without packing.
 *
 * onnxruntime takes operators as a table of C functions (`OrtCustomOp` in onnxruntime_c_api.h). Those are made here too, of
 * machine code: it calls them from its own threads, where no JavaScript can run.
 */
import type { KernelFamily } from '../../engine.ts';
import { ort, type Pointer, pinnedAddress } from '../library/library.ts';
import { type AttentionShape, attentionInputs, attentionName } from './attention-layout.ts';
import { type ChainShape, type ChainTensor, chainName } from './chain-layout.ts';
import { placeCode } from './code-memory.ts';
import { inputTypes } from './custom-op-code.ts';
import { familyCode } from './families.ts';
import type { MatMulShape } from './matmul-layout.ts';
import type { EmittedOperator } from './operator-emitter.ts';
import { type RowShape, rowFields, rowName } from './row-layout.ts';

/** The operators' domain in a graph, and its version. */
export const operatorDomain = 'lokal';
export const operatorVersion = 1;

export const operatorName = ({ bits, block, columns, outputs, zeroPoints }: MatMulShape): string =>
  `MatMul${bits}Bits_${columns}x${outputs}_${block}${zeroPoints ? '' : '_Symmetric'}`;

/** Places in `OrtCustomOp`, counted in pointers; the first holds the version of the table that is filled. */
const table = {
  version: 0,
  GetName: 2,
  GetExecutionProviderType: 3,
  GetInputType: 4,
  GetInputTypeCount: 5,
  GetOutputType: 6,
  GetOutputTypeCount: 7,
  KernelDestroy: 9,
  GetInputCharacteristic: 10,
  GetOutputCharacteristic: 11,
  GetInputMemoryType: 12,
  GetVariadicInputMinArity: 13,
  GetVariadicInputHomogeneity: 14,
  GetVariadicOutputMinArity: 15,
  GetVariadicOutputHomogeneity: 16,
  CreateKernelV2: 17,
  KernelComputeV2: 18,
  size: 19,
};
/** The first version with functions that return a status, and no later ones that would have to be filled. */
const tableVersion = 16n;

const operators = new Map<string, Pointer>();
const domains = new Map<string, Pointer>();

/** The operators of a graph: one for each shape of its products, of its attention, and of what stands between. */
export interface CustomOperators {
  family: KernelFamily;
  shapes: readonly MatMulShape[];
  attentions?: readonly AttentionShape[];
  rows?: readonly RowShape[];
  chains?: readonly ChainShape[];
}

/** A domain with these operators, for session options. Lives as long as the process, as sessions may. */
export function operatorDomainOf({
  attentions = [],
  chains = [],
  family,
  rows = [],
  shapes,
}: CustomOperators): Pointer {
  const makers = new Map<string, () => Pointer>([
    ...shapes.map((shape) => [operatorName(shape), () => makeMatMul(shape, family)] as const),
    ...attentions.map((shape) => [attentionName(shape), () => makeAttention(shape, family)] as const),
    ...rows.map((shape) => [rowName(shape), () => makeRows(shape, family)] as const),
    ...chains.map((shape) => [chainName(shape), () => makeChain(shape, family)] as const),
  ]);
  const key = [family, ...[...makers.keys()].sort()].join();
  const known = domains.get(key);
  if (known !== undefined) return known;
  const { call, create } = ort();
  const domain = create('CreateCustomOpDomain', operatorDomain);
  for (const [name, make] of makers) {
    const made = `${family} ${name}`;
    const operator = operators.get(made) ?? make();
    operators.set(made, operator);
    call('CustomOpDomain_Add', domain, operator);
  }
  domains.set(key, domain);
  return domain;
}

const makeMatMul = (shape: MatMulShape, family: KernelFamily): Pointer =>
  placeOperator(
    familyCode[family].emit(shape, {
      name: operatorName(shape),
      inputs: inputTypes(shape),
      outputs: [1],
    }),
  );

function makeAttention(shape: AttentionShape, family: KernelFamily): Pointer {
  const { emitAttention } = familyCode[family];
  if (!emitAttention) throw new Error(`there is no attention for ${family}`);
  const inputs = attentionInputs(shape).map(({ type }) => type);
  // Its result is float32 (1), its caches float16 (10).
  return placeOperator(emitAttention(shape, { name: attentionName(shape), inputs, outputs: [1, 10, 10] }));
}

function makeRows(shape: RowShape, family: KernelFamily): Pointer {
  const { emitRows } = familyCode[family];
  if (!emitRows) throw new Error(`there are no row operators for ${family}`);
  const { inputs, outputs } = rowFields(shape);
  const floats = (fields: readonly number[]) => fields.map(() => 1);
  return placeOperator(
    emitRows(shape, { name: rowName(shape), inputs: floats(inputs), outputs: floats(outputs) }),
  );
}

function makeChain(shape: ChainShape, family: KernelFamily): Pointer {
  const { emitChain } = familyCode[family];
  if (!emitChain) throw new Error(`there are no chains for ${family}`);
  const types = (tensors: readonly ChainTensor[]) => tensors.map(({ type }) => type);
  // The memory of a run is float32 (1).
  const outputs = [...types(shape.outputs), 1];
  return placeOperator(emitChain(shape, { name: chainName(shape), inputs: types(shape.inputs), outputs }));
}

function placeOperator({ code, functions }: EmittedOperator): Pointer {
  const base = placeCode(code);
  const operator = new BigUint64Array(table.size);
  operator[table.version] = tableVersion;
  for (const [field, position] of Object.entries(functions))
    operator[table[field as keyof typeof functions]] = base + BigInt(position);
  return pinnedAddress(operator);
}
