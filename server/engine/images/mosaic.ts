/**
 * Parts of a photograph that were made unrecognizable with coarse squares, as faces and number plates are. Steps between
 * neighbors lie on a grid there and nowhere else. Parts that were blurred softly cannot be told from what is out of focus. Pure.
 */
import { type Box, unionBox } from '../vision/geometry.ts';

export interface Luma {
  width: number;
  height: number;
  data: Float32Array;
}

/** A picture is judged in windows of so many pixels, half of one apart. */
const windowPx = 64;
const stridePx = windowPx / 2;
/** Sides of squares that are looked for, in pixels: smaller ones are noise, larger ones too few in a window. */
const [leastSide, mostSide] = [6, 21];
/** Differences below are what compression leaves. */
const leastStep = 6;
/** Share of the differences that lie on the grid, both ways. */
const onGrid = 0.8;
/** Lines of a grid with at least such a share each: the edge of a border or a sign is one, a frame's are two. */
const [leastLines, leastLineShare] = [3, 0.05];
/** Mean of all differences in a window; below, it is flat. */
const leastEnergy = 0.7;

/** The box around all such windows, 0 to 1 of the picture. */
export function findMosaic(luma: Luma): Box | undefined {
  const { width, height } = luma;
  const found: Box[] = [];
  for (let y = 0; y + windowPx <= height; y += stridePx)
    for (let x = 0; x + windowPx <= width; x += stridePx)
      if (isMosaic(luma, x, y))
        found.push([x / width, y / height, (x + windowPx) / width, (y + windowPx) / height]);
  return found.length > 0 ? unionBox(found) : undefined;
}

function isMosaic({ data, width }: Luma, x0: number, y0: number): boolean {
  const across = new Float64Array(windowPx - 1);
  const down = new Float64Array(windowPx - 1);
  for (let y = 0; y < windowPx - 1; y++)
    for (let x = 0; x < windowPx - 1; x++) {
      const at = (y0 + y) * width + x0 + x;
      const right = Math.abs(data[at + 1]! - data[at]!);
      const below = Math.abs(data[at + width]! - data[at]!);
      if (right >= leastStep) across[x]! += right;
      if (below >= leastStep) down[y]! += below;
    }
  const area = windowPx * windowPx;
  if (Math.min(sum(across), sum(down)) < leastEnergy * area) return false;
  const [a, b] = [gridOf(across), gridOf(down)];
  const isGrid = ({ lines, share }: Grid) => share >= onGrid && lines >= leastLines;
  return isGrid(a) && isGrid(b) && Math.abs(a.side - b.side) <= 1;
}

const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0);

interface Grid {
  side: number;
  share: number;
  lines: number;
}

/** The grid that most of the differences lie on. Of a grid and one twice as fine, which holds as much, the coarser. */
function gridOf(profile: Float64Array): Grid {
  const all = sum(profile);
  let best: Grid = { side: 0, share: 0, lines: 0 };
  for (let side = leastSide; side <= mostSide; side++)
    for (let phase = 0; phase < side; phase++) {
      let on = 0;
      let lines = 0;
      for (let at = phase; at < profile.length; at += side) {
        on += profile[at]!;
        if (profile[at]! >= leastLineShare * all) lines++;
      }
      if (on / all >= best.share) best = { side, share: on / all, lines };
    }
  return best;
}
