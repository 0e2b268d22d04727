/** The reading network: where in a text the answer to a question stands, or what else is to be answered. */
import { openSession } from '../../onnx/open.ts';
import type { Session } from '../../onnx/session.ts';
import { Tensor } from '../../onnx/tensor.ts';
import { logSumExp } from '../sampling/log-probabilities.ts';
import {
  type AskedText,
  featureCount,
  type Input,
  inputOf,
  matchesOf,
  prepareText,
  type ReadingTask,
  type ReadText,
} from './features.ts';
import type { WordTable } from './word-table.ts';

export const outcomes = [
  'span',
  'none',
  'yes',
  'no',
  'sum',
  'count',
  'diff',
  'avg',
  'max',
  'min',
  'other',
] as const;
export type Outcome = (typeof outcomes)[number];

export interface ReadingQuestion {
  asking: ReadingTask;
  question: string;
}

export interface Place {
  text: string;
  start: number;
  end: number;
  /** Log odds beside other places of its window. */
  score: number;
  /** Of these, what the field's name says for it (hints.ts). */
  gain?: number;
}

export interface Holder {
  /** Characters of the text. */
  start: number;
  end: number;
  chance: number;
  best: Place;
}

export interface Reading {
  /** Natural logarithm of each outcome's probability, in the order of `outcomes`. */
  outcomes: number[];
  /** Several best places, the best first. */
  best: Place[];
  /** The best place, and (`list`) every place that belongs to the answer, in the order of the text. */
  place: Place | null;
  places: Place[];
  /** The best place within characters of the text, or (`isWhole`) all of them. */
  within(start: number, end: number, isWhole?: boolean): Place | null;
  /** Sentences (in a table: lines) that likely hold the answer, the likeliest first, each with its chance and the best place in it. */
  holders: Holder[];
  /** Of each sentence of the text, log odds that it belongs to a summary. */
  sentences: { text: string; start: number; score: number }[];
}

/** Words of a text that are read at once, and how far one window is from the next. */
const windowWords = 420;
const windowStep = 300;
const longestPlace = 24;
/** Bounds of what one request may have read: words of a text, and their number times that of the questions; characters of a question. */
const mostWords = 20_000;
export const mostAsked = 200_000;
/** Words that a question is about, whatever a text has besides. */
const usualQuestion = 16;
const longestQuestionText = 2000;
/** Places that are told, how many of them may share words with a better one, and how far below the best they may be. */
const mostPlaces = 14;
const mostShared = 2;
const furthestScore = 12;
const mostHolders = 4;
/** Numbers of one run's tensors, about: questions that are read at once. */
const runWords = 6000;

/** Of a long text only so many windows are read for a question: the first, and those whose sentences, lines and labels say most of it. */
const mostWindows = 5;

interface Window {
  from: number;
  to: number;
}

/** Windows of a text of so many words. */
function windowsOf(words: number): Window[] {
  const count = Math.max(1, Math.ceil((words - windowWords) / windowStep) + 1);
  return Array.from({ length: count }, (_, at) => ({
    from: at * windowStep,
    to: Math.min(words, at * windowStep + windowWords),
  }));
}

/** The windows that are read for a question, in their order. */
function likeliestWindows(windows: readonly Window[], { asking, context, matches }: AskedText): Window[] {
  if (windows.length <= mostWindows || asking === 'summary') return [...windows];
  const { byColon, byLine, bySentence } = matches;
  const said = ({ from, to }: Window): number => {
    let [sentence, line, label] = [0, 0, 0];
    for (let at = from; at < to; at += 1) {
      sentence = Math.max(sentence, bySentence[context.sentenceOf[at]!] ?? 0);
      line = Math.max(line, byLine[context.lineOf[at]!] ?? 0);
      label = Math.max(label, byColon.get(context.colonOf[at]!) ?? 0);
    }
    return sentence + line / 2 + label / 2;
  };
  const [first, ...rest] = windows.map((window) => ({ window, score: said(window) }));
  const best = rest.sort((a, b) => b.score - a.score).slice(0, mostWindows - 1);
  return [first!, ...best].map(({ window }) => window).sort((a, b) => a.from - b.from);
}

