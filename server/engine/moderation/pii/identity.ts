import { isMonthDay } from '../../identifiers/month-day.ts';
import { isMyKad } from '../../identifiers/mykad.ts';
import { fromRules } from './match.ts';

/** Chinese resident number: date and the ISO 7064 MOD 11-2 check character (GB 11643). */
export function isChineseId(found: string): boolean {
  if (!isMonthDay(Number(found.slice(10, 12)), Number(found.slice(12, 14)))) return false;
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(found[index]), 0);
  return '10X98765432'[sum % 11] === found[17]?.toUpperCase();
}

/** Singapore NRIC and FIN: weighted sum over seven digits, letter by prefix. */
export function isNric(found: string): boolean {
  const text = found.toUpperCase();
  const weights = [2, 7, 6, 5, 4, 3, 2];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(text[index + 1]), 0);
  const offset = { T: 4, G: 4, M: 3 }[text[0] ?? ''] ?? 0;
  if (text[0] === 'M') return 'KLJNPQRTUWX'[10 - ((sum + offset) % 11)] === text[8];
  const letters = 'ST'.includes(text[0] ?? '') ? 'JZIHGFEDCBA' : 'XWUTRQPNMLK';
  return letters[(sum + offset) % 11] === text[8];
}

const identityWords =
  /\b(?:ic|i\/c|nric|my\s?kad|kad pengenalan|no\.? ?k\/?p|identity card|id (?:no|number|card)|identification|national id|citizen)\b|身份证|身分证|身份證|登记号/i;
const passportWords = /\b(?:passport|pasport|paspot|travel document)\b|护照|護照/i;
const licenceWords = /\b(?:driver'?s?|driving|licen[cs]e|lesen memandu|dl)\b|驾照|驾驶证/i;

export const findIdentity = fromRules([
  {
    kind: 'mykad',
    pattern: /(?<![\d-])\d{6}-\d{2}-\d{4}(?![\d-])/dg,
    score: 0.85,
    contextScore: 0.99,
    context: identityWords,
    valid: isMyKad,
  },
  {
    kind: 'mykad',
    pattern: /(?<![\d.])\d{6}[ .]\d{2}[ .]\d{4}(?![\d.])/dg,
    score: 0.7,
    contextScore: 0.97,
    context: identityWords,
    valid: isMyKad,
  },
  {
    kind: 'mykad',
    pattern: /(?<![\d.,+-])\d{12}(?![\d.,-]\d|\d)/dg,
    score: 0.55,
    contextScore: 0.95,
    context: identityWords,
    valid: isMyKad,
  },
  {
    kind: 'national_id',
    pattern: /(?<!\d)[1-9]\d{16}[\dXx](?!\d)/dg,
    score: 0.9,
    contextScore: 0.99,
    context: identityWords,
    valid: isChineseId,
  },
  {
    kind: 'national_id',
    pattern: /\b[STFGM]\d{7}[A-Z]\b/dgi,
    score: 0.7,
    contextScore: 0.95,
    context: identityWords,
    valid: isNric,
  },
  {
    kind: 'national_id',
    pattern: /(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/dg,
    score: 0.5,
    contextScore: 0.9,
    context: /\b(?:ssn|social security|tax id|itin)\b/i,
  },
  {
    kind: 'passport',
    pattern: /\b(?:[AHK]\d{8}|[A-Z]{1,2}\d{6,8}|[EG]\d{8}|[A-Z]\d{7}[A-Z]|\d{9})\b/dg,
    score: 0,
    contextScore: 0.85,
    context: passportWords,
  },
  {
    kind: 'driving_licence',
    pattern: /\b(?=[A-Z\d-]{6,17}\b)[A-Z]{0,3}\d[A-Z\d-]{4,16}\d\b/dg,
    score: 0,
    contextScore: 0.7,
    context: licenceWords,
  },
]);
