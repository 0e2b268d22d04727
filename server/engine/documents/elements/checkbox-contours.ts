/**
 * Small squares and circles in the pixels of a page: the frames of checkboxes and radio buttons.
 *
 * A square is two short strokes across, one below the other and as far apart as they are long, with ink down both sides
 * and paper around. Marks inside, or reaching out of it, do not matter. A circle is a piece of ink whose outline keeps
 * one distance from its centre.
 */

import type { Component, InkImage } from '../../vision/components.ts';
import { type Box, centreX, centreY, heightOf, widthOf } from '../../vision/geometry.ts';
import type { GrayImage } from '../../vision/images.ts';
import { minContrast, type Strokes } from '../../vision/lines/line-detection.ts';
import { type PixelRun, ridgeRuns } from '../../vision/lines/line-runs.ts';
import { fitStroke, linkRuns, type Stroke } from '../../vision/lines/strokes.ts';

export interface CheckboxContour {
  shape: 'square' | 'circle';
  /** In pixels. */
  box: Box;
  /** 0..1: how much of the outline is there. */
  outline: number;
}

/** In points. */
const [minSide, maxSide] = [5.5, 24];
const maxThickness = 2.6;
/** Greatest distance of a side from where the other sides expect it. */
const slack = 1;

interface Search {
  ink: InkImage;
  scale: number;
}

/** Share of the positions from..to along an upright line near `x` that hold ink. */
function inkDown({ ink, scale }: Search, x: number, [from, to]: [number, number]): number {
  const reach = Math.max(1, Math.round(slack * scale));
  const [first, last] = [Math.max(0, Math.round(x) - reach), Math.min(ink.width - 1, Math.round(x) + reach)];
  let hits = 0;
  for (let y = Math.round(from); y < to; y++)
    for (let at = y * ink.width + first; at <= y * ink.width + last; at++)
      if (ink.data[at]) {
        hits++;
        break;
      }
  return hits / Math.max(1, Math.round(to) - Math.round(from));
}

/** Share of a box that is ink. */
export function inkShare({ width, height, data }: InkImage, [x0, y0, x1, y1]: Box): number {
  const [left, right] = [Math.max(0, Math.round(x0)), Math.min(width, Math.round(x1))];
  const [top, bottom] = [Math.max(0, Math.round(y0)), Math.min(height, Math.round(y1))];
  let count = 0;
  for (let y = top; y < bottom; y++)
    for (let at = y * width + left; at < y * width + right; at++) count += data[at]!;
  return count / Math.max(1, (right - left) * (bottom - top));
}

/** Letters have neighbours and cells have walls; a frame to tick stands free on at least three sides. */
function standsFree(box: Box, { ink, scale }: Search): boolean {
  const [near, far] = [0.6 * scale + 1, 1.9 * scale + 1];
  const [x0, y0, x1, y1] = box;
  const sides: Box[] = [
    [x0 - far, y0, x0 - near, y1],
    [x1 + near, y0, x1 + far, y1],
    [x0, y0 - far, x1, y0 - near],
    [x0, y1 + near, x1, y1 + far],
  ];
  const crowded = sides.filter((side) => inkShare(ink, side) > 0.22);
  return crowded.length <= 1;
}

/** Cells of combs and tables: their sides go on beyond the corners. */
function isCell([x0, y0, x1, y1]: Box, { ink, scale }: Search): boolean {
  const [start, end, half] = [0.5 * scale, 2.6 * scale, 0.6 * scale];
  const stubs: Box[] = [x0, x1].flatMap((x): Box[] => [
    [x - half, y0 - end, x + half, y0 - start],
    [x - half, y1 + start, x + half, y1 + end],
  ]);
  for (const y of [y0, y1])
    stubs.push([x0 - end, y - half, x0 - start, y + half], [x1 + start, y - half, x1 + end, y + half]);
  return stubs.filter((stub) => inkShare(ink, stub) > 0.4).length >= 2;
}

/** Row of a stroke, halfway along. */
const middleOf = ({ start, end }: Stroke): number => (start + end) / 2;

function toSquare(top: Stroke, bottom: Stroke, search: Search): CheckboxContour | null {
  const { scale } = search;
  const tolerance = slack * scale + 1;
  const length = (top.to - top.from + bottom.to - bottom.from) / 2;
  const [upper, lower] = [middleOf(top), middleOf(bottom)];
  const height = lower - upper + (top.thickness + bottom.thickness) / 2;
  if (Math.abs(top.from - bottom.from) > Math.max(tolerance, 0.25 * length)) return null;
  if (Math.abs(top.to - bottom.to) > Math.max(tolerance, 0.25 * length)) return null;
  // The corners belong to the sides, so a stroke across is up to two thicknesses shorter than the square.
  if (height < 0.8 * length - tolerance || height > 1.25 * length + 2 * tolerance) return null;
  const left = Math.min(top.from, bottom.from);
  const right = Math.max(top.to, bottom.to);
  const y0 = upper + 0.5 - top.thickness / 2;
  const y1 = lower + 0.5 + bottom.thickness / 2;
  const outline = Math.min(inkDown(search, left, [y0, y1]), inkDown(search, right - 1, [y0, y1]));
  if (outline < 0.85) return null;
  return { shape: 'square', box: grown([left, y0, right, y1], search), outline };
}

