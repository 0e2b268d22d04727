/** Text recognition of one picture: where text is, then what it says. */

import type { Point, Quad } from '../geometry.ts';
import type { RgbImage } from '../images.ts';
import { toDetectorPixels } from './line-crop.ts';
import type { TextModels } from './models/text-models.ts';
import { type RecognizedLine, readLines } from './read-lines.ts';
import { findTextRegions } from './text-regions.ts';

export interface DetectOptions {
  /** Longest side of what the detector sees. */
  maxSidePx?: number;
}

/** Small print needs many pixels; beyond this the detector no longer finds more and its time grows with the area. */
const defaultSidePx = 1536;
/** The detector holds some 180 bytes for each pixel. */
const maxAreaPx = 1_250_000;
/** Lines that are read worse than this are no text. */
const minLineConfidence = 0.65;

/** A row of stars or dashes is a rule drawn with letters. */
const rule = /^([*=#~+-])\1{4,}$/;

export const isText = ({ words, confidence }: RecognizedLine): boolean =>
  confidence >= minLineConfidence && !rule.test(words.map(({ text }) => text).join(''));

const multipleOf32 = (size: number): number => Math.max(32, Math.round(size / 32) * 32);

/** Lines of text, anywhere and at any angle up to 45°, in no order. In pixels of the picture. */
export async function detectTextLines(
  image: RgbImage,
  models: TextModels,
  options: DetectOptions = {},
): Promise<Quad[]> {
  const side = options.maxSidePx ?? defaultSidePx;
  const fit = Math.sqrt(maxAreaPx / (image.width * image.height));
  const scale = Math.min(side / Math.max(image.width, image.height), fit, 2);
  const [width, height] = [multipleOf32(image.width * scale), multipleOf32(image.height * scale)];
  const pixels = toDetectorPixels(image, width, height);
  const data = await models.findText({ data: pixels, count: 1, height, width });
  const regions = findTextRegions(
    { width, height, data },
    { threshold: 0.3, minScore: 0.5, unclipRatio: 1.6 },
  );
  const [sx, sy] = [image.width / width, image.height / height];
  const toImage = ([x, y]: Point): Point => [x * sx, y * sy];
  return regions.map(({ quad: [a, b, c, d] }) => [toImage(a), toImage(b), toImage(c), toImage(d)]);
}

/** Words of an upright picture, line by line from top to bottom. */
export async function recognize(
  image: RgbImage,
  models: TextModels,
  options: DetectOptions = {},
): Promise<RecognizedLine[]> {
  const quads = await detectTextLines(image, models, options);
  const lines = await readLines(image, quads, models);
  return lines.filter(isText).sort((a, b) => a.quad[0][1] - b.quad[0][1] || a.quad[0][0] - b.quad[0][0]);
}
