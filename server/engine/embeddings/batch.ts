/** A tokenized text waiting for its vector. */
export interface BatchRow {
  ids: readonly number[];
}

export interface BatchLimits {
  /** Most padded tokens in a batch. */
  tokens: number;
  /** Most rows in a batch. */
  rows: number;
}

/** Rows shorter than this share of the longest would cost more in padding than a batch of their own. */
const leastFill = 0.8;

/**
 * Chooses the next batch: the row that has waited longest, and of the others those nearest to it in length, so that
 * little is computed for padding and nobody waits for ever. `waiting` is in order of arrival and is not changed.
 */
export function chooseBatch<T extends BatchRow>(waiting: readonly T[], limits: BatchLimits): T[] {
  const oldest = waiting[0];
  if (!oldest) return [];
  const length = oldest.ids.length;
  const near = waiting
    .slice(1)
    .filter((row) => Math.min(row.ids.length, length) >= leastFill * Math.max(row.ids.length, length))
    .sort((left, right) => Math.abs(left.ids.length - length) - Math.abs(right.ids.length - length));
  const batch = [oldest];
  let longest = length;
  let shortest = length;
  for (const row of near) {
    const nextLongest = Math.max(longest, row.ids.length);
    const nextShortest = Math.min(shortest, row.ids.length);
    const full = batch.length >= limits.rows || nextLongest * (batch.length + 1) > limits.tokens;
    if (full) break;
    if (nextShortest < leastFill * nextLongest) continue;
    longest = nextLongest;
    shortest = nextShortest;
    batch.push(row);
  }
  return batch;
}
