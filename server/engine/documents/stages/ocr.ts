/** Reads the text lines of a page's picture where they lie, at their own angle. */

import type { Quad } from '../../vision/geometry.ts';
import { type RecognizedLine, readLines } from '../../vision/ocr/read-lines.ts';
import { restoreMarks } from '../../vision/ocr/restore-marks.ts';
import type { PageState, Stage } from '../stage.ts';

const placeOf = (quad: Quad): string => quad.join();

/** Lines in the order of their places. */
function inOrder(lines: readonly RecognizedLine[], quads: readonly Quad[]): RecognizedLine[] {
  const rank = new Map(quads.map((quad, index) => [placeOf(quad), index]));
  const rankOf = ({ quad }: RecognizedLine): number => rank.get(placeOf(quad)) ?? quads.length;
  return lines.filter(({ quad }) => rank.has(placeOf(quad))).sort((a, b) => rankOf(a) - rankOf(b));
}

export const ocr: Stage<PageState> = {
  name: 'ocr',
  async run(state, { models }) {
    const { picture, orientation } = state;
    if (!picture || !orientation) return state;
    const known = new Set(orientation.lines.map(({ quad }) => placeOf(quad)));
    const unread = orientation.quads.filter((quad) => !known.has(placeOf(quad)));
    const rest = await readLines(picture.clean.image, unread, await models());
    const read = inOrder([...orientation.lines, ...rest], orientation.quads);
    const lines = restoreMarks(picture.clean.image, read);
    return { ...state, lines: lines.map((line) => ({ ...line, source: 'recognition' })) };
  },
};
