/** Tables of cosines and sines for every position, scaling included; the attention operator only looks them up. */
import type { Rope, RopeScaling } from './model-shape.ts';

export interface RopeTables {
  /** [positions, dims / 2] */
  cos: Float32Array;
  sin: Float32Array;
}

export function ropeTables(rope: Rope, positions: number): RopeTables {
  const half = rope.dims / 2;
  const { frequencies, magnitude } = scaledFrequencies(rope);
  const cos = new Float32Array(positions * half);
  const sin = new Float32Array(positions * half);
  for (let position = 0; position < positions; position += 1) {
    for (let index = 0; index < half; index += 1) {
      const angle = position * frequencies[index]!;
      cos[position * half + index] = Math.cos(angle) * magnitude;
      sin[position * half + index] = Math.sin(angle) * magnitude;
    }
  }
  return { cos, sin };
}

/** Radians a position turns each pair of dimensions, and what the pair is multiplied by. */
export function scaledFrequencies(rope: Rope): { frequencies: Float64Array; magnitude: number } {
  const half = rope.dims / 2;
  const plain = Float64Array.from({ length: half }, (_, index) => rope.theta ** ((-2 * index) / rope.dims));
  const { scaling } = rope;
  if (!scaling) return { frequencies: plain, magnitude: 1 };
  switch (scaling.kind) {
    case 'linear':
      return { frequencies: plain.map((each) => each / scaling.factor), magnitude: 1 };
    case 'llama3':
      return { frequencies: plain.map((each) => stretchLlama3(each, scaling)), magnitude: 1 };
    case 'longrope':
      return {
        frequencies: plain.map((each, index) => each / scaling.factors[index]!),
        magnitude: scaling.attentionFactor,
      };
    case 'yarn':
      return yarn(rope, plain, scaling);
  }
}

/** transformers `_compute_llama3_parameters`. */
function stretchLlama3(frequency: number, scaling: Extract<RopeScaling, { kind: 'llama3' }>): number {
  const { factor, lowFreqFactor, highFreqFactor, originalContext } = scaling;
  const wavelength = (2 * Math.PI) / frequency;
  if (wavelength < originalContext / highFreqFactor) return frequency;
  if (wavelength > originalContext / lowFreqFactor) return frequency / factor;
  const smooth = (originalContext / wavelength - lowFreqFactor) / (highFreqFactor - lowFreqFactor);
  return ((1 - smooth) * frequency) / factor + smooth * frequency;
}

/** transformers `_compute_yarn_parameters`: interpolate slow pairs, keep fast ones, a linear ramp between. */
function yarn(rope: Rope, plain: Float64Array, scaling: Extract<RopeScaling, { kind: 'yarn' }>) {
  const { factor, originalContext, betaFast, betaSlow } = scaling;
  const pairAt = (rotations: number) =>
    (rope.dims * Math.log(originalContext / (rotations * 2 * Math.PI))) / (2 * Math.log(rope.theta));
  const low = Math.max(Math.floor(pairAt(betaFast)), 0);
  const high = Math.min(Math.ceil(pairAt(betaSlow)), rope.dims - 1);
  const span = Math.max(high - low, 0.001);
  const frequencies = plain.map((each, index) => {
    const interpolated = Math.min(Math.max((index - low) / span, 0), 1);
    return (each / factor) * interpolated + each * (1 - interpolated);
  });
  return { frequencies, magnitude: scaling.attentionFactor ?? 0.1 * Math.log(factor) + 1 };
}
