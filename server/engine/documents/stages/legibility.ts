/** Says which pages have no text, or are hard to read. */

import type { PageState, Stage } from '../stage.ts';

/** Recognition that reads this badly is worth a word. */
const poorConfidence = 0.8;

function warningsOf({ number, page, read, warnings }: PageState): string[] {
  const noText = page.words.length > 0 ? [] : [`Page ${number} contains no text that could be read.`];
  if (!read) return warnings.length === 0 ? noText : [];
  if (page.words.length === 0 || read.confidence >= poorConfidence) return noText;
  return [
    `Page ${number} is hard to read: its text was recognized with a confidence of ${read.confidence.toFixed(2)}.`,
  ];
}

export const legibility: Stage<PageState> = {
  name: 'legibility',
  run: async (state) => ({ ...state, warnings: [...state.warnings, ...warningsOf(state)] }),
};
