/** Numbers of 16 bits as float32. */

/** Upper halves of float32 numbers, to float32. */
export function fromBfloat16(halves: Uint16Array): Float32Array {
  const values = new Float32Array(halves.length);
  const bits = new Uint32Array(values.buffer);
  for (let index = 0; index < halves.length; index += 1) bits[index] = halves[index]! << 16;
  return values;
}

let halfTable: Float32Array | null = null;

/** IEEE 754 binary16, to float32. By table: 65,536 halves are few, and weights are many. */
export function fromFloat16(halves: Uint16Array): Float32Array {
  halfTable ??= Float32Array.from({ length: 65_536 }, (_, half) => decodeHalf(half));
  const values = new Float32Array(halves.length);
  for (let index = 0; index < halves.length; index += 1) values[index] = halfTable[halves[index]!]!;
  return values;
}

/** One number of IEEE 754 binary16, from its 16 bits. */
export function decodeHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
