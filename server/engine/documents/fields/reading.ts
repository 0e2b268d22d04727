/** A document as templates read it: rows of segments from top to bottom, and the signs its numbers and dates follow. */

import { type DayOrder, readDayOrder } from '../../quantities/dates.ts';
import { type DecimalSign, readCurrency, readDecimalSign } from '../../quantities/numbers.ts';
import { type Box, contains } from '../../vision/geometry.ts';
import type { Cell, Page, Segment, Word } from '../document.ts';
import { toRegions } from '../layout/layout-regions.ts';
import { segmentGap, toRows, toSegments } from '../layout/segments.ts';
import type { FieldEntry, FieldRule, Scalar, WordSource } from '../types.ts';

/** A segment with its place among its neighbours. */
export interface PlacedSegment extends Segment {
  page: Page;
  row: number;
  /** Position in its row. */
  order: number;
}

export interface TextRow {
  page: Page;
  pieces: PlacedSegment[];
  text: string;
  /** 0 at the top of its page, 1 at the bottom. */
  height: number;
}

export interface DocumentText {
  rows: TextRow[];
  pieces: PlacedSegment[];
  text: string;
  decimal: DecimalSign | null;
  dayOrder: DayOrder;
  currency: string | null;
}

/** True for words of two cells of a table that the file itself tells, however close they stand. */
function cellBreaks({ blocks = [] }: Page): (left: Word, right: Word) => boolean {
  const cells = new Map<Word, Cell>();
  for (const block of blocks)
    if (block.kind === 'table')
      for (const cell of block.table.cells) for (const word of cell.words) cells.set(word, cell);
  return (left, right) => cells.get(left) !== cells.get(right);
}

function pageRows(page: Page, withNames: boolean): Segment[][] {
  const areApart = cellBreaks(page);
  const cut = (row: Word[]): Segment[] => toSegments(row, segmentGap, areApart);
  const fileName = withNames ? undefined : page.fileName;
  const own = page.words.filter((word) => !word.turned && !(fileName && contains(fileName, word.box)));
  const segments = toRows(own).flatMap(cut);
  if (segments.length === 0) return [];
  return toRegions(segments).flatMap((region) =>
    toRows(region.segments.flatMap((segment) => segment.words)).map(cut),
  );
}

/** @param withNames of attached files, which are no part of them */
export function toDocumentText(pages: Page[], withNames = false): DocumentText {
  const rows: TextRow[] = [];
  for (const page of pages) {
    for (const segments of pageRows(page, withNames)) {
      const row = rows.length;
      const pieces = segments.map((segment, order) => ({ ...segment, page, row, order }));
      const text = pieces.map((piece) => piece.text).join('  ');
      rows.push({ page, pieces, text, height: segments[0]!.baseline / page.height });
    }
  }
  const texts = rows.map((row) => row.text);
  const text = texts.join('\n');
  const currency = readCurrency(text)?.code ?? null;
  return {
    rows,
    pieces: rows.flatMap((row) => row.pieces),
    text,
    decimal: readDecimalSign(texts),
    dayOrder: readDayOrder(currency ? rows.filter(isInside).map((row) => row.text) : texts, currency),
    currency,
  };
}

/** The share of a page's height over and under which a browser prints its own date, in its own order. */
const printedHead = 0.04;

const isInside = ({ height }: TextRow): boolean => height > printedHead && height < 1 - printedHead;

/** Words of a piece that make up `raw`; the whole piece if they cannot be told. */
export function wordsOf(piece: PlacedSegment, raw: string): Word[] {
  const wanted = raw.replace(/\s+/g, '');
  if (wanted === '') return piece.words;
  for (let start = 0; start < piece.words.length; start++) {
    let joined = '';
    for (let end = start; end < piece.words.length; end++) {
      joined += piece.words[end]!.text.replace(/\s+/g, '');
      if (joined.includes(wanted)) {
        while (
          start < end &&
          piece.words
            .slice(start + 1, end + 1)
            .map((w) => w.text)
            .join('')
            .includes(wanted)
        )
          start++;
        return piece.words.slice(start, end + 1);
      }
    }
  }
  return piece.words;
}

export interface FieldMatch<V extends Scalar = Scalar> {
  value: V;
  raw: string;
  confidence: number;
  rule: FieldRule;
  page: Page;
  box: Box;
  label?: string;
  currency?: string;
}

const round = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 100) / 100;

/** Sources of the words inside a box, each once. */
const sourcesIn = ({ page, box }: Pick<FieldMatch, 'page' | 'box'>): WordSource[] => [
  ...new Set(page.words.filter((word) => contains(box, word.box)).map(({ source }) => source)),
];

/** Confidence of the words inside a box: that of the least sure of them; 1 where the document says its text. */
function recognized({ page, box }: Pick<FieldMatch, 'page' | 'box'>): number {
  const inside = page.words.filter((word) => word.confidence !== undefined && contains(box, word.box));
  return Math.min(1, ...inside.map((word) => word.confidence!));
}

export const toEntry = <V extends Scalar>(found: FieldMatch<V>): FieldEntry<V> => ({
  value: found.value,
  confidence: round(found.confidence * recognized(found)),
  page: found.page.number,
  bbox: found.page.toView(found.box),
  raw: found.raw,
  evidence: { rule: found.rule, sources: sourcesIn(found) },
  ...(found.currency ? { currency: found.currency } : {}),
  ...(found.label ? { label: found.label } : {}),
});
