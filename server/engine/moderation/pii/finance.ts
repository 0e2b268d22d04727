import { fromRules } from './match.ts';

/** Luhn (ISO/IEC 7812-1). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = digit * 2;
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** First digits and lengths that card schemes use. */
function isCard(found: string): boolean {
  const digits = found.replace(/\D/g, '');
  return (
    /^(?:4|5[0-8]|2[2-7]|3[0-9]|6|1800|2131|9)/.test(digits) &&
    !/^(\d)\1+$/.test(digits) &&
    passesLuhn(digits)
  );
}

/** Lengths by country (ISO 13616 registry). */
const ibanLengths: Record<string, number> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BR: 29,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MR: 27,
  MT: 31,
  MU: 30,
  NL: 18,
  NO: 15,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  SA: 24,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
};

/** Mod 97 of the rearranged number is 1 (ISO 13616). */
export function isIban(found: string): boolean {
  const compact = found.replace(/[\s-]/g, '').toUpperCase();
  if (ibanLengths[compact.slice(0, 2)] !== compact.length) return false;
  let rest = 0;
  for (const sign of compact.slice(4) + compact.slice(0, 4)) {
    for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest === 1;
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
