/** Floors of quality on documents drawn by the project itself, in every clone; the full figures are documents-quality's. */

import { describe, expect, test } from 'vitest';
import { drawnCorpus, scoresOf } from '../../support/documents/drawn-corpus.ts';
import { parse } from './helpers.ts';

/** Of what is asked of a document; lower ones are named with the reason. */
const floors = { fields: 1, table: 1, checkboxes: 1, words: 1 };
const lower: Record<string, Partial<typeof floors>> = {
  // One of fourteen labels loses a letter.
  'form as a scan': { checkboxes: 0.92 },
};

describe('quality of drawn documents', () => {
  test.each(drawnCorpus)('$name', { timeout: 120_000 }, async ({ name, make }) => {
    const { bytes, truth } = await make();
    const scores = scoresOf(await parse(bytes, { outputFormat: 'text' }), truth);
    expect(Object.keys(scores)).toEqual(Object.keys(truth));
    for (const [kind, score] of Object.entries(scores) as [keyof typeof floors, number][])
      expect(score, kind).toBeGreaterThanOrEqual(lower[name]?.[kind] ?? floors[kind]);
  });
});
