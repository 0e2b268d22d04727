import type { EngineOptions, EnginePack } from '../../engine.ts';
import { openOnFirst } from '../../onnx/open.ts';
import type { Session } from '../../onnx/session.ts';
import { Tensor } from '../../onnx/tensor.ts';
import { type Category, categories, type Scores, zeroScores } from '../categories.ts';
import type { PackDetectors } from '../detectors.ts';
import { bagOfFeatures, featureBlock, featuresPerToken, featureVersion } from '../text/features.ts';
import { type Token, tokenize } from '../text/tokens.ts';
import type { Classifier, TextWindow } from './classifier.ts';
import { pathInPack, refuseClassifierPack } from './classifier-pack-files.ts';
import {
  type Calibration,
  readStarterConfig,
  type Script,
  type StarterConfig,
  type WindowSize,
} from './starter-config.ts';

/** Token slots of one run: bounds memory and how long a run goes between looks at the caller's signal. */
const slotsPerRun = 8_192;

interface Piece {
  /** Position in the caller's list. */
  index: number;
  tokens: Token[];
}

/** The first of the tokens, which are in order, that starts at `offset` or behind it. */
function firstFrom(tokens: Token[], offset: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The tokens a segment covers; a token on the border belongs to the segment it starts in. */
function pieces(tokens: Token[], segments: TextWindow[], longest: number): Piece[] {
  return segments.map(({ start, end }, index) => {
    const from = firstFrom(tokens, start);
    return { index, tokens: tokens.slice(from, Math.min(firstFrom(tokens, end), from + longest)) };
  });
}

/** From here on a run of one letter is no word any more (`xxx` and `KKK` are). */
const longestLetterWord = 6;
/** Fewer letters than this are no word either. */
const shortestWord = 3;

/**
 * True for one letter over and over, and for a piece of one or two letters or one Chinese character that is no word of
 * harm by itself, whatever digits and marks stand beside it. Such a piece is the n-grams of other words and little else:
 * the bag, scaled to length one, would hear `xxx` in `x` and an insult in the first letters of it.
 */
function saysNothing({ tokens }: Piece, shortWords: ReadonlySet<string>): boolean {
  const words = tokens.filter(({ form }) => /^[^#]*\p{L}/u.test(form));
  if (words.some(({ form }) => shortWords.has(form))) return false;
  // As written: a form has three of one letter as two.
  const length = words.reduce((sum, { start, end }) => sum + end - start, 0);
  if (words.some(({ han }) => han)) return length === 1;
  if (length < shortestWord) return true;
  const letter = words[0]?.form[0];
  return words.every(({ start, end, form }) => {
    const isWord = end - start >= shortestWord && end - start < longestLetterWord;
    return !isWord && [...form].every((unit) => unit === letter);
  });
}

/** Pieces of like length in runs of at most `slotsPerRun` token slots. */
function batches(all: Piece[]): Piece[][] {
  const sorted = [...all].sort((a, b) => a.tokens.length - b.tokens.length);
  const found: Piece[][] = [];
  for (const piece of sorted) {
    const last = found.at(-1);
    if (last && (last.length + 1) * piece.tokens.length <= slotsPerRun) last.push(piece);
    else found.push([piece]);
  }
  return found;
}

/** The two readings of each piece: its tokens in order, and the bag of its features. Zero pads both. */
function encode(batch: Piece[], buckets: number): Record<string, Tensor> {
  const rows = batch.length;
  const length = Math.max(1, ...batch.map((piece) => piece.tokens.length));
  const blocks = batch.map(({ tokens }) => featureBlock(tokens, tokens.length, buckets));
  const bags = blocks.map(bagOfFeatures);
  const distinct = Math.max(1, ...bags.map((bag) => bag.ids.length));
  const ids = new Int32Array(rows * length * featuresPerToken);
  const bagIds = new Int32Array(rows * distinct);
  const bagValues = new Float32Array(rows * distinct);
  for (const [row, block] of blocks.entries()) {
    ids.set(block, row * length * featuresPerToken);
    bagIds.set(bags[row]?.ids ?? [], row * distinct);
    bagValues.set(bags[row]?.values ?? [], row * distinct);
  }
  return {
    ids: new Tensor('int32', ids, [rows, length, featuresPerToken]),
    bag_ids: new Tensor('int32', bagIds, [rows, distinct]),
    bag_values: new Tensor('float32', bagValues, [rows, distinct]),
  };
}

/** Mostly Chinese characters, or mostly letters: each has a scaling of its own. */
function scriptOf(piece: Piece): Script {
  return piece.tokens.filter((token) => token.han).length * 2 > piece.tokens.length ? 'han' : 'latin';
}

function calibrated(logits: Float32Array, scaling: Record<Category, Calibration>): Scores {
  const scores = categories.map((category, column) => {
    const { slope, intercept } = scaling[category];
    return [category, 1 / (1 + Math.exp(-(slope * (logits[column] ?? 0) + intercept)))];
  });
  return Object.fromEntries(scores) as Scores;
}

/** Windows of whole tokens, each sharing `overlap` with the one before. */
export function tokenWindows(tokens: Token[], size: WindowSize): TextWindow[] {
  const windows: TextWindow[] = [];
  for (let from = 0; from < tokens.length; from += size.tokens - size.overlap) {
    const last = Math.min(from + size.tokens, tokens.length) - 1;
    windows.push({ start: tokens[from]?.start ?? 0, end: tokens[last]?.end ?? 0 });
    if (last === tokens.length - 1) break;
  }
  return windows;
}

const textOf = (text: string, segment: TextWindow | undefined): string =>
  text.slice(segment?.start, segment?.end);

/** Knowledge of the pack beside the model. */
type PackKnowledge = Pick<PackDetectors, 'rules' | 'simplified'>;

class StarterClassifier implements Classifier {
  readonly provider: string;
  readonly #session: Session;
  readonly #config: StarterConfig;
  readonly #known: PackKnowledge;
  /** The text scored last and its tokens: windows and sentences of one request share them. */
  #recent: { text: string; tokens: Token[] } = { text: '', tokens: [] };

  constructor(opened: { session: Session; provider: string }, config: StarterConfig, known: PackKnowledge) {
    this.#session = opened.session;
    this.#config = config;
    this.#known = known;
    this.provider = opened.provider;
  }

  get thresholds(): Scores {
    return this.#config.thresholds;
  }

  windows(text: string): TextWindow[] {
    const tokens = this.#tokens(text);
    const [longest, ...shorter] = this.#config.windows;
    // Short windows find one bad sentence in a long text; where one long window sees it all they mostly add false alarms.
    const helpful = tokens.length > (longest?.tokens ?? 0) ? shorter : [];
    return [...(longest ? [longest] : []), ...helpful].flatMap((size) => tokenWindows(tokens, size));
  }

  async score(text: string, segments: TextWindow[], signal: AbortSignal): Promise<Scores[]> {
    const all = pieces(this.#tokens(text), segments, this.#config.windows[0]?.tokens ?? 0);
    const scores: Scores[] = all.map(zeroScores);
    for (const batch of batches(all.filter((piece) => !saysNothing(piece, this.#config.shortWords)))) {
      signal.throwIfAborted();
      const inputs = encode(batch, this.#config.buckets);
      const { logits } = await this.#session.run(inputs, { signal });
      const values = logits?.data as Float32Array;
      for (const [row, piece] of batch.entries()) {
        const own = values.subarray(row * categories.length, (row + 1) * categories.length);
        scores[piece.index] = calibrated(own, this.#config.calibration[scriptOf(piece)]);
      }
      for (const tensor of [...Object.values(inputs), logits]) tensor?.close();
    }
    // It learnt words of harm more than who does it to whom: reports of accidents are held down.
    return scores.map((own, index) => this.#known.rules.calmed(textOf(text, segments[index]), own));
  }

  close(): Promise<void> {
    this.#recent = { text: '', tokens: [] };
    return this.#session.close();
  }

  #tokens(text: string): Token[] {
    if (this.#recent.text !== text) this.#recent = { text, tokens: tokenize(text, this.#known.simplified) };
    return this.#recent.tokens;
  }
}

/** @throws EngineError internal_error for another version of the features, or a manifest that names no classifier */
export async function openStarterClassifier(
  pack: EnginePack,
  options: EngineOptions,
  known: PackKnowledge,
): Promise<Classifier> {
  const config = readStarterConfig(pack.manifest);
  if (config.featureVersion !== featureVersion) {
    throw refuseClassifierPack(
      `it needs feature version ${config.featureVersion}, this is ${featureVersion}`,
    );
  }
  const path = pathInPack(pack.folder, config.model);
  const opened = await openOnFirst(options.providers, path, {
    threads: options.threads,
    graph: 'classifier',
  });
  return new StarterClassifier(opened, config, known);
}
