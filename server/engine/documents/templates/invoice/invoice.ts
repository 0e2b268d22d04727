/** The invoice template, receipts included. */

import { isBareDollar, isDollar } from '../../../quantities/numbers.ts';
import { contains } from '../../../vision/geometry.ts';
import { type DocumentText, type FieldMatch, type TextRow, toEntry } from '../../fields/reading.ts';
import { toRows } from '../../layout/segments.ts';
import type { FieldEntry } from '../../types.ts';
import { documentWords } from '../../vocabulary/words.ts';
import { type AmountCandidate, amountCandidates, same } from './invoice-amounts.ts';
import { readInvoiceHeader } from './invoice-header.ts';
import { isTableHead, readLineItems } from './invoice-items.ts';
import { readPayment } from './invoice-payment.ts';
import { readTotals, type Totals } from './invoice-totals.ts';
import { type Party, readParties } from './parties/invoice-parties.ts';
import { isTitle } from './parties/party-lines.ts';

type Fields = Record<string, FieldEntry>;

const headerNames = ['invoice_number', 'invoice_date', 'due_date', 'purchase_order'];

/** True for lines that name nobody: the title of the paper, the head of a table, a number or date that was found. */
function isNobody({ box, page, raw }: FieldMatch<string>, fields: Fields): boolean {
  const known = headerNames.map((name) => fields[name]?.raw);
  const lines = raw.split('\n');
  if (lines.every((line) => isTitle(line) || known.includes(line.trim()))) return true;
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

/** Signs of a country must come to this much. */
const minCountry = 0.5;

/** The currency of the paper's country, as far as it tells of one. */
function currencyOfCountry({ text }: DocumentText, isAllowed: (code: string) => boolean): string | null {
  const shares = new Map<string, number>();
  for (const { kind, strength, pattern } of documentWords().countries)
    if (isAllowed(kind) && pattern.test(text)) shares.set(kind, (shares.get(kind) ?? 0) + strength);
  const [best] = [...shares].sort(([, a], [, b]) => b - a);
  return best && best[1] >= minCountry ? best[0] : null;
}

/** Confidence of a currency that is printed with the total, elsewhere, or told by the country alone. */
const currencyConfidence = { total: 0.97, paper: 0.85, country: 0.7 };

const isYen = (code: string): boolean => code === 'JPY';
/** Names of the yuan, or a sum in parts of one, which the yen has none of. */
const surelyYuan = /CNY|RMB|人民[币幣]|[¥￥]\s?\d[\d,]{0,20}\.\d/;

/** The currencies of which a bare `$` or `¥` may be one; null where the sign or its name tells which. */
function sharedSign(
  code: string | null | undefined,
  { text }: DocumentText,
): ((code: string) => boolean) | null {
  if (code === 'USD' && isBareDollar(text)) return isDollar;
  return code === 'CNY' && !surelyYuan.test(text) ? isYen : null;
}

function addCurrency(fields: Fields, totals: Totals, reading: DocumentText): string | null {
  const sign = totals.total?.currency;
  const ownDollar = sign === 'USD' && isDollar(reading.currency) ? reading.currency : sign;
  const named = ownDollar ?? reading.currency;
  const shared = sharedSign(named, reading);
  const told = shared && currencyOfCountry(reading, shared);
  const code = told ?? named ?? currencyOfCountry(reading, () => true);
  const at: FieldMatch<number> | undefined = totals.total ?? totals.subtotal;
  const { total, paper, country } = currencyConfidence;
  const confidence = ownDollar ? total : named ? paper : country;
  if (code && at) fields.currency = toEntry({ ...at, value: code, raw: at.raw, confidence });
  return code;
}

/** Words of a title set in wide letters, as Chinese ones are: `收 据`. */
const withoutWideSetting = (text: string): string =>
  text.replace(/(?<=\p{Script=Han})\s+(?=\p{Script=Han})/gu, '');

const isTitled = (rows: readonly TextRow[]): boolean =>
  rows.some(({ text }) => documentWords().parties.paper.test(withoutWideSetting(text)));

/** Prices with cents, or in groups of three without, as in rupiah and Taiwan dollars. */
const withCents = /\d[.,]\d{2}(?!\d)/;
const inGroups = /\d[.,]\d{3}(?!\d)/;
/** Whole prices behind a sign of money, as in Taiwan and Japan. */
const withSign = /(?:NT\$|[$¥￥₩₫])\s?[1-9]\d{0,6}(?![\d.,])/;
/** Prices of tills that print tenths: as many rows must end with one. */
const withTenths = /\d\.\d$/;
const minTenths = 4;

/** True if it is worth reading a text as an invoice: nine of ten other documents are told here, at little cost. */
function mayBeInvoice(reading: DocumentText): boolean {
  const { rows, text } = reading;
  const summed = documentWords().parties.sum_word.test(text);
  const titled = isTitled(rows.slice(0, 80));
  if (titled && (summed || rows.length < shortRows))
    return withCents.test(text) || inGroups.test(text) || (summed && withSign.test(text));
  if (!summed || rows.length >= untitledRows) return false;
  if (rows.length < shortRows && inGroups.test(text)) return true;
  return withCents.test(text) || rows.filter((row) => withTenths.test(row.text)).length >= minTenths;
}

/** Rows of papers with a title but no word of sums, or with prices in groups, and of those with such a word and no title. */
const shortRows = 40;
const untitledRows = 150;

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

/** Below this a document is not an invoice; less is enough where a person says that it is one, and it has a total. */
const minLikelihood = { told: 0.25, own: 0.5 };
const registrationsWeight = 0.06;

/** The same; null for a document that is rather none, of which parties are not looked for where they could not change that. */
export function readLikelyInvoice(reading: DocumentText, isTold = false): Fields | null {
  if (isTold ? reading.rows.length >= untitledRows && !mayBeInvoice(reading) : !mayBeInvoice(reading))
    return null;
  const body = readBody(reading);
  const known = { ...body.header };
  addTotals(known, body.totals, null);
  addItems(known, body.items);
  const least = isTold && known.total ? minLikelihood.told : minLikelihood.own;
  if (invoiceLikelihood(reading, known) + registrationsWeight < least - 1e-9) return null;
  const fields = withParties(reading, body);
  return invoiceLikelihood(reading, fields) >= least ? fields : null;
}

/** Rows in which the title of a paper stands. */
const titleRows = 25;

/** Shares that signs of a till add, by their number. */
const tillShares = [0, 0, 0, 0.2, 0.3, 0.35];

/** Share that an amount adds which others give. */
const sumWeight = 0.15;

/** Amounts that agree with the total in another way than by standing there. */
function addsUp({ subtotal, tax, total, amount_paid: paid, change }: Fields): boolean {
  const value = Number(total?.value);
  const parts = Number(subtotal?.value ?? Number.NaN) + Number(tax?.value ?? 0);
  const spent = Number(paid?.value ?? Number.NaN) - Math.abs(Number(change?.value ?? 0));
  return value > 0 && (same(parts, value) || same(spent, value));
}

/** Likelihood that a text is an invoice or receipt, 0..1. */
export function invoiceLikelihood(reading: DocumentText, fields: Fields): number {
  let score = 0;
  const head = reading.rows.slice(0, titleRows);
  if (isTitled(head)) score += 0.4;
  // An account's statement has no day by which to pay.
  else if (fields.due_date && head.some(({ text }) => documentWords().parties.statement_title.test(text)))
    score += 0.3;
  const till = documentWords().tillWords.filter(({ pattern }) => pattern.test(reading.text)).length;
  score += tillShares[Math.min(till, tillShares.length - 1)]!;
  if (fields.total) score += 0.25 * fields.total.confidence;
  if (fields.invoice_number) score += 0.2;
  if (fields.invoice_date) score += 0.08;
  if (fields.line_items) score += 0.12;
  if (fields.subtotal || fields.tax || fields.amount_paid) score += 0.1;
  if (addsUp(fields)) score += sumWeight;
  if (fields.seller_tax_id || fields.seller_sst_number || fields.seller_registration_number || fields.iban)
    score += registrationsWeight;
  return Math.min(1, score);
}
