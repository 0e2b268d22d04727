/** Lines of text as their ink lies, without the margin that the finder of text leaves around them. Pure. */
import type { Box } from '../../vision/geometry.ts';
import type { Pixels } from '../input/picture.ts';

export interface InkLine {
  /** In pixels; the right and lower edges are exclusive. */
  box: Box;
  /** About the size of the type, in pixels. */
  size: number;
  /** Share of the box that is ink: bold print has more. */
  weight: number;
  /** True for a pixel of another color than the ground of the line. */
  differs: (x: number, y: number) => boolean;
}

/** Of the height of what the finder of text marks. */
const typeShare = 0.55;
/** Sum of the differences of three channels from the ground; pale borders differ by some thirty. */
const leastDifference = 15;
/** Rows and columns that are as full as that are edges of what lies around the text. */
const edgeShare = 0.9;
/** Frames stand taller than letters. */
const wallShare = 0.95;
/** Of the size of the type: dots over letters stand apart. */
const gapShare = 0.16;
const cutShare = 0.3;

/** @param found the box that the finder of text gave; undefined: one color alone, or no ground that prevails */
export function inkLine(pixels: Pixels, found: Box): InkLine | undefined {
  const x0 = Math.max(0, Math.floor(found[0]));
  const y0 = Math.max(0, Math.floor(found[1]));
  const x1 = Math.min(pixels.width, Math.ceil(found[2]));
  const y1 = Math.min(pixels.height, Math.ceil(found[3]));
  const size = (y1 - y0) * typeShare;
  const ground = groundOf(pixels, [x0, y0, x1, y1]);
  if (ground === undefined || size < 4) return undefined;
  const differs = differsFrom(pixels, ground);
  const isWall = (x: number) => shareWhere(y0, y1, (y) => differs(x, y)) >= wallShare;
  const [from, to] = [pastWall(x0, x1, isWall), pastWall(x1 - 1, x0, isWall) + 1];
  if (to - from < 3) return undefined;
  const rowShare = (y: number) => shareWhere(from, to, (x) => differs(x, y));
  const middle = Math.round((y0 + y1) / 2);
  const isInk = (y: number) => {
    const share = rowShare(y);
    return share > 0 && share < edgeShare;
  };
  const isEdge = (y: number) => rowShare(y) >= edgeShare;
  // The finder of text sometimes cuts lines short.
  const slack = Math.round(size * cutShare);
  const top = lastInk(middle, y0 - slack, { isInk, isEdge, gap: size * gapShare });
  const bottom = lastInk(middle, y1 - 1 + slack, { isInk, isEdge, gap: size * gapShare });
  const column = (x: number) => shareWhere(top, bottom + 1, (y) => differs(x, y));
  const isLetter = (x: number) => column(x) > 0 && !isWall(x);
  let [left, right] = [from, to - 1];
  while (left < right && !isLetter(left)) left++;
  while (right > left && !isLetter(right)) right--;
  left = followInk(left, -1, size, isLetter);
  right = followInk(right, 1, size, isLetter);
  if (right - left < 2 || bottom - top < 2) return undefined;
  const box: Box = [left, top, right + 1, bottom + 1];
  return { box, size, weight: inkShare(box, differs), differs };
}

/** Past frames that stand in what was found, at most a quarter of it from its end. */
function pastWall(end: number, other: number, isWall: (x: number) => boolean): number {
  const step = other > end ? 1 : -1;
  let free = end;
  for (let x = end; Math.abs(x - end) < Math.abs(other - end) / 4; x += step) if (isWall(x)) free = x + step;
  return free;
}

/** On through letters that were cut off, as far as blanks between words. */
function followInk(from: number, step: 1 | -1, size: number, isLetter: (x: number) => boolean): number {
  let found = from;
  for (let x = from; Math.abs(x - from) <= 2 * size && Math.abs(x - found) <= 0.35 * size; x += step)
    if (isLetter(x)) found = x;
  return found;
}

function inkShare([x0, y0, x1, y1]: Box, differs: InkLine['differs']): number {
  return shareWhere(0, (x1 - x0) * (y1 - y0), (at) =>
    differs(x0 + (at % (x1 - x0)), y0 + Math.floor(at / (x1 - x0))),
  );
}

/** The outermost row of the same line as the middle, short of edges and of gaps that are wider than a letter has. */
function lastInk(
  middle: number,
  last: number,
  { isInk, isEdge, gap }: { isInk: (y: number) => boolean; isEdge: (y: number) => boolean; gap: number },
): number {
  const step = last < middle ? -1 : 1;
  let found = middle;
  for (let y = middle; step > 0 ? y <= last : y >= last; y += step) {
    if (isEdge(y) && y !== middle) break;
    if (isInk(y)) found = y;
    else if (Math.abs(y - found) > gap && y !== middle) break;
  }
  return found;
}

/** Share of the whole numbers from `from` up to before `to` for which it holds. */
export function shareWhere(from: number, to: number, holds: (at: number) => boolean): number {
  let count = 0;
  for (let at = from; at < to; at++) if (holds(at)) count++;
  return count / Math.max(1, to - from);
}

const differsFrom =
  ({ data, width, height }: Pixels, ground: number) =>
  (x: number, y: number): boolean => {
    if (x < 0 || y < 0 || x >= width || y >= height) return true;
    const at = (y * width + x) * 3;
    return (
      Math.abs(data[at]! - (ground >> 16)) +
        Math.abs(data[at + 1]! - ((ground >> 8) & 255)) +
        Math.abs(data[at + 2]! - (ground & 255)) >
      leastDifference
    );
  };

/** Of a line's pixels that are its ground, at least; the rest is ink and its soft edges. */
const groundShare = 0.3;

/** The commonest color, as 0xRRGGBB. */
function groundOf({ data, width }: Pixels, [x0, y0, x1, y1]: Box): number | undefined {
  const counts = new Map<number, number>();
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) {
      const at = (y * width + x) * 3;
      const color = (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!;
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
  let [best, most] = [0, 0];
  for (const [color, count] of counts) if (count > most) [best, most] = [color, count];
  return most >= groundShare * (x1 - x0) * (y1 - y0) ? best : undefined;
}
