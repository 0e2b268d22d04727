/**
 * Signatures in ink.
 *
 * Around each place that asks for one, the ink that is neither print nor a ruling is gathered; it is a signature if it
 * is as large as one and runs on: its largest pieces are wider and higher than letters of the page's print.
 */

import { type Component, findComponents, type InkImage } from '../../vision/components.ts';
import { type Box, centreY, heightOf, overlap, unionBox, widthOf } from '../../vision/geometry.ts';
import type { Lines } from '../../vision/lines/line-detection.ts';
import type { Segment, Word } from '../document.ts';
import { median } from '../layout/median.ts';

import { signatureLabels } from './signature-labels.ts';

export interface InkSignature {
  /** In points. */
  box: Box;
  /** The text printed beside it. */
  label: string;
  confidence: number;
}

interface SignedPage {
  ink: InkImage;
  rulings: Lines;
  /** In points. */
  words: Word[];
  /** Pixels a point. */
  scale: number;
}

/** Greatest distance of a signature from its label, in points. */
const reach = { left: 30, right: 260, above: 62, below: 48 };
const [minWidth, minHeight, maxWidth, maxHeight] = [20, 7, 280, 120];
/** Pieces of one signature are at most this far apart. */
const maxGap = 11;
/** Handwriting is read too, but not like this. */
const surelyRead = 0.9;

/** Heights of a page, in points from its top, that hold all signatures by these labels. */
export const signedBand = (labels: readonly Segment[]): [number, number] => [
  Math.min(...labels.map(({ box }) => box[1])) - reach.above,
  Math.max(...labels.map(({ box }) => box[3])) + reach.below,
];

/** The ink of an area without its rulings and without print. */
function looseInk(area: Box, page: SignedPage): { ink: InkImage; left: number; top: number } {
  const { scale, ink, rulings } = page;
  const left = Math.max(0, Math.floor(area[0] * scale));
  const top = Math.max(0, Math.floor(area[1] * scale));
  const width = Math.max(1, Math.min(ink.width, Math.ceil(area[2] * scale)) - left);
  const height = Math.max(1, Math.min(ink.height, Math.ceil(area[3] * scale)) - top);
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const start = (top + y) * ink.width + left;
    data.set(ink.data.subarray(start, start + width), y * width);
  }
  const clear = ([x0, y0, x1, y1]: Box): void => {
    const from = Math.max(0, Math.floor(x0 * scale) - left);
    const to = Math.min(width, Math.ceil(x1 * scale) - left);
    if (to <= from) return;
    for (
      let y = Math.max(0, Math.floor(y0 * scale) - top);
      y < Math.min(height, Math.ceil(y1 * scale) - top);
      y++
    )
      data.fill(0, y * width + from, y * width + to);
  };
  const thick = 1.1;
  for (const { at, from, to } of rulings.horizontal)
    if (to - from > 3 * minWidth) clear([from - 1, at - thick, to + 1, at + thick]);
  for (const { at, from, to } of rulings.vertical) clear([at - thick, from - 1, at + thick, to + 1]);
  for (const word of page.words) if (isPrint(word)) clear(word.box);
  return { ink: { width, height, data }, left, top };
}

const isPrint = ({ text, confidence = 1 }: Word): boolean =>
  confidence >= surelyRead && /[\p{L}\p{N}]{2}|^[\p{L}\p{N}][.:)]?$/u.test(text) && !/^(.)\1+$/u.test(text);

/** Share of a place's pixels that specks and remains of a ruling take. */
const blank = 0.004;

/** True if a place, in points, holds ink that is neither print nor a ruling. */
export function hasInk(place: Box, page: SignedPage): boolean {
  const { data } = looseInk(place, page).ink;
  return data.reduce((sum, dot) => sum + (dot ? 1 : 0), 0) > blank * data.length;
}

/** Pieces that lie near each other, as boxes in points. */
function clusters(pieces: Box[]): Box[][] {
  const groups: Box[][] = [];
  for (const piece of pieces.toSorted((a, b) => a[0] - b[0])) {
    const near = groups.filter((group) =>
      group.some(
        (other) =>
          overlap(other[0], other[2], piece[0], piece[2]) > -maxGap &&
          overlap(other[1], other[3], piece[1], piece[3]) > -maxGap / 2,
      ),
    );
    const [first, ...rest] = near;
    if (!first) groups.push([piece]);
    else {
      first.push(piece, ...rest.flat());
      for (const other of rest) groups.splice(groups.indexOf(other), 1);
    }
  }
  return groups;
}

/** 0 if the pieces are no signature. */
function judge(pieces: Box[], textSize: number): number {
  const box = unionBox(pieces);
  const [width, height] = [widthOf(box), heightOf(box)];
  if (width < minWidth || height < minHeight || width > maxWidth || height > maxHeight) return 0;
  const widest = Math.max(...pieces.map(widthOf));
  const highest = Math.max(...pieces.map(heightOf));
  const flowing = widest > 2 * textSize && highest > 0.7 * textSize;
  const large = highest > 1.7 * textSize && widest > 0.8 * textSize;
  if (!flowing && !large) return 0;
  return Math.min(0.95, 0.6 + (flowing ? 0.15 : 0) + (large ? 0.1 : 0) + (width > 40 ? 0.1 : 0));
}

function signaturesAt(place: Segment, page: SignedPage): InkSignature[] {
  const { scale, words } = page;
  const [x0, y0, x1, y1] = place.box;
  const area: Box = [x0 - reach.left, y0 - reach.above, Math.max(x1, x0 + reach.right), y1 + reach.below];
  const { ink, left, top } = looseInk(area, page);
  const toPoints = ({ box }: Component): Box => [
    (box[0] + left) / scale,
    (box[1] + top) / scale,
    (box[2] + left) / scale,
    (box[3] + top) / scale,
  ];
  const speck = 1.2 * scale * scale;
  const pieces = findComponents(ink)
    .filter(({ area: inked }) => inked > speck)
    .map(toPoints);
  const textSize = median(words.map((word) => word.size)) || 10;
  return clusters(pieces).flatMap((group): InkSignature[] => {
    const confidence = judge(group, textSize);
    return confidence === 0 ? [] : [{ box: unionBox(group), label: place.text, confidence }];
  });
}

/** Distance of a signature from its label: right of it and above it are its places. */
function distance({ box }: InkSignature, place: Segment): number {
  const across = Math.max(0, box[0] - place.box[2], place.box[0] - box[2]);
  const down = Math.max(0, box[1] - place.box[3], place.box[1] - box[3]);
  return across + 1.5 * down + (centreY(box) > place.box[3] ? 12 : 0);
}

/** One signature for each place that asks for one, the nearest. */
export function findInkSignatures(page: SignedPage): InkSignature[] {
  const found: InkSignature[] = [];
  for (const place of signatureLabels(page.words)) {
    const nearest = signaturesAt(place, page).sort((a, b) => distance(a, place) - distance(b, place))[0];
    const taken = found.some(
      ({ box }) =>
        nearest &&
        overlap(box[0], box[2], nearest.box[0], nearest.box[2]) > 0 &&
        overlap(box[1], box[3], nearest.box[1], nearest.box[3]) > 0,
    );
    if (nearest && !taken) found.push({ ...nearest, label: place.text.replace(/\s*[:：]\s*$/, '') });
  }
  return found;
}
