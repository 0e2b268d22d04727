/** Sizes of paper, margins and print of scattered papers: sheets of offices, halves of them, slips, screens and narrow forms in dense print. */

import type { Chance } from '../../specimens/chance.ts';
import { Sheet } from '../sheet.ts';

const sheets: readonly (readonly [width: number, height: number])[] = [
  [595, 842],
  [595, 842],
  [595, 842],
  [612, 792],
  [612, 792],
  [420, 595],
  [396, 612],
  [612, 1008],
  [842, 595],
  [516, 729],
];
/** Width in letters of forms that are no sheet: their height is what they need. */
const narrow = { from: 74, to: 118 };

/** A sheet whose height is that of its paper, or of its print where it is a form or a picture that was cut. */
export function drawInvoiceSheet(chance: Chance): Sheet {
  const size = chance.pick([7.5, 8, 9, 9, 10, 11]);
  const look = { size, leading: chance.pick([1.2, 1.3, 1.4, 1.5]), top: chance.between(20, 70) };
  if (chance.happens(0.35)) {
    const letters = chance.between(narrow.from, narrow.to);
    return new Sheet(letters * 0.52 * size, { ...look, margin: chance.between(10, 32) });
  }
  const [width, height] = chance.pick(sheets);
  const isSmall = Math.min(width, height) < 500;
  return new Sheet(width, {
    ...look,
    ...(isSmall ? { size: Math.min(size, 8) } : {}),
    margin: chance.between(isSmall ? 18 : 28, isSmall ? 34 : 72),
    ...(chance.happens(0.8) ? { height } : {}),
  });
}
