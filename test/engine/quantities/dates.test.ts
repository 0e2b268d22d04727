import { expect, test } from 'vitest';
import { dayOfMail, findDates, readDayOrder } from '../../../server/engine/quantities/dates.ts';

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
  ['2026-02-0918:36', '2026-02-09'],
  ['09/02/202618:36', '2026-02-09'],
  ['09/02/2618:36:10', '2026-02-09'],
  ['09/02/2026:08:30:11', '2026-02-09'],
  ['09/02/2018:08:30:11', '2018-02-09'],
  ['7. září 2026', '2026-09-07'],
  ['3. toukokuuta 2026', '2026-05-03'],
  ['14. marraskuuta 2026', '2026-11-14'],
  ['1 Şubat 2026', '2026-02-01'],
  ['2026. március 8.', '2026-03-08'],
  ['5 fevrier 2026', '2026-02-05'],
  ['Jan 9,2025', '2025-01-09'],
  ['2025/ 4/ 3 (Thu)', '2025-04-03'],
])('%s', (text, iso) => {
  expect(findDates(text, 'day-first').map((date) => date.iso)).toEqual([iso]);
});

test.each([
  ['Tue, 10 Mar 2026 09:12:00 +0800', '2026-03-10'],
  ['1 Feb 2026 23:59 GMT', '2026-02-01'],
  ['Sun, 1 Feb 2026 7:05:09 -0500 (EST)', '2026-02-01'],
  ['Tue, 10 Mar 2026', null],
  ['10 Mar 2026 09:12:00 +0800, in Ipoh', null],
])('the day of a mail: %s', (text, iso) => {
  expect(dayOfMail(text)).toBe(iso);
});

test.each(['25年3月2日', '12 Mar 2026,50', '2 SET 12', '5 Outlet 2024', '二〇二六年十三月四日'])(
  'no date: %s',
  (text) => {
    expect(findDates(text, 'day-first')).toEqual([]);
  },
);

test.each([
  ['ALL DATES MM/DD/YY.', 'month-first'],
  ['Dates are DD.MM.YYYY', 'day-first'],
] as const)('the order that a paper tells goes before all others: %s', (text, order) => {
  expect(readDayOrder(['03/12/25', '04/11/25', text], order === 'day-first' ? 'USD' : 'CAD')).toBe(order);
});
