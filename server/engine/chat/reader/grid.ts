/** Tables in a text, taken apart: Markdown, separated values, columns set by blanks, lines with a name and a number. */

export interface Row {
  /** Characters of the text. */
  start: number;
  end: number;
  cells: CellPlace[];
}

export interface CellPlace {
  text: string;
  start: number;
  end: number;
}

export interface TextTable {
  /** Names of the columns; empty where no row says them. */
  header: string[];
  rows: Row[];
}

const mostCells = 24;
const mostRows = 400;
const longestLine = 2000;

type Splitter = (line: string) => [from: number, to: number][];

const bySeparator =
  (separator: RegExp): Splitter =>
  (line) => {
    const cells: [number, number][] = [];
    let from = 0;
    for (const { 0: sign, index } of line.matchAll(separator)) {
      cells.push([from, index]);
      from = index + sign.length;
    }
    cells.push([from, line.length]);
    return cells;
  };

const byPipe: Splitter = (line) => {
  const cells = bySeparator(/\|/gu)(line);
  const isBlank = ([from, to]: [number, number]) => line.slice(from, to).trim() === '';
  return cells.filter((cell, at) => !((at === 0 || at === cells.length - 1) && isBlank(cell)));
};

/** Commas and the like; those between quotes, and between the digits of a number of thousands with a blank behind, part nothing. */
const byComma: Splitter = (line) =>
  /[,，]\s/u.test(line.replaceAll(/"[^"]*"/gu, ''))
    ? [[0, line.length]]
    : bySeparator(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/gu)(line);

/** A name, then an amount at the line's end. */
const byAmount: Splitter = (line) => {
  const found =
    /^(\s*\S.{0,80}?)(?:\s*[:：]\s*|\s{2,}|\s*\.{3,}\s*|\t+)(\S{0,4}?\s?-?\d[\d.,]*\s?\S{0,6})\s*$/u.exec(
      line,
    );
  if (!found) return [[0, line.length]];
  const at = line.lastIndexOf(found[2]!);
  return [
    [0, found[1]!.length],
    [at, at + found[2]!.length],
  ];
};

/** Each way of writing a table, and how many cells its rows have at least. */
const splitters: [split: Splitter, least: number, mayDiffer: boolean][] = [
  [byPipe, 2, true],
  [bySeparator(/\t/gu), 2, true],
  [bySeparator(/;/gu), 3, false],
  [byComma, 3, false],
  [bySeparator(/ {2,}/gu), 3, true],
];

const isRule = (line: string): boolean => /^[\s|:+=–—-]+$/u.test(line) && /[-=–—]/u.test(line);

interface Line {
  text: string;
  start: number;
}

function linesOf(text: string): Line[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const made = { text: line, start };
    start += line.length + 1;
    return made;
  });
}

/** The longest run of lines with as many cells, if there are two at least. */
function longestRun(lines: readonly Line[], split: Splitter, least: number, mayDiffer: boolean): Row[] {
  let best: Row[] = [];
  let open: Row[] = [];
  for (const { start, text } of lines) {
    if (isRule(text) && open.length > 0) continue;
    const cells: [number, number][] = text.length > longestLine ? [] : split(text);
    const known = open[0]?.cells.length;
    const fits =
      cells.length >= least &&
      cells.length <= mostCells &&
      (known === undefined || known === cells.length || (mayDiffer && Math.abs(known - cells.length) <= 1));
    if (!fits) open = [];
    if (cells.length < least || cells.length > mostCells) continue;
    open.push({
      start,
      end: start + text.length,
      cells: cells.map(([from, to]) => {
        const cell = text
          .slice(from, to)
          .trim()
          .replaceAll(/^\*\*|\*\*$|^"|"$/gu, '');
        return { text: cell, start: start + from, end: start + to };
      }),
    });
    if (open.length > best.length) best = open;
  }
  return best;
}

export const numberIn = (cell: string | undefined): number | null => {
  const digits = cell === undefined ? null : /-?\d[\d.,]*/u.exec(cell);
  if (!digits) return null;
  const plain = digits[0].replace(/[.,]+$/u, '').replaceAll(/,(?=\d{3}(?!\d))/gu, '');
  const clock = /^(\d{1,2})[:：](\d{2})(?::(\d{2}))?/u.exec(cell!.slice(digits.index));
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]) + Number(clock[3] ?? 0) / 60;
  const value = Number(plain.replace(',', '.'));
  return Number.isFinite(value) ? value : null;
};

/** Cells that hold a number and little else. */
export const isNumeric = (cell: string): boolean =>
  numberIn(cell) !== null && (cell.match(/\p{L}/gu)?.length ?? 0) <= 4;

/** True where the first row names the columns: in columns of numbers it holds none. */
function hasHeader([first, ...rest]: readonly Row[]): boolean {
  if (!first || rest.length === 0) return false;
  const columns = first.cells.map(({ text }, column) => ({
    isNumber: isNumeric(text),
    isBelow: rest.filter(({ cells }) => isNumeric(cells[column]?.text ?? '')).length > rest.length / 2,
  }));
  if (columns.some(({ isBelow, isNumber }) => isBelow && !isNumber))
    return !columns.every(({ isNumber }) => isNumber);
  return columns.every(({ isNumber }) => !isNumber);
}

/** Prose with commas is no table: its first line would name columns by clauses. */
const isProse = ([first]: readonly Row[]): boolean =>
  first?.cells.some(({ text }) => /[:：。！？!?]|[.;](?:\s|$)/u.test(text) || text.length > longestName) ??
  true;

const longestName = 32;

/** Separated values of two columns: numbers under a head, as clauses of prose are two as well. */
const areNamedNumbers = (rows: readonly Row[]): boolean =>
  rows.length > 2 &&
  rows[0]!.cells.length === 2 &&
  !isProse(rows) &&
  rows.every(({ cells }, at) => isNumeric(cells[1]!.text) === at > 0);

/**
 * The table of a text that has most cells; null where there is none.
 * @param summing begins rows that sum up others, which are left out
 */
export function tableOf(text: string, summing?: RegExp): TextTable | null {
  const withoutTotals = (rows: readonly Row[]): Row[] =>
    rows.filter(({ cells }) => !summing?.test(cells[0]?.text ?? ''));
  const lines = linesOf(text).filter((line) => line.text.trim() !== '');
  let best: Row[] = [];
  const size = (rows: readonly Row[]) => rows.length * (rows[0]?.cells.length ?? 0);
  for (const [split, least, mayDiffer] of splitters) {
    const rows = longestRun(lines, split, least, mayDiffer);
    if (rows.length > 2 && size(rows) > size(best) && !(split === byComma && isProse(rows))) best = rows;
  }
  if (best.length === 0) {
    const pairs = longestRun(lines, byComma, 2, false);
    if (areNamedNumbers(pairs)) best = pairs;
  }
  if (best.length === 0) {
    const rows = longestRun(lines, byAmount, 2, false);
    if (rows.length > 2) best = rows;
    return best.length > 0 ? { header: [], rows: withoutTotals(best) } : null;
  }
  const filled = best
    .slice(0, mostRows)
    .filter(({ cells }) => cells.some(({ text }) => /[\p{L}\p{N}]/u.test(text)));
  return hasHeader(filled)
    ? { header: filled[0]!.cells.map(({ text }) => text), rows: withoutTotals(filled.slice(1)) }
    : { header: [], rows: withoutTotals(filled) };
}
