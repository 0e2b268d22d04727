/** Questions about a table: which rows are meant, which column is asked for, and what is to be made of it. */
import { coverageOf, type ReadText } from './features.ts';
import { type CellPlace, isNumeric, numberIn, type Row, type TextTable, tableOf } from './grid.ts';
import type { Outcome, Place, Reading } from './reader.ts';
import {
  boundIn,
  type Comparison,
  compared,
  isDayColumn,
  measuresOf,
  partedByEmpty,
} from './row-conditions.ts';
import { lengthOf } from './split.ts';
import { wordsOfKey } from './wording.ts';

/** Words about tables (reader.json of a pack). */
export interface TableWords {
  /** Words that ask for a highest or lowest value, and how columns are named that hold it; `isStrict`: no other column does. */
  extremes: { asks: RegExp; outcome: 'max' | 'min'; header: RegExp; isStrict: boolean }[];
  /** Words that ask for a kind of value, and how columns are named that hold it. */
  kinds: { asks: RegExp; header: RegExp }[];
  /** Asks how much or how many. */
  amount: RegExp;
  /** Asks for what several rows have together, but for each of them by itself; a column that tells how many there are of a thing. */
  muchOrMany: RegExp;
  each: RegExp;
  quantity: RegExp;
  /** Asks for the number of rows. */
  count: RegExp;
  sum: RegExp;
  /** Begins a row that sums up others, or tells what was paid of it. */
  summing: RegExp;
  /** Begin a row that holds the sum of the others, or of some. */
  total: RegExp;
  subtotal: RegExp;
  difference: RegExp;
  /** A year, a day of the month; before one that others are compared with: “since”. */
  dated: RegExp;
  since: RegExp;
  average: RegExp;
  /** Stands before what is left out: “except”. */
  except: RegExp;
  /** Turns a question round: “not”. */
  not: RegExp;
  /** A cell that holds nothing. */
  empty: RegExp;
  /** A negation at the end of what stands before a cell's words. */
  negated: RegExp;
  /** Asks for one or several of all. */
  which: RegExp;
  yes: RegExp;
  no: RegExp;
  comparisons: Comparison[];
  /** “more … than”: which of two is asked for, where no extreme says it. */
  comparatives: { asks: RegExp; outcome: 'max' | 'min' }[];
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
  if (part.length < 2 && !/[\p{N}]/u.test(part)) {
    // “size L”; “a” and “I” are words.
    const after = /^[ai]$/u.test(part) ? '(?=\\p{Script=Han})' : "(?![\\p{Script=Latin}\\p{N}'’])";
    return new RegExp(`(?<![\\p{Script=Latin}\\p{N}'’])${RegExp.escape(part)}${after}`, 'u').test(question);
  }
  let at = question.indexOf(part);
  for (; at >= 0; at = question.indexOf(part, at + 1)) {
    const isPlural = /^\p{Script=Latin}{3,}$/u.test(part) && question[at + part.length] === 's';
    const [before, after] = [question[at - 1] ?? ' ', question[at + part.length + Number(isPlural)] ?? ' '];
    if (!/[\p{L}\p{N}]/u.test(before) || /\p{Script=Han}/u.test(before))
      if (!/[\p{L}\p{N}]/u.test(after) || /\p{Script=Han}/u.test(after)) return true;
  }
  return false;
}

const leastShare = 0.5;

/** Capitals and digits in one: numbers of orders, plates, articles. */
const CODE =
  /(?<![\p{L}\p{N}])(?=[\p{Lu}\p{N}/-]{0,30}\p{N})(?=[\p{N}/-]{0,30}\p{Lu})[\p{Lu}\p{N}]{1,20}(?:[/-][\p{Lu}\p{N}]{1,20}){0,4}(?![\p{L}\p{N}])/gu;
const formOf = (code: string): string => code.replace(/\p{Lu}/gu, 'A').replace(/\p{N}/gu, '9');

