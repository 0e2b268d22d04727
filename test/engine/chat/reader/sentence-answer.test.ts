import { expect, test } from 'vitest';
import { emptyReading } from '../../../../server/engine/chat/reader/reader.ts';
import { denialOf, tellsKind } from '../../../../server/engine/chat/reader/sentence-answer.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

test.each([
  ['The text is finished.', 'text is finished', -1],
  ['The shop is closed, the bar is open.', 'bar', -1],
  ['The shop is closed, the bar is open.', 'shop', 1],
  ['Drilling is limited because nobody likes it', 'limited', -1],
  ['The lift is out of order until Friday.', 'until Friday', 1],
  ['Cek persendirian tidak diterima', 'Cek persendirian', 1],
  ['午餐不含在内，可以自带', '午餐', 1],
  ['午餐不含在内，可以自带', '自带', -1],
])('“%s” denies “%s”: %s', (text, words, denial) => {
  const start = text.indexOf(words);
  const place = { text: words, start, end: start + words.length, score: 0 };
  const asked = { context: text, question: 'Is it so?' };
  expect(denialOf({ ...emptyReading(), place }, asked, () => 0, settings)).toBe(denial);
});

test.each([
  ['Will the phones work?', 'Phones are not affected', -4],
  ['Are the phones affected?', 'Phones are not affected', 1],
  ['Do I have to pay for that?', 'The first half hour is free', 4],
  ['停二十分钟要交钱吗？', '前三十分钟免费', 4],
])('“%s” of “%s”: %d', (question, text, denial) => {
  const place = { text, start: 0, end: text.length, score: 0 };
  const asked = { context: text, question };
  expect(denialOf({ ...emptyReading(), place }, asked, () => 0, settings)).toBe(denial);
});

test.each([
  ['Can you tell me which firm comes?', 'which firm comes?'],
  ['Read this and tell me what year it was.', 'what year it was.'],
  ['请问谁来？', '谁来？'],
  ['Tell me a story', 'Tell me a story'],
])('%s asks %s', (said, question) => expect(said.replace(settings.question.lead, '')).toBe(question));

test('of clauses that are joined the one that says most of the question denies it, or does not', () => {
  const text = 'The script was prepared but not needed.';
  const place = { text, start: 0, end: text.length, score: 0 };
  const denial = (word: string, question = 'Was it so?') =>
    denialOf(
      { ...emptyReading(), place },
      { context: text, question },
      (clause) => Number(clause.includes(word)),
      settings,
    );
  expect(denial('prepared')).toBe(-1);
  expect(denial('needed')).toBe(4);
  expect(denial('needed', 'Was it not needed?')).toBe(0);
});

test('a clause that says the question denies it by one word, that of the next sentence does not', () => {
  const text = 'Guests may park here. Pets are never allowed here.';
  const denial = (words: string) => {
    const start = text.indexOf(words);
    const place = { text: words, start, end: start + words.length, score: 0 };
    const shareOf = (clause: string) => Number(clause.includes(words));
    return denialOf(
      { ...emptyReading(), place },
      { context: text, question: 'Is it so?' },
      shareOf,
      settings,
    );
  };
  expect(denial('Pets are')).toBe(4);
  expect(denial('Guests may park')).toBe(1);
});

test.each([
  ['What is the price of the shoes?', 'Release is recommended for sizes 36 to 46.', false],
  ['What is the price of the shoes?', 'They cost 46 euros.', true],
  ['At what age did she die?', 'She died after a short illness.', false],
  ['How many pupils come?', 'The bus leaves from the school.', false],
  ['How many pupils come?', 'Twelve pupils come.', true],
  ['Berapakah gaji bulanan?', 'Tempoh percubaan ialah enam bulan.', false],
  ['How much is the rent?', 'The rent is 980 a month.', true],
  ['How much is the room?', '| Double | 980 |', true],
  ['Berapakah kos jalan itu?', 'Jalan itu sepanjang 6.5 kilometer.', false],
  ['Who comes?', 'Ann comes.', true],
  ['谁去？', '林婉祺', true],
  ['书架多少钱？', '书架(三层,胡桃色)已由仓库发出,另行通知。', false],
  ['Who won the cup?', 'in the rain', false],
  ['What was his sister called?', 'He worked in the shop of his sister.', false],
  ['What was his sister called?', 'His sister Ann had a shop.', true],
  ['店是哪一年开的？', '店铺每周一休息', false],
])('“%s” may be answered by “%s”: %s', (question, context, isTold) => {
  const place = { text: context, start: 0, end: context.length - 1, score: 0 };
  expect(tellsKind(place, { context, question }, settings)).toBe(isTold);
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
