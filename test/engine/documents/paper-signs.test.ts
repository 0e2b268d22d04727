/** Papers that nothing was tuned on: their kind, currency, number, date and the rest to pay, told by several signs. */

import { describe, expect, test } from 'vitest';
import { toDocumentText } from '../../../server/engine/documents/fields/reading.ts';
import {
  readInvoice,
  readLikelyInvoice,
} from '../../../server/engine/documents/templates/invoice/invoice.ts';
import { addressOnly } from '../../../server/engine/documents/templates/invoice/parties/sender-lines.ts';
import { Sheet, toPage } from '../../support/documents/generated/sheet.ts';

const exact = { slip: 0, join: 0, jitter: 0 };
const textOf = (sheet: Sheet) => toDocumentText([toPage(sheet, exact, 1)]);

const letter = (): Sheet => new Sheet(560, { size: 9 });
const slip = (): Sheet => new Sheet(260, { size: 9 });

describe('the kind of a paper', () => {
  test('a slip without a title whose prices have one decimal is a receipt', () => {
    const sheet = slip()
      .line('明珠茶餐廳', 'center', { size: 12 })
      .line('旺角通菜街88號地下', 'center')
      .line('單號：B1182', 'left')
      .line('2025/03/09', 'left')
      .pair('叉燒飯', '48.0')
      .pair('凍奶茶', '22.0')
      .pair('總計', '$70.0')
      .pair('現金', '100.0')
      .pair('找續', '30.0')
      .line('多謝惠顧', 'center');
    const fields = readLikelyInvoice(textOf(sheet));
    expect(fields?.total?.value).toBe(70);
    expect(fields?.currency?.value).toBe('HKD');
    expect(fields?.invoice_number?.value).toBe('B1182');
  });

  test('a bill of a pub without a title is a receipt, told by table, covers and server', () => {
    const sheet = slip()
      .line('The Two Otters', 'center', { size: 15 })
      .line('27 Weir Street, Ledbury HR8 1ZZ', 'center')
      .pair('Table 14', 'Covers 3')
      .pair('Server: Iwan', 'Sun 15 Mar 26')
      .pair('2 Sunday roast', '39.00')
      .pair('1 Nut roast', '16.80')
      .pair('Sub total', '55.80')
      .pair('Discretionary service 12.5%', '6.98')
      .pair('To pay', '62.78')
      .line('VAT reg 555 0274 18', 'center')
      .line('Thank you', 'center');
    expect(readLikelyInvoice(textOf(sheet))?.total?.value).toBe(62.78);
  });

  test('a Swedish invoice is one', () => {
    const sheet = letter()
      .line('Holmvik Båtservice AB', 'left', { size: 12 })
      .line('FAKTURA / Invoice', 'right', { size: 14 })
      .line('Fakturanr: 20417', 'left')
      .line('Fakturadatum: 2025-05-02', 'left')
      .pair('Vinterförvaring', '4 000,00')
      .pair('Moms 25 %', '1 000,00')
      .pair('ATT BETALA SEK', '5 000,00');
    const fields = readLikelyInvoice(textOf(sheet));
    expect(fields?.invoice_number?.value).toBe('20417');
    expect(fields?.total?.value).toBe(5000);
    expect(fields?.currency?.value).toBe('SEK');
  });

  test('a letter that tells a price is none', () => {
    const sheet = letter()
      .line('Dear Ms Lowe,', 'left')
      .line('the amount of 120.00 that you asked about was in our letter of May.', 'left')
      .line('Kind regards', 'left');
    expect(readLikelyInvoice(textOf(sheet))).toBeNull();
  });
});

