/**
 * Tables without a full grid of lines.
 *
 * Consecutive rows that are cut by wide gaps are collected into runs; a run whose gaps line up is a table if it looks
 * like data: numbers, short cells, or horizontal rules above and below. Prose, forms ("label: value") and tables of
 * contents line up as well, and are told apart by their text.
 */

import { type Box, overlap, type Ruling, unionBox, widthOf } from '../../vision/geometry.ts';
import type { Page, PageTable, Segment, Word } from '../document.ts';
import { toRegions } from '../layout/layout-regions.ts';
import { median } from '../layout/median.ts';

import { toRows, toSegments } from '../layout/segments.ts';

import { columnRange, findColumnBorders } from './columns.ts';
import { toLogicalRows } from './logical-rows.ts';
import { isDataText, type Line, type RowRun } from './row-run.ts';

/** Distance of two baselines, in font sizes, beyond which they belong to different tables. */
const maxRowPitch = 3.2;
const maxLoneRows = 3;
/** Gaps inside a run: more rows allow narrower gaps, as it is unlikely that word gaps line up in all of them. */
const fineGap = 0.6;

const toLine = (words: Word[], gap?: number): Line => {
  const segments = toSegments(words, gap);
  return {
    segments,
    baseline: segments[0]!.baseline,
    size: median(segments.map((segment) => segment.size)),
    box: unionBox(segments.map((segment) => segment.box)),
  };
};

const isCaption = (line: Line): boolean =>
  line.segments.length <= 2 &&
  /^(table|tabelle|tableau|tabel|tabela|jadual|figure|fig\.|source|sources|note|notes|nota|sumber|表|图)\b/i.test(
    line.segments[0]!.text,
  );

const isProse = (line: Line, regionWidth: number): boolean =>
  line.segments.length === 1 && widthOf(line.box) > 0.6 * regionWidth && line.segments[0]!.text.length > 45;

/** Rules that run along a line of text: at least most of its width. */
const rulesAlong = (box: Box, rules: Ruling[]): Ruling[] =>
  rules.filter((rule) => overlap(rule.from, rule.to, box[0], box[2]) > 0.6 * widthOf(box));

/** Top and bottom of rules of one length that lie above each other: they frame a table from its head to its foot. */
function ruleLadders(rules: Ruling[]): { top: number; bottom: number; from: number; to: number }[] {
  const ladders: { top: number; bottom: number; from: number; to: number }[] = [];
  for (const { at, from, to } of rules) {
    const same = ladders.find((ladder) => Math.abs(ladder.from - from) < 4 && Math.abs(ladder.to - to) < 4);
    if (same) same.bottom = at;
    else ladders.push({ top: at, bottom: at, from, to });
  }
  return ladders.filter((ladder) => ladder.bottom > ladder.top);
}

function collectRuns(lines: Line[], rules: Ruling[]): RowRun[] {
  const region = unionBox(lines.map((line) => line.box));
  const ladders = ruleLadders(
    rulesAlong([region[0] + widthOf(region) * 0.3, 0, region[2] - widthOf(region) * 0.3, 0], rules),
  );
  const inLadder = (upper: Line, lower: Line): boolean =>
    ladders.some(
      (l) =>
        upper.baseline > l.top &&
        lower.baseline < l.bottom + 1 &&
        overlap(l.from, l.to, lower.box[0], lower.box[2]) > 0,
    );
  const runs: RowRun[] = [];
  let current: Line[] = [];
  let lone = 0;
  const flush = (): void => {
    const last = current.findLast((line) => line.segments.length > 1);
    while (current.length > 0 && current.at(-1) !== last && !inLadder(last!, current.at(-1)!)) current.pop();
    if (current.length >= 2) runs.push({ lines: current, rules: [] });
    current = [];
    lone = 0;
  };
  for (const line of lines) {
    const previous = current.at(-1);
    const framed = previous !== undefined && inLadder(previous, line);
    const far =
      previous && line.baseline - previous.baseline > maxRowPitch * Math.max(line.size, previous.size);
    if (far && !framed) flush();
    if (isProse(line, widthOf(region)) || isCaption(line)) flush();
    else if (line.segments.length > 1) {
      current.push(line);
      lone = 0;
    } else if (current.length > 0) {
      current.push(line);
      if (++lone > maxLoneRows && !framed) flush();
    }
  }
  flush();
  for (const run of runs) {
    const box = unionBox(run.lines.map((line) => line.box));
    run.rules = rulesAlong(box, rules).filter(
      (rule) => rule.at > box[1] - 2 * run.lines[0]!.size && rule.at < box[3] + 2 * run.lines[0]!.size,
    );
  }
  return runs;
}

/** Leading rows that ignore the columns of the rest (titles with a page number, addresses) are left out. */
function trimRun(run: RowRun, borders: number[]): RowRun {
  const fits = (line: Line): boolean =>
    line.segments.length > 1 &&
    line.segments.filter((s) => columnRange(s, borders)[0] !== columnRange(s, borders)[1]).length === 0;
  let start = 0;
  let end = run.lines.length;
  const firstRule = run.rules[0]?.at ?? Number.POSITIVE_INFINITY;
  while (start < end && !fits(run.lines[start]!) && run.lines[start]!.baseline < firstRule) start++;
  // Header rows may span columns: up to two rows that touch the first fitting one are taken back.
  for (let back = 0; back < 2 && start > 0; back++) {
    const [above, below] = [run.lines[start - 1]!, run.lines[start]];
    if (below && above.segments.length > 1 && below.baseline - above.baseline < 1.7 * below.size) start--;
  }
  const lastRule = run.rules.at(-1)?.at ?? 0;
  while (end > start && !fits(run.lines[end - 1]!) && run.lines[end - 1]!.baseline > lastRule) end--;
  return { ...run, lines: run.lines.slice(start, end) };
}

