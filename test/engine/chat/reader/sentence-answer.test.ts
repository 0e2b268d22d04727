import { expect, test } from 'vitest';
import { emptyReading } from '../../../../server/engine/chat/reader/reader.ts';
import { denialOf } from '../../../../server/engine/chat/reader/sentence-answer.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

test.each([
  ['The text is finished.', 'text is finished', -1],
  ['The shop is closed, the bar is open.', 'bar', -1],
  ['The shop is closed, the bar is open.', 'shop', 1],
  ['Drilling is limited because nobody likes it', 'limited', -1],
  ['Cek persendirian tidak diterima', 'Cek persendirian', 1],
  ['午餐不含在内，可以自带', '午餐', 1],
  ['午餐不含在内，可以自带', '自带', -1],
])('“%s” denies “%s”: %s', (text, words, denial) => {
  const start = text.indexOf(words);
  const place = { text: words, start, end: start + words.length, score: 0 };
  expect(denialOf({ ...emptyReading(), place }, text, settings)).toBe(denial);
});

test.each([
  ['Is the sauna part of the price?', true],
  ["Isn't it open?", true],
  ['boleh bawa anjing tak', true],
  ['老人现在没事了吧', true],
  ['菜够不够', true],
  ['Is it red or blue?', false],
  ['Bawa ke mana?', false],
  ['When is it open?', false],
  ['谁没有来？', false],
])('%s is answered by yes or no: %s', (question, isPolar) =>
  expect(settings.question.polar.test(question)).toBe(isPolar),
);
