/**
 * Words of a question and of a text as the numbers that the reading network takes. The recipe (models/recipes/lingua-reader) calls the
 * same code, so that training and serving cannot differ.
 */
import { hashOf, type KnownWord, type WordTable } from './word-table.ts';
import { segmentWords, sentenceStarts, type TextWord } from './words.ts';

/** Ways of asking, told to the network as a number. */
export const readingTasks = ['ask', 'field', 'list', 'choice', 'tool', 'summary'] as const;
export type ReadingTask = (typeof readingTasks)[number];

export const buckets = { word: 8192, affix: 2048 };
export const longestQuestion = 48;
export const featureCount = 40;

export interface Input {
  /** Words of the question (and a separator) before the text's. */
  questionWords: number;
  length: number;
  /** Hash buckets of the word, its first three and its last three letters: `length` × 3. */
  hashes: Int32Array;
  /** Row of each word in the table of vectors; -1: not known. */
  rows: Int32Array;
  /** `length` × featureCount. */
  features: Float32Array;
  /** Of the text's words, those that begin a sentence. */
  sentences: number[];
}

/** A text made ready once for all its questions. */
export interface ReadText {
  text: string;
  words: TextWord[];
  known: (KnownWord | null)[];
  sentences: number[];
  lines: number[];
  sentenceOf: Int32Array;
  lineOf: Int32Array;
  /** Each line's cells: their first words; a line without marks of a table is one cell. */
  cells: number[][];
  cellOf: Int32Array;
  /** Each line's first line of its table. */
  headers: number[];
  /** The place of the colon (or the tab, between two words) whose label a word stands behind; 0: none. */
  colonOf: Float32Array;
  weights: Float32Array;
}

const longestHanWord = 4;
const longestValue = 24;

/** Each word's vector; Chinese characters get that of the longest word of the lexicon they stand in. */
function lookUp(words: readonly TextWord[], table: WordTable): (KnownWord | null)[] {
  const known: (KnownWord | null)[] = new Array(words.length).fill(null);
  for (let at = 0; at < words.length; ) {
    const word = words[at]!;
    let step = 1;
    if (word.kind === 'han') {
      let run = 1;
      while (
        run < longestHanWord &&
        words[at + run]?.kind === 'han' &&
        words[at + run]!.start === words[at + run - 1]!.end
      )
        run += 1;
      for (let length = run; length > 0; length -= 1) {
        const form = words
          .slice(at, at + length)
          .map((each) => each.form)
          .join('');
        const found = table.find(form);
        if (found) {
          known.fill(found, at, at + length);
          step = length;
          break;
        }
      }
    } else if (word.kind === 'letters') known[at] = table.find(word.form);
    at += step;
  }
  return known;
}

/** The form that a word is known by: digits count as 0, an address by its kind alone. */
function shapeOf({ form, kind }: TextWord): string {
  if (kind === 'number') return form.replaceAll(/\d/gu, '0');
  if (kind !== 'code') return form;
  if (form.includes('@')) return '<mail>';
  if (form.startsWith('http')) return '<url>';
  return form.includes('/') ? '<path>' : form.replaceAll(/\d/gu, '0');
}

const weightOf = (word: TextWord, known: KnownWord | null): number => {
  if (word.kind === 'sign' || word.kind === 'line') return 0;
  return known ? Math.max(0.05, known.weight) : 1;
};

export function prepareText(text: string, table: WordTable): ReadText {
  const words = segmentWords(text);
  const { sentences, lines } = sentenceStarts(text, words);
  const spread = (starts: readonly number[]): Int32Array => {
    const places = new Int32Array(words.length);
    let index = -1;
    words.forEach((_, at) => {
      if (starts[index + 1] === at) index += 1;
      places[at] = Math.max(0, index);
    });
    return places;
  };
  const lineOf = spread(lines);
  const cells: number[][] = [];
  const cellOf = new Int32Array(words.length);
  lines.forEach((start, line) => {
    const end = lines[line + 1] ?? words.length;
    const starts = [start];
    for (let at = start; at < end; at += 1) {
      const word = words[at]!;
      const next = words[at + 1];
      const gap = next && at + 1 < end ? text.slice(word.end, next.start) : '';
      if ('|;'.includes(word.form) || (word.form === ',' && gap === '' && next) || /\t| {2,}/u.test(gap)) {
        if (at + 1 < end && next!.kind !== 'line') starts.push(at + 1);
      }
    }
    const first = words[start]!.form === '|' ? starts.slice(1) : starts;
    cells.push(first.length > 0 ? first : starts);
    let cell = 0;
    for (let at = start; at < end; at += 1) {
      while (cell + 1 < cells[line]!.length && at >= cells[line]![cell + 1]!) cell += 1;
      cellOf[at] = cell;
    }
  });
  const known = lookUp(words, table);
  const headers: number[] = [];
  cells.forEach((row, line) => {
    const above = cells[line - 1];
    headers.push(
      above && above.length > 1 && Math.abs(above.length - row.length) <= 1 ? headers[line - 1]! : line,
    );
  });
  const colonOf = new Float32Array(words.length);
  let colon = 0;
  words.forEach((word, at) => {
    const next = words[at + 1];
    const gap = next ? text.slice(word.end, next.start) : '';
    if (word.kind === 'line' || (colon > 0 && (at - colon > longestValue || '.。'.includes(word.form))))
      colon = 0;
    colonOf[at] = colon;
    const isDash = '-–'.includes(word.form) && at > 0 && gap !== '' && text[word.start - 1] === ' ';
    if (':：='.includes(word.form) || isDash) colon = at;
    else if (gap.includes('\t') && colon === 0) colon = at + 0.5;
  });
  return {
    text,
    words,
    known,
    sentences,
    lines,
    sentenceOf: spread(sentences),
    lineOf,
    cells,
    cellOf,
    headers,
    colonOf,
    weights: Float32Array.from(words, (word, at) => weightOf(word, known[at]!)),
  };
}

