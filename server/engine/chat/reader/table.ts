/** Sums, counts and the like over a table in a text, worked out. */
import { parseNumber } from '../../quantities/numbers.ts';
import { coverageOf, type ReadText } from './features.ts';
import type { Outcome } from './reader.ts';

interface Row {
  /** Characters of the text. */
  start: number;
  end: number;
  cells: string[];
}

interface Table {
  header: string[];
  rows: Row[];
}

const bare = (cell: string): string => cell.replaceAll(/^[\s|;,]+|[\s|;,]+$/gu, '');

/** The largest block of lines with as many cells. */
function tableOf(context: ReadText): Table | null {
  const blocks = Map.groupBy(context.lines.keys(), (line) => context.headers[line]!);
  const [largest] = [...blocks.values()]
    .filter((lines) => lines.length > 2 && context.cells[lines[0]!]!.length > 1)
    .sort((a, b) => b.length - a.length);
  if (!largest) return null;
  const rows = largest.map((line): Row => {
    const starts = context.cells[line]!.map((word) => context.words[word]!.start);
    const end = context.words[(context.lines[line + 1] ?? context.words.length) - 1]!.end;
    return {
      start: starts[0]!,
      end,
      cells: starts.map((start, at) => bare(context.text.slice(start, starts[at + 1] ?? end))),
    };
  });
  const [header, ...rest] = rows.filter(({ cells }) => cells.some((cell) => /[\p{L}\p{N}]/u.test(cell)));
  return header ? { header: header.cells, rows: rest } : null;
}

const isItem = /^\s*(?:[-*•·▪–]|\d{1,2}[.)、])\s+\S/u;

/** Texts that each tell of one thing of a list: a list's items, or a table's rows behind its head. */
export function itemsOf(context: ReadText): string[] {
  const items = context.text.split('\n').filter((line) => isItem.test(line));
  if (items.length > 1) return items;
  const table = tableOf(context);
  if (!table) return [];
  const head = table.header.join(' | ');
  return table.rows.map(({ cells }) => `${head}\n${cells.join(' | ')}`);
}

const numberIn = (cell: string | undefined): number | null => {
  const digits = cell === undefined ? null : /-?\d[\d.,]*/u.exec(cell);
  return digits ? parseNumber(digits[0].replace(/[.,]$/u, ''), '.') : null;
};

/** Rows whose cells the question names, all of them where it names none. */
function namedRows({ rows }: Table, question: string): Row[] {
  const asked = question.toLowerCase();
  const names = (cell: string | undefined) =>
    cell !== undefined && cell.length > 1 && !/^[\d.,]+$/u.test(cell) && asked.includes(cell.toLowerCase());
  const named = rows.filter(({ cells }) => cells.some(names));
  return named.length > 0 ? named : rows;
}

/** Rows that sum up others. */
const totals = /^\W*(?:grand |sub-?)?(?:total|sum|jumlah|合计|总计|小计)/iu;

export interface Worked {
  value: string | null;
  /** `max`, `min`: the row that has it. */
  row: Row | null;
}

/** @returns null where there is no table, or no column of numbers that the question is about */
export function workOut(
  outcome: Outcome,
  question: ReadText,
  context: ReadText,
  read: (text: string) => ReadText,
): Worked | null {
  const table = tableOf(context);
  if (!table) return null;
  const rows = namedRows(table, question.text).filter(({ cells }) => !totals.test(cells[0] ?? ''));
  if (outcome === 'count') return { value: String(rows.length), row: null };
  const columns = table.header
    .map((name, column) => ({
      column,
      numbers: rows.map(({ cells }) => numberIn(cells[column])),
      score: coverageOf(question, read(name)),
    }))
    .filter(
      ({ column, numbers }) =>
        column > 0 && numbers.filter((value) => value !== null).length >= numbers.length * 0.6,
    );
  const [best] = columns.sort((a, b) => b.score - a.score);
  if (!best) return null;
  const numbers = best.numbers.filter((value) => value !== null);
  if (outcome === 'max' || outcome === 'min') {
    const wanted = outcome === 'max' ? Math.max(...numbers) : Math.min(...numbers);
    return { value: null, row: rows[best.numbers.indexOf(wanted)] ?? null };
  }
  const sum = numbers.reduce((total, value) => total + value, 0);
  const value =
    outcome === 'avg'
      ? sum / numbers.length
      : outcome === 'diff'
        ? Math.max(...numbers) - Math.min(...numbers)
        : sum;
  return { value: String(Number(value.toFixed(2))), row: null };
}
