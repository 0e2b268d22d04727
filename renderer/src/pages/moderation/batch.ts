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

/** A row of the file that holds a text, with all its columns. */
export interface SheetText {
  text: string;
  cells: readonly string[];
}

/** A file of texts, and where in it they are. */
export interface Sheet {
  name: string;
  rows: string[][];
  column: number;
  hasHeader: boolean;
}

export const textsOf = ({ rows, column, hasHeader }: Sheet): SheetText[] =>
  rows
    .slice(hasHeader ? 1 : 0)
    .map((cells) => ({ text: cells[column] ?? '', cells }))
    .filter(({ text }) => text.trim() !== '');

/** The file's own columns, then verdict and scores. */
export function batchCsv(sheet: Sheet, outcomes: readonly (BatchRow | undefined)[]): string {
  const width = Math.max(...sheet.rows.map((cells) => cells.length));
  const own = Array.from({ length: width }, (_, at) => {
    const name = sheet.hasHeader ? sheet.rows[0]?.[at]?.trim() : '';
    return name || (at === sheet.column ? 'text' : `column_${at + 1}`);
  });
  const added = ['flagged', 'flagged_categories', 'error', ...categories];
  const header = [...own, ...added.map((name) => (own.includes(name) ? `lokal_${name}` : name))];
  const rows = textsOf(sheet).flatMap(({ cells }, at) => {
    const row = outcomes[at];
    if (!row) return [];
    const { error, outcome } = row;
    const scores = categories.map((name) => outcome?.category_scores[name]);
    return [
      [
        ...own.map((_, column) => cells[column] ?? ''),
        outcome?.flagged ?? '',
        outcome ? flaggedOf(outcome).join(' ') : '',
        error ?? '',
        ...scores.map((value) => (value === undefined ? '' : Number(value.toFixed(4)))),
      ],
    ];
  });
  return toCsv([header, ...rows]);
}

export const flaggedOf = ({ categories: judged }: SafetyOutcome): (typeof categories)[number][] =>
  categories.filter((name) => judged[name]?.flagged);

export function highestOf({ category_scores: scores }: SafetyOutcome) {
  const ranked = categories.map((name) => ({ name, value: scores[name] ?? 0 }));
  return ranked.reduce((best, next) => (next.value > best.value ? next : best));
}

export interface BatchSort {
  by: 'place' | 'text' | 'verdict' | 'score';
  descending: boolean;
}

export interface BatchChoice {
  flaggedOnly: boolean;
  /** Words that all stand in the text; empty: any. */
  search: string;
  sort: BatchSort;
}

/** Places of the rows to show, in their order; rows that are not judged yet come last where verdicts decide. */
export function chooseRows(
  { texts, rows }: { texts: readonly string[]; rows: readonly (BatchRow | undefined)[] },
  { flaggedOnly, search, sort }: BatchChoice,
): number[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const places = [...texts.keys()].filter((place) => {
    if (flaggedOnly && !rows[place]?.outcome?.flagged) return false;
    const text = texts[place]!.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const way = sort.descending ? -1 : 1;
  const outcomeOf = (place: number) => rows[place]?.outcome ?? null;
  const compare: Record<BatchSort['by'], (a: number, b: number) => number> = {
    place: (a, b) => a - b,
    text: (a, b) => texts[a]!.localeCompare(texts[b]!),
    verdict: (a, b) => Number(outcomeOf(b)!.flagged) - Number(outcomeOf(a)!.flagged),
    score: (a, b) => highestOf(outcomeOf(a)!).value - highestOf(outcomeOf(b)!).value,
  };
  const needsOutcome = sort.by === 'verdict' || sort.by === 'score';
  const judged = needsOutcome ? places.filter((place) => outcomeOf(place)) : places;
  const others = needsOutcome ? places.filter((place) => !outcomeOf(place)) : [];
  return [...judged.sort((a, b) => way * compare[sort.by](a, b) || a - b), ...others];
}
