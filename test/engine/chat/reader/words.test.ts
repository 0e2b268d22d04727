import { describe, expect, test } from 'vitest';
import { segmentWords, sentenceStarts } from '../../../../server/engine/chat/reader/words.ts';

const forms = (text: string) => segmentWords(text).map(({ form }) => form);

describe('words', () => {
  test('are letters, whole numbers, single Chinese characters, signs and line ends', () =>
    expect(forms('Café RM1,240.50\n他在 3月')).toEqual([
      'cafe',
      'rm',
      '1240.50',
      '\n',
      '他',
      '在',
      '3',
      '月',
    ]));

  test('tell Chinese from letters that touch it', () =>
    expect(forms('请call张三')).toEqual(['请', 'call', '张', '三']));

  test('keep addresses, paths and codes whole, and part what belongs to the grammar', () =>
    expect(forms("Al's ann@x.example.org ~/data/a.nii B1004 user_table 5kg RM5 don't")).toEqual([
      'al',
      "'",
      's',
      'ann@x.example.org',
      '~/data/a.nii',
      'b1004',
      'user_table',
      '5',
      'kg',
      'rm',
      '5',
      "don't",
    ]));

  test('know their places', () => {
    const text = 'ab 12,5 她x。';
    expect(segmentWords(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'ab',
      '12,5',
      '她',
      'x',
      '。',
    ]);
  });
});

describe('sentences', () => {
  const starts = (text: string) => {
    const words = segmentWords(text);
    return sentenceStarts(text, words).sentences.map((at) => words[at]!.form);
  };

  test('end with a stop, not within a number', () =>
    expect(starts('It cost Dr. Yip 3.50 euros. Who paid? 他付了。好')).toEqual(['it', 'who', '他', '好']));

  test('begin with a line', () => expect(starts('Title\n- first\nsecond')).toEqual(['title', '-', 'second']));
});
