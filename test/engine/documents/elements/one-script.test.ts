/** Recognized pages in traditional print have traditional characters, others stay as they were read. */

import { expect, test } from 'vitest';
import type { Word } from '../../../../server/engine/documents/document.ts';
import { withOneScript } from '../../../../server/engine/documents/elements/one-script.ts';

const words = (text: string, source: Word['source'] = 'recognition'): Word[] =>
  text.split(' ').map((part, at) => ({
    text: part,
    box: [60 * at, 0, 60 * at + 50, 10],
    baseline: 8,
    size: 10,
    bold: false,
    turned: false,
    source,
  }));
const read = (text: string, source?: Word['source']): string =>
  withOneScript(words(text, source))
    .map((word) => word.text)
    .join(' ');

test.each([
  ['電話 發票 深水埗福华街132号地下', '電話 發票 深水埗福華街132號地下'],
  ['多謝你 電話 佣金 急症室', '多謝你 電話 佣金 急症室'],
  ['金鳯凰冰室 收銀機 總計 $48', '金鳳凰冰室 收銀機 總計 $48'],
])('%s is traditional throughout', (text, whole) => {
  expect(read(text)).toBe(whole);
});

test.each(['合肥市蜀山区丁香路355号 电话 发票', '发票号码 电话 总计 单价 数量 货號', 'Receipt No. 4471 号'])(
  '%s stays as it was read',
  (text) => {
    expect(read(text)).toBe(text);
  },
);

test('a text layer is never changed', () => {
  expect(read('電話 發票 總計 福华街132号', 'text_layer')).toBe('電話 發票 總計 福华街132号');
});
