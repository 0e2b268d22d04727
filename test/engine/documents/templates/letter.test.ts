/** Letters in prose: what they tell without labels. */

import { expect, test } from 'vitest';
import { makePdf, parse, valuesOf } from '../helpers.ts';

test('date, addressee, subject and sender of a letter', async () => {
  const lines = [
    'Harbour Light Trust',
    '4 Quay Street, Exeter EX1 1AA',
    '',
    '3 May 2026',
    '',
    'Ms Ada Penrose',
    '12 Mill Lane',
    'Truro TR1 2AB',
    '',
    'Dear Ms Penrose,',
    '',
    'Re: Your visit in June',
    'Thank you for your letter. We look forward to seeing you on the second Friday of the month',
    'and will send you the programme in good time.',
    '',
    'Yours sincerely,',
    '',
    'Tom Hale',
  ];
  const pdf = await makePdf((_, text) => {
    for (const [at, line] of lines.entries()) if (line !== '') text(line, 60, 80 + 16 * at);
  });
  const { type, fields } = await parse(pdf);
  expect(type).toBe('generic');
  expect(valuesOf(fields)).toMatchObject({
    date: '2026-05-03',
    addressee: 'Ms Ada Penrose, 12 Mill Lane, Truro TR1 2AB',
    subject: 'Your visit in June',
    sender: 'Tom Hale',
  });
});

test('without a salutation there is no letter', async () => {
  const pdf = await makePdf((_, text) => {
    text('3 May 2026', 60, 80);
    text('The harbour was quiet and the boats lay still on the water.', 60, 110);
    text('Regards', 60, 140);
    text('Tom Hale', 60, 170);
  });
  expect((await parse(pdf)).fields).toEqual({});
});

test('a mail tells its day as ISO 8601 and its subject once', async () => {
  const head =
    'From: Ana <ana@x.example>\nMIME-Version: 1.0\nSubject: Re: Quote\nDate: Tue, 10 Mar 2026 09:12:00 +0800\n';
  const { fields } = await parse(Buffer.from(`${head}\nDear Bo,\n\nHere it is.\n\nRegards\nAna\n`));
  expect(valuesOf(fields)).toMatchObject({ date: '2026-03-10', subject: 'Quote', sender: 'Ana' });
  expect(fields).not.toHaveProperty('re');
  expect(fields.date?.raw).toBe('Tue, 10 Mar 2026 09:12:00 +0800');
});
