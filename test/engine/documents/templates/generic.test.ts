/** Key-value pairs of letters: which labels are labels, and whose value a number is. */

import { expect, test } from 'vitest';
import { madeHtml } from '../../../support/documents/made-office.ts';
import { makePdf, parse, valuesOf } from '../helpers.ts';

const generic = async (bytes: Uint8Array) => valuesOf((await parse(bytes, { template: 'generic' })).fields);

test('an amount or date before a label is the value of the label before it', async () => {
  const text = 'Monthly rent: RM 1,500 Deposit: RM 3,000\nStart: 1 June 2026 End: 31 May 2027\n';
  expect(await generic(Buffer.from(text))).toEqual({
    monthly_rent: 1500,
    deposit: 3000,
    start: '2026-06-01',
    end: '2027-05-31',
  });
});

test('Chinese labels end in a colon of either width, with no blank behind it', async () => {
  const text =
    '借款合同\n\n合同编号:HT-2026-088\n签订日期:2026年5月6日\n甲方(出借人)：王小明\n借款金额:人民币 200,000 元\n网址:https://a.cn/x:y\n时间:9:30\n';
  expect(await generic(Buffer.from(text))).toEqual({
    合同编号: 'HT-2026-088',
    签订日期: '2026-05-06',
    甲方_出借人: '王小明',
    借款金额: '人民币 200,000 元',
    网址: 'https://a.cn/x:y',
    时间: '9:30',
  });
});

test('rows of a list of amounts are no fields, and a short number is no telephone', async () => {
  const rows =
    '<tr><td>Allowance</td><td>RM</td></tr><tr><td>Transport</td><td>400</td></tr><tr><td>Phone</td><td>120</td></tr>';
  expect(await generic(madeHtml(`<p>Dear Ms Lim,</p><table>${rows}</table>`))).toEqual({});
  const pdf = await makePdf((_, text) => {
    text('Transport 400', 40, 100);
    text('Phone', 40, 116);
    text('120', 97, 116);
  });
  expect(await generic(pdf)).toEqual({});
});

test('a contract with a table of fees is no invoice, unless it is named one', async () => {
  const body = `<p>This agreement is made between Harbour LLP and Tanjung Sdn. Bhd. on 14 March 2026.</p><table>
    <tr><td>Grade</td><td>Hourly rate</td><td>Hours</td><td>Amount</td></tr>
    <tr><td>Partner</td><td>GBP 420.00</td><td>12</td><td>GBP 5,040.00</td></tr>
    <tr><td>Associate</td><td>GBP 260.00</td><td>30</td><td>GBP 7,800.00</td></tr>
    <tr><td>Total</td><td></td><td>42</td><td>GBP 12,840.00</td></tr></table>`;
  const kindOf = async (title: string) => (await parse(madeHtml(`<h1>${title}</h1>${body}`))).type;
  for (const title of ['SERVICES AGREEMENT', 'Perjanjian Perkhidmatan', '服务合同'])
    expect(await kindOf(title)).toBe('generic');
  expect(await kindOf('Services agreement</h1><h1>INVOICE')).toBe('invoice');
});
