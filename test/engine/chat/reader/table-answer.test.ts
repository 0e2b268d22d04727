/** Questions about a table as the pack's words for them are read; the network likes no cell more than another here. */
import { expect, test } from 'vitest';
import { prepareText } from '../../../../server/engine/chat/reader/features.ts';
import {
  emptyReading,
  type Outcome,
  outcomes,
  type Reading,
} from '../../../../server/engine/chat/reader/reader.ts';
import { answerFromTable, comparesRows } from '../../../../server/engine/chat/reader/table-answer.ts';
import { WordTable } from '../../../../server/engine/chat/reader/word-table.ts';
import { settings } from '../../../support/chat/reader-settings.ts';
import { wordTableBytes } from '../../../support/chat/word-table.ts';

const words = new WordTable(wordTableBytes({}));
const read = (text: string) => prepareText(text, words);
const { tables } = settings;
const reading: Reading = {
  ...emptyReading(),
  outcomes: outcomes.map((outcome) => (outcome === 'span' || outcome === 'none' ? -1 : -6)),
  within: (start, end) => ({ text: '', start, end, score: -5 }),
};
const ask = (text: string, question: string, outcome: Outcome = 'span') =>
  answerFromTable(text, { question: read(question), read, words: tables, outcome, reading });

const stock =
  'Stock\n\n| item | shelf | price | pieces | in stock |\n|---|---|---|---|---|\n| lamp | A | 12.50 | 4 | yes |\n| chair | B | 40 | 2 | no |\n| vase | A | 7.25 | 9 | yes |\n| Total | | | 15 | |';

test.each<[string, string, Outcome?]>([
  ['how many pieces in all', '15'],
  ['the average of the pieces', '5'],
  ['which item is the most expensive?', 'chair'],
  ['what is the cheapest item', 'vase'],
  ['how much is the cheapest one?', '7.25'],
  ['price of the chair', '40'],
  ['how many pieces of the vase are there?', '9'],
  ['what is the difference in price between the lamp and the chair', '27.5'],
  ['how many items are in stock?', '2', 'count'],
])('%s', (question, answer, outcome) => expect(ask(stock, question, outcome)).toBe(answer));

test.each([
  ['白色的有几款', '2'],
  ['KX-18S比KX-18贵多少', '60'],
  ['黑色那款功率多大?', '1500'],
  ['最安静的是哪款', 'KX-18S'],
])('%s', (question, answer) =>
  expect(
    ask(
      '型号,功率(瓦),噪音(分贝),颜色,售价(元)\nKX-12,800,62,白,129\nKX-18,1200,66,白,179\nKX-18S,1200,58,灰,239\nKP-30,1500,70,黑,299',
      question,
    ),
  ).toBe(answer),
);

test.each([
  ['How many jackets of size L are there in all?', '22'],
  ['How many pieces of the moss ones are there altogether?', '8'],
])('%s', (question, answer) =>
  expect(
    ask(
      'sku,colour,size,qty\nJK-1,slate,M,14\nJK-1,slate,L,3\nJK-1,moss,M,0\nJK-1,moss,L,8\nJK-1,rust,L,11',
      question,
    ),
  ).toBe(answer),
);

test.each([
  ['How much rain fell at Holm over the three days?', '14.6'],
  ['Which station had less than 0.5 of rain?', 'Holm, Varn'],
])('%s', (question, answer) =>
  expect(
    ask(
      'date,station,rain_mm\n2025-04-01,Holm,3.2\n2025-04-02,Holm,0.0\n2025-04-03,Holm,11.4\n2025-04-01,Varn,1.1\n2025-04-02,Varn,0.4',
      question,
    ),
  ).toBe(answer),
);

test('who is left out is not told', () => {
  const rooms = 'Bilik;Tetamu;Sarapan\n101;Encik Sakamoto;ya\n102;Rohana;ya\n103;Bella;tidak';
  expect(ask(rooms, 'Siapa dapat sarapan selain Encik Sakamoto? Nama tetamu')).toBe('Rohana');
});

test('has nothing to say without a table, nor of what no column tells', () => {
  expect(ask('One lamp. Two chairs.', 'how much')).toBeNull();
  expect(ask(stock, 'who sweeps the yard?')).toBeNull();
});

