import { expect, test } from 'vitest';
import { settings } from '../../../support/chat/reader-settings.ts';

const { brief, writing } = settings.talk;
const { all, keys, one } = settings.objects;
const { manner } = settings.question;

test.each([
  ['how to answer', manner, 'Who has it? Answer briefly.'],
  ['a word at most', brief, 'Is it open?  Answer  yes or no.'],
  ['a word at most, without an order', brief, 'Is it open? Just yes or no please'],
])('%s is found, and a message of blanks is read to its end', (_, pattern, text) => {
  expect(pattern.test(text)).toBe(true);
  expect(pattern.test(`Who${' '.repeat(20_000)}has${'\n \n'.repeat(10_000)}it`)).toBe(false);
});

test.each([
  ['an order to write', writing, `${'请帮我'.repeat(400)}吗`],
  ['an order for one thing', one, `extract ${'a'.repeat(2_000)}!`],
  ['an order for all things', all, `list all ${'a'.repeat(2_000)}!`],
  ['names of keys', keys, `keys ${'a'.repeat(2_000)}!`],
])('%s is looked for in long words to their end', (_, pattern, text) =>
  expect(pattern.test(text)).toBe(false),
);

test.each([
  ['Translate this.', true],
  ['请帮我写一封信', true],
  ['Write down the date.', false],
  ['Composed by whom?', false],
])('%s is an order to write: %s', (said, isOrder) => expect(writing.test(said)).toBe(isOrder));

test.each([
  ['关灯', true],
  ['把空调关掉', true],
  ['关于空调', false],
  ['相关的灯', false],
])('%s turns something off: %s', (said, isOff) =>
  expect(settings.states.find(({ key }) => key.test('on'))!.no.test(said)).toBe(isOff),
);
