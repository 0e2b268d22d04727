/** Questions that name what to choose among, as the pack's words for them are read; the network likes no sentence more than another. */
import { expect, test } from 'vitest';
import { choiceAnswer, optionsIn } from '../../../../server/engine/chat/reader/choice-answer.ts';
import { prepareText } from '../../../../server/engine/chat/reader/features.ts';
import { emptyReading } from '../../../../server/engine/chat/reader/reader.ts';
import { WordTable } from '../../../../server/engine/chat/reader/word-table.ts';
import { settings } from '../../../support/chat/reader-settings.ts';
import { wordTableBytes } from '../../../support/chat/word-table.ts';

const table = new WordTable(wordTableBytes({}));
const choose = (text: string, question: string) =>
  choiceAnswer(question, {
    read: (part) => prepareText(part, table),
    reading: emptyReading(),
    text,
    words: settings.choices,
  });

const ovens =
  'The Norva costs 2,300. The Pell has the largest cavity. The Ostia costs 3,100; it is the quietest of the three.';

test.each([
  [ovens, 'Which oven is the quietest: the Norva, the Pell or the Ostia?', 'Ostia'],
  [ovens, 'Which won a prize: the Norva, the Pell or the Ostia?', ''],
  ['The coach leaves at 9.15.', 'Does the class travel by coach, train or on foot?', 'coach'],
  [
    'Pengangkutan disediakan untuk syif petang dan syif malam sahaja.',
    'Syif manakah yang tidak disediakan pengangkutan: syif malam, syif pagi atau syif petang?',
    'syif pagi',
  ],
  ['我们乘大巴去。', '这次活动是步行、坐地铁还是坐大巴前往？', '大巴'],
])('%s %s', (text, question, answer) => expect(choose(text, question)).toBe(answer));

test('a question that names nothing to choose among is none', () => {
  expect(choose(ovens, 'Which oven is the quietest?')).toBeNull();
  expect(optionsIn('When?', ovens, settings.choices)).toBeNull();
});

test('colons and commas without end are read at once', () => {
  expect(optionsIn(`${':'.repeat(50_000)} a or b`, 'a', settings.choices)?.options).toEqual(['a', 'b']);
  expect(optionsIn(`${'a, '.repeat(50_000)}or b`, 'a', settings.choices)).toBeNull();
});
