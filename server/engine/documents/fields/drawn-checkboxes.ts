/**
 * Checkboxes that are drawn, not form fields: small squares with a label beside them, ticked by strokes, a letter or a
 * filled square inside; and the box characters of symbol fonts.
 */

import {
  centreX,
  centreY,
  contains,
  heightOf,
  overlap,
  type Page,
  type Word,
  widthOf,
} from '../layout/page.ts';
import { toRows, toSegments } from '../layout/segments.ts';
import type { Widget } from '../pdf/form-fields.ts';
import type { Box, Checkbox } from '../types.ts';

export interface DrawnBox {
  page: Page;
  /** In the page's reading frame. */
  box: Box;
  label: string;
  checked: boolean;
  confidence: number;
}

const [minSide, maxSide] = [5, 16];
const maxLabelGap = 14;
const boxCharacters = /^[☐☑☒□■◻◼❏❑]$/u;
const tickedCharacters = /^[☑☒■◼]$/u;
const marks = /^[xX✓✔✕✖✗✘√●•■]$/u;

const isSquare = (box: Box): boolean => {
  const [width, height] = [widthOf(box), heightOf(box)];
  return (
    width >= minSide &&
    width <= maxSide &&
    height >= minSide &&
    height <= maxSide &&
    Math.abs(width - height) < 0.25 * width
  );
};

const isSame = (a: Box, b: Box): boolean =>
  Math.abs(centreX(a) - centreX(b)) < 3 && Math.abs(centreY(a) - centreY(b)) < 3;

/** Squares that touch each other are the fields of a comb or a grid, not boxes to tick. */
const touches = (a: Box, b: Box): boolean =>
  overlap(a[0], a[2], b[0], b[2]) > -1 && overlap(a[1], a[3], b[1], b[3]) > -1;

function squares(page: Page): Box[] {
  const found: Box[] = [];
  for (const frame of page.frames)
    if (isSquare(frame) && !found.some((other) => isSame(other, frame))) found.push(frame);
  // Coloured squares with a frame are the legend of a chart.
  const isLegend = (box: Box): boolean =>
    page.fills.some((fill) => isSame(fill, box) && widthOf(fill) > 0.85 * widthOf(box) && isSquare(fill));
  return found.filter(
    (box) => !isLegend(box) && !found.some((other) => other !== box && touches(box, other)),
  );
}

function isTicked(box: Box, page: Page): boolean {
  const inside = (other: Box): boolean => contains(box, other, 0.5) && widthOf(other) < 1.4 * widthOf(box);
  if (page.slants.filter(inside).length >= 2) return true;
  if (page.words.some((word) => contains(box, word.box) && marks.test(word.text))) return true;
  return page.fills.some(
    (fill) => inside(fill) && widthOf(fill) < 0.85 * widthOf(box) && widthOf(fill) > 0.25 * widthOf(box),
  );
}

/** The words right of a box up to the next box or a wide gap. */
function labelRight(box: Box, page: Page, others: Box[]): string {
  const sameLine = (other: Box): boolean =>
    overlap(box[1], box[3], other[1], other[3]) > 0.4 * Math.min(heightOf(box), heightOf(other));
  const nextBox = Math.min(
    Number.POSITIVE_INFINITY,
    ...others.filter((o) => sameLine(o) && o[0] > box[2]).map((o) => o[0]),
  );
  const isLabel = (word: Word): boolean =>
    !word.turned &&
    sameLine(word.box) &&
    word.box[0] >= box[2] - 1 &&
    word.box[2] <= nextBox + 1 &&
    !boxCharacters.test(word.text);
  const segment = toRows(page.words.filter(isLabel)).flatMap((row) => toSegments(row))[0];
  return segment && segment.box[0] - box[2] < maxLabelGap ? segment.text : '';
}

function characterBoxes(page: Page): { box: Box; checked: boolean }[] {
  return page.words
    .filter((word) => boxCharacters.test(word.text))
    .map((word) => ({ box: word.box, checked: tickedCharacters.test(word.text) }));
}

export function findDrawnBoxes(page: Page, widgets: Widget[]): DrawnBox[] {
  const own = widgets.filter((widget) => widget.page === page.number);
  const isWidget = (box: Box): boolean => {
    const view = page.toView(box);
    return own.some((widget) => contains(widget.bbox, view, 0.004));
  };
  const drawn = squares(page).filter((box) => !isWidget(box));
  const found = [
    ...drawn.map((box) => ({ box, checked: isTicked(box, page), confidence: 0.9 })),
    ...characterBoxes(page).map((character) => ({ ...character, confidence: 0.95 })),
  ];
  const boxes = found.map(({ box }) => box);
  return found
    .map((one) => ({ ...one, page, label: labelRight(one.box, page, boxes) }))
    .filter(({ label }) => label !== '');
}

export const toCheckbox = ({ page, box, label, checked, confidence }: DrawnBox): Checkbox => ({
  label,
  checked,
  confidence,
  page: page.number,
  bbox: page.toView(box),
});
