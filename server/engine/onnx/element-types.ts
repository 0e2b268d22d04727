/**
 * Element types of tensors. The codes are those of ONNX's TensorProto.DataType, which ONNXTensorElementDataType of the
 * C API shares for every type named here; so graphs and tensors use one table.
 */
import type { ElementType, TensorData } from './types.ts';

interface TensorDataConstructor {
  new (length: number): TensorData;
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
}

interface ElementTypeFacts {
  code: number;
  bits: number;
  /** Array of the elements; halves of a float16 or bfloat16 as their bits, two 4-bit values a byte, low one first. */
  array: TensorDataConstructor;
}

const facts: Record<ElementType, ElementTypeFacts> = {
  float32: { code: 1, bits: 32, array: Float32Array },
  uint8: { code: 2, bits: 8, array: Uint8Array },
  int8: { code: 3, bits: 8, array: Int8Array },
  uint16: { code: 4, bits: 16, array: Uint16Array },
  int16: { code: 5, bits: 16, array: Int16Array },
  int32: { code: 6, bits: 32, array: Int32Array },
  int64: { code: 7, bits: 64, array: BigInt64Array },
  bool: { code: 9, bits: 8, array: Uint8Array },
  float16: { code: 10, bits: 16, array: Uint16Array },
  float64: { code: 11, bits: 64, array: Float64Array },
  uint32: { code: 12, bits: 32, array: Uint32Array },
  uint64: { code: 13, bits: 64, array: BigUint64Array },
  bfloat16: { code: 16, bits: 16, array: Uint16Array },
  uint4: { code: 21, bits: 4, array: Uint8Array },
  int4: { code: 22, bits: 4, array: Uint8Array },
};

const byCode = new Map(Object.entries(facts).map(([name, fact]) => [fact.code, name as ElementType]));

export const elementTypeNames = Object.keys(facts) as ElementType[];

function isElementType(name: string): name is ElementType {
  return Object.hasOwn(facts, name);
}

/** The table's row. @throws TypeError for a name it does not have */
export function elementTypeFacts(type: ElementType): ElementTypeFacts {
  if (!isElementType(type)) throw new TypeError(`unknown element type: ${String(type)}`);
  return facts[type];
}

export function elementTypeOfCode(code: number): ElementType | undefined {
  return byCode.get(code);
}

/** Number of elements of a shape. @throws RangeError unless every dimension is a whole number in 0 .. 2^53 */
export function elementCount(dims: readonly number[]): number {
  let count = 1;
  for (const dim of dims) {
    if (!Number.isSafeInteger(dim) || dim < 0) throw new RangeError(`not a dimension: ${String(dim)}`);
    count *= dim;
  }
  if (!Number.isSafeInteger(count)) throw new RangeError(`too many elements in [${dims.join(', ')}]`);
  return count;
}

/** Length of the typed array that holds `count` elements. */
export function storageLength(type: ElementType, count: number): number {
  const { bits, array } = elementTypeFacts(type);
  return Math.ceil((count * bits) / (8 * array.BYTES_PER_ELEMENT));
}

export function allocateData(type: ElementType, dims: readonly number[]): TensorData {
  return new (elementTypeFacts(type).array)(storageLength(type, elementCount(dims)));
}