const tickets =
  '| ID | Customer | Topic | Waiting | Priority | Owner |\n|---|---|---|---|---|---|\n| 701 | Brill | login | 3 h | P2 | Sana |\n| 703 | Otter | invoice | 26 h | P3 | – |\n| 707 | Otter | login | 5 h | P2 | Milo |\n| 710 | Fairlop | feature | 50 h | P4 | – |';

test.each([
  ['Which Otter ticket is a P2?', '707'],
  ['Which tickets have no owner?', '703, 710'],
  ['Which Otter ticket is not P2?', '703'],
  ['How many have waited more than 20 h?', '2'],
  ['How tall is 701?', ''],
])('%s', (question, answer) => expect(ask(tickets, question)).toBe(answer));

const fridge =
  '| Reagent | Volume (ml) | Opened | Expires |\n|---|---|---|---|\n| Buffer R | 1000 | – | 15 Nov |\n| Buffer S | 500 | 9 June | 15 Nov |\n| Serum | 100 | 20 June | 4 July |';

test.each([
  ['What expires first?', 'Serum'],
  ['Combined volume of both buffers?', '1500'],
])('%s', (question, answer) => expect(ask(fridge, question)).toBe(answer));

const vegetables =
  '| Sayur | Harga (RM) | Stok |\n|---|---|---|\n| Kangkung | 4.00 | 30 |\n| Kobis | 4.50 | 12 |\n| Bendi | 6.50 | 9 |';

test.each([
  ['Adakah kangkung lebih murah daripada kobis?', true],
  ['Adakah kobis lebih murah daripada kangkung?', false],
  ['Adakah kangkung segar?', null],
])('%s', (question, isSo) =>
  expect(comparesRows(vegetables, { question: read(question), read, words: tables })).toBe(isSo),
);

test('a difference keeps the places of its amounts', () =>
  expect(ask(vegetables, 'Apakah beza harga antara bendi dan kangkung?')).toBe('2.50'));

test.each(['()', '$', '元', '('])('a row that begins with “total” and many “%s” is read at once', (sign) =>
  expect(settings.tables.total.test(`total ${sign.repeat(10_000)}a`)).toBe(false),
);
test.each(['Total', 'Grand total (RM)', 'TOTAL: $', 'Balance due', 'Jumlah besar', '合计（元）'])(
  '“%s” begins a sum',
  (cell) => expect(settings.tables.total.test(cell)).toBe(true),
);

test('a code that no row has is not told, one that a row has is', () => {
  const fleet =
    '| vehicle | driver | cost |\n|---|---|---|\n| VR-101 | Aina | 1200 |\n| VR-102 | Chong | 1425 |';
  expect(ask(fleet, 'What is the cost of VR-199?')).toBe('');
  expect(ask(fleet, 'What is the cost of VR-102?')).toBe('1425');
  expect(ask(fleet, 'In the report R7, what is the cost of VR-102?')).toBe('1425');
});

test('an amount that is asked for may stand beside the table', () => {
  const text = `A late return costs RM 60.\n\n${stock}`;
  const place = { text: 'RM 60', start: 20, end: 25, score: -1 };
  const question = read('How much does a late return cost?');
  const asked = { question, read, words: tables, outcome: 'span' as const };
  expect(answerFromTable(text, { ...asked, reading: { ...reading, place } })).toBeNull();
});

const years = '| year | members |\n|---|---|\n| 2020 | 88 |\n| 2021 | 81 |\n| 2022 | 97 |';

test.each<[string, string]>([
  ['How many members were there in 2019?', ''],
  ['How many members were there in 2021?', '81'],
])('%s: “%s”', (question, answer) => expect(ask(years, question)).toBe(answer));

test('a day that no row has is not told, one group more than another is a difference', () => {
  expect(ask('| 日期 | 温度 |\n|---|---|\n| 5日 | 31 |\n| 6日 | 28 |', '8日的温度是多少？')).toBe('');
  expect(
    ask(
      '| 班级 | 册数 |\n|---|---|\n| 一班 | 132 |\n| 二班 | 98 |\n| 三班 | 147 |',
      '三班比二班多借了多少册？',
    ),
  ).toBe('49');
});
