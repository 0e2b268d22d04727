/**
 * Fields of receipts, exact match: from their annotated text lines, which asks the rules alone, and from their pictures,
 * which asks recognition too. Names and addresses are compared by letters and digits, as spacing and punctuation are the
 * annotator's.
 */

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { toDocumentText } from '../../../server/engine/documents/fields/reading.ts';
import { readInvoice } from '../../../server/engine/documents/templates/invoice/invoice.ts';
import type { FieldEntry } from '../../../server/engine/documents/types.ts';
import { findDates } from '../../../server/engine/quantities/dates.ts';
import { type Receipt, receiptPage, sameText } from '../../support/documents/sroie.ts';
import { progress, rounded } from '../measure.ts';
import { folder, part } from './data.ts';
import type { Judge } from './judge.ts';
import { parse } from './parse.ts';

export interface AnnotatedReceipt extends Receipt {
  image: string | null;
}

export function readReceipts(): { source: URL; receipts: AnnotatedReceipt[] } | null {
  const source = folder('doc-sroie-dev');
  if (!source) return null;
  const text = gunzipSync(readFileSync(new URL('receipts.jsonl.gz', source))).toString('utf8');
  const receipts = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AnnotatedReceipt);
  return { source, receipts };
}

type Fields = Record<string, FieldEntry>;
type Rights = Record<'company' | 'address' | 'date' | 'total', boolean>;

function judgeReceipt(fields: Fields, receipt: Receipt, judge: Judge): Rights {
  const { dayOrder } = toDocumentText([receiptPage(receipt)]);
  const date = findDates(receipt.date, dayOrder)[0]?.iso;
  const total = Number(receipt.total.replace(/[^\d.]/g, ''));
  return {
    company: judge.add(fields.seller_name, (value) => sameText(String(value), receipt.company)),
    address: judge.add(fields.seller_address, (value) => sameText(String(value), receipt.address)),
    date: judge.add(fields.invoice_date, (value) => value === date),
    total: judge.add(fields.total, (value) => Math.abs(Number(value) - total) < 0.005),
  };
}

const sharesOf = (rights: Rights[]): Record<string, number> =>
  Object.fromEntries(
    (['company', 'address', 'date', 'total'] as const).map((name) => [
      name,
      rounded(rights.filter((right) => right[name]).length / Math.max(1, rights.length)),
    ]),
  );

export type ReceiptShares = Record<string, number> | null;

/** From annotated lines. */
export function measureReceiptLines(judge: Judge, quick: boolean): ReceiptShares {
  const data = readReceipts();
  if (!data) return null;
  const receipts = quick ? data.receipts.slice(0, 20) : data.receipts;
  return sharesOf(
    receipts.map((receipt) =>
      judgeReceipt(readInvoice(toDocumentText([receiptPage(receipt)])), receipt, judge),
    ),
  );
}

/** From pictures. */
export async function measureReceiptPictures(judge: Judge, quick: boolean): Promise<ReceiptShares> {
  const data = readReceipts();
  if (!data) return null;
  const pictured = data.receipts.filter(({ image }) => image !== null);
  const rights: Rights[] = [];
  for (const receipt of quick ? pictured.slice(0, 2) : part(pictured)) {
    const { fields } = await parse(readFileSync(new URL(receipt.image!, data.source)));
    const right = judgeReceipt(fields, receipt, judge);
    rights.push(right);
    const wrong = Object.entries(right).flatMap(([name, is]) => (is ? [] : [name]));
    if (wrong.length > 0) progress(`receipt ${receipt.id}: ${wrong.join(', ')}`);
  }
  return sharesOf(rights);
}
