/** Area under the precision–recall curve as average precision. */
export function auprc(rows: { truth: boolean; score: number }[]): number {
  const sorted = [...rows].sort((a, b) => b.score - a.score);
  const positives = rows.filter(({ truth }) => truth).length;
  let hits = 0;
  let sum = 0;
  for (const [index, { truth }] of sorted.entries()) {
    if (!truth) continue;
    hits += 1;
    sum += hits / (index + 1);
  }
  return positives === 0 ? 0 : sum / positives;
}

export function share(values: boolean[]): number {
  return values.length === 0 ? 0 : values.filter(Boolean).length / values.length;
}

function f1(rows: { truth: boolean; said: boolean }[]): number {
  const hits = rows.filter(({ truth, said }) => truth && said).length;
  const marked = rows.filter(({ truth }) => truth).length + rows.filter(({ said }) => said).length;
  return marked === 0 ? 0 : (2 * hits) / marked;
}

/** Mean of F1 for the class and for its opposite. */
export function macroF1(rows: { truth: boolean; said: boolean }[]): number {
  return (f1(rows) + f1(rows.map(({ truth, said }) => ({ truth: !truth, said: !said })))) / 2;
}

export function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
