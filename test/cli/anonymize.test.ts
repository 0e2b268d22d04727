import { expect, it } from 'vitest';
import { anonymizedOutput } from '../../server/cli/folders/documents.ts';

it.each([
  ['a.txt', false, { suffix: '.anonymized.txt' }],
  ['a.txt.anonymized.txt', true, { suffix: '', inPlaceOf: '.anonymized.txt' }],
  ['a.pdf.anonymized.txt', true, { suffix: '.txt', inPlaceOf: '.anonymized.txt' }],
  ['mailed.txt', true, { suffix: '.restored.txt' }],
])('%s, restored: %s', (name, restored, named) => {
  expect(anonymizedOutput(name, 'text', restored)).toMatchObject(named);
});
