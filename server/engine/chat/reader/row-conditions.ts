/** Conditions that a question sets for a table's rows: numbers above or below another, cells that hold nothing. */
import { findDates } from '../../quantities/dates.ts';
import { numberIn, type Row } from './grid.ts';

type Sign = '<' | '<=' | '>' | '>=';

/** “under 46 seconds”, “90分或以上”: the group that matched is the number. */
export interface Comparison {
  asks: RegExp;
  sign: Sign;
}

const dayLength = 86_400_000;

/** The day of “4 July”, “2025-12-01”, “2026年8月” as a number; a year that is not said is the same for all. */
function dayOf(cell: string): number | null {
  if (!/\d/u.test(cell) || cell.length > longestDate) return null;
  const isHan = /\p{Script=Han}/u.test(cell);
  const forms = isHan ? [cell, `${cell}1日`, `2000年${cell}`] : [cell, `1 ${cell}`, `${cell} 2000`];
  for (const form of forms) {
    const [found] = findDates(form, 'day-first');
    if (found) return Date.parse(found.iso) / dayLength;
  }
  return null;
}

const longestDate = 24;
const mostParts = 0.6;

/** The values that a column's cells are compared by: days where most hold a date, else numbers and times. */
export function measuresOf(rows: readonly Row[], column: number): (number | null)[] {
  const cells = rows.map((row) => row.cells[column]?.text ?? '');
  const days = cells.map((cell) => (/\p{L}|\d[-/.]\d+[-/.]\d/u.test(cell) ? dayOf(cell) : null));
  const areDays = days.filter((day) => day !== null).length >= cells.length * mostParts;
  return areDays ? days : cells.map((cell) => numberIn(cell));
}

export const isDayColumn = (rows: readonly Row[], column: number): boolean =>
  rows.filter(({ cells }) => /\p{L}/u.test(cells[column]?.text ?? '') && dayOf(cells[column]!.text) !== null)
    .length >=
  rows.length * mostParts;

const holds: Record<Sign, (value: number, bound: number) => boolean> = {
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

interface Bound {
  value: number;
  sign: Sign;
  isClock: boolean;
  unit: string | undefined;
  /** Characters of the question. */
  start: number;
  end: number;
}

/** The number that a question compares others with; null where it does not. */
export function boundIn(question: string, comparisons: readonly Comparison[]): Bound | null {
  for (const { asks, sign } of comparisons) {
    const found = asks.exec(question);
    const said = found?.slice(1).find((part) => part !== undefined);
    const value = said === undefined ? null : numberIn(said);
    if (!found || said === undefined || value === null) continue;
    const end = question.indexOf(said, found.index) + said.length;
    const unit = unitBehind.exec(question.slice(end))?.[0].trim();
    return {
      value,
      sign,
      isClock: /[:：]/u.test(said),
      unit,
      start: found.index,
      end: found.index + found[0].length,
    };
  }
  return null;
}

interface Comparing {
  header: readonly string[];
  /** Columns of numbers and times. */
  amounts: readonly number[];
  /** Share of each column's name that the question says. */
  scores: readonly number[];
}

/** Rows whose number is as the question says, and the column that holds it; null where no column does. */
export function compared(
  rows: readonly Row[],
  { isClock, sign, unit, value: bound }: Bound,
  { amounts, header, scores }: Comparing,
): { rows: Row[]; column: number } | null {
  const weigh = (column: number): number => {
    const texts = rows.map(({ cells }) => cells[column]?.text ?? '');
    const isOther = isClock !== texts.some((text) => /\d[:：]\d/u.test(text));
    if (isOther || texts.some((text) => /\d[-/]\d/u.test(text))) return -1;
    const hasUnit =
      unit !== undefined &&
      [header[column] ?? '', ...texts.slice(0, 1)].some((text) => text.toLowerCase().includes(unit));
    // “after 9:00”: the first column of times, if no other is named.
    const named = isClock && (scores[column] ?? 0) < leastClock ? 0 : (scores[column] ?? 0);
    return named + Number(hasUnit) + (isClock || amounts.length === 1 ? leastWeight : 0);
  };
  const [column] = amounts.toSorted((a, b) => weigh(b) - weigh(a));
  if (column === undefined || weigh(column) < leastWeight) return null;
  return {
    column,
    rows: rows.filter(({ cells }) => {
      const value = numberIn(cells[column]?.text);
      return value !== null && holds[sign](value, bound);
    }),
  };
}

const leastWeight = 0.3;
const leastClock = 0.6;
const unitBehind = /^\s?(?:\p{Script=Han}|[a-z]+|%)/u;

/** Rows with nothing in a column, or with none of what it counts, and the others; null where all or none are such. */
export function partedByEmpty(
  rows: readonly Row[],
  column: number,
  empty: RegExp,
): { none: Row[]; some: Row[] } | null {
  const none = rows.filter(({ cells }) => empty.test(cells[column]?.text ?? ''));
  return none.length === 0 || none.length === rows.length
    ? null
    : { none, some: rows.filter((row) => !none.includes(row)) };
}
