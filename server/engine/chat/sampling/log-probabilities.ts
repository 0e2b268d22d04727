/** Log probabilities as the model gave them: before temperature, penalties, biases and masks. */

export interface TokenLogProbability {
  id: number;
  logprob: number;
}

export interface LogProbabilities {
  chosen: TokenLogProbability;
  /** The likeliest, best first. */
  top: TokenLogProbability[];
}

/** Logarithm of the sum of exponentials; `highest` of the values keeps them in range. */
export function logSumExp(values: ArrayLike<number>, highest: number): number {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += Math.exp(values[at]! - highest);
  return highest + Math.log(sum);
}

export function logProbabilities(
  logits: Float32Array,
  chosen: number,
  alternatives: number,
): LogProbabilities {
  const best = likeliest(logits, Math.max(1, alternatives));
  const logSum = logSumExp(logits, logits[best[0]!]!);
  const toEntry = (id: number) => ({ id, logprob: logits[id]! - logSum });
  return { chosen: toEntry(chosen), top: best.slice(0, alternatives).map(toEntry) };
}

/** Ids of the `count` highest logits: at most twenty, so insertion beats any heap. */
function likeliest(logits: Float32Array, count: number): number[] {
  const best: number[] = [];
  for (let id = 0; id < logits.length; id += 1) {
    if (best.length === count && logits[id]! <= logits[best[count - 1]!]!) continue;
    let at = best.length;
    while (at > 0 && logits[best[at - 1]!]! < logits[id]!) at -= 1;
    best.splice(at, 0, id);
    if (best.length > count) best.pop();
  }
  return best;
}
