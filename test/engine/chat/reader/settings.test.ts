import { expect, test } from 'vitest';
import { settings } from '../../../support/chat/reader-settings.ts';

const { brief } = settings.talk;
const { manner } = settings.question;

test.each([
  ['how to answer', manner, 'Who has it? Answer briefly.'],
  ['a word at most', brief, 'Is it open?  Answer  yes or no.'],
  ['a word at most, without an order', brief, 'Is it open? Just yes or no please'],
])('%s is found, and a message of blanks is read to its end', (_, pattern, text) => {
  expect(pattern.test(text)).toBe(true);
  expect(pattern.test(`Who${' '.repeat(20_000)}has${'\n \n'.repeat(10_000)}it`)).toBe(false);
});
