/** Runs of neighbouring rows, linked to strokes: a line at a small angle steps from one row to the next. */

import type { PixelRun } from './line-runs.ts';

/** In pixels: the slope of anything shorter is noise. */
const minFitLength = 40;

export interface Stroke {
  from: number;
  to: number;
  /** Middle of the stroke at its ends, by least squares. */
  start: number;
  end: number;
  thickness: number;
}

/** Runs that continue each other in neighbouring rows. */
export function linkRuns(runs: PixelRun[]): PixelRun[][] {
  const strokes: PixelRun[][] = [];
  let previous: { run: PixelRun; stroke: PixelRun[] }[] = [];
  let row = -2;
  let current: { run: PixelRun; stroke: PixelRun[] }[] = [];
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
export function fitStroke(runs: PixelRun[]): Stroke {
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
  const slope = to - from > minFitLength ? (sumXY / weight - meanX * meanY) / spread : 0;
  return {
    from,
    to,
    start: meanY + slope * (from - meanX),
    end: meanY + slope * (to - meanX),
    thickness: weight / (to - from),
  };
}

export const slopeOf = (stroke: Stroke): number =>
  Math.abs(stroke.end - stroke.start) / Math.max(1, stroke.to - stroke.from);
