/**
 * The parts of a page in reading order: headings, paragraphs, list items and tables. A file that tells them is believed;
 * otherwise headings are larger or bolder than the page's body, items begin with their sign, and a paragraph ends where its
 * lines are farther apart, shorter or set in.
 */

import { type Box, centreX, centreY, contains, heightOf, unionBox, widthOf } from '../../vision/geometry.ts';
import type { FlowBlock, Page, PageTable, Segment, TextBlock, Word } from '../document.ts';
import { toRegions } from './layout-regions.ts';
import { median } from './median.ts';
import { toRows, toSegment, toSegments } from './segments.ts';

const bullet = /^(?:[•●▪◦‣∙·○■□➢➤–—*-]|\uf0b7|\uf0a7)$/u;
const tick = /^[☐☑☒]$/u;
const numbered = /^(?:\d{1,3}[.)]|\([a-z\d]{1,3}\)|[a-zA-Z][.)]|[ivx]{1,5}[.)])$/;

const isMarker = (text: string): boolean => bullet.test(text) || tick.test(text) || numbered.test(text);
/** Initials of a name look like letters of a list. */
const initial = /^[A-Z]\.$/;

/** Times the body's size. Recognized sizes are less exact. */
const headingRatio = 1.18;
const headingRatioRecognized = 1.4;
const longestHeading = 160;
const longestBoldHeading = 90;
/** Level of a bold line of the text's own size. */
const boldLevel = 4;

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
    parts: parts.length - Number(parts.length > 1 && isMarker(parts[0]!.text)),
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

/** Blank columns between blocks beside each other, in font sizes; the greatest gap between their rows, in heights of one. */
const [blockGap, blockRowGap] = [1.5, 1];

/** The segments of rows by the columns that blank stripes part. */
function columnsOf(rows: readonly Segment[][], size: number): Segment[][][] {
  const sorted = rows.flat().toSorted((a, b) => a.box[0] - b.box[0]);
  const starts: number[] = [];
  let right = Number.NEGATIVE_INFINITY;
  for (const { box } of sorted) {
    if (box[0] - right > blockGap * size) starts.push(box[0]);
    right = Math.max(right, box[2]);
  }
  return starts.map((start, at) =>
    rows.map((row) =>
      row.filter(({ box }) => box[0] >= start && box[0] < (starts[at + 1] ?? Number.POSITIVE_INFINITY)),
    ),
  );
}

/** True for rows that are read across: labels with their values, or cells all filled. */
function isReadAcross(columns: readonly Segment[][][]): boolean {
  const [labels = []] = columns;
  const ended = labels.filter((cell) => /[:：]$/.test(cell.at(-1)?.text ?? '')).length;
  const filled = columns.flat().filter((cell) => cell.length > 0).length;
  return (
    columns.some((column) => column.filter((cell) => cell.length > 0).length < 2) ||
    2 * ended > labels.length ||
    (columns.length === 2 && filled === columns.flat().length)
  );
}

/** Rows as they are read: blocks beside each other, such as addresses below a letterhead, one behind the other. */
function inBlocks(rows: readonly Word[][]): Word[][] {
  const segmented = rows.map((row) => ({ row, segments: toSegments(row) }));
  const read: Word[][] = [];
  for (let from = 0; from < segmented.length; ) {
    let to = from + 1;
    let bottom = unionBox(segmented[from]!.segments.map(({ box }) => box))[3];
    for (; to < segmented.length; to++) {
      const box = unionBox(segmented[to]!.segments.map((segment) => segment.box));
      if (box[1] - bottom > blockRowGap * heightOf(box)) break;
      bottom = Math.max(bottom, box[3]);
    }
    const group = segmented.slice(from, to);
    const parts = group.map(({ segments }) => segments);
    const size = median(parts.flat().map((segment) => segment.size));
    const columns = parts.filter((row) => row.length > 1).length > 1 ? columnsOf(parts, size) : [];
    if (columns.length < 2 || isReadAcross(columns)) read.push(...group.map(({ row }) => row));
    else
      for (const column of columns)
        read.push(
          ...column.filter((cell) => cell.length > 0).map((cell) => cell.flatMap(({ words }) => words)),
        );
    from = to;
  }
  return read;
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
/** Headings are at most so much of a page. */
const largeShare = 0.4;

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
  const told = texts.length > 0 ? Math.max(...texts.map(([key]) => key)) : (byLength[0]?.[0] ?? 10);
  // Small print may be all that fills lines: what much of the page is set in is no heading.
  let above = 0;
  let size = told;
  for (const [key, { length }] of [...bySize].toSorted(([a], [b]) => b - a)) {
    above += length;
    if (above <= largeShare * all) continue;
    size = Math.max(told, key);
    break;
  }
  const lines = segments.filter((line) => line.size < 1.1 * size && line.words.some((word) => !word.bold));
  return { size, bold: bold > 0.5 * all, longest: Math.max(0, ...lines.map(({ text }) => text.length)) };
}

