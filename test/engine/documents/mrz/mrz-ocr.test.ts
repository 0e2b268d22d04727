/** Lines that are looked at closer as those of a machine-readable zone, and lines that are left as they are. */

import { expect, test } from 'vitest';
import { readMrzLines } from '../../../../server/engine/documents/mrz/mrz-ocr.ts';
import type { Quad } from '../../../../server/engine/vision/geometry.ts';
import type { TextModels } from '../../../../server/engine/vision/ocr/models/text-models.ts';

const image = { width: 600, height: 80, data: new Uint8Array(3 * 600 * 80).fill(255) };
const quad: Quad = [
  [10, 20],
  [590, 20],
  [590, 40],
  [10, 40],
];

/** Calls of the recognizer for a page of this one line. */
async function lookedAt(text: string): Promise<number> {
  let calls = 0;
  const models = {
    cropHeightPx: 48,
    characters: ['', '<'],
    read: async () => {
      calls++;
      return { classes: new Int32Array(10_000), scores: new Float32Array(10_000), timesteps: 40 };
    },
  } as unknown as TextModels;
  const lines = [{ words: [{ text, quad, confidence: 0.9 }], quad, confidence: 0.9 }];
  await readMrzLines({ image, lines, toFrame: (point) => point }, models);
  return calls;
}

test.each(['<Excluded GST) Sub Tota1 <RM):', '<RM> TOTAL <INCL. 6% GST: 12', 'SUBTOTAL 12.30 CASH 20.00'])(
  'print is not looked at closer: %s',
  async (text) => {
    expect(await lookedAt(text)).toBe(0);
  },
);

test.each(['L898902C36UTO7408122F1204159ZE184226B<<<<<10', 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<'])(
  'the one line of a zone that was found is: %s',
  async (text) => {
    expect(await lookedAt(text)).toBeGreaterThan(0);
  },
);
