/**
 * Places of letters that text detection overlooked: lone digits in the cells of a table, above all.
 *
 * Pieces of ink as large as the print of the page, on a row of print, that no word, line or frame accounts for. The
 * rest of a row says how high they are read.
 */

import type { Component } from '../../vision/components.ts';
import { type Box, centreY, contains, heightOf, overlap, unionBox, widthOf } from '../../vision/geometry.ts';
import type { Word } from '../document.ts';
import { median } from '../layout/median.ts';

interface Print {
  components: Component[];
  words: Word[];
  /** Frames to tick, in points. */
  frames: Box[];
  scale: number;
}

/** Sizes of a letter, in font sizes. */
const [minHeight, maxHeight, maxWidth] = [0.45, 1.15, 1.3];
const maxGap = 0.45;
/** Margin that text detection leaves around a line, which readers of it expect. */
const margin = 0.3;
/** A page of noise must not be read piece by piece. */
const maxPlaces = 250;
const maxLetters = 8;

export function missedText({ components, words, frames, scale }: Print): Box[] {
  const level = words.filter((word) => !word.turned);
  const size = median(level.map((word) => word.size));
  if (size === 0) return [];
  const isLetter = (box: Box): boolean =>
    heightOf(box) > minHeight * size && heightOf(box) < maxHeight * size && widthOf(box) < maxWidth * size;
  const isKnown = (box: Box): boolean =>
    level.some(
      (word) => overlap(word.box[0], word.box[2], box[0], box[2]) > -1 && contains(word.box, box, 1.5),
    ) || frames.some((frame) => contains(frame, box, 2));
  const rowOf = (box: Box): Word | undefined =>
    level.find(
      (word) =>
        Math.abs(centreY(word.box) - centreY(box)) < 0.3 * size && Math.abs(word.size - size) < 0.4 * size,
    );
  const letters = components
    .map(({ box }) => box.map((value) => value / scale) as Box)
    .filter((box) => isLetter(box) && rowOf(box) && !isKnown(box))
    .sort((a, b) => a[0] - b[0]);
  const groups: Box[][] = [];
  for (const letter of letters) {
    const group = groups.find((boxes) => {
      const last = boxes.at(-1)!;
      return letter[0] - last[2] < maxGap * size && Math.abs(centreY(last) - centreY(letter)) < 0.35 * size;
    });
    if (group) group.push(letter);
    else groups.push([letter]);
  }
  const places = groups.filter((group) => group.length <= maxLetters).map((group) => unionBox(group));
  if (places.length > maxPlaces) return [];
  return places.map(([x0, y0, x1, y1]): Box => {
    const room = margin * size;
    return [x0 - room, y0 - room, x1 + room, y1 + room];
  });
}
