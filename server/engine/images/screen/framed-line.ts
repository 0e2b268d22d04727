/** A short line of text with a closed frame or a ground of its own around it, as buttons and filled fields have. Pure. */
import type { Box } from '../../vision/geometry.ts';
import { type InkLine, shareWhere } from './ink-lines.ts';

export interface Framed {
  /** Left, upper, right and lower edge in pixels. */
  box: Box;
  /** Its ground differs from what lies around it; else it has an outline. */
  filled: boolean;
  /** Fields begin with their text, buttons hold it in the middle. */
  kind: 'button' | 'text_field';
}

/** Shares of an edge's pixels that differ from the ground inside; corners may be round. */
const closedAcross = 0.75;
const closedDown = 0.5;
const overText = 0.95;
/** Pixels that a side may lie further out than the corner. */
const corner = 6;
/** In sizes of the type. */
const mostAbove = 1.5;
const mostAside = 60;
const [leastHeight, mostHeight] = [1.5, 3.6];
const mostLength = 22;
const leastRoom = 0.25;
/** An icon before the text that the finder of text left out makes the left side wider. */
const iconRoom = 3;
const evenRoom = 0.6;
const fieldRoom = 1.3;

/** @param lines all of the picture: a frame around several is none of a button */
export function frameAround(line: InkLine, lines: readonly InkLine[]): Framed | undefined {
  const { box: text, size, differs } = line;
  const [x0, y0, x1, y1] = text;
  if (x1 - x0 > mostLength * size) return undefined;
  const across = (y: number, from: number, to: number) => shareWhere(from, to, (x) => differs(x, y));
  const down = (x: number, from: number, to: number) => shareWhere(from, to, (y) => differs(x, y));

  const isOver = (y: number) => across(y, x0, x1) >= overText;
  const top = firstOf(y0 - 1, -1, size * mostAbove, isOver);
  const bottom = firstOf(y1, 1, size * mostAbove, isOver);
  if (top === undefined || bottom === undefined) return undefined;
  const tall = bottom - top + 1;
  if (tall < leastHeight * size || tall > mostHeight * size) return undefined;
  // Letters without parts below the line lie a little high.
  if (Math.abs(y0 - top - (bottom - y1)) > evenRoom * size) return undefined;

  // Between text and frame nothing stands in the way to the sides, not even an icon.
  const rows = [Math.round((top + y0) / 2), Math.round((bottom + y1) / 2)] as const;
  const isEdge = (x: number) => differs(x, rows[0]) && differs(x, rows[1]);
  const left = firstOf(x0 - 1, -1, size * mostAside, isEdge);
  const right = firstOf(x1, 1, size * mostAside, isEdge);
  if (left === undefined || right === undefined) return undefined;
  const [before, after] = [x0 - left, right - x1];
  if (Math.min(before, after) < leastRoom * size) return undefined;
  const even = Math.abs(before - after) <= evenRoom * size;
  const icon = before > after && before - after <= iconRoom * size && after <= 2 * size;
  const field = after > 2 * size && after > 3 * before && before <= fieldRoom * size;
  if (!even && !icon && !field) return undefined;
  const isClosed =
    Math.min(across(top, left, right), across(bottom, left, right)) >= closedAcross &&
    [left, right].every(
      (side, index) =>
        // Round corners begin further in than the side stands.
        shareWhere(0, corner, (out) => down(side + (index ? out : -out), top, bottom) >= closedDown) > 0,
    );
  if (!isClosed) return undefined;

  const box: Box = [left, top, right + 1, bottom + 1];
  if (lines.filter((other) => liesIn(other.box, box)).length > 1) return undefined;
  return { box, filled: isFilled(differs, box), kind: field ? 'text_field' : 'button' };
}

const liesIn = ([a, b, c, d]: Box, [x0, y0, x1, y1]: Box): boolean =>
  (a + c) / 2 > x0 && (a + c) / 2 < x1 && (b + d) / 2 > y0 && (b + d) / 2 < y1;

function firstOf(from: number, step: 1 | -1, reach: number, holds: (at: number) => boolean) {
  for (let at = from; Math.abs(at - from) <= reach; at += step) if (holds(at)) return at;
  return undefined;
}

/** Some pixels out of the middle of its edges, past an outline, the ground is another one. */
function isFilled(differs: InkLine['differs'], [x0, y0, x1, y1]: Box): boolean {
  const past = 4;
  const [x, y] = [Math.round((x0 + x1) / 2), Math.round((y0 + y1) / 2)];
  return differs(x, y0 - past) && differs(x, y1 + past) && differs(x0 - past, y) && differs(x1 + past, y);
}