/** Lines at the top of a run that may be of a letterhead, and a label with its value in a later column of theirs. */
const maxHeadLines = 8;
const labelledValue = /^\p{L}[^:：]{0,24}[:：]\s?\S/u;

/** Without the lines of an address with what stands beside it (`Abbey Road   Terms: cash`), up to the last of them. */
function withoutLetterhead(run: RowRun): RowRun {
  if (run.rules.length > 1) return run;
  const isBeside = ({ segments }: Line): boolean =>
    segments.slice(1).some(({ text }) => labelledValue.test(text));
  const last = run.lines.slice(0, maxHeadLines).findLastIndex(isBeside);
  if (last < 0 || run.lines.filter(isBeside).length > 0.5 * run.lines.length) return run;
  return { ...run, lines: run.lines.slice(last + 1) };
}

interface Evidence {
  rows: number;
  cols: number;
  fill: number;
  data: number;
  rules: number;
  letters: number;
  aligned: number;
}

function alignment(cells: Segment[]): number {
  if (cells.length < 2) return 0;
  const tolerance = 0.35 * cells[0]!.size;
  const shared = (pick: (box: Box) => number): number => {
    const values = cells.map((cell) => pick(cell.box));
    const at = median(values);
    return values.filter((value) => Math.abs(value - at) < tolerance).length / values.length;
  };
  return Math.max(
    shared((b) => b[0]),
    shared((b) => b[2]),
    shared((b) => (b[0] + b[2]) / 2),
  );
}

function weigh(run: RowRun, borders: number[]): Evidence {
  const multi = run.lines.filter((line) => line.segments.length > 1);
  const columns: Segment[][] = Array.from({ length: borders.length + 1 }, () => []);
  for (const segment of multi.flatMap((line) => line.segments)) {
    const [first, last] = columnRange(segment, borders);
    if (first === last) columns[first]!.push(segment);
  }
  const cells = columns.flat();
  const beyondFirst = columns.slice(1).flat();
  return {
    rows: multi.length,
    cols: columns.filter((column) => column.length > 1).length,
    fill: cells.length / Math.max(1, multi.length * columns.length),
    data: beyondFirst.filter((cell) => isDataText(cell.text)).length / Math.max(1, beyondFirst.length),
    rules: run.rules.length,
    letters: median(cells.map((cell) => cell.text.length)),
    aligned: median(columns.filter((column) => column.length > 1).map(alignment)),
  };
}

const isForm = (run: RowRun): boolean => {
  const labels = run.lines.map((line) => line.segments[0]!.text);
  return (
    labels.filter((label) => /^\p{L}[^:：]{0,30}[:：](?:\s|$)/u.test(label)).length > 0.5 * labels.length
  );
};

const isContents = (run: RowRun): boolean => {
  const dotted = run.lines.filter((line) => /(\.\s?){5,}/.test(line.segments.map((s) => s.text).join(' ')));
  const paged = run.lines.filter(
    (line) => /^(\.\s?)*\d{1,3}$/.test(line.segments.at(-1)!.text) && line.segments.length <= 3,
  );
  return dotted.length > 0.6 * run.lines.length && paged.length > 0.6 * run.lines.length;
};

/** Confidence that the run is a table; 0 rejects it. */
function judge(run: RowRun, borders: number[]): number {
  const e = weigh(run, borders);
  if (e.cols < 2 || e.rows < 2 || e.fill < 0.35 || e.letters > 40) return 0;
  if (isContents(run)) return 0;
  const ruled = e.rules >= 2;
  if (isForm(run) && !ruled) return 0;
  if (ruled) return e.rows >= 2 && (e.data > 0.25 || e.cols > 2 || e.rows > 3) ? 0.85 : 0;
  if (e.rows < 3 || (e.cols === 2 && e.rows < 4)) return 0;
  if (e.data >= 0.5 && e.aligned >= 0.4) return 0.75;
  return e.cols >= 3 && e.rows >= 4 && e.aligned >= 0.6 && e.letters <= 25 && e.fill > 0.5 ? 0.6 : 0;
}

function toTable(page: Page, found: RowRun): PageTable | null {
  const gap = found.lines.length >= 6 ? fineGap : undefined;
  const fine = {
    ...found,
    lines: found.lines.map((line) =>
      toLine(
        line.segments.flatMap((s) => s.words),
        gap,
      ),
    ),
  };
  const own = withoutLetterhead(fine);
  if (own.lines.length < 2) return null;
  const run = trimRun(own, findColumnBorders(own.lines.map((line) => line.segments)));
  if (run.lines.length < 2) return null;
  const borders = findColumnBorders(run.lines.map((line) => line.segments));
  const confidence = borders.length === 0 ? 0 : judge(run, borders);
  if (confidence === 0) return null;
  const { cells, rowCount } = toLogicalRows(run, borders);
  return {
    page,
    box: unionBox(run.lines.map((line) => line.box)),
    rowCount,
    colCount: borders.length + 1,
    cells,
    confidence,
  };
}

/** Tables in words that no ruled table took. */
export function findTextTables(page: Page, words: Word[]): PageTable[] {
  const segments = toRows(words.filter((word) => !word.turned)).flatMap((row) => toSegments(row));
  if (segments.length === 0) return [];
  return toRegions(segments).flatMap((region) => {
    const lines = toRows(region.segments.flatMap((segment) => segment.words)).map((row) => toLine(row));
    return collectRuns(lines, page.horizontal).flatMap((run) => toTable(page, run) ?? []);
  });
}
