import { expect, it } from 'vitest';
import { anonymizeChoice, anonymizedOutput } from '../../server/cli/folders/documents.ts';

it.each([
  ['a.txt', false, { suffix: '.anonymized.txt' }],
  ['a.txt.anonymized.txt', true, { suffix: '', inPlaceOf: '.anonymized.txt' }],
  ['a.pdf.anonymized.txt', true, { suffix: '.txt', inPlaceOf: '.anonymized.txt' }],
  ['mailed.txt', true, { suffix: '.restored.txt' }],
])('%s, restored: %s', (name, restored, named) => {
  expect(anonymizedOutput(name, 'text', restored)).toMatchObject(named);
});

it('another key is another choice, and does not show in it', () => {
  const choiceOf = (key: string | undefined) =>
    JSON.stringify(anonymizeChoice({ method: 'encrypt', kinds: ['mykad', 'email'], key }));
  expect(choiceOf('the first of the keys')).toBe(choiceOf('the first of the keys'));
  const choices = ['the first of the keys', 'another of the keys', undefined].map(choiceOf);
  expect(new Set(choices).size).toBe(3);
  expect(choices.join()).not.toContain('keys');
});
