/** Questions about a table: which rows are meant, which column is asked for, and what is to be made of it. */
import { coverageOf, type ReadText } from './features.ts';
import { type CellPlace, isNumeric, numberIn, type Row, type TextTable, tableOf } from './grid.ts';
import type { Outcome, Reading } from './reader.ts';
import { lengthOf } from './split.ts';
import { wordsOfKey } from './wording.ts';

/** Words about tables (reader.json of a pack). */
export interface TableWords {
  /** Words that ask for a highest or lowest value, and how columns are named that hold it. */
  extremes: { asks: RegExp; outcome: 'max' | 'min'; header: RegExp }[];
  /** Words that ask for a kind of value, and how columns are named that hold it. */
  kinds: { asks: RegExp; header: RegExp }[];
  /** Asks how much or how many. */
  amount: RegExp;
  /** Asks for the number of rows. */
  count: RegExp;
  sum: RegExp;
  difference: RegExp;
  average: RegExp;
  /** Stands before what is left out: “except”. */
  except: RegExp;
  /** Turns a question round: “not”. */
  not: RegExp;
  yes: RegExp;
  no: RegExp;
}

interface Asked {
  question: ReadText;
  read: (text: string) => ReadText;
  words: TableWords;
  outcome: Outcome;
  reading: Reading;
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();

/** True where a question says a cell's words as they stand, whole. */
function says(question: string, cell: string): boolean {
  const part = plain(cell).trim();
  if (part.length === 0) return false;
  if (/\p{Script=Han}/u.test(part)) return question.includes(part);
  if (part.length < 2 && !/[\p{N}]/u.test(part)) return false;
  let at = question.indexOf(part);
  for (; at >= 0; at = question.indexOf(part, at + 1)) {
    const [before, after] = [question[at - 1] ?? ' ', question[at + part.length] ?? ' '];
    if (!/[\p{L}\p{N}]/u.test(before) || /\p{Script=Han}/u.test(before))
      if (!/[\p{L}\p{N}]/u.test(after) || /\p{Script=Han}/u.test(after)) return true;
  }
  return false;
}

const leastShare = 0.5;

const telling = (text: string): string[] =>
  (plain(text).match(/\p{Script=Han}{2,}|[\p{L}\p{M}\p{N}'’.-]*[\p{L}\p{N}]/gu) ?? []).filter(
    (part) => part.length > 2 || /\p{N}/u.test(part) || /\p{Script=Han}/u.test(part),
  );

/** “Fri” is Friday. */
const isDay = (question: string, cell: string): boolean =>
  /^\p{L}{3,4}$/u.test(cell) && new RegExp(`\\b${plain(cell)}\\p{L}*day\\b`, 'u').test(question);

/**
 * Share of a cell that a question says, 0 to 1; of two names that begin alike the longer one is meant.
 * @param shared words that tell no row from another: of the columns' names, or of several rows
 */
function mention(question: string, { text }: CellPlace, shared: ReadonlySet<string>): number {
  if (!/[\p{L}\p{N}]/u.test(text)) return 0;
  if (says(question, text) || isDay(question, text))
    return shared.has(plain(text)) ? 0 : 1 + Math.min(text.length, 40) / 400;
  const parts = telling(text).filter((part) => !shared.has(part));
  if (parts.length === 0 || isNumeric(text)) return 0;
  const said = parts.filter((part) => says(question, part)).length / parts.length;
  if (said >= leastShare) return 0.8 * said;
  return said > 0 && parts.length < 4 ? 0.35 : 0;
}

/** Words of the columns' names, and words in more than one row of a column. */
function sharedWords({ header, rows }: TextTable, column: number): Set<string> {
  const shared = new Set(header.flatMap((name) => telling(wordsOfKey(name))));
  const seen = new Map<string, string>();
  for (const { cells } of rows) {
    const text = cells[column]?.text ?? '';
    for (const part of new Set(telling(text))) {
      if (seen.has(part) && seen.get(part) !== text) shared.add(part);
      seen.set(part, text);
    }
  }
  return shared;
}

interface Filter {
  rows: Row[];
  /** Columns by which rows were chosen. */
  columns: Set<number>;
}

/** Rows that a question names, by any of their columns; a column's best matches hold, and all columns together. */
function filtered({ header, rows }: TextTable, { question, words }: Asked): Filter {
  const asked = plain(question.text);
  const except = words.except.exec(asked);
  const wanted = except ? asked.slice(0, except.index) : asked;
  const excluded = except ? asked.slice(except.index + except[0].length) : '';
  let left = rows;
  const columns = new Set<number>();
  const wide = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const found: { column: number; rows: Row[]; best: number }[] = [];
  for (let column = 0; column < wide; column += 1) {
    const numeric = rows.every(({ cells }) => isNumeric(cells[column]?.text ?? '') || !cells[column]?.text);
    const shared = sharedWords({ header, rows }, column);
    const scores = rows.map(({ cells }) => (cells[column] ? mention(wanted, cells[column], shared) : 0));
    const best = Math.max(0, ...scores);
    if (best < 0.3 || (numeric && best < 1)) continue;
    // A number that is said stands for a column of numbers only beside its name or unit, or in a column of codes.
    if (numeric && column > 0 && !isNamed(header[column] ?? '', asked, words)) continue;
    found.push({ column, best, rows: rows.filter((_, at) => scores[at]! >= Math.min(best, 1) - 1e-9) });
  }
  for (const each of found.sort((a, b) => b.best - a.best)) {
    const both = left.filter((row) => each.rows.includes(row));
    if (both.length === 0 || both.length === rows.length) continue;
    left = both;
    columns.add(each.column);
  }
  if (excluded !== '') {
    const others = left.filter(({ cells }) => !cells.some((cell) => mention(excluded, cell, new Set()) >= 1));
    if (others.length > 0) left = others;
  }
  return { rows: left, columns };
}

const isNamed = (name: string, asked: string, { extremes, kinds }: TableWords): boolean =>
  [...kinds, ...extremes].some(({ asks, header }) => header.test(name) && asks.test(asked)) ||
  (plain(wordsOfKey(name)).match(/[\p{L}\p{M}]{3,}|\p{Script=Han}{2,}/gu) ?? []).some((word) =>
    asked.includes(word),
  );

/** Share of each column's name that a question says. */
const columnScores = ({ header, rows }: TextTable, { question, read, words }: Asked): number[] =>
  Array.from({ length: rows.reduce((most, { cells }) => Math.max(most, cells.length), 0) }, (_, column) => {
    const name = header[column] ?? '';
    if (name === '') return 0;
    const said = coverageOf(question, read(wordsOfKey(name)));
    // The last kind, prices, is asked for by words that ask for any amount.
    const asked = words.kinds.filter(({ asks }) => asks.test(question.text));
    const kind = asked.slice(0, 1).some(({ header: names }) => names.test(name)) ? 0.75 : 0;
    return Math.max(said, kind) + 0.25 * Math.min(said, kind);
  });

const shareOfNumbers = 0.6;

const isNumberColumn = (rows: readonly Row[], column: number): boolean =>
  rows.filter(({ cells }) => isNumeric(cells[column]?.text ?? '')).length >= rows.length * shareOfNumbers;

/** Rows by a column of yes and no that the question speaks of. */
function byTruth(grid: TextTable, rows: Row[], { question, read, words }: Asked, used: Set<number>): Row[] {
  const column = grid.header.findIndex(
    (name, at) =>
      coverageOf(question, read(wordsOfKey(name))) > 0.5 &&
      rows.length > 1 &&
      grid.rows.every(({ cells }) => {
        const text = cells[at]?.text ?? '';
        return words.yes.test(text) || words.no.test(text) || text === '' || text === '-';
      }),
  );
  if (column < 0) return rows;
  const wanted = words.not.test(question.text) ? words.no : words.yes;
  const chosen = rows.filter(({ cells }) => wanted.test(cells[column]?.text ?? ''));
  if (chosen.length === 0) return rows;
  used.add(column);
  return chosen;
}

const written = (value: number): string => String(Number(value.toFixed(2)));
/** Dates and times of day are compared, never added. */
const isMoment = /\d[:：]\d|\d月|\d[/-]\d|\d{1,2} ?(?:am|pm)\b/iu;
const mostNamed = 8;
/** Logarithm of a chance of .6. */
const surely = -0.51;

/** The column that names a row: the first that is neither a running number nor asked about. */
const nameColumn = ({ rows }: TextTable, used: ReadonlySet<number>): number => {
  const wide = rows[0]?.cells.length ?? 0;
  for (let column = 0; column < wide; column += 1) {
    const isRunning = rows.every(({ cells }, at) => numberIn(cells[column]?.text) === at + 1);
    if (
      !used.has(column) &&
      !isRunning &&
      rows.some(({ cells }) => /[\p{L}\p{N}]/u.test(cells[column]?.text ?? ''))
    )
      return column;
  }
  return 0;
};

/** @returns the answer; null where the text has no table or the question is none about its cells */
export function answerFromTable(text: string, asked: Asked): string | null {
  const grid = tableOf(text);
  if (!grid || grid.rows.length < 2) return null;
  const { outcome, question, reading, words } = asked;
  const said = plain(question.text);
  const filter = filtered(grid, asked);
  const scores = columnScores(grid, asked);
  const used = filter.columns;
  const rows = byTruth(grid, filter.rows, asked, used);
  const isChosen = rows.length < grid.rows.length;
  const numbers = scores.map((_, column) => isNumberColumn(rows, column));
  const best = (columns: readonly number[]): number | undefined =>
    columns.toSorted((a, b) => scores[b]! - scores[a]!)[0];
  const amounts = numbers.flatMap((is, column) => (is && column > 0 && !used.has(column) ? [column] : []));
  const valuesOf = (column: number): number[] =>
    rows.map(({ cells }) => numberIn(cells[column]?.text)).filter((value) => value !== null);

  const extreme = words.extremes.find(({ asks }) => asks.test(said));
  const isSure = Math.max(...reading.outcomes) > surely;
  const operation = extreme?.outcome ?? (isSure && (outcome === 'max' || outcome === 'min') ? outcome : null);
  if (operation && rows.length > 1) {
    const named = extreme ? amounts.filter((column) => extreme.header.test(grid.header[column] ?? '')) : [];
    const column = best(named.length > 0 ? named : amounts);
    if (column === undefined) return null;
    const sure = named.length > 0 || amounts.length === 1 || scores[column]! > 0.3;
    if (!sure && outcome !== operation) return null;
    const values = rows.map(({ cells }) => numberIn(cells[column]?.text));
    const known = values.filter((value) => value !== null);
    const wanted = operation === 'max' ? Math.max(...known) : Math.min(...known);
    const row = rows[values.indexOf(wanted)]!;
    const others = scores
      .map((score, at) => (at === column || used.has(at) ? -1 : score))
      .map((score, at) => (score > 0.6 && !named.includes(at) ? score : -1));
    const other = others.indexOf(Math.max(...others));
    if (words.amount.test(said) && !(others[other]! > 0)) return row.cells[column]!.text;
    const target = others[other]! > 0 ? other : nameColumn(grid, new Set([column]));
    return row.cells[target]?.text ?? null;
  }
  if (words.difference.test(said) || outcome === 'diff') {
    const column = best(amounts);
    const values = column === undefined ? [] : valuesOf(column);
    if (values.length === 2) return written(Math.abs(values[0]! - values[1]!));
  }
  if (words.average.test(said) || (outcome === 'avg' && amounts.length > 0)) {
    const column = best(amounts);
    const values = column === undefined ? [] : valuesOf(column);
    if (values.length > 1) return written(values.reduce((sum, value) => sum + value, 0) / values.length);
  }
  const summed = amounts.filter(
    (column) => !rows.some(({ cells }) => isMoment.test(cells[column]?.text ?? '')),
  );
  const top = best(summed);
  const isSum = words.sum.test(said) || outcome === 'sum';
  const isNamedSum = words.sum.test(said) && top !== undefined && scores[top]! > 0.5;
  const isCount = words.count.test(said) && (outcome === 'count' || (isChosen && rows.length > 1));
  if (isCount && !isNamedSum && !(rows.length === 1 && top !== undefined && scores[top]! > 0.3)) {
    return String(rows.length);
  }
  if (isSum && rows.length > 1 && top !== undefined && (summed.length === 1 || scores[top]! > 0.25)) {
    return written(valuesOf(top).reduce((sum, value) => sum + value, 0));
  }
  return lookUp(grid, rows, { ...asked, isChosen, scores, used });
}

interface LookUp extends Asked {
  scores: readonly number[];
  used: ReadonlySet<number>;
  isChosen: boolean;
}

const columnWeight = 12;
const worstPlace = -9;
/** Cells of yes and no are seldom asked for otherwise than by their column. */
const truthLoss = 6;
const longestCell = 40;

/** The cell of the chosen rows whose column is asked for, and that the network likes best. */
function lookUp(
  grid: TextTable,
  rows: readonly Row[],
  { isChosen, question, reading, scores, used, words }: LookUp,
): string | null {
  const asked = plain(question.text);
  const top = Math.max(...scores.filter((_, column) => !used.has(column)), 0);
  const none = reading.outcomes[1]! - reading.outcomes[0]!;
  if (!isChosen && top < 0.3) return null;
  if (none > 0 && (!isChosen || top < 0.5)) return null;
  const cells = rows.flatMap((row) =>
    row.cells.flatMap((cell, column) => {
      if (used.has(column) || cell.text === '' || says(asked, cell.text)) return [];
      const place = reading.within(cell.start, cell.end);
      const isTruth = scores[column]! < 0.5 && (words.yes.test(cell.text) || words.no.test(cell.text));
      const liked = Math.max(worstPlace, place?.score ?? worstPlace) - (isTruth ? truthLoss : 0);
      return [{ cell, column, score: liked + columnWeight * scores[column]! }];
    }),
  );
  const [best] = cells.sort((a, b) => b.score - a.score);
  if (!best || lengthOf(best.cell.text) > longestCell) return null;
  // Of several rows all are told, where the question leaves them open and asks for the column by name.
  if (isChosen && rows.length > 1 && rows.length <= mostNamed && grid.header.length > 0) {
    const all = rows.map(({ cells: row }) => row[best.column]?.text ?? '').filter(Boolean);
    return [...new Set(all)].join(/\p{Script=Han}/u.test(all.join('')) ? '、' : ', ');
  }
  return best.cell.text;
}
