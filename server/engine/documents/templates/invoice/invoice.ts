/** The invoice template, receipts included. */

import { isDollar } from '../../../quantities/numbers.ts';
import { contains } from '../../../vision/geometry.ts';
import { type DocumentText, type FieldMatch, toEntry } from '../../fields/reading.ts';
import { toRows } from '../../layout/segments.ts';
import type { FieldEntry } from '../../types.ts';
import { documentWords } from '../../vocabulary/words.ts';
import { type AmountCandidate, amountCandidates } from './invoice-amounts.ts';
import { readInvoiceHeader } from './invoice-header.ts';
import { isTableHead, readLineItems } from './invoice-items.ts';
import { readPayment } from './invoice-payment.ts';
import { readTotals, type Totals } from './invoice-totals.ts';
import { type Party, readParties } from './parties/invoice-parties.ts';

type Fields = Record<string, FieldEntry>;

const headerNames = ['invoice_number', 'invoice_date', 'due_date', 'purchase_order'];

/** True for lines that name nobody: the title of the paper, the head of a table, a number or date that was found. */
function isNobody({ box, page, raw }: FieldMatch<string>, fields: Fields): boolean {
  const known = headerNames.map((name) => fields[name]?.raw);
  const lines = raw.split('\n');
  if (lines.every((line) => documentWords().parties.title.test(line) || known.includes(line.trim())))
    return true;
  const rows = toRows(page.words.filter((word) => contains(box, word.box)));
  return rows.length > 0 && rows.every(isTableHead);
}

function addParty(fields: Fields, role: 'seller' | 'buyer', party: Party): void {
  for (const part of ['name', 'address'] as const) {
    const found = party[part];
    if (found && !isNobody(found, fields)) fields[`${role}_${part}`] = toEntry(found);
  }
  const { iban, bic, ...own } = party.registrations;
  for (const [kind, found] of Object.entries(own)) fields[`${role}_${kind}`] = toEntry(found);
  if (iban) fields.iban = toEntry(iban);
  if (bic) fields.bic = toEntry(bic);
}

const fieldNames: Record<string, string> = { paid: 'amount_paid' };

function addTotals(fields: Fields, totals: Totals, currency: string | null): void {
  for (const [kind, found] of Object.entries(totals)) {
    const code = found.currency ?? currency;
    fields[fieldNames[kind] ?? kind] = toEntry({ ...found, ...(code ? { currency: code } : {}) });
  }
}

/** Taxes by rate, where rates are printed. */
function addTaxes(fields: Fields, taxes: AmountCandidate[], currency: string | null): void {
  const byRate = new Map(taxes.filter((tax) => tax.rate !== null).map((tax) => [tax.rate!, tax]));
  if (byRate.size === 0) return;
  const value = [...byRate].map(([rate, tax]) => ({
    rate: toEntry({ ...tax, value: rate }),
    amount: toEntry({ ...tax, ...(currency ? { currency } : {}) }),
  }));
  const first = taxes.find((tax) => tax.rate !== null)!;
  fields.taxes = { ...toEntry<string>({ ...first, value: '' }), value };
}

function addCurrency(fields: Fields, totals: Totals, reading: DocumentText): string | null {
  const sign = totals.total?.currency;
  // A bare `$` is the dollar of the paper's country.
  const printed = sign === 'USD' && isDollar(reading.currency) ? reading.currency : sign;
  const code = printed ?? reading.currency;
  const at: FieldMatch<number> | undefined = totals.total ?? totals.subtotal;
  if (code && at)
    fields.currency = toEntry({ ...at, value: code, raw: at.raw, confidence: printed ? 0.97 : 0.85 });
  return code;
}

/** True if it is worth reading a text as an invoice: nine of ten other documents are told here, at little cost. */
function mayBeInvoice(reading: DocumentText): boolean {
  const { paper, sum_word } = documentWords().parties;
  const titled = reading.rows.slice(0, 80).some((row) => paper.test(row.text));
  if (!sum_word.test(reading.text)) return false;
  // Prices in rupiah have groups of three and no decimals.
  const isPriced = /\d[.,]\d{2}(?!\d)/.test(reading.text);
  return titled ? isPriced || /\d[.,]\d{3}(?!\d)/.test(reading.text) : isPriced && reading.rows.length < 150;
}

