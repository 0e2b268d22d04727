/** Tells if the text layer over a scan says what the scan shows: a few lines are read and compared. */

import { quadBox, quadHeight, quadWidth } from '../../vision/geometry.ts';
import type { RgbImage } from '../../vision/images.ts';
import type { TextModels } from '../../vision/ocr/models/text-models.ts';
import { type RecognizedLine, readLines } from '../../vision/ocr/read-lines.ts';
import { detectTextLines } from '../../vision/ocr/recognize.ts';
import type { Page } from '../document.ts';

const sampleSize = 8;
/** Share of letter pairs that both have, below which the layer is of another page, or nonsense. */
const minAgreement = 0.5;

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Dice coefficient of the letter pairs of two texts, 0 to 1. */
export function likeness(a: string, b: string): number {
  const pairs = (text: string): string[] =>
    Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2));
  const left = pairs(a);
  const counts = new Map<string, number>();
  for (const pair of left) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  const right = pairs(b);
  let shared = 0;
  for (const pair of right) {
    const count = counts.get(pair) ?? 0;
    if (count > 0) shared++;
    counts.set(pair, count - 1);
  }
  return left.length + right.length === 0 ? 1 : (2 * shared) / (left.length + right.length);
}

function layerText(line: RecognizedLine, page: Page, { width, height }: RgbImage): string {
  const [x0, y0, x1, y1] = quadBox(line.quad);
  const inside = page.words.flatMap((word) => {
    const view = page.toView(word.box);
    const [x, y] = [((view[0] + view[2]) / 2) * width, ((view[1] + view[3]) / 2) * height];
    return x > x0 && x < x1 && y > y0 && y < y1 ? [{ x, text: word.text }] : [];
  });
  return inside
    .toSorted((a, b) => a.x - b.x)
    .map(({ text }) => text)
    .join('');
}

/** True also where the picture shows no text: then there is nothing to hold against the layer. */
export async function textLayerMatches(page: Page, image: RgbImage, models: TextModels): Promise<boolean> {
  const quads = await detectTextLines(image, models);
  const long = quads
    .filter((quad) => quadWidth(quad) > 4 * quadHeight(quad))
    .toSorted((a, b) => quadWidth(b) - quadWidth(a))
    .slice(0, sampleSize);
  const lines = (await readLines(image, long, models)).filter((line) => line.confidence > 0.8);
  if (lines.length === 0) return true;
  const agreements = lines.map((line) =>
    likeness(plain(line.words.map((word) => word.text).join('')), plain(layerText(line, page, image))),
  );
  return agreements.reduce((sum, value) => sum + value, 0) / agreements.length >= minAgreement;
}