/** True where a question names one of a column's codes, years or days, and no cell of the table has it. */
function namesMissing({ rows }: TextTable, question: string, { dated, since }: TableWords): boolean {
  const cells = rows.flatMap((row) => row.cells.map(({ text }) => text));
  const codes = [...question.matchAll(CODE)].map(([code]) => code);
  const isHad = (code: string) => cells.some((text) => text.includes(code));
  const forms = new Set(cells.map(formOf));
  const isMissing = (names: readonly string[]) =>
    names.length > 0 && !names.some(isHad) && names.some((name) => forms.has(formOf(name)));
  const first = dated.exec(question);
  const isAt = first !== null && !since.test(question.slice(0, first.index));
  const keys = rows.map((row) => row.cells[0]?.text ?? '');
  return (
    isMissing(codes) || (isAt && keys.every((key) => dated.exec(key)?.[0] === key) && isMissing([first[0]]))
  );
}

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
function filtered({ header, rows }: TextTable, asked: string, words: TableWords): Filter {
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
    const cell = rows[scores.indexOf(best)]!.cells[column]!.text;
    const isAmount = numeric && !/\p{L}/u.test(cell);
    if (isAmount && column > 0 && !isNamed(header[column] ?? '', asked, words)) continue;
    // “not yet paid”: the rows where it is something else.
    const isNot = best >= 1 && column > 0 && words.negated.test(wanted.slice(0, wanted.indexOf(plain(cell))));
    const isMeant = (_: Row, at: number) => scores[at]! >= Math.min(best, 1) - 1e-9 !== isNot;
    found.push({ column, best, rows: rows.filter(isMeant) });
  }
  // “both buffers” of “Buffer R” and “Buffer S”: a word of several names means them all where they are added up.
  const isGroup = [words.sum, words.count, words.average].some((each) => each.test(wanted));
  for (let column = 0; column < wide && found.length === 0 && isGroup; column += 1) {
    const names = new Set(header.flatMap((name) => telling(wordsOfKey(name))));
    const group = rows.filter(({ cells }) => {
      const text = cells[column]?.text ?? '';
      return !isNumeric(text) && telling(text).some((part) => !names.has(part) && says(wanted, part));
    });
    if (group.length > 1) found.push({ column, best: leastShare, rows: group });
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
const columnScores = (
  { header, rows }: TextTable,
  { question, read, words }: Omit<Asked, 'outcome' | 'reading'>,
): number[] =>
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

/** Rows by a column of yes and no that the question speaks of, or by one whose cells may be empty where it asks for none. */
function byTruth(grid: TextTable, rows: Row[], { question, read, words }: Asked, used: Set<number>): Row[] {
  const isNot = words.not.test(question.text);
  const isTruth = (text: string) =>
    words.yes.test(text) || words.no.test(text) || text === '' || text === '-';
  for (const [column, name] of rows.length > 1 ? grid.header.entries() : []) {
    if (used.has(column) || coverageOf(question, read(wordsOfKey(name))) <= 0.5) continue;
    const parted = partedByEmpty(grid.rows, column, words.empty);
    const wanted = isNot ? words.no : words.yes;
    const chosen = grid.rows.every(({ cells }) => isTruth(cells[column]?.text ?? ''))
      ? rows.filter(({ cells }) => wanted.test(cells[column]?.text ?? ''))
      : isNot && parted
        ? rows.filter((row) => parted.none.includes(row))
        : [];
    if (chosen.length === 0) continue;
    used.add(column);
    return chosen;
  }
  return rows;
}

const valuesIn = (rows: readonly Row[], column: number): number[] =>
  rows.map(({ cells }) => numberIn(cells[column]?.text)).filter((value) => value !== null);

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const written = (value: number): string => String(Number(value.toFixed(2)));
/** “9.80” of amounts that have two places each. */
const writtenLike = (value: number, cells: readonly (string | undefined)[]): string =>
  !Number.isInteger(Number(value.toFixed(2))) && cells.every((cell) => /\d[.,]\d\d(?!\d)/u.test(cell ?? ''))
    ? value.toFixed(2)
    : written(value);
/** Dates and times of day are compared, never added. */
const isMoment = /\d[:：]\d|\d月|\d[/-]\d|\d{1,2} ?(?:am|pm)\b/iu;
const mostNamed = 8;
/** Logarithm of a chance of .6. */
const surely = -0.51;

/** The column that names a row: the first that is neither a running number nor asked about, and rather words than codes. */
const nameColumn = (
  { rows }: TextTable,
  used: ReadonlySet<number>,
  isSaid = (_: number) => false,
): number => {
  const wide = rows[0]?.cells.length ?? 0;
  const textsOf = (column: number) => rows.map(({ cells }) => cells[column]?.text ?? '');
  const areCodes = (column: number) => textsOf(column).every((text) => /^\S*\d\S*$/u.test(text));
  const areNames = (column: number) => {
    const texts = textsOf(column);
    return (
      new Set(texts).size === texts.length &&
      texts.every((text) => /\p{L}{2}/u.test(text) && !/\d/u.test(text))
    );
  };
  for (let column = 0; column < wide; column += 1) {
    const isRunning = rows.every(({ cells }, at) => numberIn(cells[column]?.text) === at + 1);
    const isCode = !isSaid(column) && areCodes(column) && !used.has(column + 1) && areNames(column + 1);
    if (
      !used.has(column) &&
      !isRunning &&
      !isCode &&
      textsOf(column).some((text) => /[\p{L}\p{N}]/u.test(text))
    )
      return column;
  }
  return 0;
};

/** True where the first of two rows that a question compares is what it asks for; null where it compares no two. */
export function comparesRows(text: string, asked: Omit<Asked, 'outcome' | 'reading'>): boolean | null {
  const { question, words } = asked;
  const grid = tableOf(text, words.summing);
  const said = plain(question.text);
  const asking: { asks: RegExp; outcome: 'max' | 'min'; header?: RegExp }[] = [
    ...words.extremes,
    ...words.comparatives,
  ].filter(({ asks }) => asks.test(said));
  if (!grid || asking.length === 0) return null;
  const { columns, rows } = filtered(grid, said, words);
  if (rows.length !== 2 || columns.size !== 1) return null;
  const [name] = columns;
  const scores = columnScores(grid, asked);
  const amounts = scores.flatMap((_, column) =>
    column !== name && (isNumberColumn(rows, column) || isDayColumn(rows, column)) ? [column] : [],
  );
  for (const each of asking) {
    const named = each.header;
    const fitting = named ? amounts.filter((column) => named.test(grid.header[column] ?? '')) : [];
    const [column] = (fitting.length > 0 ? fitting : amounts).toSorted((a, b) => scores[b]! - scores[a]!);
    if (column === undefined || (fitting.length === 0 && amounts.length > 1 && scores[column]! < 0.3))
      continue;
    const [first, second] = measuresOf(rows, column);
    if (first == null || second == null) continue;
    const isTurned = placeOf(said, rows[0]!.cells[name!]!) > placeOf(said, rows[1]!.cells[name!]!);
    const [left, right] = isTurned ? [second, first] : [first, second];
    return each.outcome === 'max' ? left > right : left < right;
  }
  return null;
}

/** The place in a question that speaks of a cell. */
function placeOf(question: string, { text }: CellPlace): number {
  const places = [plain(text), ...telling(text)]
    .map((part) => question.indexOf(part))
    .filter((at) => at >= 0);
  return places.length > 0 ? Math.min(...places) : question.length;
}

/** @returns the answer; null where the text has no table or the question is none about its cells; '' where no column of the row that is meant tells it */
export function answerFromTable(text: string, asked: Asked): string | null {
  const grid = tableOf(text, asked.words.summing);
  if (!grid || grid.rows.length < 2) return null;
  const { outcome, question, reading, words } = asked;
  if (namesMissing(grid, question.text, words)) return '';
  const said = plain(question.text);
  const bound = boundIn(said, words.comparisons);
  // A number that others are compared with names no row.
  const plainly = bound ? said.slice(0, bound.start) + said.slice(bound.end) : said;
  const filter = filtered(grid, plainly, words);
  const scores = columnScores(grid, asked);
  const used = filter.columns;
  const isSaid = (column: number) => scores[column]! > leastNamed;
  const named = nameColumn(grid, new Set(), isSaid);
  const truth = byTruth(grid, filter.rows, asked, used);
  const best = (columns: readonly number[]): number | undefined =>
    columns.toSorted((a, b) => scores[b]! - scores[a]!)[0];
  const amountsOf = (of: readonly Row[]) =>
    scores.flatMap((_, column) =>
      column > 0 && !used.has(column) && (isNumberColumn(of, column) || isDayColumn(of, column))
        ? [column]
        : [],
    );
  const comparison =
    bound && compared(truth, bound, { amounts: amountsOf(truth), header: grid.header, scores });
  if (comparison) used.add(comparison.column);
  const rows = comparison?.rows ?? truth;
  const isChosen = rows.length < grid.rows.length;
  const amounts = amountsOf(rows);
  const valuesOf = (column: number): number[] => valuesIn(rows, column);
  // “less than 50”: nothing is taken from it.
  const isDifference = !bound && (words.difference.test(said) || outcome === 'diff');
  const differing = best(amounts);
  if (isDifference && words.difference.test(said) && rows.length === 2 && differing !== undefined) {
    const values = valuesOf(differing);
    if (values.length === 2)
      return writtenLike(
        Math.abs(values[0]! - values[1]!),
        rows.map(({ cells }) => cells[differing]?.text),
      );
  }
  if (isDifference && words.difference.test(said) && rows.length === 1) {
    // “How much more is the large pie than the small one?”: two columns of one row.
    const [first, second] = amounts.filter((column) => scores[column]! > leastNamed);
    const pair = first === undefined || second === undefined ? [] : [...valuesOf(first), ...valuesOf(second)];
    if (pair.length === 2)
      return writtenLike(Math.abs(pair[0]! - pair[1]!), [
        rows[0]!.cells[first!]?.text,
        rows[0]!.cells[second!]?.text,
      ]);
  }

  const asking = words.extremes.filter(({ asks }) => asks.test(said));
  const namedBy = ({ header }: (typeof asking)[number]) =>
    amounts.filter((column) => header.test(grid.header[column] ?? ''));
  const extreme = asking.find((each) => namedBy(each).length > 0) ?? asking.find(({ isStrict }) => !isStrict);
  const isSure = Math.max(...reading.outcomes) > surely;
  const isGuessed = isSure && !comparison && (outcome === 'max' || outcome === 'min');
  const operation = extreme?.outcome ?? (isGuessed ? outcome : null);
  if (operation && rows.length > 1) {
    const byName = extreme ? namedBy(extreme) : [];
    const column = best(byName.length > 0 ? byName : amounts);
    if (column === undefined) return null;
    const sure = byName.length > 0 || amounts.length === 1 || scores[column]! > 0.3;
    if (!sure && outcome !== operation) return null;
    const values = measuresOf(rows, column);
    const known = values.filter((value) => value !== null);
    const wanted = operation === 'max' ? Math.max(...known) : Math.min(...known);
    const row = rows[values.indexOf(wanted)]!;
    const others = scores
      .map((score, at) => (at === column || used.has(at) ? -1 : score))
      .map((score, at) =>
        score > 0.6 && !byName.includes(at) && isNamed(grid.header[at] ?? '', said, words) ? score : -1,
      );
    const other = others.indexOf(Math.max(...others));
    if (words.amount.test(said) && !(others[other]! > 0)) return row.cells[column]!.text;
    const target = others[other]! > 0 ? other : nameColumn(grid, new Set([column]), isSaid);
    return row.cells[target]?.text ?? null;
  }
  if (isDifference) {
    const values = differing === undefined ? [] : valuesOf(differing);
    if (values.length === 2) return written(Math.abs(values[0]! - values[1]!));
  }
  if (words.average.test(said) || (outcome === 'avg' && amounts.length > 0)) {
    const column = best(amounts);
    const values = column === undefined ? [] : valuesOf(column);
    if (values.length > 1) return written(sumOf(values) / values.length);
  }
  const summed = amounts.filter(
    (column) => !rows.some(({ cells }) => isMoment.test(cells[column]?.text ?? '')),
  );
  const top = best(summed);
  // “How much rain fell at Holm over the three days?”: of several rows that are meant.
  const isAmount = words.muchOrMany.test(said) && isChosen && rows.length > 1 && !words.each.test(said);
  const isSum = words.sum.test(said) || outcome === 'sum' || (isAmount && comparison === null);
  const isQuantity = summed.length === 1 && words.quantity.test(grid.header[top!] ?? '');
  const isNamedSum = words.sum.test(said) && top !== undefined && (scores[top]! > 0.5 || isQuantity);
  if (
    words.sum.test(said) &&
    rows.length === 1 &&
    isChosen &&
    summed.length > 1 &&
    !(scores[top!]! > leastNamed)
  ) {
    // “Her marks altogether”: what a row's columns have in all.
    const values = summed.flatMap(valuesOf);
    if (values.length === summed.length) return written(sumOf(values));
  }
  const isCount = words.count.test(said) && (outcome === 'count' || (isChosen && rows.length > 1));
  if (words.count.test(said) && comparison) return String(rows.length);
  if (isCount && !isNamedSum && !(rows.length === 1 && top !== undefined && scores[top]! > 0.3)) {
    return String(rows.length);
  }
  if (isSum && rows.length > 1 && top !== undefined && (summed.length === 1 || scores[top]! > 0.25)) {
    const begins = (row: Row, ...marks: RegExp[]) =>
      marks.some((mark) => mark.test(row.cells[0]?.text ?? ''));
    // A sum that the text itself has is told as it stands.
    const total = rows.findLast((row) => begins(row, words.total));
    if (total) return total.cells[top]?.text ?? null;
    const items = rows.filter((row) => !begins(row, words.subtotal));
    if (items.length > 1)
      return writtenLike(
        sumOf(valuesIn(items, top)),
        items.map(({ cells }) => cells[top]?.text),
      );
  }
  // Rows that are chosen by what they hold are told by their names, where no column is asked for.
  const isByOther = used.size > 0 && !used.has(named) && words.which.test(said);
  const isByValue = comparison !== null || truth.length < filter.rows.length || (isByOther && isChosen);
  const isOpen = scores.every(
    (score, column) =>
      used.has(column) ||
      column === named ||
      score < leastNamed ||
      !isNamed(grid.header[column] ?? '', said, words),
  );
  if (isByValue && isOpen && !words.amount.test(said)) {
    const name = nameColumn(grid, used, isSaid);
    return rows.length > mostNamed || rows.length === 0
      ? null
      : joined(
          rows.map(({ cells }) => cells[name]?.text ?? ''),
          said,
        );
  }
  return lookUp(grid, rows, { ...asked, isChosen, scores, used });
}

const leastNamed = 0.5;

/** Each once, as the question's language counts up. */
const joined = (parts: readonly string[], question: string): string =>
  [...new Set(parts.filter(Boolean))].join(/\p{Script=Han}/u.test(question) ? '、' : ', ');

interface LookUp extends Asked {
  scores: readonly number[];
  used: ReadonlySet<number>;
  isChosen: boolean;
}

/** Of a column that the question may mean; log odds that a row does not tell what no column's name says. */
const leastAsked = 0.34;
const leastUntold = -2.6;
const columnWeight = 12;
const worstPlace = -9;
/** Cells of yes and no are seldom asked for otherwise than by their column. */
const truthLoss = 6;
const longestCell = 40;

/** True for a place before or behind a table: the text has more than rows, and that answers. */
function isBesides({ rows }: TextTable, place: Place | null): boolean {
  const cells = rows.flatMap((row) => row.cells);
  return (
    place !== null &&
    (place.end <= Math.min(...cells.map(({ start }) => start)) ||
      place.start >= Math.max(...cells.map(({ end }) => end)))
  );
}

/** The cell of the chosen rows whose column is asked for, and that the network likes best. */
function lookUp(
  grid: TextTable,
  rows: readonly Row[],
  { isChosen, question, reading, scores, used, words }: LookUp,
): string | null {
  const asked = plain(question.text);
  const top = Math.max(...scores.filter((_, column) => !used.has(column)), 0);
  const none = reading.outcomes[1]! - reading.outcomes[0]!;
  if (!isChosen && (top < 0.3 || isBesides(grid, reading.place))) return null;
  if (none > 0 && (!isChosen || top < 0.5)) return null;
  const isUnnamed = isChosen && rows.length === 1 && grid.header.length > 0 && top < leastAsked;
  if (isUnnamed && none > leastUntold) return '';
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
    return joined(
      rows.map(({ cells: row }) => row[best.column]?.text ?? ''),
      asked,
    );
  }
  return best.cell.text;
}
