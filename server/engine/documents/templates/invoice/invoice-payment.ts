/** The payment of an invoice: its terms, the bank, the account and whose it is. IBAN and BIC are registrations. */

import { isIban } from '../../../identifiers/iban.ts';
import { type FieldCandidate, findLabelled, type ValueReader } from '../../fields/labelled.ts';
import type { DocumentText, FieldMatch, TextRow } from '../../fields/reading.ts';
import { documentWords } from '../../vocabulary/words.ts';

/** Rows around an account's number in which something must tell of a bank: shops have customers' accounts as well. */
const bankRows = 4;
const maxTermsLength = 90;
/** Less sure values are rather none. */
const minConfidence = 0.55;

/** Another label begins behind it, as in `Maybank  Acc No: 12`. */
const nextLabel =
  /\s+(?:(?:bank\s+)?(?:acc(?:oun)?t?|a\/c|konto|iban|bic|swift|branch|sort\s+code)\b|账号|账户).*$/iu;

const tidy = (text: string): string => text.replace(/^[\s:：.\-–]+|[\s,;:]+$/gu, '').trim();

const readTerms: ValueReader<string> = (text) => {
  const value = tidy(text);
  if (!/[\p{L}\d]/u.test(value) || value.length > maxTermsLength || /[:：]/.test(value)) return null;
  return { value, raw: value, certainty: documentWords().paymentTerms.test(value) ? 1 : 0.6 };
};

/** Headings of columns stand below each other as labels and values do. */
const isHeading = (value: string): boolean => {
  const { labels } = documentWords();
  const kinds = [labels.bank_name, labels.bank_account, labels.account_holder].flat();
  return (
    /^(?:iban|bic|swift|rib)\b/i.test(value) ||
    kinds.some(({ pattern }) => pattern.exec(value)?.[0] === value)
  );
};

const readName: ValueReader<string> = (text) => {
  const value = tidy(text.replace(nextLabel, ''));
  const letters = value.replace(/[^\p{L}]/gu, '').length;
  if (letters < 3 || letters < value.length / 2 || value.length > 70 || /[:：]/.test(value)) return null;
  if (isHeading(value)) return null;
  return { value, raw: value, certainty: 1 };
};

const accountNumber = /^(?:[A-Z]{3}\s)?\d[\d\s-]{4,26}\d(?!\p{L})/u;

const readAccount: ValueReader<string> = (text) => {
  const found = accountNumber.exec(tidy(text))?.[0];
  const digits = found?.replace(/\D/g, '').length ?? 0;
  if (!found || digits < 6 || digits > 20 || isIban(found)) return null;
  return { value: found.replace(/^[A-Z]{3}\s/, ''), raw: found, certainty: 1 };
};

const isNearBank = ({ piece }: FieldCandidate<string>, rows: readonly TextRow[]): boolean =>
  rows
    .slice(Math.max(0, piece.row - bankRows), piece.row + bankRows + 1)
    .some(({ text }) => documentWords().bankWords.test(text));

/** A sentence says when: `Payable within 14 days of the invoice date.` */
function looseTerms({ pieces }: DocumentText): FieldMatch<string> | null {
  for (const { text, page, box } of pieces) {
    const found = documentWords().paymentSentence.exec(text)?.[0];
    if (found) return { value: tidy(found), raw: found, confidence: 0.75, rule: 'pattern', page, box };
  }
  return null;
}

export function readPayment(reading: DocumentText): Record<string, FieldMatch<string> | null> {
  const { labels } = documentWords();
  const sure = (found: FieldCandidate<string>[]): FieldCandidate<string> | null =>
    found.find(({ confidence }) => confidence >= minConfidence) ?? null;
  const near = (found: FieldCandidate<string>[]) => found.filter((each) => isNearBank(each, reading.rows));
  return {
    payment_terms: sure(findLabelled(reading, labels.payment_terms, readTerms)) ?? looseTerms(reading),
    bank_name: sure(findLabelled(reading, labels.bank_name, readName)),
    bank_account: sure(near(findLabelled(reading, labels.bank_account, readAccount))),
    account_holder: sure(near(findLabelled(reading, labels.account_holder, readName))),
  };
}