describe('what a paper does not say plainly', () => {
  test('the currency is that of the country where none is printed', () => {
    const sheet = slip()
      .line('KEDAI BUKU ILMU SDN BHD', 'center', { size: 11 })
      .line('NO 4, JALAN BESAR, 34000 TAIPING', 'center')
      .line('CASH SALE', 'center')
      .pair('Kamus', '24.00')
      .pair('TOTAL', '24.00');
    expect(readInvoice(textOf(sheet)).currency).toMatchObject({ value: 'MYR', confidence: 0.7 });
  });

  test('a number below the title is the paper’s, in groups whole', () => {
    const below = letter()
      .line('Casa Ribeira, Lda.', 'left', { size: 12 })
      .line('FATURA-RECIBO', 'left')
      .line('FR A25/2291', 'left')
      .pair('Total', '45,00 €');
    expect(readInvoice(textOf(below)).invoice_number?.value).toBe('FR A25/2291');
    const groups = letter().line('Rechnungsnummer: 7201 448 093', 'left').pair('Gesamtbetrag', '45,00 €');
    expect(readInvoice(textOf(groups)).invoice_number?.value).toBe('7201 448 093');
  });

  test('a date in the table of goods is not the paper’s', () => {
    const sheet = letter()
      .line('Praxis am Ried', 'left', { size: 12 })
      .line('Rechnung Nr. 24-1905', 'left')
      .line('Dielsdorf, 12.03.2025', 'left')
      .at('Datum', 40)
      .at('Leistung', 120)
      .at('Betrag CHF', 450)
      .down()
      .at('04.02.2025', 40)
      .at('Therapie', 120)
      .at('49.45', 450)
      .down()
      .pair('Total CHF', '49.45');
    expect(readInvoice(textOf(sheet)).invoice_date?.value).toBe('2025-03-12');
  });

  test('the rest after a deposit is the total, unless it was paid as well', () => {
    const sums = (): Sheet =>
      letter()
        .line('INVOICE', 'left', { size: 14 })
        .line('Alder Heating Ltd', 'left')
        .pair('Subtotal', '$848.00')
        .pair('Sales tax', '$43.55')
        .pair('Total', '$891.55');
    const open = sums().pair('Deposit received', '-$200.00').pair('BALANCE DUE', '$691.55');
    expect(readInvoice(textOf(open)).total?.value).toBe(691.55);
    const settled = sums()
      .pair('Deposit received', '-$200.00')
      .pair('Remaining', '$691.55')
      .pair('Paid by Visa', '$691.55');
    expect(readInvoice(textOf(settled)).total?.value).toBe(891.55);
  });

  test('an address ends before another that a label tells, and before a telephone', () => {
    expect(addressOnly('Physical: 3 Iron Road, Durban, 4052 | Postal: PO Box 77, Mobeni, 4060')).toBe(
      '3 Iron Road, Durban, 4052',
    );
    expect(addressOnly('0118 – 55 50 17')).toBe('');
    expect(addressOnly('Filiale 17 - Marktplatz 3')).toBe('Marktplatz 3');
  });
});

describe('lines that belong together, and lines that do not', () => {
  const bill = (): Sheet => letter().line('INVOICE', 'right', { size: 12 }).down();

  test('a name in large print is whole, and has the trade above it', () => {
    const large = bill()
      .line('Tuinderij', 'left', { size: 16 })
      .line('De Vier Linden', 'left', { size: 16 })
      .line('Kerkstraat 4', 'left')
      .line('3511 AB Utrecht', 'left')
      .pair('Totaal', '€ 49,95');
    expect(readInvoice(textOf(large)).seller_name?.value).toBe('Tuinderij De Vier Linden');
    const traded = slip()
      .line('ESTACIÓN DE SERVICIO', 'center')
      .line('LOS OLIVOS, S.L.', 'center', { size: 11 })
      .line('C/ Mayor, 14', 'center')
      .line('30169 MURCIA', 'center')
      .pair('TOTAL', '49,95 €');
    expect(readInvoice(textOf(traded)).seller_name?.value).toBe('ESTACIÓN DE SERVICIO LOS OLIVOS, S.L.');
  });

  test('an address ends before the head of the table and before a sum', () => {
    const sheet = bill()
      .line('Harbour Joinery Ltd', 'left', { size: 12 })
      .line('4 Quay Street', 'left')
      .line('Whitby YO21 1AA', 'left')
      .down()
      .line('Received from: Marcus Whitfield', 'left')
      .line('77 Larch Court, Kettering NN16 0AB', 'left')
      .line('Amount: £250.00', 'left')
      .pair('Total', '£250.00');
    const fields = readInvoice(textOf(sheet));
    expect(fields.buyer_name?.value).toBe('Marcus Whitfield');
    expect(String(fields.buyer_address?.value ?? '')).not.toContain('Amount');
  });

  test('a buyer behind a label is not the seller, and has no address in the name', () => {
    const sheet = bill()
      .line('Brook Consulting LLP', 'left', { size: 12 })
      .line('4 Harbour Row, Bristol BS1 5TT', 'left')
      .line('Customer: Hallam & Sons Ltd, 22 Mill Lane, Leeds LS2 8AA', 'left')
      .pair('Amount due', '£2,517.00');
    const fields = readInvoice(textOf(sheet));
    expect(fields.seller_name?.value).toBe('Brook Consulting LLP');
    expect(fields.buyer_name?.value).toBe('Hallam & Sons Ltd');
  });

  test('a number may look like a date, which is then not the date', () => {
    const sheet = letter()
      .line('FACTURE N° 2025-09-03', 'left')
      .line('Tours, le 15 septembre 2025', 'left')
      .pair('Net à payer', '640,00 €');
    expect(readInvoice(textOf(sheet))).toMatchObject({
      invoice_number: { value: '2025-09-03' },
      invoice_date: { value: '2025-09-15' },
    });
  });

  test('a yen is not a yuan', () => {
    const sheet = letter()
      .line('請求書', 'center')
      .line('東京都台東区浅草橋3-12-8', 'left')
      .pair('合計金額', '¥48,400');
    expect(readInvoice(textOf(sheet)).currency?.value).toBe('JPY');
    const eatery = slip()
      .line('东京日本料理', 'center', { size: 12 })
      .line('上海市南京西路88号', 'center')
      .pair('合计', '¥128.50');
    expect(readInvoice(textOf(eatery)).currency?.value).toBe('CNY');
  });
});
