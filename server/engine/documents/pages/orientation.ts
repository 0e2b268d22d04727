/** Quarter turns of a scanned page, from the lines found and from how well they read. */

import { type Quad, quadHeight, quadWidth } from '../../vision/geometry.ts';
import type { RgbImage } from '../../vision/images.ts';
import type { TextModels } from '../../vision/ocr/models/text-models.ts';
import { type RecognizedLine, readLines } from '../../vision/ocr/read-lines.ts';
import { turnQuad } from '../../vision/page-transform.ts';

/** Lines tried in each direction. */
const sampleSize = 6;
/** Upright text reads at least this well; below it the other ways are tried. */
const wellRead = 0.88;
/** A page is turned only where another way reads clearly better. */
const clearlyBetter = 0.08;

/** Sides as they lie on the picture tell lines that run down it. */
const runsDown = (quad: Quad): boolean => quadHeight(quad) > 1.5 * quadWidth(quad);

/** Lines long enough to be judged, not so long that trying them costs much. */
function sampleOf(quads: Quad[]): Quad[] {
  const aspect = (quad: Quad): number => quadWidth(quad) / Math.max(1, quadHeight(quad));
  const fit = quads.filter((quad) => aspect(quad) > 2.5 && aspect(quad) < 16);
  return (fit.length >= 3 ? fit : quads).toSorted((a, b) => aspect(b) - aspect(a)).slice(0, sampleSize);
}

function howWell(lines: RecognizedLine[]): number {
  if (lines.length === 0) return 0;
  const characters = lines.map((line) => line.words.reduce((sum, word) => sum + word.text.length, 0));
  const total = characters.reduce((sum, count) => sum + count, 0);
  return (
    lines.reduce((sum, line, index) => sum + line.confidence * characters[index]!, 0) / Math.max(1, total)
  );
}

export interface QuarterTurns {
  quarters: 0 | 1 | 2 | 3;
  /** Lines that were read already, turned so. */
  lines: readonly RecognizedLine[];
}

/**
 * Quarter turns clockwise that the page's text is turned by. Lines along the picture mean 0 or 2, lines down it 1 or 3;
 * between the two decides which reads better.
 */
export async function detectQuarterTurns(
  image: RgbImage,
  quads: Quad[],
  models: TextModels,
): Promise<QuarterTurns> {
  if (quads.length === 0) return { quarters: 0, lines: [] };
  const area = (quad: Quad): number => quadWidth(quad) * quadHeight(quad);
  const sum = (chosen: Quad[]): number => chosen.reduce((total, quad) => total + area(quad), 0);
  const down = sum(quads.filter(runsDown)) > sum(quads.filter((quad) => !runsDown(quad)));
  const first = down ? 1 : 0;
  const own = quads.filter((quad) => runsDown(quad) === down).map((quad) => turnQuad(quad, first));
  const sample = sampleOf(own);
  // Pages mostly are upright: reading all at once leaves no core idle until the sample is read.
  const lines = await readLines(image, own, models);
  const upright: QuarterTurns = { quarters: first, lines };
  const plain = lines.filter(({ quad }) => sample.includes(quad));
  if (howWell(plain) >= wellRead) return upright;
  const overhead = sample.map((quad) => turnQuad(quad, 2));
  const turned = await readLines(image, overhead, models);
  return howWell(turned) > howWell(plain) + clearlyBetter
    ? { quarters: first === 0 ? 2 : 3, lines: turned }
    : upright;
}
