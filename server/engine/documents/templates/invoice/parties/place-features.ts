/** Features that runs of lines share: their place, and the lines around them. */

import { overlap, unionBox } from '../../../../vision/geometry.ts';
import { blockBelow } from '../../../fields/blocks.ts';
import type { DocumentText, PlacedSegment } from '../../../fields/reading.ts';
import type { Features } from '../../../scoring/boosted-trees.ts';
import { isTold, type LineFacts, type PartyContext } from './party-context.ts';

export interface LineRun {
  pieces: PlacedSegment[];
  value: string;
  features: Features;
}

/** Lines further apart than this many font sizes are not one run. */
export const maxPitch = 3;

export const flag = (value: boolean): number => (value ? 1 : 0);
export const shareOf = (text: string, pattern: RegExp): number =>
  (text.match(pattern) ?? []).length / Math.max(1, text.length);

export const nextLine = (piece: PlacedSegment, reading: DocumentText): PlacedSegment | undefined =>
  blockBelow(piece, reading, 2, maxPitch)[1];

/** Rows from a line up to the one above it: those of the columns beside it stand in between. */
const maxRowsUp = 3;

/** The line above in the same column. */
export function lineAbove(piece: PlacedSegment, reading: DocumentText): PlacedSegment | undefined {
  for (let distance = 1; distance <= maxRowsUp; distance++) {
    const row = reading.rows[piece.row - distance];
    if (!row || row.page !== piece.page) return undefined;
    const over = row.pieces.find(({ box }) => overlap(box[0], box[2], piece.box[0], piece.box[2]) > 0);
    if (over) return over;
  }
  return undefined;
}

export const clamp = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));

/** Words and nothing that tells them from a name. */
export const isPlainLine = (line: LineFacts): boolean =>
  !/\d/.test(line.text) &&
  ![
    line.title,
    line.greeting,
    line.contact,
    line.label,
    line.address,
    line.heading,
    line.buyerLabel,
    line.sellerLabel,
  ].includes(true);

export const labelRows = 6;

/** Lines of the column up to the nearest, or the one beside, that is a label of a kind; at most `labelRows`. */
function rowsFromLabel(
  first: PlacedSegment,
  { reading, facts }: PartyContext,
  isLabel: (line: LineFacts) => boolean,
): number {
  const left = reading.rows[first.row]!.pieces[first.order - 1];
  if (left && isLabel(facts.get(left)!)) return 0;
  let lines = 1;
  for (let at = first.row - 1; lines < labelRows; at--) {
    const row = reading.rows[at];
    if (!row || row.page !== first.page) return labelRows;
    const over = row.pieces.filter(({ box }) => overlap(box[0], box[2], first.box[0], first.box[2]) > 0);
    if (over.some((piece) => isLabel(facts.get(piece)!))) return lines;
    if (over.length > 0) lines++;
  }
  return labelRows;
}

