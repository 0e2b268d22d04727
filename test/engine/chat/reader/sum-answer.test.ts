import { expect, test } from 'vitest';
import { sumAnswer } from '../../../../server/engine/chat/reader/sum-answer.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

test.each([
  ['What is 17 + 25?', '42'],
  ['what’s 12 x 12', '144'],
  ['How much is 1,250.50 minus 250.5?', '1000'],
  ['calculate (3 + 4) * 2 - 10 / 4', '11.5'],
  ['2+2=', '4'],
  ['0.1 + 0.2', '0.3'],
  ['-5 + 3', '-2'],
  ['1234567 * 7654321', '9449772114007'],
  ['100 divided by 8', '12.5'],
  ['berapakah 7 darab 8?', '56'],
  ['Kira 90 bahagi 4', '22.5'],
  ['12 加 30 等于多少？', '42'],
  ['请计算一下 15÷4', '3.75'],
  ['What is 15% of 240?', '36'],
  ['7.5 percent of 1,000?', '75'],
  ['berapa 6 peratus daripada 1,250.50?', '75.03'],
])('“%s” is worked out', (said, value) => expect(sumAnswer(said, settings.sums)).toBe(value));

test.each([
  'What is 2026-11-27?',
  '603-7788-1234',
  'What is 42?',
  '5 / 0',
  '(3 + 4',
  '3 +',
  '9007199254740991 * 3',
  'What is 12 + 30 in the table?',
  `${'('.repeat(100)}1+1${')'.repeat(100)}`,
  `1${' + 1'.repeat(60)}`,
  'Is 2 + 2 5?',
  '1.2.3% of 240',
  '5% of 2..4',
])('“%s” is not', (said) => expect(sumAnswer(said, settings.sums)).toBe(null));
