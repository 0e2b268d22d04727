import { isChineseId } from '../../identifiers/chinese-id.ts';
import { isMyKad } from '../../identifiers/mykad.ts';
import { isNric } from '../../identifiers/nric.ts';
import { fromRules } from './match.ts';

const identityWords =
  /\b(?:ic|i\/c|nric|my\s?kad|kad pengenalan|no\.? ?k\/?p|identity card|id (?:no|number|card)|identification|national id|citizen)\b|身份证|身分证|身份證|登记号/i;
/** Words before a number that say what else it is. */
const orderWords =
  /(?:\b(?:order|invoice|tracking|ref(?:erence)?|receipt|ticket|booking|case|batch|serial|part|item|sku|po|do|quotation|job|no\.? pesanan|pesanan|invois|resit|tempahan|rujukan)(?: (?:no|number|id|nombor|code))?\.?|订单(?:号|编号)?|单号|发票(?:号)?|流水号|编号)\s?[:：#]?\s?#?$/i;
const passportWords = /\b(?:passport|pasport|paspot|travel document)\b|护照|護照/i;
const licenceWords = /\b(?:driver'?s?|driving|licen[cs]e|lesen memandu|dl)\b|驾照|驾驶证/i;

export const findIdentity = fromRules([
  {
    kind: 'mykad',
    pattern: /(?<![\d-])\d{6}-\d{2}-\d{4}(?![\d-])/dg,
    score: 0.85,
    against: orderWords,
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
