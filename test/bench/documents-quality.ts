/**
 * How much of the development documents is read right, with the
 * names of those not reached as `below`. Null: no data to measure it on. Tables: adjacency relations, detection and
 * structure together (ICDAR 2013, mean of documents). Fields: exact match. Calibration: of the fields scored 0.9 and
 * more, the share that is right. `LOKAL_BENCH_SHARE=0.25` takes a quarter of the pictures;
 * `LOKAL_BENCH_DOCUMENTS=words,tables` keeps to some of words, fields, identity, tables, forms.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { sameText } from '../support/documents/sroie.ts';
import { folder } from './documents/data.ts';
import { measureForms } from './documents/forms.ts';
import { Judge } from './documents/judge.ts';
import { parse } from './documents/parse.ts';
import { measureReceiptLines, measureReceiptPictures } from './documents/receipts.ts';
import { measureCards, measureMrzs } from './documents/specimens.ts';
import { measureStrangers } from './documents/strangers.ts';
import { measureTables } from './documents/tables.ts';
import { measureWords } from './documents/words.ts';
import type { Figures } from './gates.ts';
import { rounded } from './measure.ts';

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

/** `LOKAL_BENCH_DOCUMENTS=words,tables`: keeps to some parts; the figures of the others are null. */
const only = process.env.LOKAL_BENCH_DOCUMENTS?.split(',');
const measured = (part: 'words' | 'fields' | 'identity' | 'tables' | 'forms'): boolean =>
  only === undefined || only.includes(part);

export async function run({ quick }: { quick: boolean }): Promise<object> {
  const [invoices, receipts, pictures, identity] = [new Judge(), new Judge(), new Judge(), new Judge()];
  if (measured('fields')) await measureInvoices(invoices);
  const byField = measured('fields') && {
    lines: measureReceiptLines(receipts, quick),
    pictures: await measureReceiptPictures(pictures, quick),
  };
  const passport = measured('identity') ? await measureMrzs(identity.add, quick) : null;
  const mykad = measured('identity') ? await measureCards(identity.add, quick) : null;
  const [strangers, learnt] = [new Judge(), new Judge()];
  const families = measured('fields') ? measureStrangers(strangers, learnt, quick) : null;
  const judges = [invoices, receipts, pictures, identity, strangers];
  const sure = judges.reduce((sum, judge) => sum + judge.sure, 0);
  const sureRight = judges.reduce((sum, judge) => sum + judge.sureRight, 0);
  const figures: Figures = {
    words: measured('words') ? await measureWords(quick) : null,
    tables: measured('tables') ? await measureTables(quick) : null,
    fields: {
      invoice: invoices.share(),
      receipt: receipts.share(),
      receipt_pictures: pictures.share(),
      receipt_by_field: byField || null,
      strangers: strangers.share(),
      strangers_by_family: families,
      passport,
      mykad,
    },
    ...(measured('forms') ? await measureForms(quick) : { checkboxes: null, signatures: null }),
    calibration: sure === 0 ? null : rounded(sureRight / sure),
    calibrated_fields: sure,
  };
  return figures;
}
