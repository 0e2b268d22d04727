/** The shipped starter on receipts, invoices and tickets of strangers: what stands there is told, and nothing is made up. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../../../server/engine/engine.ts';
import { say } from '../../../bench/chat-quality/asking.ts';
import { fillStrict } from '../../../support/chat/fill-strict.ts';
import { openStarter } from '../../../support/chat/open-starter.ts';

let engine: Engine<'chat'>;

beforeAll(async () => {
  engine = await openStarter();
});
afterAll(() => engine?.close());

const answer = async (passage: string, question: string) =>
  (await say(engine, { messages: [{ role: 'user', content: `Passage: ${passage}\nQuestion: ${question}` }] }))
    .text;

describe('values beside labels', () => {
  const receipt =
    'CORNER SHOP\nTill 4\nSoap  3.10\nTea 2.20\nCandles  6.00\nSubtotal  11.30\nVAT 20%  2.26\nTOTAL EUR  13.56\nCard  13.56';
  test.each([
    ['What is the total?', '13.56'],
    ['What is the total amount in EUR?', '13.56'],
    ['What is the total on the shop receipt?', '13.56'],
    ['How much is the VAT?', '2.26'],
    ['What is the subtotal?', '11.30'],
    ['Berapakah jumlahnya?', '13.56'],
    ['总额是多少？', '13.56'],
  ])('%s', async (question, value) => expect(await answer(receipt, question)).toBe(value));

  test('in a text of one line', async () =>
    expect(await answer('TOTAL USD  41.90', 'What is the total amount in USD?')).toBe('41.90'));

  const invoice =
    'Invoice date: 2 February 2026\nDue date: 4 March 2026\nDelivered: 1 February 2026\nOrder no: QX-118\nBalance due: £90.00';
  test.each([
    ['When is the invoice due?', '4 March 2026'],
    ['When was the invoice issued?', '2 February 2026'],
    ['When was it delivered?', '1 February 2026'],
    ['What is the order number?', 'QX-118'],
    ['What is the balance due?', '£90.00'],
    ['Bila invois ini perlu dibayar?', '4 March 2026'],
    ['发票什么时候到期？', '4 March 2026'],
  ])('%s', async (question, value) => expect(await answer(invoice, question)).toBe(value));

  test('in other languages', async () => {
    expect(await answer('Tarikh invois: 5/1/2026\nTarikh akhir: 4/2/2026', 'Bila tarikh akhir?')).toBe(
      '4/2/2026',
    );
    expect(await answer('开票日期：2026年1月5日\n到期日：2026年2月4日\n合计：88.00', '到期日是哪天？')).toBe(
      '2026年2月4日',
    );
  });
});

describe('fields', () => {
  const fill = (content: string, properties: object) => fillStrict(engine, content, properties);
  const number = { type: 'number' };
  const boolean = { type: 'boolean' };

  test.each([
    ['Parcel B-118 cost me 64.50 EUR.\nIngrid\n+47 912 34 567', 64.5],
    ['I sent 80 pounds from GB33 BUKB 2020 1555 5555 55 with card 5500 0000 0000 0004.', 80],
    ['Sila hubungi 013-222 7788. Saya bayar RM 37.40 pada 3 Mei 2026.', 37.4],
    ['电话 139 8765 4321，2026年5月3日付了 52.8 元。', 52.8],
  ])('no piece of a longer number is an amount: %s', async (content, amount) =>
    expect(await fill(content, { amount: number })).toEqual({ amount }),
  );

  test('a phone alone is no amount', async () =>
    expect(await fill('Call me at +34 699 111 222.', { amount: { type: ['number', 'null'] } })).toEqual({
      amount: null,
    }));

  test.each([
    ['Good morning to all of you.', false],
    ['The parcel is here, thanks, there is no hurry.', false],
    ['Please answer at once, this is an emergency!', true],
    ['Terima kasih, semuanya baik.', false],
    ['请立刻处理！', true],
  ])('urgent: %s', async (content, urgent) =>
    expect(await fill(content, { urgent: boolean })).toEqual({ urgent }),
  );

  test('nothing told', async () => {
    const category = { type: 'string', enum: ['returns', 'login', 'abuse', 'other'] };
    const sentiment = { type: 'string', enum: ['positive', 'negative', 'neutral'] };
    const currency = { type: ['string', 'null'], enum: ['EUR', 'USD', 'GBP', null] };
    for (const content of [' ', 'ok', 'Just saying hi.'])
      expect(await fill(content, { angry: boolean, category, sentiment, currency })).toEqual({
        angry: false,
        category: 'other',
        sentiment: 'neutral',
        currency: null,
      });
    expect(await fill('I was at the desk 4 of Jon Hall.', { currency: { type: 'string' } })).toEqual({
      currency: '',
    });
  });

  test('names of a schema by the words that speak for them', async () => {
    const category = { type: 'string', enum: ['refund', 'login', 'billing', 'abuse', 'other'] };
    const priority = { type: 'string', enum: ['low', 'medium', 'high'] };
    expect(await fill('I forgot my password and cannot sign in.', { category, priority })).toEqual({
      category: 'login',
      priority: 'high',
    });
    expect(
      await fill('Whenever you have time: the invoice shows a wrong payment.', { category, priority }),
    ).toEqual({ category: 'billing', priority: 'low' });
    expect(
      await fill('The hall is on floor 3.', {
        sentiment: { type: 'string', enum: ['positive', 'negative'] },
      }),
    ).toEqual({ sentiment: expect.any(String) });
  });
});
