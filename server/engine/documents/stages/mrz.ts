/** Reads the machine-readable zone of a page again, closer; what is left of the lines is text. */

import { readMrzLines } from '../mrz/mrz-ocr.ts';
import type { SourcedLine } from '../pages/scan-words.ts';
import type { PageState, Stage } from '../stage.ts';

export const mrz: Stage<PageState> = {
  name: 'mrz',
  async run(state, { models }) {
    const { picture, orientation, lines } = state;
    if (!picture || !orientation || !lines) return state;
    const { image } = picture.clean;
    const page = { image, lines: [...lines], toFrame: orientation.transform.toFrame };
    const read = await readMrzLines(page, await models());
    const first = new Map<unknown, SourcedLine>(lines.map((line) => [line, line]));
    return { ...state, lines: read.map((line) => first.get(line) ?? { ...line, source: 'mrz' }) };
  },
};
