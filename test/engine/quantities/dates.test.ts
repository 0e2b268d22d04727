import { expect, test } from 'vitest';
import { findDates } from '../../../server/engine/quantities/dates.ts';

test.each([
  ['日期：二〇二六年四月十六日', '2026-04-16'],
  ['二零二五年十二月三十一日', '2025-12-31'],
  ['中華民國115年3月25日', '2026-03-25'],
  ['115年3月25日', '2026-03-25'],
  ['民國99年1月2日', '2010-01-02'],
  ['Thu 9 Apr 2026, 10:14 am', '2026-04-09'],
  ['2 de setembro de 2026', '2026-09-02'],
  ['14 OUT 2026', '2026-10-14'],
  ['3 ago 2026', '2026-08-03'],
  ['16 Desember 2026', '2026-12-16'],
  ['5 gen 2026', '2026-01-05'],
  ['2026-Mar-08', '2026-03-08'],
])('%s', (text, iso) => {
  expect(findDates(text, 'day-first').map((date) => date.iso)).toEqual([iso]);
});

test.each(['25年3月2日', '12 Mar 2026,50', '2 SET 12', '5 Outlet 2024', '二〇二六年十三月四日'])(
  'no date: %s',
  (text) => {
    expect(findDates(text, 'day-first')).toEqual([]);
  },
);