/** Lines in capitals with so much room above and below them, in heights of a line, head what follows. */
const aloneGap = 1;
const longestCapitals = 60;

const isCapitals = ({ text, parts }: Line): boolean =>
  parts === 1 &&
  text.length <= longestCapitals &&
  /^\p{Lu}[^\p{Ll}]*$/u.test(text) &&
  /\p{Lu}{4}/u.test(text) &&
  !/[.,:;]$/.test(text);

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
  return stands && ratio > 0.95 && !isFullLine(text, body) ? boldLevel : null;
}

/** Sides of a bullet that is drawn, and its distance from its text, in font sizes. */
const [minBullet, maxBullet, bulletGap] = [0.12, 0.6, 2];

/** Small squares and discs of the page, which may be bullets. */
const drawnBullets = ({ fills, frames }: Page): Box[] =>
  [...fills, ...frames].filter((box) => Math.abs(widthOf(box) - heightOf(box)) < 0.2 * widthOf(box));

/** True for a line that has a bullet drawn before it. */
const hasBullet = ({ box, size }: Line, bullets: readonly Box[]): boolean =>
  bullets.some(
    (bullet) =>
      heightOf(bullet) > minBullet * size &&
      heightOf(bullet) < maxBullet * size &&
      Math.abs(centreY(bullet) - centreY(box)) < 0.35 * size &&
      box[0] - bullet[2] > 0 &&
      box[0] - bullet[2] < bulletGap * size,
  );

/** Of the lines beside it another begins with the letter before or behind. */
function isOfList(letter: string, lines: readonly Line[]): boolean {
  const code = letter.charCodeAt(0);
  return lines.some(({ words }) => {
    const first = words[0]!.text;
    return initial.test(first) && Math.abs(first.charCodeAt(0) - code) === 1;
  });
}

function itemOf(
  line: Line,
  { bullets, lines }: { bullets: readonly Box[]; lines: readonly Line[] },
): Pick<TextBlock, 'text' | 'marker'> | null {
  if (hasBullet(line, bullets)) return { text: line.text };
  const han = numberedHan.exec(line.text);
  if (han) return { text: line.text.slice(han[0].length), marker: `${han[1]}.` };
  const [first, ...rest] = line.words;
  if (!first || rest.length === 0) return null;
  const text = toSegment(rest).text;
  // Several in one line are choices beside each other.
  if (tick.test(first.text))
    return rest.some((word) => tick.test(word.text)) ? null : { text, marker: first.text };
  if (bullet.test(first.text) || (first.text === '.' && first.source !== 'text_layer')) return { text };
  if (initial.test(first.text) && !isOfList(first.text, lines)) return null;
  return numbered.test(first.text) && /\p{L}/u.test(text) ? { text, marker: first.text } : null;
}

/** `1.` or `1、` right before an ideograph, which no blank parts from it; Chinese numerals begin a paragraph instead. */
const numberedHan = /^(\d{1,2})[.、．]\s?(?=\p{Script=Han})/u;
const numeralHan = /^(?:[（(][一二三四五六七八九十\d]{1,3}[)）]|[一二三四五六七八九十]{1,3}、)/u;

