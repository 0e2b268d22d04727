/** The text of a picture, read as far as captions and kinds ask: what stands out, what is short, what lies in a box. */
import { type Box, type Quad, quadBox, quadHeight, quadWidth } from '../vision/geometry.ts';
import { shippedAssets } from '../vision/ocr/models/assets.ts';
import { OnnxTextModels } from '../vision/ocr/models/onnx-models.ts';
import { type RecognizedLine, readLines } from '../vision/ocr/read-lines.ts';
import { detectTextLines } from '../vision/ocr/recognize.ts';
import type { Picture } from './input/picture.ts';

export interface TextLine {
  text: string;
  /** 0 to 1 of the picture, as for objects. */
  box: Box;
}

/** Longest side that text is looked for at: what stands out is readable at it. */
const maxSidePx = 960;
const mostProminent = 3;
/** Lines at least this high compared with the highest belong to what stands out. */
const likeHeight = 0.78;
/** Shorter lines must be higher to stand out: icons and page numbers are high for their width. */
const fullAspect = 4;
/** Turned by a quarter, as the axes of charts are. */
const turnedAspect = 0.5;
/** The axis across is named in the lowest part of a chart. */
const axisPlace = 0.85;
/** Captions quote what is certain. */
const minConfidence = 0.9;
const minLetters = 3;
/** Enough to meet the words that tell a kind, without reading a whole page. */
const mostShort = 20;
const shortAspect = [2, 12] as const;

export class TextReader {
  readonly #threads: number;
  #models: Promise<OnnxTextModels> | undefined;

  constructor(threads: number) {
    this.#threads = threads;
  }

  /** Nothing is looked for before it is asked for. */
  of(picture: Picture): PictureText {
    return new PictureText(picture, () => {
      this.#models ??= shippedAssets().then((assets) => OnnxTextModels.open(assets, this.#threads));
      return this.#models;
    });
  }

  async close(): Promise<void> {
    await (await this.#models)?.close();
  }
}

export class PictureText {
  readonly #picture: Picture;
  readonly #models: () => Promise<OnnxTextModels>;
  #quads: Promise<Quad[]> | undefined;
  #prominent: Promise<TextLine[]> | undefined;

  constructor(picture: Picture, models: () => Promise<OnnxTextModels>) {
    this.#picture = picture;
    this.#models = models;
  }

  /** Up to three lines from top to bottom. */
  prominent(): Promise<TextLine[]> {
    this.#prominent ??= this.#readProminent();
    return this.#prominent;
  }

  /**
   * Things that are no text may be taken for the highest lines: what is uncertain falls away, and the third highest says
   * how high lines are here. Of lines as high as others the first are read.
   */
  async #readProminent(): Promise<TextLine[]> {
    const quads = (await this.#find())
      .filter((quad) => quadWidth(quad) > quadHeight(quad))
      .sort((a, b) => standing(b) - standing(a));
    const usual = Math.min(...quads.slice(0, 3).map(standing));
    const first = quads.filter((quad) => standing(quad) >= usual * likeHeight).sort(byTop);
    const chosen = new Set([...quads.slice(0, 2), ...first.slice(0, mostProminent + 2)]);
    const lines = (await this.#read([...chosen])).filter(isCertain);
    const most = Math.max(0, ...lines.map(({ quad }) => standing(quad)));
    return lines
      .filter(({ quad }) => standing(quad) >= most * likeHeight)
      .sort((a, b) => byTop(a.quad, b.quad))
      .slice(0, mostProminent)
      .map((line) => this.#toLine(line));
  }

  /** Lines of a few words, the shortest first. */
  async short(): Promise<TextLine[]> {
    const [least, most] = shortAspect;
    const quads = (await this.#find())
      .filter(
        (quad) => quadWidth(quad) >= least * quadHeight(quad) && quadWidth(quad) <= most * quadHeight(quad),
      )
      .sort((a, b) => quadWidth(a) - quadWidth(b));
    return (await this.#read(quads.slice(0, mostShort))).map((line) => this.#toLine(line));
  }

  /** Lines that lie in a part of the picture. */
  async within([x0, y0, x1, y1]: Box): Promise<TextLine[]> {
    const { width, height } = this.#picture;
    const quads = (await this.#find()).filter((quad) => {
      const [left, top, right, bottom] = quadBox(quad);
      const [x, y] = [(left + right) / 2 / width, (top + bottom) / 2 / height];
      return x >= x0 && x <= x1 && y >= y0 && y <= y1;
    });
    return (await this.#read(quads.slice(0, mostShort))).map((line) => this.#toLine(line));
  }

  /** Boxes of all lines, in pixels and unread. */
  async boxes(): Promise<Box[]> {
    return (await this.#find()).map(quadBox);
  }

  /** The words below a chart and, turned by a quarter, at its left. */
  async axes(): Promise<string[]> {
    const quads = await this.#find();
    const isTurned = (quad: Quad) => quadWidth(quad) < quadHeight(quad) * turnedAspect;
    const low = quads.filter((quad) => !isTurned(quad) && quad[0][1] > this.#picture.height * axisPlace);
    const lowest = low.sort(byTop).at(-1);
    // Several beside each other are what stands along the axis, not its name.
    const alone = lowest && low.every((quad) => quad === lowest || quad[2][1] <= middleOf(lowest));
    const turned = quads.filter(isTurned).sort((a, b) => a[0][0] - b[0][0])[0];
    const lines = await this.#read([
      ...(alone ? [lowest] : []),
      ...(turned ? [[turned[3], turned[0], turned[1], turned[2]] as const] : []),
    ]);
    return lines.filter((line) => isCertain(line) && hasWord(line)).map(toText);
  }

  #find(): Promise<Quad[]> {
    this.#quads ??= Promise.all([this.#picture.pixels(), this.#models()]).then(([pixels, models]) =>
      detectTextLines(pixels, models, { maxSidePx }),
    );
    return this.#quads;
  }

  async #read(quads: Quad[]): Promise<RecognizedLine[]> {
    if (quads.length === 0) return [];
    return readLines(await this.#picture.pixels(), quads, await this.#models());
  }

  #toLine(line: RecognizedLine): TextLine {
    const { width, height } = this.#picture;
    const [x0, y0, x1, y1] = quadBox(line.quad);
    return { text: toText(line), box: [x0 / width, y0 / height, x1 / width, y1 / height] };
  }
}

const standing = (quad: Quad): number =>
  quadHeight(quad) * Math.min(1, quadWidth(quad) / quadHeight(quad) / fullAspect);

const middleOf = (quad: Quad): number => (quad[0][1] + quad[2][1]) / 2;

const byTop = (a: Quad, b: Quad): number => a[0][1] - b[0][1];

const isCertain = (line: RecognizedLine): boolean =>
  line.confidence >= minConfidence && (toText(line).match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= minLetters;

const hasWord = (line: RecognizedLine): boolean => /\p{L}{3}|\p{Script=Han}{2}/u.test(toText(line));

/** Chinese is written without spaces between words. */
const toText = ({ words }: RecognizedLine): string =>
  words
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '');
