/** Checkboxes and radio buttons of a scanned page: frames, what is inside them, and what stands beside them. */

import type { Component, InkImage } from '../../vision/components.ts';
import { type Box, centreX, contains, heightOf, overlap, widthOf } from '../../vision/geometry.ts';
import type { GrayImage } from '../../vision/images.ts';
import type { Strokes } from '../../vision/lines/line-detection.ts';
import { hasWord, shippedLexicon } from '../../vision/ocr/lexicon.ts';
import type { Word } from '../document.ts';
import { median } from '../layout/median.ts';

import { type CheckboxContour, findCircles, findSquares, inkShare } from './checkbox-contours.ts';
import { labelCheckboxes, withoutContours } from './checkbox-labels.ts';

export interface RasterCheckbox {
  /** In points. */
  box: Box;
  label: string;
  checked: boolean;
  confidence: number;
}

/** Everything that is known of a scanned page before boxes are looked for. */
export interface CheckboxInput {
  image: GrayImage;
  ink: InkImage;
  strokes: Strokes;
  components: Component[];
  /** In points. */
  words: Word[];
  /** Pixels a point. */
  scale: number;
}

/** Share of the inside that is ink. Specks stay below the first, the lightest tick reaches the second. */
const speck = 0.02;
const tick = 0.06;
const sure = 0.11;
const solid = 0.6;
const surelyRead = 0.95;
/** A printed character alone in a frame: fields of one letter, numbered boxes. What may be a tick is left out. */
const fieldCharacter = /^[2-689A-HK-UWZa-hkm-uwz]{1,2}$/;
/** Least distance of a frame from its label, in points; letters stand closer. */
const labelGap = 2.4;
/** Words that are a part of a letter or of a name, not a frame beside a word. */
const wordLike = /[\p{L}\p{N}]{2,}/u;

/** The part of a frame that a mark is made in: from each side inward past the frame's own line. */
function insideOf({ box: [x0, y0, x1, y1], shape }: CheckboxContour, { ink, scale }: CheckboxInput): Box {
  const side = Math.min(x1 - x0, y1 - y0);
  const margin = Math.max(1, 0.35 * scale);
  const least = Math.max(2, 0.5 * scale, (shape === 'circle' ? 0.24 : 0.1) * side);
  const [middle, deepest] = [0.25 * side, 0.34 * side];
  const depth = (line: (inset: number) => Box): number => {
    let inset = 0;
    while (inset < deepest && (inset < least - margin || inkShare(ink, line(inset)) > 0.6)) inset++;
    return inset + margin;
  };
  return [
    x0 + depth((inset) => [x0 + inset, y0 + middle, x0 + inset + 1, y1 - middle]),
    y0 + depth((inset) => [x0 + middle, y0 + inset, x1 - middle, y0 + inset + 1]),
    x1 - depth((inset) => [x1 - inset - 1, y0 + middle, x1 - inset, y1 - middle]),
    y1 - depth((inset) => [x0 + middle, y1 - inset - 1, x1 - middle, y1 - inset]),
  ];
}

function judge(frame: CheckboxContour, page: CheckboxInput): { checked: boolean; certainty: number } {
  const share = inkShare(page.ink, insideOf(frame, page));
  if (share < speck) return { checked: false, certainty: 0.95 };
  if (share < tick) return { checked: false, certainty: 0.65 };
  return { checked: true, certainty: share < sure ? 0.75 : 0.95 };
}

/**
 * O, 0, D, 口 and 日 have outlines too. A frame that recognition took for the first letter of its label is told from a
 * letter by the paper behind it.
 */
function isLetter(box: Box, page: CheckboxInput): boolean {
  const { ink, scale, words } = page;
  const word = words.find(
    (other) =>
      contains(other.box, box, 0.5) && widthOf(other.box) > 1.6 * widthOf(box) && wordLike.test(other.text),
  );
  if (!word) return false;
  if (centreX(box) - word.box[0] > 0.8 * widthOf(box)) return true;
  const behind: Box = [box[2] + 0.5, box[1], box[2] + labelGap, box[3]];
  return inkShare(ink, behind.map((value) => value * scale) as Box) > 0.02;
}

/** Q1 to Q4 of a year; rings are read as other letters, and less surely. */
const isQuarter = ({ text, confidence = 1 }: Word): boolean =>
  /^Q[1-4]$/.test(text) && confidence > surelyRead;

/** Least ratio of the gap between a frame and its label to those between the letters of the label. */
const widerGap = 1.6;

/**
 * A frame beside its label that a word took in, before or behind it: unlike a first or last letter it stands apart from
 * the others.
 */
