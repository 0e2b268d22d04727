/** A CSV of texts classified a few at a time, in order, waiting when the server says to. */
import { patiently } from '../../api/patience.ts';
import { Problem } from '../../api/problem.ts';
import { toCsv } from '../../export/csv.ts';
import { categories, type SafetyOutcome } from './categories.ts';

export interface BatchRow {
  text: string;
  outcome: SafetyOutcome | null;
  error: string | null;
}

interface BatchOptions {
  classify: (text: string, signal: AbortSignal) => Promise<SafetyOutcome>;
  signal: AbortSignal;
  onRow: (index: number, row: BatchRow) => void;
  wait?: (ms: number) => Promise<void>;
}

const lanes = 4;

/** Resolves when all rows are settled or the signal aborts; a refused row is marked and the rest goes on. */
export async function runBatch(texts: readonly string[], options: BatchOptions): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < texts.length && !options.signal.aborted) {
      const index = next;
      next += 1;
      const row = await classifyRow(texts[index] ?? '', options);
      if (!options.signal.aborted) options.onRow(index, row);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function classifyRow(text: string, { classify, signal, wait }: BatchOptions): Promise<BatchRow> {
  try {
    return { text, outcome: await patiently(() => classify(text, signal), signal, wait), error: null };
  } catch (error) {
    return { text, outcome: null, error: error instanceof Problem ? error.code : String(error) };
  }
}

/** The column that holds the text: by name, else the one with the longest cells. */
export function guessColumn(rows: readonly string[][]): number {
  const [header = []] = rows;
  const named = header.findIndex((cell) =>
    /^(text|input|message|content|comment|body|teks|文本|内容)$/i.test(cell.trim()),
  );
  if (named >= 0) return named;
  const lengths = header.map((_, col) =>
    rows.slice(0, 50).reduce((sum, row) => sum + (row[col]?.length ?? 0), 0),
  );
  return Math.max(lengths.indexOf(Math.max(...lengths)), 0);
}

export function batchCsv(rows: readonly BatchRow[]): string {
  const header = ['text', 'flagged', 'flagged_categories', 'error', ...categories];
  return toCsv([
    header,
    ...rows.map(({ text, outcome, error }) => [
      text,
      outcome?.flagged ?? '',
      outcome ? categories.filter((name) => outcome.categories[name]?.flagged).join(' ') : '',
      error ?? '',
      ...categories.map((name) => outcome?.category_scores[name] ?? ''),
    ]),
  ]);
}