/** All of an invoice but its parties, which take longest to find. */
interface InvoiceBody {
  items: ReturnType<typeof readLineItems>;
  totals: Totals;
  header: Fields;
}

function readBody(reading: DocumentText): InvoiceBody {
  const items = readLineItems(reading);
  const totals = readTotals(reading, amountCandidates(reading), items.sum);
  const header: Fields = {};
  for (const [name, found] of Object.entries(readInvoiceHeader(reading)))
    if (found) header[name] = toEntry(found);
  for (const [name, found] of Object.entries(readPayment(reading))) if (found) header[name] = toEntry(found);
  return { items, totals, header };
}

function withParties(reading: DocumentText, { items, totals, header }: InvoiceBody): Fields {
  const fields: Fields = { ...header };
  const { seller, buyer } = readParties(reading);
  addParty(fields, 'seller', seller);
  addParty(fields, 'buyer', buyer);
  const currency = addCurrency(fields, totals, reading);
  addTotals(fields, totals, currency);
  addTaxes(
    fields,
    amountCandidates(reading).filter((found) => found.kind === 'tax'),
    currency,
  );
  addItems(fields, items);
  return fields;
}

function addItems(fields: Fields, { found, items }: InvoiceBody['items']): void {
  if (found) fields.line_items = { ...toEntry(found), value: items as Record<string, FieldEntry<string>>[] };
}

/** The fields of an invoice. */
export const readInvoice = (reading: DocumentText): Fields => withParties(reading, readBody(reading));

/** Below this a document is not an invoice. */
const minLikelihood = 0.5;
const registrationsWeight = 0.06;

/** The same; null for a document that is rather none, of which parties are not looked for where they could not change that. */
export function readLikelyInvoice(reading: DocumentText): Fields | null {
  if (!mayBeInvoice(reading)) return null;
  const body = readBody(reading);
  const known = { ...body.header };
  addTotals(known, body.totals, null);
  addItems(known, body.items);
  if (invoiceLikelihood(reading, known) + registrationsWeight < minLikelihood - 1e-9) return null;
  const fields = withParties(reading, body);
  return invoiceLikelihood(reading, fields) >= minLikelihood ? fields : null;
}

/** Words that tills print around the amounts; a receipt may have no title. */
const tillWords = [
  /\bcash(?:ier)?\b|\btunai\b/i,
  /\bchange\b|\bbaki\b|\btender/i,
  /\b(?:gst|sst|vat|tax)\s*(?:id|reg|no\b|summary|analysis|inclusive)|\bincl\S*\s+(?:of\s+)?(?:gst|sst|vat)\b/i,
  /\bthank\s*(?:s|you)\b|\bterima\s+kasih\b/i,
  /\bserved\s+by\b|\bsales\s?(?:man|person)|\bterminal\b|\bround(?:ing)?\b|\bdine\s+in\b|\btake\s*away\b/i,
  /\breceipt\b|\bresit\b|\brefund\b|\bexchange\b/i,
];

/** Likelihood that a text is an invoice or receipt, 0..1. */
export function invoiceLikelihood(reading: DocumentText, fields: Fields): number {
  const head = reading.rows
    .slice(0, 25)
    .map((row) => row.text)
    .join('\n');
  let score = 0;
  if (documentWords().parties.paper.test(head)) score += 0.4;
  const till = tillWords.filter((words) => words.test(reading.text)).length;
  if (till > 2) score += till > 3 ? 0.3 : 0.2;
  if (fields.total) score += 0.25 * fields.total.confidence;
  if (fields.invoice_number) score += 0.2;
  if (fields.invoice_date) score += 0.08;
  if (fields.line_items) score += 0.12;
  if (fields.subtotal || fields.tax || fields.amount_paid) score += 0.1;
  if (fields.seller_tax_id || fields.seller_sst_number || fields.seller_registration_number || fields.iban)
    score += registrationsWeight;
  return Math.min(1, score);
}