function standsApart(box: Box, { ink, scale, words }: CheckboxInput): boolean {
  const word = words.find(
    (other) =>
      overlap(other.box[1], other.box[3], box[1], box[3]) > 0.5 * heightOf(box) &&
      overlap(other.box[0], other.box[2], box[0], box[2]) > 0.6 * widthOf(box) &&
      widthOf(other.box) > 1.6 * widthOf(box),
  );
  if (!word || isQuarter(word)) return false;
  const behind = centreX(box) > centreX(word.box);
  const end = behind ? word.box[2] - box[2] : box[0] - word.box[0];
  if (end > 0.5 * widthOf(box)) return false;
  const [top, bottom] = [word.box[1] * scale, word.box[3] * scale];
  const hasInk = (x: number): boolean => inkShare(ink, [x, top, x + 1, bottom]) > 0.02;
  const step = behind ? -1 : 1;
  let x = Math.round((behind ? box[0] : box[2]) * scale) + 2 * step;
  const left = (): number => (behind ? x - word.box[0] * scale : word.box[2] * scale - x);
  let gap = 1;
  for (; left() > 0 && !hasInk(x); x += step) gap++;
  let [widest, run] = [0, 0];
  for (; left() > 0; x += step) {
    run = hasInk(x) ? 0 : run + 1;
    widest = Math.max(widest, run);
  }
  return gap > 0.6 * labelGap * scale && gap > widerGap * widest;
}

const readWell = 0.85;
const number = /^[\dOo]+[.,:/%-]?\d+%?$/;
const price = /^@[\d.,]*$/;
const share = /^\d+%$/;

/** Round letters and digits of what is surely a word, a number or `@ 6%`, whatever stands around them. */
function isPrint(box: Box, { words }: CheckboxInput): boolean {
  const over = words.filter(
    (word) =>
      overlap(word.box[0], word.box[2], box[0], box[2]) > 0.6 * widthOf(box) &&
      overlap(word.box[1], word.box[3], box[1], box[3]) > 0.5 * heightOf(box) &&
      heightOf(box) < 1.3 * word.size,
  );
  return over.some((word) => {
    if ((word.confidence ?? 1) < readWell) return false;
    if (price.test(word.text)) return word.text.length > 1 || isNumberBehind(word, words);
    if (share.test(word.text)) return true;
    const letters = word.text.replace(/[^\p{L}\p{N}]/gu, '');
    if (letters.length < 2) return false;
    const inside = centreX(box) - word.box[0] > 0.8 * widthOf(box);
    const listed = letters.length > 2 && hasWord(shippedLexicon(), letters.toLowerCase());
    return number.test(word.text) || isQuarter(word) || listed || inside || contains(box, word.box, 1);
  });
}

const isNumberBehind = (word: Word, words: Word[]): boolean =>
  words.some(
    (other) =>
      /^\d/.test(other.text) &&
      Math.abs(other.baseline - word.baseline) < 0.5 * word.size &&
      other.box[0] > word.box[0] &&
      other.box[0] - word.box[2] < 1.5 * word.size,
  );

/** Most height of round small letters, as a share of their word's; boxes to tick are larger. */
const lowLetter = 0.62;

/** The round small letter that a word ends in, however far it stands from the one before: `to`. */
const isLastLetter = ({ shape }: CheckboxContour, box: Box, words: Word[]): boolean =>
  shape === 'circle' &&
  words.some(
    (word) =>
      /\p{L}\p{Ll}$/u.test(word.text) &&
      contains(word.box, box, 1) &&
      word.box[2] - box[2] < 1 &&
      heightOf(box) < lowLetter * heightOf(word.box),
  );

/** Signs that hold a ring of their own; the second needs no sure reading. */
const ringed = /^[&@]$/;
const careOf = /^c\/o$/i;
/** Least pitch of letter-spaced print, as tills have it, in font sizes, and the most of a word as a share of that of its row. */
const [spacedPitch, samePitch] = [0.75, 1.15];
const pitchOf = ({ box, text }: Word): number => widthOf(box) / text.length;

/** A ring of `&`, `@` or `c/o`, or a letter of letter-spaced print, where every letter has paper around it: a frame would make its word longer. */
function isOwnLetter(box: Box, page: CheckboxInput): boolean {
  const { words } = page;
  const word = words.find((other) => contains(other.box, box, 1));
  if (!word) return false;
  if (careOf.test(word.text)) return true;
  const confidence = word.confidence ?? 1;
  if (ringed.test(word.text)) return confidence > surelyRead;
  if (confidence < readWell || widthOf(word.box) < 1.6 * widthOf(box)) return false;
  // Short words have no other gaps to tell.
  if (word.text.length > 3 && standsApart(box, page)) return false;
  const others = words.filter((other) => other !== word && other.text.length > 3);
  const row = others.filter((other) => Math.abs(other.baseline - word.baseline) < 0.3 * word.size);
  const usual = median((row.length > 0 ? row : others).map((other) => pitchOf(other) / other.size));
  return usual > spacedPitch && pitchOf(word) < samePitch * usual * word.size;
}