/** Strokes across end where the upright sides begin: the sides belong to the frame. */
function grown([x0, y0, x1, y1]: Box, { ink, scale }: Search): Box {
  const limit = Math.ceil(maxThickness * scale);
  let [left, right] = [Math.round(x0), Math.round(x1)];
  const isSide = (x: number): boolean => inkShare(ink, [x, y0, x + 1, y1]) > 0.6;
  while (x0 - left < limit && isSide(left - 1)) left--;
  while (right - x1 < limit && isSide(right)) right++;
  return [left, y0, right, y1];
}

export function findSquares(image: GrayImage, strokes: Strokes, search: Search): CheckboxContour[] {
  const { scale } = search;
  const runs = ridgeRuns(image, strokes.across, {
    minContrast,
    minLength: 0.7 * minSide * scale,
    maxHole: Math.max(1, Math.round(0.5 * scale)),
    maxCrossing: Math.round(3 * scale),
  });
  const short = linkRuns(runs)
    .filter(isStraight)
    .map(fitStroke)
    .filter(
      (stroke) =>
        stroke.to - stroke.from <= maxSide * scale && stroke.thickness <= Math.max(3, maxThickness * scale),
    )
    .sort((a, b) => a.start - b.start);
  const found: CheckboxContour[] = [];
  for (const [index, top] of short.entries()) {
    const reach = 1.3 * (top.to - top.from) + 3 * scale;
    for (let next = index + 1; next < short.length && short[next]!.start - top.start <= reach; next++) {
      const bottom = short[next]!;
      if (bottom.start - top.start < 0.6 * minSide * scale || bottom.from > top.to || bottom.to < top.from)
        continue;
      const square = toSquare(top, bottom, search);
      if (square && isRightSize(square.box, scale)) found.push(square);
    }
  }
  return distinct(found.filter(({ box }) => standsFree(box, search) && !isCell(box, search)));
}

/** One row of a straight stroke is nearly as long as the whole; the top of a circle grows from row to row. */
function isStraight(stroke: PixelRun[]): boolean {
  const from = Math.min(...stroke.map((run) => run.from));
  const to = Math.max(...stroke.map((run) => run.to));
  return stroke.some((run) => run.to - run.from >= 0.85 * (to - from));
}

const isRightSize = (box: Box, scale: number): boolean =>
  Math.min(widthOf(box), heightOf(box)) >= minSide * scale &&
  Math.max(widthOf(box), heightOf(box)) <= maxSide * scale;

/** The outermost of frames that lie in each other. */
function distinct(frames: CheckboxContour[]): CheckboxContour[] {
  const size = ({ box }: CheckboxContour): number => widthOf(box) * heightOf(box);
  const kept: CheckboxContour[] = [];
  for (const frame of frames.toSorted((a, b) => size(b) - size(a)))
    if (
      !kept.some(
        ({ box }) =>
          Math.abs(centreX(box) - centreX(frame.box)) < widthOf(box) / 2 &&
          Math.abs(centreY(box) - centreY(frame.box)) < heightOf(box) / 2,
      )
    )
      kept.push(frame);
  return kept;
}

const rays = 48;

/** Share of the directions from the centre in which the outline is met at the circle's own radius. */
function roundness(box: Box, { ink, scale }: Search): number {
  const [x, y] = [centreX(box), centreY(box)];
  const [rx, ry] = [widthOf(box) / 2, heightOf(box) / 2];
  const depth = Math.max(2.2, 1.1 * scale) / Math.max(rx, ry);
  let met = 0;
  for (let ray = 0; ray < rays; ray++) {
    const angle = (2 * Math.PI * ray) / rays;
    const hit = (share: number): boolean => {
      const px = Math.floor(x + Math.cos(angle) * rx * share);
      const py = Math.floor(y + Math.sin(angle) * ry * share);
      return px >= 0 && py >= 0 && px < ink.width && py < ink.height && ink.data[py * ink.width + px] === 1;
    };
    let inside = false;
    for (let share = 1 - depth; share <= 1.01; share += depth / 5) inside ||= hit(share);
    if (inside && !hit(1.18 + depth / 4)) met++;
  }
  return met / rays;
}

export function findCircles(components: Component[], search: Search): CheckboxContour[] {
  const { scale } = search;
  const found: CheckboxContour[] = [];
  for (const { box, area } of components) {
    const [width, height] = [widthOf(box), heightOf(box)];
    if (!isRightSize(box, scale) || Math.max(width, height) > 18 * scale) continue;
    if (Math.abs(width - height) > Math.max(2, 0.12 * width)) continue;
    if (area > 0.86 * width * height) continue;
    const outline = roundness(box, search);
    if (outline < 0.92 || !standsFree(box, search) || isCell(box, search)) continue;
    found.push({ shape: 'circle', box: [...box], outline });
  }
  return distinct(found);
}
