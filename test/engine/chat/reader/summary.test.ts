import { describe, expect, test } from 'vitest';
import { emptyReading, type Reading } from '../../../../server/engine/chat/reader/reader.ts';
import { summaryOf } from '../../../../server/engine/chat/reader/summary.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

/** A reading to whose network all sentences weigh the same. */
const reading = (...sentences: string[]): Reading => ({
  ...emptyReading(),
  sentences: sentences.map((text, at) => ({ text, start: at * 100, score: 0 })),
});

const letter = reading(
  'Dear neighbours,',
  'The lift in block C stops from 9 to 11 March.',
  'It has been a long winter for all of us.',
  'Mr Okonjo carries groceries for those who ring 0161 555 0137.',
  'Kind regards.',
);

describe('a summary', () => {
  test('has what comes first, figures and names, and no greeting', () =>
    expect(summaryOf(letter, 'Summarize this in two sentences.', settings)).toBe(
      'The lift in block C stops from 9 to 11 March. Mr Okonjo carries groceries for those who ring 0161 555 0137.',
    ));

  test('of one sentence has two of the text in it', () =>
    expect(summaryOf(letter, 'Summarize this in one sentence.', settings)).toBe(
      'The lift in block C stops from 9 to 11 March; Mr Okonjo carries groceries for those who ring 0161 555 0137.',
    ));

  test('keeps to the words it was given', () => {
    expect(summaryOf(letter, 'Summarize this in at most 11 words.', settings)).toBe(
      'The lift in block C stops from 9 to 11 March.',
    );
    const notice = reading('本周六上午九点起停水三小时。', '请各位邻居提前储水。', '谢谢大家的理解和支持！');
    expect(summaryOf(notice, '请概括，字数不超过15。', settings)).toBe('本周六上午九点起停水三小时。');
  });

  test('tells what a text comes back to, and cuts nothing where no limit asks for it', () => {
    const minutes = reading(
      'The owners met on Monday.',
      'The heating needs a new pump.',
      'Everybody thanked those who had come late because of the snow.',
      'An engineer will look at the pump of the heating.',
    );
    expect(summaryOf(minutes, 'Summarize this in one sentence.', settings)).toBe(
      'The owners met on Monday; The heating needs a new pump.',
    );
  });
});
