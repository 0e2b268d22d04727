/**
 * The parts of a page in reading order: headings, paragraphs, list items and tables. A file that tells them is believed;
 * otherwise headings are larger or bolder than the page's body, items begin with their sign, and a paragraph ends where its
 * lines are farther apart, shorter or set in.
 */

import { type Box, contains, heightOf, unionBox } from '../../vision/geometry.ts';
import type { FlowBlock, Page, PageTable, Segment, TextBlock, Word } from '../document.ts';
import { toRegions } from './layout-regions.ts';
import { median } from './median.ts';
import { toRows, toSegment, toSegments } from './segments.ts';

const bullet = /^(?:[•●▪◦‣∙·○■□➢➤–—*-]|\uf0b7|\uf0a7)$/u;
const tick = /^[☐☑☒]$/u;
const numbered = /^(?:\d{1,3}[.)]|\([a-z\d]{1,3}\)|[a-zA-Z][.)]|[ivx]{1,5}[.)])$/;

/** Times the body's size. Recognized sizes are less exact. */
const headingRatio = 1.18;
const headingRatioRecognized = 1.4;
const longestHeading = 160;
const longestBoldHeading = 90;

interface Line {
  words: Word[];
  /** Texts with wide gaps between them: places of a form, not a sentence. */
  parts: number;
  box: Box;
  size: number;
  bold: boolean;
  text: string;
}

const lineFrom = (words: Word[], parts: Segment[]): Line => {
  const segment = toSegment(words);
  return {
    words,
    parts: parts.length,
    box: segment.box,
    size: median(words.map((word) => word.size)),
    bold: words.every((word) => word.bold),
    text: parts.map(({ text }) => text).join('  '),
  };
};

/** A row as one line; large texts side by side, such as a name and a title, are lines of their own. */
function toLines(row: Word[], body: Body): Line[] {
  const parts = toSegments(row);
  const apart = parts.map((part) => lineFrom(part.words, [part]));
  return parts.length > 1 && apart.some((line) => headingLevel(line, body) !== null && line.size > body.size)
    ? apart
    : [lineFrom(row, parts)];
}

interface Body {
  size: number;
  bold: boolean;
  /** Characters of its longest line. */
  longest: number;
}

/** Shorter lines of text are of a narrow column, a form or headings. */
const shortestFull = 50;
/** A size that is text has so many of all characters, in so many lines, one of them full. Small print may have more. */
const bodyShare = 0.15;
const fewestBodyLines = 3;

const roundSize = (size: number): number => Math.round(size * 2) / 2;

/** The largest size of text; where none is, that of most characters. */
function bodyOf(words: readonly Word[], segments: readonly Segment[]): Body {
  const bySize = new Map<number, { length: number; lines: Set<number> }>();
  let [bold, all] = [0, 0];
  for (const { size, text, bold: heavy, baseline } of words) {
    const key = roundSize(size);
    const kind = bySize.get(key) ?? { length: 0, lines: new Set() };
    kind.length += text.length;
    kind.lines.add(Math.round(baseline));
    bySize.set(key, kind);
    all += text.length;
    if (heavy) bold += text.length;
  }
  const byLength = [...bySize].toSorted(([, a], [, b]) => b.length - a.length);
  const full = new Set(
    segments.flatMap(({ text, size }) => (text.length >= shortestFull ? [roundSize(size)] : [])),
  );
  const texts = byLength.filter(
    ([key, { length, lines }]) => full.has(key) && length >= bodyShare * all && lines.size >= fewestBodyLines,
  );
  const size = texts.length > 0 ? Math.max(...texts.map(([key]) => key)) : (byLength[0]?.[0] ?? 10);
  const lines = segments.filter((line) => line.size < 1.1 * size && line.words.some((word) => !word.bold));
  return { size, bold: bold > 0.5 * all, longest: Math.max(0, ...lines.map(({ text }) => text.length)) };
}

const fewestWords = 4;
/** An abbreviation such as that of a firm's form. */
const abbreviated = /(?:^|[\s.])\p{Lu}\p{L}{0,4}\.$/u;

/** It ends as sentences do, those that a table or list follows too. */
const isSentence = (text: string): boolean =>
  /[。：]$/u.test(text) ||
  (/[.:]$/.test(text) && text.split(/\s+/).length >= fewestWords && !abbreviated.test(text));

/** Bold, of the text's own size and as long as its lines. */
const isFullLine = ({ length }: string, { longest }: Body): boolean =>
  longest >= shortestFull && length >= 0.9 * longest;

function headingLevel({ size, bold, text, words }: Line, body: Body): number | null {
  if (text.length > longestHeading || !/\p{L}/u.test(text) || isSentence(text)) return null;
  const recognized = words.some(({ source }) => source !== 'text_layer');
  const ratio = size / body.size;
  if (ratio >= (recognized ? headingRatioRecognized : headingRatio))
    return ratio >= 1.75 ? 1 : ratio >= 1.35 ? 2 : 3;
  const stands = bold && !body.bold && text.length <= longestBoldHeading && !/[.,;:]$/.test(text);
  return stands && ratio > 0.95 && !isFullLine(text, body) ? 4 : null;
}