/** Features that names and addresses share: the place of a run, and the lines around it. */
export function placeFeatures(pieces: PlacedSegment[], context: PartyContext): Features {
  const { reading, facts, size, left, right, titleRow, buyerRow, buyer } = context;
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  const box = unionBox(pieces.map((piece) => piece.box));
  const leftward = reading.rows[first.row]!.pieces[first.order - 1];
  const beside = leftward && facts.get(leftward);
  const [above, below] = [lineAbove(first, reading), nextLine(last, reading)];
  const [before, after] = [above && facts.get(above), below && facts.get(below)];
  const width = Math.max(1, right - left);
  const block = context.blocks.get(first)!;
  const lines = pieces.map((piece) => facts.get(piece)!);
  return {
    lines: pieces.length,
    row: Math.min(60, first.row),
    rowsLeft: Math.min(60, reading.rows.length - 1 - last.row),
    height: first.baseline / first.page.height,
    firstPage: flag(first.page === reading.rows[0]!.page),
    size: first.size / size,
    sizeRatio: last.size / first.size,
    x: (box[0] - left) / width,
    aside: Math.abs((box[0] + box[2] - left - right) / 2) / width,
    width: (box[2] - box[0]) / width,
    across: Math.min(120, width / size),
    rows: Math.min(120, reading.rows.length),
    alone: reading.rows[first.row]!.pieces.length,
    inBuyer: flag(pieces.some((piece) => buyer.has(piece))),
    fromBuyer: clamp(first.row - buyerRow, 20),
    fromTitle: clamp(first.row - titleRow, 20),
    aboveGap: above ? clamp((first.baseline - above.baseline) / first.size, 6) : 6,
    aboveSize: above ? above.size / first.size : 0,
    aboveTitle: flag(before?.title ?? false),
    aboveCompany: flag(before?.company ?? false),
    aboveAddress: flag(before?.address ?? false),
    aboveContact: flag(before?.contact ?? false),
    aboveRegistration: flag(before?.registration ?? false),
    aboveBuyer: flag(before?.buyerLabel ?? false),
    aboveSeller: flag(before?.sellerLabel ?? false),
    aboveSender: flag(before?.sender ?? false),
    sender: flag(facts.get(first)!.sender),
    blockLine: block.line,
    blockLines: block.lines,
    blockAt: block.at === null ? -1 : Math.min(5, block.at),
    blocks: Math.min(6, context.addressed),
    blockContact: flag(block.contact),
    blockNotice: flag(block.notice),
    blockAttention: flag(block.attention),
    othersTold: Math.min(3, context.told - flag(block.at !== null && isTold(block))),
    comma: flag(reading.decimal === ','),
    fromBuyerLabel: rowsFromLabel(first, context, (line) => line.buyerLabel),
    fromSellerLabel: rowsFromLabel(first, context, (line) => line.sellerLabel),
    fromDeliveryLabel: rowsFromLabel(first, context, (line) => line.deliveryLabel),
    attention: flag(lines.some((line) => line.attention)),
    honorific: flag(lines[0]!.honorific),
    aboveAttention: flag((before?.attention || before?.honorific) ?? false),
    belowAttention: flag(after?.attention ?? false),
    aboveOwner: flag(before?.owner ?? false),
    leftBuyer: flag(beside?.buyerLabel ?? false),
    leftSeller: flag(beside?.sellerLabel ?? false),
    leftLabel: flag(beside?.label ?? false),
    abovePlain: flag(before !== undefined && isPlainLine(before)),
    aboveNone: flag(above === undefined),
    belowGap: below ? clamp((below.baseline - last.baseline) / last.size, 6) : 6,
    belowSize: below ? below.size / last.size : 0,
    belowTitle: flag(after?.title ?? false),
    belowCompany: flag(after?.company ?? false),
    belowAddress: flag(after?.address ?? false),
    belowPostcode: flag((after?.postcode && after.address) ?? false),
    belowContact: flag((after?.contact || after?.phone) ?? false),
    belowRegistration: flag(after?.registration ?? false),
    belowLabel: flag(after?.label ?? false),
    belowPlain: flag(after !== undefined && isPlainLine(after)),
    belowSignature: flag(after?.signature ?? false),
    aboveSignature: flag(before?.signature ?? false),
    belowDepartment: flag(after?.department ?? false),
    aboveDepartment: flag(before?.department ?? false),
    aboveBuilding: flag((before?.building && isPlainLine(before)) ?? false),
    aboveHonorific: flag(before?.honorific ?? false),
    headings: Math.min(
      4,
      reading.rows[first.row]!.pieces.filter((piece) => facts.get(piece)!.heading).length,
    ),
    belowTail: flag((after?.tail && !after.title && !after.label) ?? false),
    belowPriced: flag((after?.priced || after?.date) ?? false),
  };
}

/** Share of the rows of two runs that both have, 0 to 1. */
export function sharedRows(own: readonly PlacedSegment[], other: readonly PlacedSegment[]): number {
  const rows = new Set([...own, ...other].map(({ row }) => row));
  const others = new Set(other.map(({ row }) => row));
  return new Set(own.map(({ row }) => row).filter((row) => others.has(row))).size / Math.max(1, rows.size);
}
