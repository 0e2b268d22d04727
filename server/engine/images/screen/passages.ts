/** Blocks of text and headings by how the lines of a screen lie. Pure. */
import type { Box } from '../../vision/geometry.ts';
import type { InkLine } from './ink-lines.ts';

export interface Passage {
  kind: 'text_block' | 'heading';
  /** In pixels. */
  box: Box;
}

type Line = Pick<InkLine, 'box' | 'size' | 'weight'>;

/** In sizes of the type. */
const sameRowGap = 1.1;
const mostPitch = 1.8;
const mostIndent = 1.2;
/** Shorter ones are labels, entries of menus and the like. */
const leastLength = 11;
const likeSize = 1.3;
const likeWeight = 1.45;
/** Against the usual line of the screen: higher, or bold and a little higher. */
const headingSize = 1.3;
const [boldSize, boldWeight] = [1.12, 1.2];
const mostHeadingLength = 30;

export function passagesOf(lines: readonly Line[]): Passage[] {
  const rows = joinRows(lines);
  const usual = {
    size: median(rows.map(({ size }) => size)),
    weight: median(rows.map(({ weight }) => weight)),
  };
  const isHeading = (row: Line) => {
    const [size, weight] = [row.size / usual.size, row.weight / usual.weight];
    const standsOut = size >= headingSize || (size >= boldSize && weight >= boldWeight);
    return standsOut && lengthOf(row) >= 2 && lengthOf(row) <= mostHeadingLength;
  };
  return [
    ...rows.filter(isHeading).map(({ box }) => ({ kind: 'heading' as const, box })),
    ...groupRows(rows.filter((row) => !isHeading(row))).map((box) => ({ kind: 'text_block' as const, box })),
  ];
}

const lengthOf = ({ box, size }: Line): number => (box[2] - box[0]) / size;
const middleOf = ({ box }: Line): number => (box[1] + box[3]) / 2;
const isLike = (a: Line, b: Line): boolean =>
  Math.max(a.size, b.size) <= likeSize * Math.min(a.size, b.size) &&
  Math.max(a.weight, b.weight) <= likeWeight * Math.min(a.weight, b.weight);

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const around = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];

/** Pieces of one line become one, from left to right. */
function joinRows(lines: readonly Line[]): Line[] {
  const rows: Line[] = [];
  for (const line of [...lines].sort((a, b) => a.box[0] - b.box[0])) {
    const at = rows.findIndex(
      (row) =>
        isLike(row, line) &&
        line.box[0] - row.box[2] < sameRowGap * line.size &&
        line.box[0] - row.box[2] > -line.size &&
        Math.abs(middleOf(row) - middleOf(line)) < 0.5 * line.size,
    );
    if (at < 0) rows.push(line);
    else rows[at] = { ...rows[at]!, box: around(rows[at]!.box, line.box) };
  }
  return rows.sort((a, b) => a.box[1] - b.box[1]);
}

interface Block {
  box: Box;
  last: Line;
  longest: number;
}

function groupRows(rows: readonly Line[]): Box[] {
  const blocks: Block[] = [];
  for (const row of rows) {
    const block = blocks.find(({ last }) => {
      const pitch = (middleOf(row) - middleOf(last)) / row.size;
      const indent = Math.abs(row.box[0] - last.box[0]) / row.size;
      return isLike(row, last) && pitch > 0.6 && pitch <= mostPitch && indent <= mostIndent;
    });
    if (block) {
      block.box = around(block.box, row.box);
      block.last = row;
      block.longest = Math.max(block.longest, lengthOf(row));
    } else blocks.push({ box: row.box, last: row, longest: lengthOf(row) });
  }
  return blocks.filter(({ longest }) => longest >= leastLength).map(({ box }) => box);
}
