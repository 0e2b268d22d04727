/** The stages of a page: in their order, each giving a new value and changing nothing of the one it got. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openDocument } from '../../../server/engine/documents/opening/open-document.ts';
import { PageClock } from '../../../server/engine/documents/page-clock.ts';
import { pageStages, unread } from '../../../server/engine/documents/pipeline.ts';
import { localTextModels } from '../../../server/engine/vision/ocr/models/local-models.ts';
import { drawForm } from '../../support/documents/forms/form-maker.ts';
import { drawPicture } from '../../support/documents/forms/surface.ts';
import { sample } from './helpers.ts';

/** Freezes plain data through and through; pixels cannot be frozen, functions need not be. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value))
    return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
  return value;
}

test.each([
  ['a digital form', () => Promise.resolve(new Uint8Array(readFileSync(sample('form'))))],
  ['a form as a picture', () => drawPicture((surface) => drawForm(surface, 2, 'en'), 'sans-serif', 100)],
])('%s passes all stages frozen', { timeout: 120_000 }, async (_, make) => {
  const source = await openDocument(await make());
  const tools = { source, clock: new PageClock(), models: localTextModels };
  let state = freeze(unread(1));
  for (const stage of pageStages) state = freeze(await stage.run(state, tools));
  await source.close();
  expect(state.page.words.length).toBeGreaterThan(10);
  expect(state.checkboxes.length + state.widgets.length).toBeGreaterThan(2);
});

test('the order of the stages', () => {
  expect(pageStages.map(({ name }) => name)).toEqual([
    'extract',
    'preprocess',
    'orient',
    'ocr',
    'mrz',
    'words',
    'concealment',
    'rulings of a scan',
    'checkboxes of a scan',
    'ocr-repair',
    'ink of a drawn page',
    'signatures',
    'codes',
    'checkboxes as drawn',
    'tables',
    'legibility',
  ]);
});
