/**
 * How much of the development documents is read right. Null: not in this version (scans, ink) or no data to measure it
 * on. Tables: adjacency relations, detection and structure together (ICDAR 2013, mean of documents). Fields: exact
 * match. Receipts are read from their annotated text lines, without recognition. Calibration: of the fields scored 0.9
 * and more, the share that is right.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { findDates } from '../../server/engine/documents/fields/dates.ts';
import { toReading } from '../../server/engine/documents/fields/reading.ts';
import { readInvoice } from '../../server/engine/documents/templates/invoice.ts';
import type { FieldEntry } from '../../server/engine/documents/types.ts';
import { type Receipt, receiptPage, sameText } from '../support/documents/sroie.ts';
import { folder } from './documents/data.ts';
import { measureForms } from './documents/forms.ts';
import { parse } from './documents/parse.ts';
import { measureCards, measureZones } from './documents/specimens.ts';
import { measureTables } from './documents/tables.ts';
import { measureWords } from './documents/words.ts';
import { rounded } from './measure.ts';

/** Fields judged so far, for calibration. */
class Judge {
  right = 0;
  all = 0;
  sure = 0;
  sureRight = 0;

  add(field: FieldEntry | undefined, matches: (value: unknown) => boolean): void {
    const right = field !== undefined && matches(field.value);
    this.all++;
    if (right) this.right++;
    if (field === undefined || field.confidence < 0.9) return;
    this.sure++;
    if (right) this.sureRight++;
  }

  share(): number | null {
    return this.all === 0 ? null : rounded(this.right / this.all);
  }
}

/** Field names of the expected files and ours. */
const invoiceFields: [theirs: string, ours: string][] = [
  ['invoice_number', 'invoice_number'],
  ['date', 'invoice_date'],
  ['amount', 'total'],
  ['amount_untaxed', 'subtotal'],
  ['currency', 'currency'],
  ['issuer', 'seller_name'],
  ['date_due', 'due_date'],
  ['iban', 'iban'],
  ['bic', 'bic'],
  ['vat', 'seller_tax_id'],
];

async function measureInvoices(judge: Judge): Promise<void> {
  const source = folder('doc-invoice2data-dev');
  if (!source) return;
  for (const file of readdirSync(source).filter((name) => name.endsWith('.pdf'))) {
    const [expected] = JSON.parse(readFileSync(new URL(file.replace('.pdf', '.json'), source), 'utf8'));
    const { fields } = await parse(readFileSync(new URL(file, source)));
    for (const [theirs, ours] of invoiceFields) {
      if (expected[theirs] === undefined) continue;
      judge.add(
        fields[ours],
        (value) => value === expected[theirs] || sameText(String(value), String(expected[theirs])),
      );
    }
  }
}

function measureReceipts(judge: Judge, quick: boolean): void {
  const source = folder('doc-sroie-dev');
  if (!source) return;
  const text = gunzipSync(readFileSync(new URL('receipts.jsonl.gz', source))).toString('utf8');
  const receipts = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Receipt);
  for (const receipt of quick ? receipts.slice(0, 20) : receipts) {
    const reading = toReading([receiptPage(receipt)]);
    const fields = readInvoice(reading);
    const total = Number(receipt.total.replace(/[^\d.]/g, ''));
    judge.add(fields.seller_name, (value) => sameText(String(value), receipt.company));
    judge.add(fields.seller_address, (value) => sameText(String(value), receipt.address));
    judge.add(fields.invoice_date, (value) => value === findDates(receipt.date, reading.dayOrder)[0]?.iso);
    judge.add(fields.total, (value) => Math.abs(Number(value) - total) < 0.005);
  }
}

export async function run({ quick }: { quick: boolean }): Promise<object> {
  const tables = await measureTables(quick);
  const forms = await measureForms(quick);
  const invoices = new Judge();
  await measureInvoices(invoices);
  const receipts = new Judge();
  measureReceipts(receipts, quick);
  const identity = new Judge();
  const add = identity.add.bind(identity);
  const passport = await measureZones(add, quick);
  const mykad = await measureCards(add, quick);
  const judges = [invoices, receipts, identity];
  const sure = judges.reduce((sum, judge) => sum + judge.sure, 0);
  const sureRight = judges.reduce((sum, judge) => sum + judge.sureRight, 0);
  return {
    words: await measureWords(quick),
    tables,
    fields: {
      invoice: invoices.share(),
      receipt: receipts.share(),
      passport,
      mykad,
    },
    ...forms,
    calibration: sure === 0 ? null : rounded(sureRight / sure),
  };
}
