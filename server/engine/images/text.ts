/** The text that stands out in a picture, as evidence for captions: its largest lines, not all that could be read. */
import { shippedAssets } from '../recognition/assets.ts';
import { OnnxTextModels } from '../recognition/onnx-models.ts';
import { type Quad, quadHeight, quadWidth } from '../recognition/quad.ts';
import { type RecognisedLine, readLines } from '../recognition/read-lines.ts';
import { findLines } from '../recognition/recognise.ts';
import type { Picture } from './input/picture.ts';

/** Longest side that text is looked for at: what stands out is readable at it. */
const maxSidePx = 960;
const mostLines = 3;
/** Lines at least this high compared with the highest belong to what stands out. */
const likeHeight = 0.6;
/** Captions quote what is certain. */
const minConfidence = 0.85;
const minLetters = 3;

export class TextReader {
  readonly #threads: number;
  #models: Promise<OnnxTextModels> | undefined;

  constructor(threads: number) {
    this.#threads = threads;
  }

  /** Up to three lines from top to bottom, or undefined. */
  async readProminent(picture: Picture): Promise<string | undefined> {
    this.#models ??= shippedAssets().then((assets) => OnnxTextModels.open(assets, this.#threads));
    const models = await this.#models;
    const pixels = await picture.pixels();
    const quads = prominent(await findLines(pixels, models, { maxSidePx }));
    const lines = (await readLines(pixels, quads, models)).filter(isCertain);
    return lines.length === 0 ? undefined : lines.map(toText).join(' ');
  }

  async close(): Promise<void> {
    await (await this.#models)?.close();
  }
}

/** The highest lines, longer ones first among like ones, in reading order. */
function prominent(quads: readonly Quad[]): Quad[] {
  const highest = Math.max(0, ...quads.map(quadHeight));
  return quads
    .filter((quad) => quadHeight(quad) >= highest * likeHeight)
    .sort((a, b) => quadWidth(b) - quadWidth(a))
    .slice(0, mostLines)
    .sort((a, b) => a[0][1] - b[0][1]);
}

const isCertain = (line: RecognisedLine): boolean =>
  line.confidence >= minConfidence && (toText(line).match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= minLetters;

/** Chinese is written without spaces between words. */
const toText = ({ words }: RecognisedLine): string =>
  words
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '');
