import { isPossiblePhoneNumber, isValidPhoneNumber } from 'libphonenumber-js/max';
import { fromRules, type PiiMatch } from './match.ts';

const phoneWords =
  /\b(?:phone|tel|telephone|telefon|mobile|cell|call|fax|office|desk|whatsapp|wasap|contact|hubungi|nombor|no\.? ?tel|no\.? ?hp|hp|h\/p|text me|sms|number|messages? to|registered|dial)\b|电话|手机|联系|微信号|热线|拨打/i;
const notPhoneWords =
  /\b(?:card|account|akaun|order|invoice|tracking|iban|isbn|ref(?:erence)?|serial|ic|nric|passport|kad pengenalan|version)\b|卡号|账号|身份证|订单/i;

const findEmails = fromRules([
  {
    kind: 'email',
    pattern:
      /(?<![\w.+-])[A-Za-z\d](?:[\w.+-]{0,62}[\w+-])?@(?:[A-Za-z\d-]{1,63}\.){1,6}[A-Za-z]{2,24}(?![\w-])/dg,
    score: 0.95,
  },
  {
    kind: 'email',
    pattern:
      /(?<![\w.+-])[A-Za-z\d][\w.+-]{0,62} ?(?:\[at\]|\(at\)| at ) ?(?:[A-Za-z\d-]{1,63} ?(?:\[dot\]|\(dot\)| dot |\.) ?){1,4}(?:com|org|net|edu|gov|my|sg|cn|io|co|uk)\b/dgi,
    score: 0.7,
  },
]);

const isMalaysian = (found: string) => isValidPhoneNumber(found, 'MY');
const isChinese = (found: string) => isValidPhoneNumber(found, 'CN');

/** International numbers, and the shapes people write without a country. Digits next to a phone word need no country. */
const findPhones = fromRules([
  {
    kind: 'phone',
    pattern: /(?<![\d+])\+\d{1,3}[ .-]?(?:\(\d{1,4}\) ?)?\d[\d .-]{4,16}\d(?![\d-])/dg,
    score: 0.8,
    contextScore: 0.97,
    context: phoneWords,
    valid: (found) => isPossiblePhoneNumber(found.replace('(0)', '')),
  },
  {
    kind: 'phone',
    pattern: /(?<![\d+-])(?:\+?6?0)1\d[- ]?\d{3,4}[- ]?\d{4}(?![\d-])/dg,
    valid: isMalaysian,
    score: 0.75,
    contextScore: 0.95,
    context: phoneWords,
  },
  {
    kind: 'phone',
    pattern: /(?<![\d+-])0[3-9]\d?[- ]\d{3,4}[- ]?\d{4}(?![\d-])/dg,
    valid: isMalaysian,
    score: 0.6,
    contextScore: 0.9,
    context: phoneWords,
  },
  {
    kind: 'phone',
    pattern: /(?<![\d.+-])(?:\+?86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}(?![\d-])/dg,
    valid: isChinese,
    score: 0.65,
    contextScore: 0.95,
    context: phoneWords,
  },
  {
    kind: 'phone',
    pattern: /(?<![\d-])(?:\+?1[ .-])?\(?[2-9]\d{2}\)?[ .-][2-9]\d{2}[ .-]\d{4}(?![\d-])/dg,
    score: 0.65,
    contextScore: 0.9,
    context: phoneWords,
  },
  {
    kind: 'phone',
    pattern: /(?<![\d.,-])\(?\+?\d{1,4}\)?(?:[ .-]{1,2}\(?\d{1,5}\)?){1,6}(?![\d-])/dg,
    score: 0,
    contextScore: 0.7,
    context: phoneWords,
    valid: isPhoneLength,
  },
  {
    kind: 'phone',
    pattern: /(?<![\d.,-])\d{7,12}(?![\d-])/dg,
    score: 0,
    contextScore: 0.65,
    context: phoneWords,
  },
]);

function isPhoneLength(found: string): boolean {
  const digits = found.replace(/\D/g, '').length;
  return digits >= 7 && digits <= 15;
}

export function findContact(text: string): PiiMatch[] {
  const phones = findPhones(text).filter(
    (match) =>
      match.score > 0.9 || !notPhoneWords.test(text.slice(Math.max(0, match.start - 30), match.start)),
  );
  return [...findEmails(text), ...phones];
}