/** A reading that found nothing. */
export const emptyReading = (): Reading => ({
  outcomes: [],
  best: [],
  place: null,
  places: [],
  sentences: [],
  holders: [],
  within: () => null,
});

/** Between thousands, as long as the narrow one: “4，800元”. */
const wideComma = /(?<=(?<!\d)\d{1,3})，(?=\d{3}(?!\d))/gu;

interface Piece {
  question: number;
  from: number;
  input: Input;
}

export class Reader {
  readonly #session: Session;
  readonly #words: WordTable;

  constructor(session: Session, words: WordTable) {
    this.#session = session;
    this.#words = words;
  }

  /** @throws OnnxError when the graph is refused */
  static async open(graphPath: string, words: WordTable): Promise<Reader> {
    return new Reader(await openSession(graphPath), words);
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  prepare(text: string): ReadText {
    return prepareText(text.replaceAll(wideComma, ','), this.#words);
  }

  /**
   * False where reading would take too long: texts of so many words, asked so much.
   * @param budget what the rest of the request may ask, of `mostAsked`
   */
  canRead(questions: number, context: ReadText, budget = { left: mostAsked }): boolean {
    const read = Math.min(context.words.length, mostWindows * windowWords);
    budget.left -= questions * (read + usualQuestion);
    return context.words.length <= mostWords && budget.left >= 0;
  }

  #ask({ asking, question }: ReadingQuestion, context: ReadText): AskedText {
    const prepared = this.prepare(question.slice(0, longestQuestionText));
    return { asking, question: prepared, context, matches: matchesOf(prepared, context) };
  }

  /** One reading a question, all about the same text. */
  async read(
    questions: readonly ReadingQuestion[],
    context: ReadText,
    signal?: AbortSignal,
  ): Promise<Reading[]> {
    const windows = windowsOf(context.words.length);
    const readings = questions.map(emptyReading);
    const pieces = this.#pieces(questions, context, windows);
    let next = pieces.next();
    while (!next.done) {
      const batch: Piece[] = [];
      let longest = 0;
      for (; !next.done; next = pieces.next()) {
        const wide = Math.max(longest, next.value.input.length);
        if (batch.length > 0 && wide * (batch.length + 1) > runWords) break;
        longest = wide;
        batch.push(next.value);
      }
      const { outcome, places } = await this.#run(batch, longest, signal);
      batch.forEach((piece, row) => {
        const logits = places.subarray(row * 4 * longest, (row + 1) * 4 * longest);
        merge(
          readings[piece.question]!,
          readWindow(piece, context, { logits, longest }),
          logSoftmax([...outcome.subarray(row * outcomes.length, (row + 1) * outcomes.length)]),
        );
      });
    }
    for (const reading of readings) reading.sentences.sort((a, b) => a.start - b.start);
    return readings;
  }

  *#pieces(
    questions: readonly ReadingQuestion[],
    context: ReadText,
    windows: readonly Window[],
  ): Generator<Piece, undefined> {
    for (const [question, each] of questions.entries()) {
      const asked = this.#ask(each, context);
      for (const { from, to } of likeliestWindows(windows, asked))
        yield { question, from, input: inputOf(asked, from, to) };
    }
  }

  async #run(batch: readonly Piece[], longest: number, signal: AbortSignal | undefined) {
    const rows = batch.length;
    const size = this.#words.size;
    const hashes = new BigInt64Array(rows * longest * 3);
    const vectors = new Float32Array(rows * longest * size);
    const features = new Float32Array(rows * longest * featureCount);
    const mask = new Float32Array(rows * longest);
    batch.forEach(({ input }, row) => {
      const base = row * longest;
      input.hashes.forEach((value, at) => {
        hashes[base * 3 + at] = BigInt(value);
      });
      features.set(input.features, base * featureCount);
      mask.fill(1, base, base + input.length);
      input.rows.forEach((known, at) => {
        if (known < 0) return;
        const vector = this.#words.vector(known);
        for (let index = 0; index < size; index += 1)
          vectors[(base + at) * size + index] = vector[index]! / 127;
      });
    });
    const made = await this.#session.run(
      {
        hashes: new Tensor('int64', hashes, [rows, longest, 3]),
        vectors: new Tensor('float32', vectors, [rows, longest, size]),
        features: new Tensor('float32', features, [rows, longest, featureCount]),
        mask: new Tensor('float32', mask, [rows, longest]),
      },
      { signal },
    );
    return { places: made.places!.data as Float32Array, outcome: made.outcome!.data as Float32Array };
  }
}

