/** Rank correlation, bitext accuracy and discounted gain over a score function or matrix. */

/** Ranks from 1, ties at their mean. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((left, right) => values[left]! - values[right]!);
  const result = new Array<number>(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start;
    while (end + 1 < order.length && values[order[end + 1]!] === values[order[start]!]) end++;
    for (let place = start; place <= end; place++) result[order[place]!] = (start + end) / 2 + 1;
    start = end + 1;
  }
  return result;
}

export function spearman(left: readonly number[], right: readonly number[]): number {
  const [a, b] = [ranks(left), ranks(right)];
  const mean = (left.length + 1) / 2;
  let [both, first, second] = [0, 0, 0];
  for (const [index, value] of a.entries()) {
    const other = b[index]!;
    both += (value - mean) * (other - mean);
    first += (value - mean) ** 2;
    second += (other - mean) ** 2;
  }
  return both / Math.sqrt(first * second);
}

/** Scores of one row against all columns. */
export type RowScores = (row: number) => ArrayLike<number>;

function best(scores: ArrayLike<number>): number {
  let winner = 0;
  for (let index = 1; index < scores.length; index++) if (scores[index]! > scores[winner]!) winner = index;
  return winner;
}

/** Share of texts whose nearest text of the other language is their translation, mean of both directions. */
export function bitextTop1(count: number, forward: RowScores, backward: RowScores): number {
  let hits = 0;
  for (let row = 0; row < count; row++) {
    if (best(forward(row)) === row) hits++;
    if (best(backward(row)) === row) hits++;
  }
  return hits / (2 * count);
}

/** Mean nDCG@10 with one right passage a question; ties count against us. */
export function ndcg10(answers: readonly number[], scoresOf: RowScores): number {
  let gain = 0;
  for (const [question, answer] of answers.entries()) {
    const scores = scoresOf(question);
    const own = scores[answer]!;
    let ahead = 0;
    for (let index = 0; index < scores.length; index++)
      if (index !== answer && scores[index]! >= own) ahead++;
    if (ahead < 10) gain += 1 / Math.log2(ahead + 2);
  }
  return gain / answers.length;
}
