/** The places to black out of a document that was read, and the texts that must be gone afterwards. Pure. */
import { RE2JS } from 're2js';
import type { RedactRequest, RedactResult } from '../../api/services/redaction.ts';
import type { PageLine, ParseResult } from '../../engine/documents/types.ts';
import { ApiError } from '../../errors.ts';
import type { PersonalSpan } from './personal-spans.ts';

export interface Redaction {
  reason: RedactResult['redactions'][number]['reason'];
  label: string;
  page: number;
  bbox: [number, number, number, number];
  /** The text there, which must be gone from all pages; empty where it is not known. */
  text: string;
}

/** A place that the caller has chosen. */
export const areaRedaction = ({ page, bbox, label = '', text = '' }: Area): Redaction => ({
  reason: 'area',
  label,
  page,
  bbox: bbox as Box,
  text,
});

type Box = Redaction['bbox'];
type Area = NonNullable<RedactRequest['areas']>[number];

const union = (boxes: readonly (readonly number[])[]): Box => [
  Math.min(...boxes.map(([x0 = 0]) => x0)),
  Math.min(...boxes.map(([, y0 = 0]) => y0)),
  Math.max(...boxes.map(([, , x1 = 0]) => x1)),
  Math.max(...boxes.map(([, , , y1 = 0]) => y1)),
];

/** @throws ApiError invalid_value for a name that the document's template has no field of */
export function fieldRedactions(
  names: readonly string[],
  { fields }: Pick<ParseResult, 'fields'>,
): Redaction[] {
  const all = names.includes('*');
  const toRedaction = (label: string, entry: { page: number; bbox: Box; raw: string }): Redaction => {
    const { page, bbox, raw } = entry;
    return { reason: 'field', label, page, bbox, text: raw };
  };
  return Object.entries(fields)
    .filter(([name]) => all || names.includes(name))
    .flatMap(([name, entry]) =>
      Array.isArray(entry.value)
        ? entry.value.flatMap((row) => Object.values(row).map((cell) => toRedaction(name, cell)))
        : [toRedaction(name, entry)],
    );
}

interface PlacedWord {
  from: number;
  to: number;
  line: number;
  bbox: readonly number[];
}

/** The text of pages, and where its words stand. */
export interface PlacedText {
  text: string;
  words: PlacedWord[];
  lines: readonly PageLine[];
}

/** Lines one below another with the same left edge stand together, also where another column's stand between them. */
function byColumns(lines: readonly PageLine[]): PageLine[] {
  const columns: PageLine[][] = [];
  for (const line of lines) {
    const [left = 0, top = 0, , bottom = 0] = line.bbox;
    const column = columns.findLast((own) => {
      const above = own.at(-1)!;
      const [x0 = 0, y0 = 0, , y1 = 0] = above.bbox;
      const height = Math.max(bottom - top, y1 - y0);
      return (
        above.page === line.page &&
        Math.abs(x0 - left) < edgeReach &&
        top > y0 + height / 2 &&
        top < y1 + height
      );
    });
    if (column) column.push(line);
    else columns.push([line]);
  }
  return columns.flat();
}

/** Of a page's width. */
const edgeReach = 0.012;

export function placeText(read: readonly PageLine[]): PlacedText {
  const lines = byColumns(read);
  const words: PlacedWord[] = [];
  let text = '';
  for (const [line, { words: own }] of lines.entries()) {
    for (const word of own) {
      words.push({ from: text.length, to: text.length + word.text.length, line, bbox: word.bbox });
      text += `${word.text} `;
    }
    text = `${text.trimEnd()}\n`;
  }
  return { text, words, lines };
}

/** A place for each line that a span runs over; words are painted whole. */
export function spanRedactions(
  spans: readonly PersonalSpan[],
  { text, words, lines }: PlacedText,
  reason: 'pii' | 'pattern',
): Redaction[] {
  return spans.flatMap(({ start, end, kind }) => {
    const held = words.filter(({ from, to }) => from < end && to > start);
    return [...Map.groupBy(held, ({ line }) => line)].map(([line, own]): Redaction => {
      const [from, to] = [Math.max(start, own[0]!.from), Math.min(end, own.at(-1)!.to)];
      const bbox = union(own.map((word) => word.bbox));
      return { reason, label: kind, page: lines[line]!.page, bbox, text: text.slice(from, to) };
    });
  });
}

/** @throws ApiError invalid_value naming the first pattern that is none of RE2 */
export function patternSpans(patterns: readonly string[], { text }: PlacedText): PersonalSpan[] {
  return patterns.flatMap((pattern, index) => {
    let matcher: ReturnType<RE2JS['matcher']>;
    try {
      matcher = RE2JS.compile(pattern, RE2JS.MULTILINE).matcher(text);
    } catch {
      const param = `patterns[${index}]`;
      throw new ApiError('invalid_value', `${param} is not a pattern of RE2.`, { param });
    }
    const spans: PersonalSpan[] = [];
    while (matcher.find()) {
      const [start, end] = [matcher.start(), matcher.end()];
      if (end > start) spans.push({ start, end, kind: pattern });
    }
    return spans;
  });
}

const wordsIn = (text: string): string[] => text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];
/** As long as this a text counts as readable inside other words too: recognition may have lost the spaces. */
const tellingLength = 6;

/** Redactions whose text can still be read. Texts shorter than three characters stand anywhere. */
export function stillReadable(redactions: readonly Redaction[], text: string): Redaction[] {
  const words = wordsIn(text);
  const [spaced, squeezed] = [` ${words.join(' ')} `, words.join('')];
  return redactions.filter((redaction) =>
    redaction.text.split('\n').some((line) => {
      const own = wordsIn(line);
      const joined = own.join('');
      if (joined.length < 3) return false;
      return (
        spaced.includes(` ${own.join(' ')} `) || (joined.length >= tellingLength && squeezed.includes(joined))
      );
    }),
  );
}

/**
 * Areas without a text of their own under which a word stood that is read again at the same place.
 * @param before lines of the document, by its own page numbers
 * @param after lines of the new pages, by the same
 */
export function readThrough(
  redactions: readonly Redaction[],
  before: readonly PageLine[],
  after: readonly PageLine[],
): Redaction[] {
  return redactions.filter((redaction) => {
    if (redaction.reason !== 'area' || redaction.text !== '') return false;
    const stood = new Set(wordsUnder(redaction, before));
    return wordsUnder(redaction, after).some((word) => stood.has(word));
  });
}

const wordsUnder = ({ page, bbox: [left, top, right, bottom] }: Redaction, lines: readonly PageLine[]) =>
  lines
    .filter((line) => line.page === page)
    .flatMap(({ words }) => words)
    .filter(({ bbox: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] }) => {
      const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
      return x > left && x < right && y > top && y < bottom;
    })
    .map(({ text }) => wordsIn(text).join(''))
    .filter((word) => word.length >= 3);
