/** Papers that hold words or numbers of another kind: each stays what it is. */

import { describe, expect, test } from 'vitest';
import { madeDocx, wordParagraph } from '../../../support/documents/made-office.ts';
import { makePdf, parse, valuesOf } from '../helpers.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a zone', () => {
  const zone = [
    'P<UTOBERG<<INGRID<MARIE<<<<<<<<<<<<<<<<<<<<<<',
    'L898902C36UTO7408122F3204159ZE184226B<<<<<10',
  ];
  const page = (lines: string[]) =>
    makePdf((_, text) => {
      for (const [at, line] of lines.entries()) text(line, 40, 700 + 16 * at, 9);
    });

  test('is one by its check digits', async () => {
    const { type, fields } = await parse(await page(zone));
    expect(type).toBe('passport');
    expect(fields.birth_date?.value).toBe('1974-08-12');
  });

  test('with a single digit that agrees, or an impossible date, is none', async () => {
    const chance = 'L898902C31UTO7408121F3204159ZE184226B<<<<<11';
    expect((await parse(await page([zone[0]!, chance]))).type).toBe('generic');
    // The digit of an expiry in month 34 agrees as well.
    const impossible = 'L898902C36UTO7408122F5034361ZE184226B<<<<<10';
    expect((await parse(await page([zone[0]!, impossible]))).type).toBe('generic');
  });

  test('is not made of the cells of a table', async () => {
    const cells = (line: string) => [line.slice(0, 10), line.slice(10, 20), line.slice(20)].join(',');
    const csv = `${zone.map(cells).join('\n')}\n`;
    expect((await parse(utf8(csv))).type).toBe('generic');
  });
});

test('a note that tells somebody’s MyKad number is no card', async () => {
  const lines = [
    'Visit report',
    'Tenant: Lim Mei Hua, MyKad 850315-10-5522',
    'Meter read: 4471',
    'Keys: two',
  ];
  const { type, fields } = await parse(madeDocx(lines.map((line) => wordParagraph(line)).join('')));
  expect(type).toBe('generic');
  expect(fields.tenant?.value).toBe('Lim Mei Hua, MyKad 850315-10-5522');
});

test('a statement of a bank is no invoice: its holder, account, period and balances by their labels', async () => {
  const rows = [
    ['Date', 'Details', 'Withdrawal', 'Deposit', 'Balance'],
    ['01/03/2026', 'Opening balance', '', '', '2,400.00'],
    ['04/03/2026', 'TNB BILL', '120.40', '', '2,279.60'],
    ['11/03/2026', 'CASH DEPOSIT', '', '300.00', '2,579.60'],
    ['19/03/2026', 'SHELL TAMAN', '80.00', '', '2,499.60'],
    ['28/03/2026', 'GIRO RENT', '900.00', '', '1,599.60'],
    ['', 'Closing balance', '', '', '1,599.60'],
  ];
  const pdf = await makePdf((_, text) => {
    text('SURIA BANK BERHAD', 40, 50, 14);
    text('Statement of Account', 40, 70, 12);
    for (const [at, line] of [
      'Account holder: FARAH BINTI IDRIS',
      'Account no: 2201-7788-1190',
      'Statement period: 01/03/2026 - 31/03/2026',
    ].entries())
      text(line, 40, 100 + 14 * at);
    for (const [at, row] of rows.entries())
      for (const [col, cell] of row.entries())
        if (cell) text(cell, [40, 120, 290, 380, 470][col]!, 170 + 16 * at);
  });
  const { type, fields } = await parse(pdf);
  expect(type).toBe('generic');
  expect(valuesOf(fields)).toMatchObject({
    account_holder: 'FARAH BINTI IDRIS',
    account_no: '2201-7788-1190',
    statement_period: '01/03/2026 - 31/03/2026',
    opening_balance: 2400,
    closing_balance: 1599.6,
  });
});

test('a bill called statement, with a day to pay by, is an invoice; less is enough where the template is asked for', async () => {
  const bill = [
    'STATEMENT',
    'Statement # 88213',
    'Payment due by 10/21/2026',
    'Exam 75.00',
    'You owe $75.00',
  ];
  const read = (lines: string[], template: 'invoice' | null) =>
    parse(utf8(lines.join('\n')), { template }).then(({ type, fields }) => [type, fields.total?.value]);
  expect(await read(bill, 'invoice')).toEqual(['invoice', 75]);
  const slip = ['Kopi', '2026-03-29 08:12:40', 'Total 12.50'];
  expect((await read(slip, null))[0]).toBe('generic');
  expect(await read(slip, 'invoice')).toEqual(['invoice', 12.5]);
});
