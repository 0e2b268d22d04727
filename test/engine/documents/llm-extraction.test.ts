/** Values that a chat pack answers, held against the page. */
import { describe, expect, test } from 'vitest';
import { findValue } from '../../../server/engine/documents/llm-extraction/find-value.ts';
import { groundValues } from '../../../server/engine/documents/llm-extraction/ground-values.ts';
import type { PageLine } from '../../../server/engine/documents/types.ts';
import { coldStore } from '../../support/documents/cold-store.ts';

/** Lines of words, each word a tenth of the page wide. */
function page(number: number, ...texts: string[]): PageLine[] {
  return texts.map((text, row) => ({
    page: number,
    text,
    bbox: [0, row / 10, 1, (row + 1) / 10],
    words: text
      .split(' ')
      .map((word, at) => ({ text: word, bbox: [at / 10, row / 10, (at + 1) / 10, (row + 1) / 10] })),
  }));
}

const lines = [
  ...page(1, 'Cold store report', 'credit RM 1,212.50 paid', 'on 3/4/2026 by Siti', 'Rahman binti Ali'),
  ...page(2, '合计:88.00元', 'Deliver to: 12 Jalan Ampang'),
];

describe('where a value stands', () => {
  test('its words, also over two lines and pages on', () => {
    expect(findValue('Siti Rahman', lines)).toMatchObject({
      page: 1,
      bbox: [0, 0.2, 0.4, 0.4],
      raw: 'Siti Rahman',
    });
    expect(findValue('12 jalan  ampang', lines)).toMatchObject({ page: 2, raw: '12 Jalan Ampang' });
    expect(findValue('1,212.50', lines)).toMatchObject({ page: 1, bbox: [0.2, 0.1, 0.3, 0.2] });
    expect(findValue('88.00', lines)).toMatchObject({ page: 2 });
  });

  test.each(['212.50', '1,212', '12.50', 'red', 'Sit', 'Siti Ali', 'paid on 4', '', ' ', '...', '.*'])(
    'nowhere: %j',
    (text) => expect(findValue(text, lines)).toBeNull(),
  );
});

describe('what is accepted', () => {
  test('values on the page, read as their type; of the rest the names', () => {
    const answer = {
      checked_by: 'Siti Rahman',
      total: 'RM 1,212.50',
      checked: '3/4/2026',
      code: 'Siti',
      reference: 'PSP-77',
    };
    const { fields, dropped } = groundValues({ answer, wanted: coldStore.fields, lines, found: {} });
    expect(Object.entries(fields).map(([name, { value, page: at }]) => [name, value, at])).toEqual([
      ['checked_by', 'Siti Rahman', 1],
      ['total', 1212.5, 1],
      ['checked', '2026-04-03', 1],
    ]);
    expect(dropped).toEqual(['reference', 'code']);
    expect(Math.max(...Object.values(fields).map(({ confidence }) => confidence))).toBeLessThan(0.9);
  });

  test('one place is one field’s', () => {
    const bbox: [number, number, number, number] = [0, 0, 0.1, 0.1];
    const evidence = { rule: 'label' as const, sources: [] };
    const found = { reference: { value: '88', confidence: 1, page: 2, bbox, raw: '88', evidence } };
    const wanted = [
      { name: 'total', type: 'amount' },
      { name: 'paid', type: 'amount' },
    ] as const;
    const answer = { total: '88.00', paid: '88.00' };
    const twice = [...lines, ...page(3, '88.00')];
    const { fields, dropped } = groundValues({ answer, wanted, lines: twice, found });
    expect(fields.total).toMatchObject({ value: 88, page: 3 });
    expect(dropped).toEqual(['paid']);
  });

  test('nothing said is nothing dropped, and other kinds of values count as nothing', () => {
    const answer = { reference: null, total: 88, checked_by: '', unasked: 'Siti' };
    const accepted = groundValues({ answer, wanted: coldStore.fields, lines, found: {} });
    expect(accepted).toEqual({ fields: {}, dropped: [], confidence: 0 });
  });
});