/** Without the marks of a list, a table, a label or a clause around it. */
const bare = (text: string): string =>
  text.replaceAll(/^[\s|:：,;，；、=]+(?=\S)|^[-–•*]\s+(?=\S)|(?<=\S)[\s|,;，；、。:]+$/gu, '');

const longestCell = 12;

/** A line with marks like a table's, but none above or below it: a list whose parts hold a label each. */
const isAlone = ({ headers }: ReadText, line: number): boolean =>
  headers[line] === line && headers[line + 1] !== line;

/** Chinese commas have no blank behind them, as those between cells: a line with sentences in it is no row. */
const isRow = (context: ReadText, line: number): boolean =>
  context.cells[line]!.length > 2 && !isProse(context, line);

function isProse(context: ReadText, line: number): boolean {
  const [first, next] = [context.lines[line]!, context.lines[line + 1] ?? context.words.length];
  const said = context.text.slice(context.words[first]!.start, context.words[next - 1]!.end);
  return !said.includes('|') && (/[。！？]/u.test(said) || (said.includes('，') && isAlone(context, line)));
}

/** Of a place in a table its whole cell, unless that is long. */
function wholeCell(context: ReadText, start: number, end: number): [start: number, end: number] {
  const line = context.lineOf[start]!;
  const cells = context.cells[line]!;
  if (!isRow(context, line) || isAlone(context, line)) return [start, end];
  const cell = context.cellOf[start]!;
  const [first, next] = [cells[cell]!, cells[cell + 1] ?? context.lines[line + 1] ?? context.words.length];
  const words = context.words.slice(first, next);
  const last = first + words.findLastIndex(({ form, kind }) => kind !== 'line' && !'|,;'.includes(form));
  return first <= start && end <= last && last - first < longestCell ? [first, last] : [start, end];
}

interface Logits {
  logits: Float32Array;
  longest: number;
}

