/**
 * Reads one line of an MRZ from the output of a CTC recognizer (Graves et al. 2006), knowing how many characters the
 * line has and which may stand where.
 *
 * A general recognizer takes O for 0 and miscounts runs of fillers, since it decides one timestep at a time. Here the most likely
 * alignment of exactly `places.length` characters is searched (Viterbi), each from its own alphabet.
 */

import { digitsFor, lettersByDigitOf } from '../../identifiers/look-alikes.ts';

/** A recognizer's output at one timestep of a crop: characters with their probabilities, '' for "no new character". */
export type Timestep = ReadonlyMap<string, number>;

export interface DecodedLine {
  text: string;
  /** Log probability per character, best 0. */
  score: number;
  /** For every place, how likely each character that may stand there was at its timestep. */
  places: Map<string, number>[];
  /** Root mean square distance of the characters from even spacing, in characters: small if the length is right. */
  stepVariance: number;
}

/** No timestep is quite sure of anything: this lets the search pass what the recognizer left out. */
const minProbability = 1e-5;

/** In places of letters alone, or of digits alone, the other reading of a shape counts for it. */
const asLetter = digitsFor('OIZSGB');
const asDigit = lettersByDigitOf('OQDILZSGB');

/** A character together with what is read for it: `O0` for O among letters, `O` where digits may stand too. */
function symbolsOf(alphabet: string): string[] {
  const [letters, digits] = [/[A-Z]/.test(alphabet), /\d/.test(alphabet)];
  const others = letters && digits ? {} : letters ? asLetter : asDigit;
  return [...alphabet].map((char) => char + (others[char as keyof typeof others] ?? ''));
}

/** Log probability of each symbol at each timestep; index 0 is "no new character". */
function logTable(timesteps: Timestep[], symbols: string[]): Float64Array[] {
  return timesteps.map((timestep) => {
    const row = new Float64Array(symbols.length + 1);
    row[0] = Math.log(Math.max(minProbability, timestep.get('') ?? 0));
    for (const [index, symbol] of symbols.entries()) {
      let sum = 0;
      for (const char of symbol) sum += timestep.get(char) ?? 0;
      row[index + 1] = Math.log(Math.max(minProbability, sum));
    }
    return row;
  });
}

interface Search {
  logs: Float64Array[];
  symbols: string[];
  /** For every place, the columns of `logs` that may stand there. */
  allowed: number[][];
  /** States of a place: before it, and each symbol. */
  width: number;
}

/** The two best symbols of a place: a repeated character needs a timestep without one between, so one may not follow. */
function bestTwo(scores: Float64Array, base: number, chars: number[]): [first: number, second: number] {
  let [first, second] = [-1, -1];
  for (const char of chars) {
    const state = base + char;
    if (first < 0 || scores[state]! > scores[first]!) [first, second] = [state, first];
    else if (second < 0 || scores[state]! > scores[second]!) second = state;
  }
  return [first, second];
}

/** One timestep of the search: the best score of every state, and the state before it. */
function advance(
  scores: Float64Array,
  log: Float64Array,
  { allowed, width }: Search,
): [Float64Array, Int32Array] {
  const next = new Float64Array(scores.length).fill(Number.NEGATIVE_INFINITY);
  const back = new Int32Array(scores.length).fill(-1);
  for (let place = 0; place <= allowed.length; place++) {
    const base = place * width;
    const [first, second] = place === 0 ? [-1, -1] : bestTwo(scores, base - width, allowed[place - 1]!);
    const before = first >= 0 && scores[first]! > scores[base]! ? first : base;
    next[base] = scores[before]! + log[0]!;
    back[base] = before;
    for (const char of allowed[place] ?? []) {
      const state = base + char;
      const other = first % width === char ? second : first;
      let source = scores[state]! > scores[base]! ? state : base;
      if (other >= 0 && scores[other]! > scores[source]!) source = other;
      next[state] = scores[source]! + log[char]!;
      back[state] = source;
    }
  }
  return [next, back];
}

/** Null if the crop has fewer timesteps than the line has characters. */
export function decodeLine(timesteps: Timestep[], places: string[]): DecodedLine | null {
  if (timesteps.length < places.length) return null;
  const wanted = places.map(symbolsOf);
  const symbols = [...new Set(wanted.flat())];
  const allowed = wanted.map((list) => list.map((symbol) => symbols.indexOf(symbol) + 1));
  const search = { logs: logTable(timesteps, symbols), symbols, allowed, width: symbols.length + 1 };
  let scores: Float64Array = new Float64Array((places.length + 1) * search.width).fill(
    Number.NEGATIVE_INFINITY,
  );
  scores[0] = 0;
  const from = search.logs.map((log) => {
    const [next, back] = advance(scores, log, search);
    scores = next;
    return back;
  });
  return trace(search, scores, from);
}

function trace(
  { logs, symbols, allowed, width }: Search,
  scores: Float64Array,
  from: Int32Array[],
): DecodedLine | null {
  const length = allowed.length;
  let state = length * width;
  for (const char of allowed[length - 1]!) {
    const last = (length - 1) * width + char;
    if (scores[last]! > scores[state]!) state = last;
  }
  const total = scores[state]!;
  if (!Number.isFinite(total)) return null;
  const chosen = new Array<number>(length).fill(0);
  const timestepOf = new Array<number>(length).fill(-1);
  for (let t = from.length - 1; t >= 0; t--) {
    const [place, char] = [Math.floor(state / width), state % width];
    if (char > 0) {
      chosen[place] = char;
      if (timestepOf[place] === -1 || logs[t]![char]! > logs[timestepOf[place]!]![char]!)
        timestepOf[place] = t;
    }
    state = from[t]![state]!;
  }
  const places = allowed.map((chars, place) => {
    const log = logs[timestepOf[place]!]!;
    return new Map(chars.map((char) => [symbols[char - 1]![0]!, Math.exp(log[char]!)]));
  });
  const text = chosen.map((char) => symbols[char - 1]![0]!).join('');
  return { text, score: total / length, places, stepVariance: stepVarianceOf(timestepOf) };
}

/** Deviation from the straight line that fits best (least squares), over its slope. */
function stepVarianceOf(timesteps: number[]): number {
  const count = timesteps.length;
  const [meanPlace, meanTimestep] = [
    (count - 1) / 2,
    timesteps.reduce((sum, timestep) => sum + timestep, 0) / count,
  ];
  let [covariance, variance] = [0, 0];
  for (const [place, timestep] of timesteps.entries()) {
    covariance += (place - meanPlace) * (timestep - meanTimestep);
    variance += (place - meanPlace) ** 2;
  }
  const slope = Math.max(1e-6, covariance / variance);
  const squares = timesteps.map(
    (timestep, place) => (timestep - meanTimestep - slope * (place - meanPlace)) ** 2,
  );
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / count) / slope;
}
