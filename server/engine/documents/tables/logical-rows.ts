/**
 * Lines of text to rows of a table: a cell whose text wraps covers several lines.
 *
 * Where rules part the rows they decide. Otherwise a line continues the row above if its first column is empty and it
 * holds no numbers, and a label alone on its line continues in the next if it fills its column or breaks mid-phrase.
 */

import { unionBox } from '../../vision/geometry.ts';
import type { Cell, Segment, Word } from '../document.ts';

import { columnRange } from './columns.ts';

import { isDataText, type Line, type RowRun } from './row-run.ts';

type Placed = { segment: Segment; first: number; last: number }[];

const place = (line: Line, borders: number[]): Placed =>
  line.segments.map((segment) => {
    const [first, last] = columnRange(segment, borders);
    return { segment, first, last };
  });

/** Lines below each other with data in two of the same columns, or in the last one behind another text, are rows of their own. */
function isList(lines: readonly Placed[]): boolean {
  const data = (line: Placed) =>
    new Set(line.filter(({ segment }) => isDataText(segment.text)).map(({ first }) => first));
  return lines.some((line, index) => {
    const above = lines[index - 1];
    if (!above || line.length < 2 || above.length < 2) return false;
    const shared = data(line).intersection(data(above));
    const last = line.at(-1)!.first;
    return shared.size > 1 || (shared.has(last) && above.at(-1)!.first === last);
  });
}

/** A head and the first row of data below it, which shading may part instead of a rule: as many cells, from the first column on. */
function isHeadOver(above: Placed | undefined, line: Placed): boolean {
  if (!above || above.length < 3 || line.length < 3) return false;
  const isData = ({ segment }: Placed[number]): boolean => isDataText(segment.text);
  const columns = new Set(above.map(({ first }) => first));
  return (
    above[0]!.first === line[0]!.first &&
    line.every(({ first }) => columns.has(first)) &&
    line.filter(isData).length > 1 &&
    !above.some(isData)
  );
}

/** Bands between rules, if rules part (nearly) all rows: then each band is one row, but for one that lists some. */
function ruledBands(run: RowRun, placed: Placed[]): number[] | null {
  const inner = run.rules.filter(
    (rule) => rule.at > run.lines[0]!.baseline && rule.at < run.lines.at(-1)!.baseline,
  );
  const bands = run.lines.map(
    (line) => inner.filter((rule) => rule.at < line.baseline - 0.3 * line.size).length,
  );
  const count = new Set(bands).size;
  if (count < 4 || count < 0.3 * run.lines.length) return null;
  const listed = new Set(
    [...new Set(bands)].filter((band) => isList(placed.filter((_, index) => bands[index] === band))),
  );
  let row = -1;
  return bands.map((band, index) => {
    const goesOn = band === bands[index - 1] && !listed.has(band);
    return goesOn && !isHeadOver(placed[index - 1], placed[index]!) ? row : ++row;
  });
}

function continuesAbove(placed: Placed, previous: Placed, pitch: number, size: number): boolean {
  if (pitch > 1.75 * size || previous.length === 0) return false;
  // A label that goes on in brackets below itself.
  if (placed.length === 1 && placed[0]!.last === 0 && placed[0]!.segment.text.startsWith('(')) return true;
  if (placed.some(({ first }) => first === 0)) return false;
  if (placed.some(({ segment }) => isDataText(segment.text))) return false;
  const above = new Set(previous.flatMap(({ first, last }) => [first, last]));
  return placed.every(({ first, last }) => first === last && above.has(first));
}

function isBrokenLabel(placed: Placed, next: Placed, columnWidth: number): boolean {
  if (placed.length !== 1 || placed[0]!.first !== 0 || next[0]?.first !== 0 || next.length < 2) return false;
  const { segment } = placed[0]!;
  if (/[:：]$/.test(segment.text)) return false;
  if (/[-,–]$|\b(and|or|of|the|for|in|to|with|dan|untuk|und|der|die|et|de|des|van)$/i.test(segment.text))
    return true;
  return /^\p{Ll}/u.test(next[0]!.segment.text) && segment.box[2] - segment.box[0] > 0.5 * columnWidth;
}

/** For each line, the number of its row. */
function assignRows(run: RowRun, placed: Placed[]): number[] {
  const bands = ruledBands(run, placed);
  if (bands) return bands;
  const labels = placed.flatMap((line) => line.filter(({ first, last }) => first === 0 && last === 0));
  const columnWidth = Math.max(1, ...labels.map(({ segment }) => segment.box[2] - segment.box[0]));
  const rows: number[] = [];
  for (const [index, line] of run.lines.entries()) {
    const previous = run.lines[index - 1];
    const pitch = previous ? line.baseline - previous.baseline : Number.POSITIVE_INFINITY;
    const parted =
      previous &&
      run.rules.some((rule) => rule.at > previous.baseline && rule.at < line.baseline - 0.3 * line.size);
    const joins =
      previous &&
      !parted &&
      (continuesAbove(placed[index]!, placed[index - 1]!, pitch, line.size) ||
        (pitch < 1.75 * line.size && isBrokenLabel(placed[index - 1]!, placed[index]!, columnWidth)));
    rows.push(previous ? rows[index - 1]! + (joins ? 0 : 1) : 0);
  }
  return rows;
}

export function toLogicalRows(run: RowRun, borders: number[]): { cells: Cell[]; rowCount: number } {
  const placed = run.lines.map((line) => place(line, borders));
  const rows = assignRows(run, placed);
  const cells = new Map<string, Cell>();
  for (const [index, line] of placed.entries())
    for (const { segment, first, last } of line)
      add(cells, { row: rows[index]!, first, last, words: segment.words });
  for (const cell of cells.values()) cell.box = unionBox(cell.words.map((word) => word.box));
  return { cells: [...cells.values()], rowCount: rows.at(-1)! + 1 };
}

/** Cells that overlap in a row become one. */
function add(
  cells: Map<string, Cell>,
  piece: { row: number; first: number; last: number; words: Word[] },
): void {
  let { first, last } = piece;
  let words = piece.words;
  for (const [key, cell] of cells) {
    if (cell.row !== piece.row || cell.col > last || cell.col + cell.colSpan - 1 < first) continue;
    first = Math.min(first, cell.col);
    last = Math.max(last, cell.col + cell.colSpan - 1);
    words = [...cell.words, ...words];
    cells.delete(key);
  }
  cells.set(`${piece.row},${first}`, {
    row: piece.row,
    col: first,
    rowSpan: 1,
    colSpan: last - first + 1,
    words,
    box: [0, 0, 0, 0],
  });
}