const stemOf = (form: string): string => (form.length > 5 ? form.slice(0, 5) : form);

function cosine(left: Int8Array, right: Int8Array): number {
  let sum = 0;
  let [a, b] = [0, 0];
  for (let at = 0; at < left.length; at += 1) {
    sum += left[at]! * right[at]!;
    a += left[at]! ** 2;
    b += right[at]! ** 2;
  }
  return sum / Math.sqrt(Math.max(a * b, 1));
}

/** For each word of the question and of the text: how alike, 0 to 1. */
function likeness(question: ReadText, context: ReadText): Float32Array {
  const wide = context.words.length;
  const table = new Float32Array(question.words.length * wide);
  const seen = new Map<string, number>();
  question.words.forEach((asked, row) => {
    if (asked.kind === 'sign' || asked.kind === 'line') return;
    const stem = stemOf(asked.form);
    seen.clear();
    context.words.forEach((word, at) => {
      if (word.kind === 'sign' || word.kind === 'line') return;
      let value = seen.get(word.form);
      if (value === undefined || word.kind === 'han') {
        value = 0;
        if (asked.form === word.form) value = asked.kind === 'han' ? 0.8 : 1;
        else if (
          asked.kind === 'letters' &&
          word.kind === 'letters' &&
          stem.length > 3 &&
          stemOf(word.form) === stem
        )
          value = 0.8;
        const [left, right] = [question.known[row], context.known[at]];
        if (left && right)
          value =
            left.row === right.row
              ? Math.max(value, 1)
              : Math.max(value, cosine(left.vector, right.vector) * 0.9);
        seen.set(word.form, value);
      }
      table[row * wide + at] = value;
    });
  });
  return table;
}

/** Share of the question, by weight, that the words from `start` to `end` answer to: each asked word by its best likeness there. */
function coverage(like: Float32Array, question: ReadText, wide: number, start: number, end: number): number {
  let [found, all] = [0, 1e-6];
  question.weights.forEach((weight, row) => {
    if (weight === 0) return;
    let best = 0;
    for (let at = start; at < end; at += 1) best = Math.max(best, like[row * wide + at]!);
    found += weight * Math.max(0, best - 0.3);
    all += weight;
  });
  return found / all / 0.7;
}

/** Likeness of a question's words to a text's, worked out once for all of its windows. */
export interface Matches {
  like: Float32Array;
  /** Of each word of the text, its best likeness to a word of the question, by that word's weight. */
  best: Float32Array;
  /** Coverage of the question by each sentence, line, cell, and by the words before a colon. */
  bySentence: number[];
  byLine: number[];
  byCell: number[][];
  byColon: Map<number, number>;
  bestSentence: number;
  bestLine: number;
  sentenceStarts: Set<number>;
  lineStarts: Set<number>;
}

export function matchesOf(question: ReadText, context: ReadText): Matches {
  const wide = context.words.length;
  const like = likeness(question, context);
  const spans = (starts: readonly number[], end: number): number[] =>
    starts.map((start, at) => coverage(like, question, wide, start, starts[at + 1] ?? end));
  const bySentence = spans(context.sentences, wide);
  const byLine = spans(context.lines, wide);
  const best = new Float32Array(wide);
  for (let row = 0; row < question.words.length; row += 1)
    for (let at = 0; at < wide; at += 1)
      best[at] = Math.max(best[at]!, like[row * wide + at]! * (0.3 + 0.7 * question.weights[row]!));
  const byColon = new Map<number, number>();
  for (const colon of new Set(context.colonOf))
    if (colon > 0) byColon.set(colon, labelCoverage(context, colon, like, question, wide));
  const highest = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 1e-6);
  return {
    like,
    best,
    bySentence,
    byLine,
    byCell: context.cells.map((starts, line) => spans(starts, context.lines[line + 1] ?? wide)),
    byColon,
    bestSentence: highest(bySentence),
    bestLine: highest(byLine),
    sentenceStarts: new Set(context.sentences),
    lineStarts: new Set(context.lines),
  };
}

export interface AskedText {
  asking: ReadingTask;
  question: ReadText;
  context: ReadText;
  matches: Matches;
}

