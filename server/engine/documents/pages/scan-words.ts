/** Recognized lines as words of a page: in its reading frame, in points. */

import {
  type Box,
  centreY,
  overlap,
  type Point,
  type Quad,
  quadAngle,
  quadBox,
  quadHeight,
  widthOf,
} from '../../vision/geometry.ts';
import type { RecognizedLine } from '../../vision/ocr/read-lines.ts';
import type { PageTransform } from '../../vision/page-transform.ts';
import type { Word } from '../document.ts';
import type { WordSource } from '../types.ts';

/** Share of a found line's height that is its font size: the margin is taken off. */
export const sizeShare = 0.66;
/** Lines further from level than this are turned text, such as along a margin. */
const maxTilt = Math.PI / 8;

const mapQuad = ([a, b, c, d]: Quad, map: (point: Point) => Point): Quad => [map(a), map(b), map(c), map(d)];

/** A line, and the reading that gave it. */
export type SourcedLine = RecognizedLine & { source: WordSource };

/** Words of a line. They share the line's height, so that rows hold together. */
export function toWords(line: SourcedLine, frame: PageTransform, scale: number): Word[] {
  const { source } = line;
  const quad = mapQuad(line.quad, frame.toFrame);
  const turned = Math.abs(quadAngle(quad)) > maxTilt;
  const size = sizeShare * quadHeight(quad) * scale;
  const scaled = ([x0, y0, x1, y1]: Box): Box => [x0 * scale, y0 * scale, x1 * scale, y1 * scale];
  return line.words.map(({ text, quad: own, confidence }) => {
    const around = scaled(quadBox(mapQuad(own, frame.toFrame)));
    const box = turned ? around : levelBox(around, size, quad, scale);
    const baseline = turned ? box[3] : box[3] - 0.2 * size;
    return { text, box, baseline, size, bold: false, turned, confidence, source };
  });
}

/** The word's own width, the line's height at the word's place. */
function levelBox(box: Box, size: number, [a, b, c, d]: Quad, scale: number): Box {
  const x = (box[0] + box[2]) / 2 / scale;
  const share = b[0] === a[0] ? 0 : (x - a[0]) / (b[0] - a[0]);
  const centre = (scale * (a[1] + d[1] + share * (b[1] + c[1] - a[1] - d[1]))) / 2;
  return [box[0], centre - size / 2, box[2], centre + size / 2];
}

/** Longest piece of a word that the place of its neighbour takes in, in characters. */
const maxRepeated = 2;

/** Words without the letters of their neighbours: places found in letter-spaced print reach into the next, as in `PEAK K CHARGE`. */
export const withoutRepeats = (words: Word[]): Word[] =>
  words.filter(
    (piece) =>
      piece.text.length > maxRepeated ||
      !words.some(
        (word) =>
          word.text.length > piece.text.length &&
          (word.text.endsWith(piece.text) || word.text.startsWith(piece.text)) &&
          Math.abs(centreY(word.box) - centreY(piece.box)) < 0.5 * word.size &&
          overlap(word.box[0], word.box[2], piece.box[0], piece.box[2]) > 0.5 * widthOf(piece.box),
      ),
  );

/** Mean by length; 0 without words. */
export function meanWordConfidence(words: Word[]): number {
  const letters = words.reduce((sum, word) => sum + word.text.length, 0);
  const weighted = words.reduce((sum, word) => sum + word.text.length * (word.confidence ?? 1), 0);
  return letters === 0 ? 0 : weighted / letters;
}
