/**
 * Places where a page is drawn on: ink that is neither text nor a straight line, as curves of charts and pictures are.
 *
 * The page is cut into tiles; a tile that holds strokes outside of words and lines counts.
 */

import type { Component } from '../../vision/components.ts';
import { type Box, heightOf, widthOf } from '../../vision/geometry.ts';
import { minContrast, type Strokes } from '../../vision/lines/line-detection.ts';
import type { Word } from '../document.ts';

/** In points. */
const tileSize = 9;
const wordMargin = 1.5;
const lineMargin = 2;
/** Points of stroke that make a tile count: a speck or the dot of an i do not. */
const minStroke = 4;

interface Canvas {
  width: number;
  height: number;
  scale: number;
}

/** Marks the pixels of a box, given in points. */
function cover(mask: Uint8Array, [x0, y0, x1, y1]: Box, { width, height, scale }: Canvas): void {
  const left = Math.max(0, Math.floor(x0 * scale));
  const right = Math.min(width, Math.ceil(x1 * scale));
  const bottom = Math.min(height, Math.ceil(y1 * scale));
  if (right <= left) return;
  for (let y = Math.max(0, Math.floor(y0 * scale)); y < bottom; y++)
    mask.fill(1, y * width + left, y * width + right);
}

/** Pieces no larger are letters, read or not. In points. */
const letterSize = 15;

/** Tiles with drawing, in points. */
export function findDrawings(
  strokes: Strokes,
  text: { words: Word[]; components: Component[] },
  canvas: Canvas,
): Box[] {
  const { words, components } = text;
  const { width, height, scale } = canvas;
  const covered = new Uint8Array(width * height);
  for (const { box } of words)
    cover(
      covered,
      [box[0] - wordMargin, box[1] - wordMargin, box[2] + wordMargin, box[3] + wordMargin],
      canvas,
    );
  for (const { box } of components)
    if (Math.max(widthOf(box), heightOf(box)) < letterSize * scale)
      cover(covered, box.map((value) => value / scale) as Box, canvas);
  for (const { at, from, to } of strokes.horizontal)
    cover(covered, [from - lineMargin, at - lineMargin, to + lineMargin, at + lineMargin], canvas);
  for (const { at, from, to } of strokes.vertical)
    cover(covered, [at - lineMargin, from - lineMargin, at + lineMargin, to + lineMargin], canvas);
  const { across, down } = strokes;
  const size = Math.max(1, Math.round(tileSize * scale));
  const tiles: Box[] = [];
  for (let top = 0; top < height; top += size)
    for (let left = 0; left < width; left += size) {
      let count = 0;
      for (let y = top; y < Math.min(height, top + size); y++)
        for (let at = y * width + left, end = y * width + Math.min(width, left + size); at < end; at++)
          if ((across[at]! >= minContrast || down[at]! >= minContrast) && covered[at] === 0) count++;
      if (count > minStroke * scale)
        tiles.push([left / scale, top / scale, (left + size) / scale, (top + size) / scale]);
    }
  return tiles;
}
