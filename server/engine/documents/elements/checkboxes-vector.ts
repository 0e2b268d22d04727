/**
 * Checkboxes and radio buttons that are drawn as vectors, not form fields: small squares and circles with a label beside
 * them, ticked by strokes, a letter or a filled shape inside; and the box characters of symbol fonts.
 */

import { type Box, centreX, centreY, contains, heightOf, overlap, widthOf } from '../../vision/geometry.ts';
import type { CheckboxElement, Page, Unplaced } from '../document.ts';

import type { Widget } from '../pdf/form-fields.ts';
import { labelCheckboxes } from './checkbox-labels.ts';

const [minSide, maxSide] = [5, 18];
const emptyCharacters = /^[☐□◻▢❏❑❒○◯]$/u;
const tickedCharacters = /^[☑☒■◼◉⦿◎●]$/u;
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
  // Colored squares with a frame are the legend of a chart, unless there are empty ones like it: then it is filled in.
  const isFilled = (box: Box): boolean =>
    page.fills.some((fill) => isSame(fill, box) && widthOf(fill) > 0.85 * widthOf(box) && isSquare(fill));
  // Circled numbers, and fields of one character.
  const isNumbered = (box: Box): boolean =>
    page.words.some((word) => contains(box, word.box) && !marks.test(word.text));
  const free = found.filter(
    (box) => !isNumbered(box) && !found.some((other) => other !== box && touches(box, other)),
  );
  const empty = free.filter((box) => !isFilled(box));
  return free.filter(
    (box) => !isFilled(box) || empty.some((other) => Math.abs(widthOf(other) - widthOf(box)) < 1),
  );
}

function isTicked(box: Box, page: Page): boolean {
  const inside = (other: Box): boolean => contains(box, other, 0.5) && widthOf(other) < 1.4 * widthOf(box);
  if (page.slants.filter(inside).length >= 2) return true;
  if (page.words.some((word) => contains(box, word.box) && marks.test(word.text))) return true;
  return page.fills.some((fill) => inside(fill) && widthOf(fill) > 0.25 * widthOf(box));
}

/** Bullets look like filled boxes: those count only where the page has empty ones too. */
function characterBoxes(page: Page): { box: Box; checked: boolean }[] {
  const empty = page.words.filter((word) => emptyCharacters.test(word.text));
  const ticked = page.words.filter((word) => tickedCharacters.test(word.text));
  const sure = ticked.filter(
    (word) =>
      /[☑☒]/u.test(word.text) || empty.some((other) => Math.abs(other.size - word.size) < 0.2 * word.size),
  );
  return [
    ...empty.map(({ box }) => ({ box, checked: false })),
    ...sure.map(({ box }) => ({ box, checked: true })),
  ];
}

export function findVectorCheckboxes(page: Page, widgets: readonly Widget[]): Unplaced<CheckboxElement>[] {
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
  const labels = labelCheckboxes(
    found.map(({ box }) => box),
    page.words.filter((word) => !drawn.some((box) => contains(box, word.box))),
  );
  return found.map((one, index) => ({ ...one, label: labels[index]! })).filter(({ label }) => label !== '');
}
