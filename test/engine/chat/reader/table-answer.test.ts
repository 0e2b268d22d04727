/** Questions about a table as the pack's words for them are read; the network likes no cell more than another here. */
import { expect, test } from 'vitest';
import { prepareText } from '../../../../server/engine/chat/reader/features.ts';
import {
  emptyReading,
  type Outcome,
  outcomes,
  type Reading,
} from '../../../../server/engine/chat/reader/reader.ts';
import { answerFromTable } from '../../../../server/engine/chat/reader/table-answer.ts';
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

test('who is left out is not told', () => {
  const rooms = 'Bilik;Tetamu;Sarapan\n101;Encik Sakamoto;ya\n102;Rohana;ya\n103;Bella;tidak';
  expect(ask(rooms, 'Siapa dapat sarapan selain Encik Sakamoto? Nama tetamu')).toBe('Rohana');
});

test('has nothing to say without a table, nor of what no column tells', () => {
  expect(ask('One lamp. Two chairs.', 'how much')).toBeNull();
  expect(ask(stock, 'who sweeps the yard?')).toBeNull();
});
