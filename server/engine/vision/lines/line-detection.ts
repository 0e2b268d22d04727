/**
 * Straight lines in the pixels of a page, as the rulings that tables are built from.
 *
 * Long horizontal runs of ink that is thin across are linked into strokes from row to row, so that a line at a small
 * angle, which steps from one row to the next, stays one; pieces of a broken line that follow each other are joined.
 * Vertical lines are the horizontal ones of the transposed picture.
 */

import type { Ruling } from '../geometry.ts';
import type { GrayImage } from '../images.ts';
import { ridgeRuns } from './line-runs.ts';
import { horizontalRidges, transpose } from './ridges.ts';
import { fitStroke, linkRuns, type Stroke, slopeOf } from './strokes.ts';

/** In points. */
const thickest = 3.4;
const shortestRun = 9;
const shortestLine = 14;
const widestHole = 0.8;
const widestCrossing = 5;
const widestBreak = 7;
/** Ridges lower than this are noise, in levels of 255. */
export const minContrast = 24;
/** Steepest line that still counts as straight across: about a degree and a half. */
const maxSlope = 0.026;

export interface Lines {
  horizontal: Ruling[];
  vertical: Ruling[];
}

/** Joins pieces of one line whose ends follow each other. */
function joinBroken(strokes: Stroke[], scale: number): Stroke[] {
  const tolerance = Math.max(2, 0.7 * scale);
  const joined: Stroke[] = [];
  // By the row that they end in, so that a page of noise does not compare all with all.
  const open = new Map<number, Stroke[]>();
  const rowOf = (at: number): number => Math.floor(at / tolerance);
  for (const stroke of strokes.toSorted((a, b) => a.from - b.from)) {
    const row = rowOf(stroke.start);
    const near = [row - 1, row, row + 1].flatMap((key) => open.get(key) ?? []);
    const before = near.find((other) => continues(other, stroke, { scale, tolerance }));
    const line = before ?? { ...stroke };
    if (!before) joined.push(line);
    else {
      line.thickness = Math.max(line.thickness, stroke.thickness);
      line.end = stroke.to > line.to ? stroke.end : line.end;
      line.to = Math.max(line.to, stroke.to);
    }
    const key = rowOf(line.end);
    const inRow = open.get(key);
    if (!inRow) open.set(key, [line]);
    else if (!inRow.includes(line)) inRow.push(line);
  }
  return joined;
}

/** Pieces of one line overlap only where it steps from row to row. */
function continues(line: Stroke, piece: Stroke, limits: { scale: number; tolerance: number }): boolean {
  const gap = piece.from - line.to;
  return (
    gap <= widestBreak * limits.scale &&
    gap > -0.5 * Math.min(line.to - line.from, piece.to - piece.from) &&
    Math.abs(piece.start - line.end) <= limits.tolerance
  );
}

/** Lines along the rows of a picture, in points. `scale`: pixels a point. */
function horizontalLines(image: GrayImage, ridges: Uint8Array, scale: number): Ruling[] {
  const runs = ridgeRuns(image, ridges, {
    minContrast,
    minLength: shortestRun * scale,
    maxHole: Math.max(1, Math.round(widestHole * scale)),
    maxCrossing: Math.round(widestCrossing * scale),
  });
  const strokes = linkRuns(runs)
    .map(fitStroke)
    .filter(
      (stroke) =>
        stroke.thickness <= thicknessLimit(scale) &&
        slopeOf(stroke) <= maxSlope + 1.5 / (stroke.to - stroke.from),
    );
  return joinBroken(strokes, scale)
    .filter((stroke) => stroke.to - stroke.from >= shortestLine * scale)
    .map((stroke) => ({
      at: ((stroke.start + stroke.end) / 2 + 0.5) / scale,
      from: stroke.from / scale,
      to: stroke.to / scale,
    }));
}

const thicknessLimit = (scale: number): number => Math.max(3, thickest * scale);

/** Thin strokes of a page, and those among them that are straight for long. */
export interface Strokes extends Lines {
  /** One byte a pixel: how much darker it is than what lies above and below a stroke that runs across here. */
  across: Uint8Array;
  /** The same for strokes that run down. */
  down: Uint8Array;
}

/** Rulings of a page in points. `scale`: pixels a point. The page must be upright to about a degree. */
export function detectStrokes(image: GrayImage, scale: number): Strokes {
  const across = horizontalRidges(image, thicknessLimit(scale));
  const horizontal = horizontalLines(image, across, scale);
  const turned = transpose(image);
  const down = horizontalRidges(turned, thicknessLimit(scale));
  const vertical = horizontalLines(turned, down, scale);
  return {
    horizontal,
    vertical,
    across,
    down: transpose({ width: turned.width, height: turned.height, data: down }).data,
  };
}
