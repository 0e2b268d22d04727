import { expect, test } from 'vitest';
import { type Draw, makePdf, parse, valuesOf } from './helpers.ts';

const lines =
  (...texts: [value: string, x: number, y: number][]): Draw =>
  (_page, text) => {
    for (const [value, x, y] of texts) text(value, x, y);
    // Enough print for a page whose text layer is believed.
    text('This form is kept for seven years and is not given to others without consent.', 50, 760);
  };

test('labels with their colons in a column, known labels without, values on a line', async () => {
  const bytes = await makePdf((page, text) => {
    lines(
      ['Nama', 50, 100],
      [': Aminah binti Osman', 150, 100],
      ['Alamat', 50, 120],
      [':', 150, 120],
      ['Jalan Ampang 12', 170, 120],
      ['Occupation', 50, 160],
      ['Surveyor of ships', 190, 160],
      ['Emergency contact', 50, 200],
      ['Lim Boon Keat', 190, 200],
      ['Plain words here', 50, 240],
      ['and plain words there', 290, 240],
    )(page, text);
    page.drawLine({ start: { x: 150, y: 842 - 202 }, end: { x: 330, y: 842 - 202 }, thickness: 0.6 });
  });
  const { fields } = await parse(bytes, { template: 'generic' });
  expect(valuesOf(fields)).toEqual({
    nama: 'Aminah binti Osman',
    alamat: 'Jalan Ampang 12',
    occupation: 'Surveyor of ships',
    emergency_contact: 'Lim Boon Keat',
  });
});

test('a ruled table of two columns is pairs', async () => {
  const rows = [
    ['Policy number', 'MY-2026/118'],
    ['Start of cover', '1 March 2026'],
    ['Premium', 'RM 1,240.00'],
  ];
  const bytes = await makePdf((page, text) => {
    lines()(page, text);
    for (let row = 0; row <= rows.length; row++)
      page.drawLine({
        start: { x: 50, y: 742 - row * 20 },
        end: { x: 350, y: 742 - row * 20 },
        thickness: 0.6,
      });
    for (const x of [50, 180, 350])
      page.drawLine({ start: { x, y: 742 }, end: { x, y: 742 - rows.length * 20 }, thickness: 0.6 });
    for (const [row, [label, value]] of rows.entries()) {
      text(label!, 55, 114 + row * 20);
      text(value!, 185, 114 + row * 20);
    }
  });
  const { fields, tables } = await parse(bytes, { template: 'generic' });
  expect(tables).toHaveLength(1);
  expect(valuesOf(fields)).toEqual({
    policy_number: 'MY-2026/118',
    start_of_cover: '2026-03-01',
    premium: 1240,
  });
});

test('what is ticked behind a question, and in a list under it, is the answer', async () => {
  const bytes = await makePdf((page, text) => {
    const box = (x: number, y: number, ticked: boolean): void => {
      page.drawRectangle({ x, y: 842 - y, width: 9, height: 9, borderWidth: 0.8, opacity: 0 });
      if (ticked) page.drawRectangle({ x: x + 2, y: 844 - y, width: 5, height: 5 });
    };
    lines(['Payment:', 50, 100], ['Cash', 140, 100], ['Card', 220, 100])(page, text);
    box(126, 101, false);
    box(206, 101, true);
    text('Meals:', 50, 150);
    for (const [row, meal] of ['Breakfast', 'Lunch', 'Dinner'].entries()) {
      text(meal, 76, 170 + row * 18);
      box(62, 171 + row * 18, row !== 1);
    }
    text('Delivery', 50, 224);
    text('Today', 76, 242);
    box(62, 243, true);
  });
  const { fields } = await parse(bytes, { template: 'generic' });
  expect(valuesOf(fields)).toEqual({ payment: 'Card', meals: 'Breakfast, Dinner' });
});

test('values over several lines are whole: hanging under their first line, or broken as prose is', async () => {
  const prose = [
    'Purpose: the agency received a report regarding a child admitted to the hospital with serious',
    'injuries, and found in the end: nothing that would have called for any of the measures which the',
    'law provides.',
  ];
  const bytes = await makePdf((page, text) => {
    lines(
      ['Address: 12 Jalan Ampang', 50, 100],
      ['50450 Kuala Lumpur', 92.2, 112],
      ['Malaysia', 92.2, 124],
      ['Officer:', 50, 140],
      ['Lim Boon Keat', 150, 140],
      ['Head of claims', 150, 152],
      ['Date: 1 March 2026', 50, 170],
      ['Kuala Lumpur', 78, 182],
      ...prose.map((line, row): [string, number, number] => [line, 50, 220 + 12 * row]),
      ['Signed in the presence of two witnesses.', 50, 300],
    )(page, text);
  });
  const { fields } = await parse(bytes, { template: 'generic' });
  expect(valuesOf(fields)).toEqual({
    address: '12 Jalan Ampang 50450 Kuala Lumpur Malaysia',
    officer: 'Lim Boon Keat Head of claims',
    date: '2026-03-01',
    purpose: prose.join(' ').replace('Purpose: ', ''),
  });
  expect(fields.address!.raw).toBe('12 Jalan Ampang\n50450 Kuala Lumpur\nMalaysia');
});
