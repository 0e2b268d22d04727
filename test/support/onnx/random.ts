/** Numbers in [0, 1) from a seed: xorshift32, the same on every machine. */
export function randomNumbers(seed: number): () => number {
  let state = (Math.imul(seed, 2654435761) ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/** `count` weights, uniform with the given standard deviation. */
export function randomWeights(random: () => number, count: number, deviation: number): Float32Array {
  const weights = new Float32Array(count);
  const scale = deviation * Math.sqrt(12);
  for (let index = 0; index < count; index++) weights[index] = (random() - 0.5) * scale;
  return weights;
}
