/**
 * MatMulNBits as a custom operator: the same inputs (x, codes, scales, zero points) and the same numbers to within the
 * rounding of x, from the code of matmul-code.ts. Weights are used as they lie in the file, mapped, without packing.
 *
 * onnxruntime takes operators as a table of C functions (`OrtCustomOp` in onnxruntime_c_api.h). Those are made here too, of
 * machine code: it calls them from its own threads, where no JavaScript can run.
 */
import type { KernelFamily } from '../../engine.ts';
import { ort, type Pointer, pinnedAddress } from '../library/library.ts';
import { placeCode } from './code-memory.ts';
import { inputTypes, KernelEmitter } from './custom-op-code.ts';
import { familyCode } from './families.ts';
import type { MatMulShape } from './matmul-layout.ts';
import { emitDescription } from './operator-emitter.ts';

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

/** A domain with these operators, for session options. Lives as long as the process, as sessions may. */
export function operatorDomainOf(shapes: readonly MatMulShape[], family: KernelFamily): Pointer {
  const byName = new Map(shapes.map((shape) => [operatorName(shape), shape]));
  const key = [family, ...[...byName.keys()].sort()].join();
  const known = domains.get(key);
  if (known !== undefined) return known;
  const { call, create } = ort();
  const domain = create('CreateCustomOpDomain', operatorDomain);
  for (const [name, shape] of byName) {
    const made = `${family} ${name}`;
    const operator = operators.get(made) ?? makeOperator(name, shape, family);
    operators.set(made, operator);
    call('CustomOpDomain_Add', domain, operator);
  }
  domains.set(key, domain);
  return domain;
}

const tables = new Map<KernelFamily, Pointer>();

function makeOperator(name: string, shape: MatMulShape, family: KernelFamily): Pointer {
  const parts = familyCode[family];
  const tablesAt = tables.get(family) ?? pinnedAddress(parts.tables());
  tables.set(family, tablesAt);
  const code = parts.assembler();
  const kernel = new KernelEmitter(code, shape, tablesAt, parts);
  const functions = {
    ...emitDescription(code, { name, inputs: inputTypes(shape), outputs: [1] }),
    CreateKernelV2: kernel.create(),
    KernelComputeV2: kernel.compute(),
  };
  const base = placeCode(code.toBytes());
  const operator = new BigUint64Array(table.size);
  operator[table.version] = tableVersion;
  for (const [field, label] of Object.entries(functions))
    operator[table[field as keyof typeof functions]] = base + BigInt(label.position!);
  return pinnedAddress(operator);
}
