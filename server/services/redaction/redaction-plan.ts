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
  /** Among the words of its line. */
  at: number;
  bbox: readonly number[];
}

/** The text of pages, and where its words stand. */
export interface PlacedText {
  text: string;
  words: PlacedWord[];
  lines: readonly PageLine[];
  letters: PlacedLetters;
}

/** The letters and digits of all words. */
interface PlacedLetters {
  text: string;
  /** The word that each is of. */
  owners: PlacedWord[];
  /** Places at which words of letters and digits begin, and the end. */
  starts: ReadonlySet<number>;
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
    for (const [at, word] of own.entries()) {
      words.push({ from: text.length, to: text.length + word.text.length, line, at, bbox: word.bbox });
      text += `${word.text} `;
    }
    text = `${text.trimEnd()}\n`;
  }
  return { text, words, lines, letters: placeLetters(words, lines) };
}

function placeLetters(words: readonly PlacedWord[], lines: readonly PageLine[]): PlacedLetters {
  const [owners, starts]: [PlacedWord[], Set<number>] = [[], new Set([0])];
  let text = '';
  for (const word of words)
    for (const part of wordsIn(lines[word.line]!.words[word.at]!.text)) {
      starts.add(text.length);
      text += part;
      while (owners.length < text.length) owners.push(word);
    }
  return { text, owners, starts: starts.add(text.length) };
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
 * Other places where the text of a field or of personal data stands, found as `stillReadable` looks for it: one value is
 * told by its surroundings at one place and not at the next.
 */
export function repeatedRedactions(
  redactions: readonly Redaction[],
  { lines, letters }: Pick<PlacedText, 'lines' | 'letters'>,
): Redaction[] {
  const places = new Map<string, Redaction>();
  const known = Map.groupBy(redactions, ({ page }) => page);
  // A value that was found at many places is looked for once.
  const told = new Map<string, Pick<Redaction, 'reason' | 'label'>>();
  for (const { reason, label, text } of redactions)
    if (reason === 'field' || reason === 'pii')
      for (const line of text.split('\n')) told.set(wordsIn(line).join(''), { reason, label });
  for (const [value, { reason, label }] of told)
    for (const held of occurrencesOf(value, letters))
      for (const [line, own] of Map.groupBy(held, (word) => word.line)) {
        const { page, words } = lines[line]!;
        const left = own.filter(({ bbox }) => !known.get(page)?.some((at) => covers(at.bbox, bbox)));
        if (left.length === 0) continue;
        const bbox = union(left.map((word) => word.bbox));
        const text = left.map(({ at }) => words[at]!.text).join(' ');
        places.set(`${page} ${bbox.join(' ')}`, { reason, label, page, bbox, text });
      }
  return [...places.values()];
}

/** Words of every place where a text stands, by the letters and digits alone. */
function occurrencesOf(value: string, { text, owners, starts }: PlacedLetters): PlacedWord[][] {
  const joined = wordsIn(value).join('');
  if (joined.length < 3) return [];
  const found: PlacedWord[][] = [];
  let at = text.indexOf(joined);
  while (at >= 0) {
    const end = at + joined.length;
    const counts = joined.length >= tellingLength || (starts.has(at) && starts.has(end));
    if (counts) found.push([...new Set(owners.slice(at, end))]);
    at = text.indexOf(joined, counts ? end : at + 1);
  }
  return found;
}

const covers = (
  [x0, y0, x1, y1]: Box,
  [left = 0, top = 0, right = 0, bottom = 0]: readonly number[],
): boolean => {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
};

/** A place where the text of a redaction can still be read in the new pages; its own place where that is not to be told. */
export function readablePlace(
  { text, page, bbox }: Redaction,
  { lines, letters }: Pick<PlacedText, 'lines' | 'letters'>,
): Pick<Redaction, 'page' | 'bbox'> {
  const [held] = text.split('\n').flatMap((line) => occurrencesOf(line, letters));
  const own = held?.filter(({ line }) => line === held[0]!.line);
  if (!own) return { page, bbox };
  return { page: lines[own[0]!.line]!.page, bbox: union(own.map((word) => word.bbox)) };
}

/** Words read with less certainty than this are often misread. */
const sureWord = 0.85;

/** A warning for what recognition may have misread: neither finding nor reading again sees that. */
export function unsureWarnings(lines: readonly PageLine[]): string[] {
  const unsure = lines.filter(({ words }) =>
    words.some(({ text, confidence = 1 }) => confidence < sureWord && wordsIn(text).join('').length >= 3),
  );
  return [...Map.groupBy(unsure, ({ page }) => page)].map(([page, own]) => {
    const places = own.map(
      ({ bbox: [, top = 0, , bottom = 0] }) => `${Math.round(((top + bottom) / 2) * 100)} %`,
    );
    return `${own.length === 1 ? '1 line was' : `${own.length} lines were`} read with little certainty; look at page ${page}, at ${[...new Set(places)].join(', ')} of its height from the top: what was misread is neither found nor seen by the check.`;
  });
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
