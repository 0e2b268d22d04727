import { isIban } from '../../identifiers/iban.ts';
import { passesLuhn } from '../../identifiers/luhn.ts';
import { fromRules } from './match.ts';

/** First digits and lengths that card schemes use. */
function isCard(found: string): boolean {
  const digits = found.replace(/\D/g, '');
  return (
    /^(?:4|5[0-8]|2[2-7]|3[0-9]|6|1800|2131|9)/.test(digits) &&
    !/^(\d)\1+$/.test(digits) &&
    passesLuhn(digits)
  );
}

const cardWords =
  /\b(?:cards?|visa|master\s?card|amex|american express|credit|debit|cc|kad|maestro|jcb|unionpay|cvv)\b|信用卡|银行卡|卡号|借记卡/i;
const bankWords =
  /\b(?:account|acct|a\/c|acc|akaun|bank|maybank|cimb|rhb|public bank|hong leong|ambank|bsn|bank islam|bank rakyat|ocbc|uob|hsbc|transfer|sort code|routing)\b|账号|账户|帐号|帐户|银行|开户/i;

export const findFinance = fromRules([
  {
    kind: 'card',
    pattern: /(?<![\d-])\d{4}([ -]?)\d{4}\1\d{4}\1\d{1,7}(?![\d-])/dg,
    score: 0.75,
    contextScore: 0.98,
    context: cardWords,
    valid: isCard,
  },
  {
    kind: 'card',
    pattern: /(?<![\d-])3\d{3}([ -]?)\d{6}\1\d{4,5}(?![\d-])/dg,
    score: 0.75,
    contextScore: 0.98,
    context: cardWords,
    valid: isCard,
  },
  {
    kind: 'card',
    pattern: /(?<![\d.,+-])\d{12,19}(?![\d-])/dg,
    score: 0.6,
    contextScore: 0.98,
    context: cardWords,
    valid: isCard,
  },
  {
    kind: 'card',
    pattern: /(?<![\d.,+-])\d{13,19}(?![\d-])/dg,
    score: 0,
    contextScore: 0.55,
    context: cardWords,
  },
  { kind: 'iban', pattern: /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]{1,4}){3,9}\b/dg, score: 0.95, valid: isIban },
  {
    kind: 'bank_account',
    pattern: /(?<![\d.,+-])\d{1,6}(?:[ -]?\d{2,6}){1,5}(?![\d-])/dg,
    score: 0,
    contextScore: 0.65,
    context: bankWords,
    valid: (found) => /^\d{8,17}$/.test(found.replace(/\D/g, '')),
  },
]);
