import { allocateData, elementCount, storageLength } from './element-types.ts';
import { addressOf } from './library/library.ts';
import type { ElementType, TensorData } from './types.ts';

/** Bytes of a line of the processor's caches. */
const line = 64;

/** Zeros of a tensor from the start of a cache line on: no register of them crosses two. */
export function allocateAligned(type: ElementType, dims: readonly number[]): TensorData {
  const length = storageLength(type, elementCount(dims));
  const { BYTES_PER_ELEMENT: size } = allocateData(type, [0]);
  const whole = allocateData(type, [length + line / size]);
  const beyond = Number(addressOf(whole) % BigInt(line));
  const first = beyond === 0 ? 0 : (line - beyond) / size;
  return whole.subarray(first, first + length);
}