/** @param from,to the window of the text's words that is looked at */
export function inputOf(
  { asking, question, context, matches }: AskedText,
  from = 0,
  to = context.words.length,
): Input {
  const { best, bestLine, bestSentence, byCell, byColon, byLine, bySentence, like, lineStarts } = matches;
  const asked = Math.min(question.words.length, longestQuestion);
  const length = asked + 1 + (to - from);
  const hashes = new Int32Array(length * 3);
  const rows = new Int32Array(length).fill(-1);
  const features = new Float32Array(length * featureCount);
  const wide = context.words.length;
  const mode = readingTasks.indexOf(asking);
  const put = (place: number, side: ReadText, at: number, isQuestion: boolean) => {
    const word = side.words[at]!;
    const raw = side.text.slice(word.start, word.end);
    const known = side.known[at];
    if (known) rows[place] = known.row;
    // A number's value says little, its form much: digits count as 0.
    const form = shapeOf(word);
    hashes[place * 3] = hashOf(form) % buckets.word;
    hashes[place * 3 + 1] = hashOf(`^${form.slice(0, 3)}`) % buckets.affix;
    hashes[place * 3 + 2] = hashOf(`$${form.slice(-3)}`) % buckets.affix;
    const f = features.subarray(place * featureCount, (place + 1) * featureCount);
    f[mode] = 1;
    f[6] = isQuestion ? 1 : 0;
    f[7] = word.kind === 'letters' || word.kind === 'code' ? 1 : 0;
    f[8] = word.kind === 'number' || word.kind === 'code' ? 1 : 0;
    f[9] = word.kind === 'han' ? 1 : 0;
    f[10] = word.kind === 'sign' ? 1 : 0;
    f[11] = word.kind === 'line' ? 1 : 0;
    f[12] = /^\p{Lu}/u.test(raw) ? 1 : 0;
    f[13] =
      raw.length > 1 && word.kind === 'letters' && raw === raw.toUpperCase() && raw !== raw.toLowerCase()
        ? 1
        : 0;
    f[14] = word.kind === 'number' ? Math.min(raw.length, 10) / 10 : 0;
    f[15] = word.kind === 'number' && /[.]\d/u.test(raw) ? 1 : 0;
    f[16] = /^(?:1[5-9]|20)\d\d$/u.test(raw) ? 1 : 0;
    f[17] = side.weights[at]!;
    f[18] = known ? 1 : 0;
    if (isQuestion) {
      let nearest = 0;
      for (let other = 0; other < wide; other += 1) nearest = Math.max(nearest, like[at * wide + other]!);
      f[19] = nearest;
      return;
    }
    const [sentence, line, cell] = [context.sentenceOf[at]!, context.lineOf[at]!, context.cellOf[at]!];
    f[20] = best[at]!;
    f[21] = bySentence[sentence] ?? 0;
    f[22] = (bySentence[sentence] ?? 0) / bestSentence;
    f[23] = sentence > 0 ? bySentence[sentence - 1]! : 0;
    f[24] = bySentence[sentence + 1] ?? 0;
    f[25] = byLine[line] ?? 0;
    f[26] = (byLine[line] ?? 0) / bestLine;
    f[27] = byLine[line - 1] ?? 0;
    const row = context.cells[line] ?? [];
    f[28] = row.length > 2 ? 1 : 0;
    f[29] = Math.min(cell, 8) / 8;
    f[30] = byCell[line]?.[0] ?? 0;
    f[31] = row.length > 1 && line > 0 ? (byCell[context.headers[line]!]?.[cell] ?? 0) : 0;
    f[32] = cell > 0 ? (byCell[line]?.[cell - 1] ?? 0) : 0;
    f[33] = byColon.get(context.colonOf[at]!) ?? 0;
    f[34] = matches.sentenceStarts.has(at) ? 1 : 0;
    f[35] = lineStarts.has(at) ? 1 : 0;
    f[36] = Math.min(at, 400) / 400;
    f[37] = row.length > 2 && context.headers[line]! === line ? 1 : 0;
    f[38] = Math.min(sentence, 20) / 20;
  };
  for (let at = 0; at < asked; at += 1) put(at, question, at, true);
  features[asked * featureCount + mode] = 1;
  features[asked * featureCount + 39] = 1;
  for (let at = from; at < to; at += 1) put(asked + 1 + at - from, context, at, false);
  return {
    questionWords: asked + 1,
    length,
    hashes,
    rows,
    features,
    sentences: context.sentences.filter((at) => at >= from && at < to).map((at) => at - from),
  };
}

const longestLabel = 8;

/** Share of the question that the words before a colon, in the same line, answer to. */
function labelCoverage(
  context: ReadText,
  colon: number,
  like: Float32Array,
  question: ReadText,
  wide: number,
): number {
  const end = Math.ceil(colon);
  const start = Math.max(context.lines[context.lineOf[Math.floor(colon)]!] ?? 0, end - longestLabel);
  return coverage(like, question, wide, start, end);
}

/** Share of a name, by weight, that the question says. */
export const coverageOf = (question: ReadText, name: ReadText): number =>
  coverage(likeness(name, question), name, question.words.length, 0, question.words.length);