/** Ticks are read as letters too, but never surely. */
const isFilledField = (box: Box, words: Word[]): boolean =>
  words.some(
    (word) =>
      contains(box, word.box, 1) && fieldCharacter.test(word.text) && (word.confidence ?? 1) > surelyRead,
  );

/** Circles that all hold strokes are numbers of a list; radio buttons have empty ones, or solid discs in them. */
function isNumber(frame: CheckboxContour, frames: CheckboxContour[], page: CheckboxInput): boolean {
  if (frame.shape !== 'circle') return false;
  const share = inkShare(page.ink, insideOf(frame, page));
  if (share < tick || share > solid) return false;
  const size = widthOf(frame.box);
  return !frames.some(
    (other) =>
      other.shape === 'circle' &&
      Math.abs(widthOf(other.box) - size) < 0.15 * size + 1 &&
      inkShare(page.ink, insideOf(other, page)) < tick,
  );
}

/** Solid squares and discs as large as the empty frames of the page: filled in. Alone they are bullets. */
function solidFrames(frames: CheckboxContour[], page: CheckboxInput): CheckboxContour[] {
  return page.components.flatMap(({ box, area }): CheckboxContour[] => {
    const [width, height] = [widthOf(box), heightOf(box)];
    if (Math.abs(width - height) > 0.15 * width + 1) return [];
    const fill = area / (width * height);
    if (fill < 0.72 || frames.some((frame) => contains(frame.box, box))) return [];
    const like = frames.filter((frame) => Math.abs(widthOf(frame.box) - width) < 0.15 * width + 1);
    if (like.length === 0) return [];
    return [{ shape: fill > 0.9 ? 'square' : 'circle', box: [...box], outline: 0.9 }];
  });
}

function findFrames(page: CheckboxInput): CheckboxContour[] {
  const { ink, scale, image, strokes, components } = page;
  const circles = findCircles(components, { ink, scale });
  // The flat top and bottom of a circle pass for strokes; its outline tells it.
  const inCircle = ({ box }: CheckboxContour): boolean =>
    circles.some((circle) => contains(circle.box, box) || contains(box, circle.box));
  const squares = findSquares(image, strokes, { ink, scale }).filter((square) => !inCircle(square));
  return [...squares, ...circles];
}

/** Boxes of one form are of one size; what differs much from the rest is less sure. */
function likeness(frame: CheckboxContour, frames: CheckboxContour[]): number {
  const sizes = frames.filter((other) => other.shape === frame.shape).map(({ box }) => widthOf(box));
  const usual = median(sizes);
  const alike = sizes.filter((size) => Math.abs(size - widthOf(frame.box)) < 0.15 * usual + 1).length;
  return alike >= 2 ? 1 : 0.85;
}

/** Boxes with a label, and the page's words without the letters that were boxes. */
export function findRasterCheckboxes(page: CheckboxInput): { boxes: RasterCheckbox[]; words: Word[] } {
  const { scale } = page;
  const toPoints = (box: Box): Box => box.map((value) => value / scale) as Box;
  const drawn = findFrames(page);
  const isFrame = (frame: CheckboxContour): boolean => {
    const place = toPoints(frame.box);
    if (!standsApart(place, page) && (isLetter(place, page) || isPrint(place, page))) return false;
    if (isLastLetter(frame, place, page.words)) return false;
    if (isOwnLetter(place, page)) return false;
    return !isFilledField(place, page.words) && !isNumber(frame, drawn, page);
  };
  const empty = drawn.filter(isFrame);
  // Round letters tell no size: bold capitals as large as they are would be solid frames.
  const frames = [...empty, ...solidFrames(empty, page).filter(isFrame)];
  const places = frames.map(({ box }) => toPoints(box));
  const words = withoutContours(page.words, places);
  const labels = labelCheckboxes(places, words);
  const boxes = frames.flatMap((frame, index): RasterCheckbox[] => {
    if (labels[index] === '') return [];
    const { checked, certainty } = judge(frame, page);
    const confidence = Math.round(certainty * frame.outline * likeness(frame, frames) * 100) / 100;
    return [{ box: places[index]!, label: labels[index]!, checked, confidence }];
  });
  return { boxes, words };
}
