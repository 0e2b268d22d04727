import { allocateAligned } from '../../onnx/allocate-aligned.ts';
import { keyBlock } from '../../onnx/kernels/attention-layout.ts';
import type { ElementType } from '../../onnx/types.ts';
import { type KvDimensions, KvSlab } from '../schedule/kv-slab.ts';

/** Zeros in whole blocks of positions, as custom kernels for attention keep them. */
export function allocateSlab(
  types: readonly ElementType[],
  { headDim, heads, positions, slots }: Omit<KvDimensions, 'block'>,
): KvSlab {
  const whole = Math.ceil(positions / keyBlock) * keyBlock;
  const slabs = types.map((type) => allocateAligned(type, [slots, heads, whole, headDim]));
  return new KvSlab(slabs, { slots, heads, positions: whole, headDim, block: keyBlock });
}