/** A label with its colon, at the start of a line. */
const labelled = /^\p{L}[^:：]{0,30}[:：](?!\/\/)/u;
/** The first character of a line that begins something, below a line that ends early; Chinese, Japanese and Korean know no capitals. */
const beginsAnew = /^[\p{Lu}\d\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The lines of a region: its width, and the greatest gap between lines of one paragraph, in heights of a line. */
interface Column {
  width: number;
  right: number;
  gap: number;
}

/** Share of its column that a line fills before it is wrapped. */
const fullShare = 0.72;
/** Gaps of single spacing, and the widest spacing, in heights of a line. */
const [usualGap, widestGap] = [0.75, 1.3];
/** Gaps that tell the spacing of a column, and how much wider one between paragraphs is. */
const [fewestGaps, moreGap] = [3, 0.35];

const gapBelow = (previous: Line, line: Line): number =>
  (line.box[1] - previous.box[3]) / Math.max(4, heightOf(previous.box));

const isFull = ({ box }: Line, { width }: Pick<Column, 'width'>): boolean => widthOf(box) > fullShare * width;

/** A line that is full, or that the first word of the next would not have fitted on. */
function isWrapped(previous: Line, line: Line, column: Column): boolean {
  if (isFull(previous, column)) return true;
  const [first] = line.words;
  return previous.words.length > 2 && previous.box[2] + widthOf(first!.box) + 0.2 * line.size > column.right;
}

/** The spacing of wide-set text is what most lines that are wrapped have below them. */
function columnOf(lines: readonly Line[]): Column {
  const left = Math.min(...lines.map(({ box }) => box[0]));
  const width = Math.max(...lines.map(({ box }) => box[2])) - left;
  const gaps = lines
    .slice(1)
    .flatMap((line, at) => (isFull(lines[at]!, { width }) ? [gapBelow(lines[at]!, line)] : []))
    .sort((a, b) => a - b);
  const spacing = gaps[Math.floor(gaps.length / 4)] ?? 0;
  const isKnown = gaps.length >= fewestGaps && spacing > 0 && spacing < widestGap;
  return { width, right: left + width, gap: isKnown ? spacing + moreGap : usualGap };
}

/** Near below another line, and of its size. */
function isNextLine(previous: Line, line: Line, column: Column): boolean {
  const gap = gapBelow(previous, line);
  if (gap > column.gap || gap < -1 || Math.abs(line.size - previous.size) > 0.12 * previous.size)
    return false;
  return line.parts === 1 && previous.parts === 1 && !numeralHan.test(line.text);
}

/** A line that goes on the block before it: not after a short last line. */
function goesOn(previous: Line, line: Line, column: Column): boolean {
  if (!isNextLine(previous, line, column) || line.bold !== previous.bold) return false;
  const isAnew = beginsAnew.test(line.text);
  if (isAnew && labelled.test(previous.text) && labelled.test(line.text)) return false;
  return !isAnew || isWrapped(previous, line, column);
}

/** Lines of an address, a closing and the like: short, near each other, and set at one edge or one middle. */
function areStacked(previous: Line, line: Line, column: Column): boolean {
  const near = (one: number, other: number): boolean => Math.abs(one - other) < 0.5 * line.size;
  return (
    isNextLine(previous, line, column) &&
    gapBelow(previous, line) < usualGap &&
    !isFull(previous, column) &&
    !isFull(line, column) &&
    (near(previous.box[0], line.box[0]) ||
      near(previous.box[2], line.box[2]) ||
      near(centreX(previous.box), centreX(line.box)))
  );
}

const join = (upper: string, lower: string): string => {
  if (/\p{L}-$/u.test(upper) && /^\p{Ll}/u.test(lower)) return upper.slice(0, -1) + lower;
  const isHan = /[\p{Script=Han}，。、；：！？（）]$/u.test(upper) && /^\p{Script=Han}/u.test(lower);
  return isHan ? upper + lower : `${upper} ${lower}`;
};

/** Short lines beside each other at different heights, as an address and what stands beside it: those at the left come first. */
function unwoven(lines: readonly Line[]): Line[] {
  const ordered: Line[] = [];
  for (let from = 0; from < lines.length; ) {
    let to = from + 1;
    while (to < lines.length && isWoven(lines[to - 1]!, lines[to]!)) to++;
    const run = lines.slice(from, to);
    const middle =
      (Math.min(...run.map(({ box }) => box[0])) + Math.max(...run.map(({ box }) => box[2]))) / 2;
    const sides = [0, 1].map((side) => run.filter(({ box }) => Number(centreX(box) > middle) === side));
    const [left, right] = sides as [Line[], Line[]];
    const isSplit =
      left.length > 1 &&
      right.length > 1 &&
      Math.max(...left.map(({ box }) => box[2])) < Math.min(...right.map(({ box }) => box[0]));
    ordered.push(...(isSplit ? [...left, ...right] : run));
    from = to;
  }
  return ordered;
}

/** Overlapping in height, apart in width, or right below such lines. */
const isWoven = (one: Line, other: Line): boolean =>
  other.box[1] < one.box[3] + 0.1 * one.size &&
  (other.box[0] > one.box[2] || other.box[2] < one.box[0] || other.box[1] > one.box[3] - 0.3 * one.size);

/** The lines of one region as blocks. */
function regionBlocks(woven: readonly Line[], body: Body, bullets: readonly Box[]): TextBlock[] {
  const lines = unwoven(woven);
  const left = Math.min(...lines.map(({ box }) => box[0]));
  const column = columnOf(lines);
  const list = { bullets, lines };
  const blocks: TextBlock[] = [];
  /** Blocks of running text. */
  const wraps = new Set<TextBlock>();
  let previous: Line | null = null;
  for (const [at, line] of lines.entries()) {
    const last = blocks.at(-1);
    const next = lines[at + 1];
    // A bold line over an address is its name.
    const isName =
      next !== undefined &&
      !next.bold &&
      !isSentence(next.text) &&
      !itemOf(next, list) &&
      areStacked(line, next, column);
    const alone = previous !== null && next !== undefined && [gapBelow(previous, line), gapBelow(line, next)];
    const found =
      headingLevel(line, body) ?? (alone && Math.min(...alone) >= aloneGap && isCapitals(line) ? 3 : null);
    const level = found === boldLevel && isName ? null : found;
    const item = level === null ? itemOf(line, list) : null;
    const sameHeading = last?.kind === 'heading' && level === last.level;
    const formRow = line.parts > 1 && previous !== null && previous.parts > 1 && last?.kind === 'paragraph';
    if (last && formRow && level === null && !item) {
      last.text += `\n${line.text}`;
      last.box = unionBox([last.box, line.box]);
      previous = line;
      continue;
    }
    const grows = previous !== null && last !== undefined && item === null && goesOn(previous, line, column);
    const isStack =
      previous !== null && last?.kind === 'paragraph' && level === null && item === null && !grows;
    if (isStack && areStacked(previous!, line, column) && !wraps.has(last)) {
      last.text += `\n${line.text}`;
      last.box = unionBox([last.box, line.box]);
      previous = line;
      continue;
    }
    if (last && grows && (level === null ? last.kind !== 'heading' : sameHeading)) {
      last.text = join(last.text, line.text);
      wraps.add(last);
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
  const bullets = drawnBullets(page);
  const flow: FlowBlock[] = [];
  // A table stands in its column, or across all of them, as one line without words would.
  const asLines = new Map(
    own.map((table): [Segment, PageTable] => [
      { words: [], text: '', box: [...table.box], baseline: table.box[1], size: body.size },
      table,
    ]),
  );
  const all = [...segments, ...asLines.keys()];
  for (const region of all.length > 0 ? toRegions(all) : []) {
    const waiting = region.segments.flatMap((line) => asLines.get(line) ?? []);
    waiting.sort((a, b) => a.box[1] - b.box[1]);
    const placeTables = (above: number): void => {
      while (waiting.length > 0 && waiting[0]!.box[1] < above) {
        const table = waiting.shift()!;
        flow.push({ kind: 'table', table, box: table.box });
      }
    };
    const rows = inBlocks(toRows(region.segments.flatMap(({ words }) => words)));
    for (const block of regionBlocks(
      rows.flatMap((row) => toLines(row, body)),
      body,
      bullets,
    )) {
      placeTables(block.box[1]);
      flow.push(block);
    }
    placeTables(Number.POSITIVE_INFINITY);
  }
  const turned = page.words.filter((word) => word.turned);
  return [...flow, ...turned.map(({ text, box }): TextBlock => ({ kind: 'paragraph', text, level: 0, box }))];
}
