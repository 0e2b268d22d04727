/** Checkboxes and radio buttons of a scanned page: frames, what is inside them, and what stands beside them. */

import type { GrayImage } from '../../media/gray-image.ts';
import { centreX, centreY, contains, heightOf, median, type Word, widthOf } from '../layout/page.ts';
import type { Box } from '../types.ts';
import { labelBoxes, withoutFrames } from './box-labels.ts';
import type { Component } from './components.ts';
import type { InkImage } from './ink.ts';
import type { Strokes } from './line-detection.ts';
import { findCircles, findSquares, inkShare, type TickFrame } from './tick-frames.ts';

export interface PixelBox {
  /** In points. */
  box: Box;
  label: string;
  checked: boolean;
  confidence: number;
}

/** Everything that is known of a scanned page before boxes are looked for. */
export interface ScannedPage {
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
/** A printed character alone in a frame: fields of one letter, numbered boxes. What may be a tick is left out. */
const fieldCharacter = /^[2-689A-HK-UWZa-hkm-uwz]{1,2}$/;
/** Words that are a part of a letter or of a name, not a frame beside a word. */
const wordLike = /[\p{L}\p{N}]{2,}/u;

/** The part of a frame that a mark is made in, without its own lines. */
function insideOf({ box, shape }: TickFrame, scale: number): Box {
  const inset = Math.max(2, 0.7 * scale, (shape === 'circle' ? 0.24 : 0.17) * widthOf(box));
  return [box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset];
}

function judge(frame: TickFrame, page: ScannedPage): { checked: boolean; certainty: number } {
  const share = inkShare(page.ink, insideOf(frame, page.scale));
  if (share < speck) return { checked: false, certainty: 0.95 };
  if (share < tick) return { checked: false, certainty: 0.65 };
  return { checked: true, certainty: share < sure ? 0.75 : 0.95 };
}

/** O, 0, D, 口 and 日 inside of words have outlines too. */
function isLetter(box: Box, words: Word[]): boolean {
  return words.some((word) => {
    if (!contains(word.box, box, 0.5)) return false;
    const wide = widthOf(word.box) > 1.6 * widthOf(box) && wordLike.test(word.text);
    const first = centreX(box) - word.box[0] < 0.8 * widthOf(box);
    return wide && !first;
  });
}

const isFilledField = (box: Box, words: Word[]): boolean =>
  words.some((word) => contains(box, word.box, 1) && fieldCharacter.test(word.text));

/** Solid squares and discs as large as the empty frames of the page: filled in. Alone they are bullets. */
function solidFrames(frames: TickFrame[], page: ScannedPage): TickFrame[] {
  return page.components.flatMap(({ box, area }): TickFrame[] => {
    const [width, height] = [widthOf(box), heightOf(box)];
    if (Math.abs(width - height) > 0.15 * width + 1) return [];
    const fill = area / (width * height);
    if (fill < 0.72 || frames.some((frame) => contains(frame.box, box))) return [];
    const like = frames.filter((frame) => Math.abs(widthOf(frame.box) - width) < 0.15 * width + 1);
    if (like.length === 0) return [];
    return [{ shape: fill > 0.9 ? 'square' : 'circle', box: [...box], outline: 0.9 }];
  });
}

function findFrames(page: ScannedPage): TickFrame[] {
  const { ink, scale, image, strokes, components } = page;
  const squares = findSquares(image, strokes, { ink, scale });
  const inSquare = ({ box }: TickFrame): boolean =>
    squares.some(
      (square) =>
        Math.abs(centreX(square.box) - centreX(box)) < widthOf(square.box) / 2 &&
        Math.abs(centreY(square.box) - centreY(box)) < heightOf(square.box) / 2,
    );
  const circles = findCircles(components, strokes, { ink, scale }).filter((circle) => !inSquare(circle));
  const frames = [...squares, ...circles];
  return [...frames, ...solidFrames(frames, page)];
}

/** Boxes of one form are of one size; what differs much from the rest is less sure. */
function likeness(frame: TickFrame, frames: TickFrame[]): number {
  const sizes = frames.filter((other) => other.shape === frame.shape).map(({ box }) => widthOf(box));
  const usual = median(sizes);
  const alike = sizes.filter((size) => Math.abs(size - widthOf(frame.box)) < 0.15 * usual + 1).length;
  return alike >= 2 ? 1 : 0.85;
}

/** Boxes with a label, and the page's words without the letters that were boxes. */
export function findPixelBoxes(page: ScannedPage): { boxes: PixelBox[]; words: Word[] } {
  const { scale } = page;
  const toPoints = (box: Box): Box => box.map((value) => value / scale) as Box;
  const frames = findFrames(page).filter(({ box }) => {
    const place = toPoints(box);
    return !isLetter(place, page.words) && !isFilledField(place, page.words);
  });
  const places = frames.map(({ box }) => toPoints(box));
  const words = withoutFrames(page.words, places);
  const labels = labelBoxes(places, words);
  const boxes = frames.flatMap((frame, index): PixelBox[] => {
    if (labels[index] === '') return [];
    const { checked, certainty } = judge(frame, page);
    const confidence = Math.round(certainty * frame.outline * likeness(frame, frames) * 100) / 100;
    return [{ box: places[index]!, label: labels[index]!, checked, confidence }];
  });
  return { boxes, words };
}