function readWindow({ from, input }: Piece, context: ReadText, { logits, longest }: Logits) {
  const first = input.questionWords;
  const [starts, ends, isInside, sentence] = [0, 1, 2, 3].map((row) =>
    logits.subarray(row * longest, row * longest + input.length),
  ) as [Float32Array, Float32Array, Float32Array, Float32Array];
  const placeOf = (start: number, end: number, score: number): Place => {
    const [low, high] = wholeCell(context, start - first + from, end - first + from);
    const [a, b] = [context.words[low]!, context.words[high]!];
    const isNegative =
      a.kind === 'number' && /(?:^|[\s([=,])[-−]$/u.test(context.text.slice(0, a.start).slice(-2));
    const text = (isNegative ? '-' : '') + context.text.slice(a.start, b.end);
    return { text: bare(text), start: a.start, end: b.end, score };
  };
  const norm = logSum(starts) + logSum(ends);
  const rows = context.lines.map((_, line) => isRow(context, line));
  /** An answer stands in one line and sentence, and in a table in one cell. */
  const isOneThing = (start: number, end: number): boolean => {
    const [a, b] = [start - first + from, end - first + from];
    const line = context.lineOf[a]!;
    if (line !== context.lineOf[b] || context.sentenceOf[a] !== context.sentenceOf[b]) return false;
    return context.words[b]!.kind !== 'line' && (!rows[line] || context.cellOf[a] === context.cellOf[b]);
  };
  const bestOf = (low: number, high: number): Place | null => {
    let best: [start: number, end: number, score: number] | null = null;
    for (let start = low; start < high; start += 1)
      for (let end = start; end < Math.min(high, start + longestPlace) && isOneThing(start, end); end += 1) {
        const score = starts[start]! + ends[end]!;
        if (!best || score > best[2]) best = [start, end, score];
      }
    return best && placeOf(best[0], best[1], best[2] - norm);
  };
  const within = (start: number, end: number, isWhole = false): Place | null => {
    const inside = (at: number) => context.words[at - first + from]!;
    let [low, high] = [first, input.length];
    while (low < high && inside(low).start < start) low += 1;
    while (high > low && inside(high - 1).end > end) high -= 1;
    if (!isWhole || high === low) return bestOf(low, high);
    return placeOf(low, high - 1, starts[low]! + ends[high - 1]! - norm);
  };
  const holdersOf = (): Holder[] => {
    const found = new Map<number, { score: number; from: number; to: number }>();
    let all = 0;
    for (let start = first; start < input.length; start += 1) {
      const word = start - first + from;
      const line = context.lineOf[word]!;
      const key = rows[line] ? -1 - line : context.sentenceOf[word]!;
      let sum = 0;
      for (
        let end = start;
        end < Math.min(input.length, start + longestPlace) && isOneThing(start, end);
        end += 1
      )
        sum += Math.exp(starts[start]! + ends[end]! - norm);
      all += sum;
      const known = found.get(key);
      if (known) {
        known.score += sum;
        known.to = start + 1;
      } else found.set(key, { score: sum, from: start, to: start + 1 });
    }
    return [...found.values()]
      .sort((a, b) => b.score - a.score)
      .slice(0, mostHolders)
      .flatMap(({ from: low, score, to }) => {
        const best = bestOf(low, to);
        const [a, b] = [context.words[low - first + from]!, context.words[to - 1 - first + from]!];
        return best ? [{ start: a.start, end: b.end, chance: score / all, best }] : [];
      });
  };
  const places: Place[] = [];
  for (let at = first; at < input.length; at += 1) {
    if (isInside[at]! <= 0) continue;
    let end = at;
    while (end + 1 < input.length && isInside[end + 1]! > 0) end += 1;
    places.push(placeOf(at, end, isInside[at]!));
    at = end;
  }
  const sentences = input.sentences.map((place, at) => {
    const next = input.sentences[at + 1];
    const start = context.words[place + from]!.start;
    const last = next === undefined ? context.words.length : next + from;
    const stop = context.words[last]?.start ?? context.text.length;
    return { text: context.text.slice(start, stop).trim(), start, score: sentence[place + first]! };
  });
  const spans: [start: number, end: number, score: number][] = [];
  const highest = bestOf(first, input.length);
  for (let start = first; start < input.length; start += 1)
    for (
      let end = start;
      end < Math.min(input.length, start + longestPlace) && isOneThing(start, end);
      end += 1
    ) {
      const score = starts[start]! + ends[end]! - norm;
      if (highest && score > highest.score - furthestScore) spans.push([start, end, score]);
    }
  const best: [number, number, number][] = [];
  for (const span of spans.sort((a, b) => b[2] - a[2])) {
    if (best.length >= mostPlaces) break;
    const shared = best.filter(([start, end]) => start <= span[1] && span[0] <= end);
    if (shared.length <= mostShared) best.push(span);
  }
  return {
    place: highest,
    best: best.map((span) => placeOf(...span)),
    places,
    sentences,
    within,
    holders: holdersOf(),
  };
}

/** Of several windows the one whose outcome is furthest from “not told” gives the place. */
function merge(reading: Reading, window: ReturnType<typeof readWindow>, logs: number[]): void {
  const told = (values: number[]) => values[0]! - values[1]!;
  if (reading.outcomes.length === 0 || told(logs) > told(reading.outcomes)) {
    reading.outcomes = logs;
    reading.place = window.place;
    reading.best = window.best;
    reading.within = window.within;
    reading.holders = window.holders;
  }
  for (const place of window.places)
    if (!reading.places.some(({ end, start }) => start < place.end && place.start < end))
      reading.places.push(place);
  for (const sentence of window.sentences)
    if (!reading.sentences.some(({ start }) => start === sentence.start)) reading.sentences.push(sentence);
}

function logSum(values: ArrayLike<number>): number {
  let highest = -Infinity;
  for (let at = 0; at < values.length; at += 1) highest = Math.max(highest, values[at]!);
  return logSumExp(values, highest);
}

function logSoftmax(logits: number[]): number[] {
  const norm = logSum(logits);
  return logits.map((value) => value - norm);
}
