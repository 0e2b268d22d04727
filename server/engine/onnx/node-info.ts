import { elementTypeOfCode } from './element-types.ts';
import { ort, type Pointer, stringAt } from './library/library.ts';
import type { ElementType } from './types.ts';

/** An input or output of a graph. */
export interface NodeInfo {
  name: string;
  /** undefined: not a tensor, or of a type this binding does not carry (strings, sequences). */
  type: ElementType | undefined;
  /** A number where the graph fixes the size, the symbol where it names it, else null. */
  dims: readonly (number | string | null)[];
}

/** Element type and dimensions of a native OrtTensorTypeAndShapeInfo. */
export function readTypeAndShape(info: Pointer): { type: ElementType | undefined; sizes: number[] } {
  const { call } = ort();
  const code = new Int32Array(1);
  call('GetTensorElementType', info, code);
  const rank = new BigUint64Array(1);
  call('GetDimensionsCount', info, rank);
  const sizes = new BigInt64Array(Math.max(1, Number(rank[0])));
  call('GetDimensions', info, sizes, rank[0]!);
  return { type: elementTypeOfCode(code[0]!), sizes: Array.from(sizes.subarray(0, Number(rank[0])), Number) };
}

function symbols(info: Pointer, rank: number): string[] {
  const pointers = new BigUint64Array(Math.max(1, rank));
  ort().call('GetSymbolicDimensions', info, pointers, rank);
  return Array.from(pointers.subarray(0, rank), stringAt);
}

function readTypeInfo(typeInfo: Pointer): Pick<NodeInfo, 'type' | 'dims'> {
  const info = ort().create('CastTypeInfoToTensorInfo', typeInfo);
  if (!info) return { type: undefined, dims: [] };
  const { type, sizes } = readTypeAndShape(info);
  const names = symbols(info, sizes.length);
  return { type, dims: sizes.map((size, index) => (size >= 0 ? size : names[index] || null)) };
}

function readNode(session: Pointer, side: 'Input' | 'Output', index: number): NodeInfo {
  const { allocator, create, release, takeString } = ort();
  const name = takeString(create(`SessionGet${side}Name`, session, index, allocator));
  const typeInfo = create(`SessionGet${side}TypeInfo`, session, index);
  try {
    return { name, ...readTypeInfo(typeInfo) };
  } finally {
    release('ReleaseTypeInfo', typeInfo);
  }
}

export function readNodes(session: Pointer, side: 'Input' | 'Output'): NodeInfo[] {
  const count = Number(ort().create(`SessionGet${side}Count`, session));
  return Array.from({ length: count }, (_, index) => readNode(session, side, index));
}
