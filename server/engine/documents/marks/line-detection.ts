/**
 * Straight lines in the pixels of a page, as the rulings that tables are built from.
 *
 * Long horizontal runs of ink that is thin across are linked into strokes from row to row, so that a line at a small
 * angle, which steps from one row to the next, stays one; pieces of a broken line that follow each other are joined.
 * Vertical lines are the horizontal ones of the transposed picture.
 */

import type { GrayImage } from '../../media/gray-image.ts';
import { heightOf, overlap, type Ruling, type Word } from '../layout/page.ts';
import { type Run, ridgeRuns } from './line-runs.ts';
import { horizontalRidges, transpose } from './ridges.ts';

/** In points. */
const thickest = 3.4;
const shortestRun = 9;
const shortestLine = 14;
const widestHole = 0.8;
const widestCrossing = 5;
const widestBreak = 7;
const minContrast = 24;
/** Steepest line that still counts as straight across: about a degree and a half. */
const maxSlope = 0.026;

export interface Lines {
  horizontal: Ruling[];
  vertical: Ruling[];
}

interface Stroke {
  from: number;
  to: number;
  /** Middle of the stroke at its ends, by least squares. */
  start: number;
  end: number;
  thickness: number;
}

/** Runs that continue each other in neighbouring rows. */
function linkRuns(runs: Run[]): Run[][] {
  const strokes: Run[][] = [];
  let previous: { run: Run; stroke: Run[] }[] = [];
  let row = -2;
  let current: { run: Run; stroke: Run[] }[] = [];
  for (const run of runs) {
    if (run.row !== row) {
      previous = run.row === row + 1 ? current : [];
      current = [];
      row = run.row;
    }
    const touching = previous.filter((other) => other.run.from <= run.to && other.run.to >= run.from);
    const stroke = touching[0]?.stroke ?? [];
    if (stroke.length === 0) strokes.push(stroke);
    stroke.push(run);
    // A run that touches two strokes of the row above makes them one.
    for (const { stroke: other } of touching.slice(1)) {
      if (other === stroke) continue;
      stroke.push(...other.splice(0));
      for (const entry of [...previous, ...current]) if (entry.stroke === other) entry.stroke = stroke;
    }
    current.push({ run, stroke });
  }
  return strokes.filter((stroke) => stroke.length > 0);
}

/** A straight line through the runs, weighted by their length. */
function fitStroke(runs: Run[]): Stroke {
  let [weight, sumX, sumY, sumXX, sumXY] = [0, 0, 0, 0, 0];
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const run of runs) {
    const length = run.to - run.from;
    const middle = (run.from + run.to) / 2;
    weight += length;
    sumX += length * middle;
    sumY += length * run.row;
    sumXX += length * (middle * middle + (length * length) / 12);
    sumXY += length * middle * run.row;
    from = Math.min(from, run.from);
    to = Math.max(to, run.to);
  }
  const [meanX, meanY] = [sumX / weight, sumY / weight];
  const spread = sumXX / weight - meanX * meanX;
  const slope = spread > 0 ? (sumXY / weight - meanX * meanY) / spread : 0;
  return {
    from,
    to,
    start: meanY + slope * (from - meanX),
    end: meanY + slope * (to - meanX),
    thickness: weight / (to - from),
  };
}

const slopeOf = (stroke: Stroke): number =>
  Math.abs(stroke.end - stroke.start) / Math.max(1, stroke.to - stroke.from);

/** Joins pieces of one line whose ends follow each other. */
function joinBroken(strokes: Stroke[], scale: number): Stroke[] {
  const sorted = strokes.toSorted((a, b) => a.from - b.from);
  const open: Stroke[] = [];
  for (const stroke of sorted) {
    const before = open.find((other) => {
      const gap = stroke.from - other.to;
      // Pieces of one line overlap only where it steps from row to row.
      return (
        gap <= widestBreak * scale &&
        gap > -0.5 * Math.min(other.to - other.from, stroke.to - stroke.from) &&
        Math.abs(stroke.start - other.end) <= Math.max(2, 0.7 * scale)
      );
    });
    if (!before) open.push({ ...stroke });
    else {
      before.thickness = Math.max(before.thickness, stroke.thickness);
      before.end = stroke.to > before.to ? stroke.end : before.end;
      before.to = Math.max(before.to, stroke.to);
    }
  }
  return open;
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

/** Thin strokes of a page: 1 where one runs across or down. */
export interface Strokes extends Lines {
  ridges: Uint8Array;
}

/** Rulings of a page in points. `scale`: pixels a point. The page must be upright to about a degree. */
export function findLines(image: GrayImage, scale: number): Strokes {
  const across = horizontalRidges(image, thicknessLimit(scale));
  const horizontal = horizontalLines(image, across, scale);
  const turned = transpose(image);
  const down = horizontalRidges(turned, thicknessLimit(scale));
  const vertical = horizontalLines(turned, down, scale);
  const ridges = transpose({ width: turned.width, height: turned.height, data: down }).data;
  for (let at = 0; at < ridges.length; at++)
    ridges[at] = ridges[at]! >= minContrast || across[at]! >= minContrast ? 1 : 0;
  return { horizontal, vertical, ridges };
}

/** Where a row of letters touches, their feet and heads make a line too. Underlines lie at the lower edge. */
function isInText(ruling: Ruling, words: Word[]): boolean {
  let covered = 0;
  for (const { box } of words) {
    const margin = 0.06 * heightOf(box);
    if (ruling.at > box[1] + margin && ruling.at < box[3] - margin)
      covered += Math.max(0, overlap(ruling.from, ruling.to, box[0], box[2]));
  }
  return covered > 0.6 * (ruling.to - ruling.from);
}

/** The same for stems and for the sides of large letters. */
function isStem(ruling: Ruling, words: Word[]): boolean {
  return words.some(
    ({ box }) =>
      ruling.at > box[0] &&
      ruling.at < box[2] &&
      overlap(ruling.from, ruling.to, box[1], box[3]) > 0.7 * (ruling.to - ruling.from),
  );
}

/** Leaves out the lines that are parts of letters. */
export function withoutLetters<L extends Lines>(lines: L, words: Word[]): L {
  return {
    ...lines,
    horizontal: lines.horizontal.filter((ruling) => !isInText(ruling, words)),
    vertical: lines.vertical.filter((ruling) => !isStem(ruling, words)),
  };
}
