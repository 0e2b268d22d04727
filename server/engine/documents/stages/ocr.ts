/** Reads the text lines of a page's picture where they lie, at their own angle. */

import { readLines } from '../../vision/ocr/read-lines.ts';
import type { PageState, Stage } from '../stage.ts';

export const ocr: Stage<PageState> = {
  name: 'ocr',
  async run(state, { models }) {
    const { picture, orientation } = state;
    if (!picture || !orientation) return state;
    const lines = await readLines(picture.clean.image, [...orientation.quads], await models());
    return { ...state, lines: lines.map((line) => ({ ...line, source: 'recognition' })) };
  },
};