function itemOf(line: Line): Pick<TextBlock, 'text' | 'marker'> | null {
  const [first, ...rest] = line.words;
  if (!first || rest.length === 0) return null;
  const text = toSegment(rest).text;
  // Several in one line are choices beside each other.
  if (tick.test(first.text))
    return rest.some((word) => tick.test(word.text)) ? null : { text, marker: first.text };
  if (bullet.test(first.text)) return { text };
  return numbered.test(first.text) && /\p{L}/u.test(text) ? { text, marker: first.text } : null;
}

/** A label with its colon, at the start of a line. */
const labelled = /^\p{L}[^:：]{0,30}[:：](?!\/\/)/u;
/** The first character of a line that begins something, below a line that ends early; Chinese, Japanese and Korean know no capitals. */
const beginsAnew = /^[\p{Lu}\d\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** A line that goes on the block before it: near below it, of its size, and not after a short last line. */
function goesOn(previous: Line, line: Line, width: number): boolean {
  const gap = line.box[1] - previous.box[3];
  const height = Math.max(4, heightOf(previous.box));
  if (gap > 0.75 * height || gap < -height || Math.abs(line.size - previous.size) > 0.12 * previous.size)
    return false;
  if (line.bold !== previous.bold || line.parts > 1 || previous.parts > 1) return false;
  if (labelled.test(previous.text) && labelled.test(line.text)) return false;
  const filled = previous.box[2] - previous.box[0] > 0.72 * width;
  return filled || !beginsAnew.test(line.text);
}

const join = (upper: string, lower: string): string => {
  if (/\p{L}-$/u.test(upper) && /^\p{Ll}/u.test(lower)) return upper.slice(0, -1) + lower;
  const isHan = /[\p{Script=Han}，。、；：！？（）]$/u.test(upper) && /^\p{Script=Han}/u.test(lower);
  return isHan ? upper + lower : `${upper} ${lower}`;
};

/** The lines of one region as blocks. */
function regionBlocks(lines: readonly Line[], body: Body): TextBlock[] {
  const left = Math.min(...lines.map(({ box }) => box[0]));
  const width = Math.max(...lines.map(({ box }) => box[2])) - left;
  const blocks: TextBlock[] = [];
  let previous: Line | null = null;
  for (const line of lines) {
    const last = blocks.at(-1);
    const level = headingLevel(line, body);
    const item = level === null ? itemOf(line) : null;
    const sameHeading = last?.kind === 'heading' && level === last.level;
    const formRow = line.parts > 1 && previous !== null && previous.parts > 1 && last?.kind === 'paragraph';
    if (last && formRow && level === null && !item) {
      last.text += `\n${line.text}`;
      last.box = unionBox([last.box, line.box]);
      previous = line;
      continue;
    }
    const grows = previous !== null && last !== undefined && item === null && goesOn(previous, line, width);
    if (last && grows && (level === null ? last.kind !== 'heading' : sameHeading)) {
      last.text = join(last.text, line.text);
      last.box = unionBox([last.box, line.box]);
    } else if (level !== null) blocks.push({ kind: 'heading', text: line.text, level, box: line.box });
    else if (item) {
      const depth = Math.min(4, Math.max(0, Math.round((line.box[0] - left) / (2.2 * body.size))));
      blocks.push({ kind: 'item', level: depth, ...item, box: line.box });
    } else blocks.push({ kind: 'paragraph', text: line.text, level: 0, box: line.box });
    previous = line;
  }
  return flatItems(blocks);
}

/** The first item of a list has depth 0, and none is more than one deeper than the item before it. */
function flatItems(blocks: TextBlock[]): TextBlock[] {
  let base = 0;
  let before = -1;
  return blocks.map((block) => {
    if (block.kind !== 'item') {
      before = -1;
      return block;
    }
    if (before < 0) base = block.level;
    const level = Math.min(before + 1, Math.max(0, block.level - base));
    before = level;
    return { ...block, level };
  });
}

/** @param tables of the document; those of other pages are left out */
export function pageBlocks(page: Page, tables: readonly PageTable[]): FlowBlock[] {
  if (page.blocks) return page.blocks;
  const own = tables.filter((table) => table.page.number === page.number);
  const outside = page.words.filter((word) => !own.some(({ box }) => contains(box, word.box)));
  const segments = toRows(outside.filter((word) => !word.turned)).flatMap((row) => toSegments(row));
  const body = bodyOf(outside, segments);
  const flow: FlowBlock[] = [];
  const waiting = new Set(own);
  const placeTables = (above: number): void => {
    for (const table of waiting) {
      if (table.box[1] >= above) continue;
      waiting.delete(table);
      flow.push({ kind: 'table', table, box: table.box });
    }
  };
  for (const region of segments.length > 0 ? toRegions(segments) : []) {
    const rows = toRows(region.segments.flatMap(({ words }) => words));
    for (const block of regionBlocks(
      rows.flatMap((row) => toLines(row, body)),
      body,
    )) {
      placeTables(block.box[1]);
      flow.push(block);
    }
  }
  placeTables(Number.POSITIVE_INFINITY);
  const turned = page.words.filter((word) => word.turned);
  return [...flow, ...turned.map(({ text, box }): TextBlock => ({ kind: 'paragraph', text, level: 0, box }))];
}
