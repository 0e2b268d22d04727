/** Leaves out of a page's words what nobody sees on it, once its picture says that nothing is to be seen there. */

import { toGray } from '../../vision/deskew.ts';
import type { Box } from '../../vision/geometry.ts';
import type { GrayImage } from '../../vision/images.ts';
import type { Page } from '../document.ts';
import type { ConcealedWord } from '../office/flow.ts';
import type { PageState, Stage } from '../stage.ts';

/** Enough for letters to be dark on light, or light on dark. */
const dotsPerInch = 100;
/** Difference of gray, 0 to 255, from which a place shows something. */
const leastContrast = 40;
/** Print beyond it is no tiny print that happens to lie in the same place. */
const tinyHeight = 4;

const needsPicture = ({ isSure = false }: ConcealedWord): boolean => !isSure;

export const concealment: Stage<PageState> = {
  name: 'concealment',
  async run(state, { source, clock, keepHidden }) {
    const { page, read, number } = state;
    const told = page.concealed ?? [];
    if (read || told.length === 0) return state;
    const picture = told.some(needsPicture)
      ? await source.draw(number, clock, dotsPerInch).catch(() => null)
      : null;
    const gray = picture && toGray(picture.image);
    const concealed = told.filter(
      (word) => !needsPicture(word) || !gray || !showsSomething(gray, page.toView(word.box)),
    );
    const sure = gray ? concealed : concealed.filter((word) => !needsPicture(word));
    const words = keepHidden ? page.words : wordsOutside(page, sure);
    return { ...state, page: { ...page, words, concealed } };
  },
};

function showsSomething({ width, height, data }: GrayImage, [x0, y0, x1, y1]: Box): boolean {
  const [left, right] = [Math.max(0, Math.floor(x0 * width)), Math.min(width, Math.ceil(x1 * width))];
  const [top, bottom] = [Math.max(0, Math.floor(y0 * height)), Math.min(height, Math.ceil(y1 * height))];
  const values: number[] = [];
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) values.push(data[y * width + x]!);
  values.sort((a, b) => a - b);
  // The edge of an area, or of the line above, is no letter.
  const [dark = 0, light = 0] = [
    values[Math.floor(0.03 * values.length)],
    values[Math.floor(0.97 * values.length)],
  ];
  return light - dark >= leastContrast;
}

const wordsOutside = ({ words }: Page, concealed: readonly ConcealedWord[]): Page['words'] =>
  words.filter(({ box: [x0, y0, x1, y1] }) => {
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    return !concealed.some(
      ({ how, box: [left, top, right, bottom] }) =>
        x >= left && x <= right && y >= top && y <= bottom && (how !== 'tiny' || y1 - y0 < tinyHeight),
    );
  });
