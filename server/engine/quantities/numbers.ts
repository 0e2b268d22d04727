/** Numbers as documents print them: 1,234.56 · 1.234,56 · 1 234,56 · 1'234.56 · (12.00) · 12.00-. */

export type DecimalSign = '.' | ',';

/** Digits with separators; blanks only between groups of three. */
const numberSource = String.raw`\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d{1,4})?|\d+(?:[.,]\d+)*`;
const currencySource = String.raw`RM|MYR|US\$|USD|SGD|S\$|HK\$|HKD|AU?\$|AUD|NZ\$|NZD|CA?\$|CAD|NT\$|TWD|R\$|BRL|EUR|GBP|IDR|Rp\.?|PLN|zł|CHF|SEK|NOK|DKK|CZK|Kč|HUF|RON|TRY|ZAR|R(?=\s?\d[\d ,]*[.,]\d{2}(?!\d))|NTS(?=\s?\d)|CNY|RMB|JPY|KRW|PHP|VND|THB|INR|Rs\.?|[$€£¥￥₹฿₱₩₫₺]`;

const amountPattern = new RegExp(
  String.raw`(?<![^\P{L}\p{Script=Han}]|[\d.,/:#-])(\()?\s?([-−–])?\s?(${currencySource})?\s?([-−–])?\s?(${numberSource})(?![\d/:])\s?(-(?!\s?\d))?(%)?(\))?\s?(${currencySource}(?![\p{L}\d]))?`,
  'gu',
);

export interface Amount {
  value: number;
  raw: string;
  index: number;
  /** As printed, if at all: `RM`, `€`. */
  currency: string | null;
  decimals: number;
  percent: boolean;
  /** In groups of three and without decimals, on a paper whose numbers show no decimal sign: prices in rupiah. */
  grouped: boolean;
}

const groups = /^\d{1,3}(?:[.,]\d{3})+$/;

/** The decimal sign that the document's own numbers show; null if they show none. */
export function readDecimalSign(texts: Iterable<string>): DecimalSign | null {
  let points = 0;
  let commas = 0;
  for (const text of texts) {
    points += (text.match(/\d\.\d{2}(?![\d.,])|\d,\d{3}(?!\d)\.?/g) ?? []).length;
    commas += (text.match(/\d,\d{2}(?![\d.,])|\d\.\d{3},/g) ?? []).length;
  }
  if (points === commas) return null;
  return points > commas ? '.' : ',';
}

/** Value of digits with separators. Where one separator could be either, `sign` decides, then the digits after it. */
export function parseNumber(text: string, sign: DecimalSign | null): number {
  const digits = text.replace(/[ \u00a0\u202f'’]/g, '');
  const lastPoint = digits.lastIndexOf('.');
  const lastComma = digits.lastIndexOf(',');
  const plain = (decimal: DecimalSign): number =>
    Number(digits.replaceAll(decimal === '.' ? ',' : '.', '').replace(decimal, '.'));
  if (lastPoint < 0 && lastComma < 0) return Number(digits);
  if (lastPoint >= 0 && lastComma >= 0) return plain(lastPoint > lastComma ? '.' : ',');
  const used: DecimalSign = lastPoint >= 0 ? '.' : ',';
  const pieces = digits.split(used);
  if (pieces.length > 2) return Number(pieces.join(''));
  const grouping = pieces[1]!.length === 3 && pieces[0]!.length <= 3 && pieces[0] !== '0' && used !== sign;
  return grouping ? Number(pieces.join('')) : plain(used);
}

const datePattern = /^\d{1,2}[.,]\d{1,2}[.,]\d{2,4}$/;

export function findAmounts(text: string, sign: DecimalSign | null): Amount[] {
  if (!/\d/.test(text)) return [];
  const matches = [...text.matchAll(amountPattern)].filter((match) => !datePattern.test(match[5]!));
  return matches.map((match) => {
    const [raw, open, minus, before, inner, digits, trailing, percent, close, after] = match;
    const negative = Boolean(minus ?? inner ?? trailing) || (open !== undefined && close !== undefined);
    const value = parseNumber(digits!, sign);
    return {
      value: negative ? -value : value,
      raw: raw.trim(),
      index: match.index,
      currency: before ?? after ?? null,
      decimals: /[.,](\d{1,2})$/.exec(digits!)?.[1]?.length ?? 0,
      percent: percent !== undefined,
      grouped: sign === null && groups.test(digits!),
    };
  });
}

const currencyCodes: Record<string, string> = {
  RM: 'MYR',
  $: 'USD',
  US$: 'USD',
  S$: 'SGD',
  HK$: 'HKD',
  AU$: 'AUD',
  A$: 'AUD',
  NZ$: 'NZD',
  C$: 'CAD',
  CA$: 'CAD',
  NT$: 'TWD',
  NTS: 'TWD',
  R$: 'BRL',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'CNY',
  RMB: 'CNY',
  '￥': 'CNY',
  '฿': 'THB',
  '₱': 'PHP',
  '₩': 'KRW',
  '₫': 'VND',
  '₺': 'TRY',
  KČ: 'CZK',
  KSH: 'KES',
  '₦': 'NGN',
  R: 'ZAR',
  '₹': 'INR',
  RS: 'INR',
  'RS.': 'INR',
  ZŁ: 'PLN',
  RP: 'IDR',
  'RP.': 'IDR',
};

/** ISO 4217 code of a printed currency. */
export const currencyCode = (printed: string): string =>
  currencyCodes[printed.toUpperCase()] ?? printed.toUpperCase();

const currencyWords: [RegExp, string][] = [
  [/\bMYR\b|\bRinggit\b|\bRM(?=\s?\d|\b)/g, 'MYR'],
  // A letter before the sign makes it another dollar.
  [/\bUSD\b|US Dollars?|\bUS ?\$|(?<![A-Z])\$(?=\s?\d)|\(\$\)/g, 'USD'],
  [/\bEUR\b|\bEuros?\b|€/g, 'EUR'],
  [/\bGBP\b|£/g, 'GBP'],
  [/\bSGD\b|S\$/g, 'SGD'],
  [/\bPLN\b|\bzł\b/g, 'PLN'],
  [/\bIDR\b|\bRp\.?(?=\s?\d)/g, 'IDR'],
  [/\bCNY\b|\bRMB\b|人民币|¥/g, 'CNY'],
  [/\bCHF\b/g, 'CHF'],
  [/\bINR\b|\bRs\.?(?=\s?\d)|₹/g, 'INR'],
  [/\bHKD\b|HK\$|港[幣币]/g, 'HKD'],
  [/\bAUD\b|\bAU?\$/g, 'AUD'],
  [/\bTHB\b|\bBaht\b|฿/g, 'THB'],
  [/\bTWD\b|\bNT\$|新[臺台]幣/g, 'TWD'],
  [/\bSEK\b/g, 'SEK'],
  [/\bNOK\b/g, 'NOK'],
  [/\bDKK\b/g, 'DKK'],
  [/\bCZK\b|(?<!\p{L})Kč(?!\p{L})/gu, 'CZK'],
  [/\bHUF\b/g, 'HUF'],
  [/\bRON\b(?=\s?\d)|(?<=[\d(]\s?)RON\b/g, 'RON'],
  [/\bTRY\b(?=\s?\d)|₺/g, 'TRY'],
  [/\bZAR\b/g, 'ZAR'],
  [/\bBRL\b|R\$(?=\s?\d)/g, 'BRL'],
  [/\bPHP\b(?=\s?\d)|\(PHP\)|₱/g, 'PHP'],
  [/\bKRW\b|₩/g, 'KRW'],
  [/\bVND\b|₫/g, 'VND'],
  [/\bJPY\b|\d\s?円/g, 'JPY'],
  [/\bAED\b/g, 'AED'],
  [/\bKES\b|\bKSh\.?(?=\s?\d)/g, 'KES'],
  [/\bNGN\b|₦/g, 'NGN'],
  [/\bNZD\b|\bNZ\$/g, 'NZD'],
  [/\bCAD\b|\bC(?:AD?)?\$/g, 'CAD'],
];

/** Countries whose dollar is printed without their letters, told by their names, registers and states. */
const dollars: [RegExp, string][] = [
  [/\bAUD\b|\bABN\b|\bAustralia\b|\b(?:VIC|NSW|QLD|TAS|ACT)\s+\d{4}\b/, 'AUD'],
  [/\bNZD\b|\bNew Zealand\b|\bNZBN\b/, 'NZD'],
  [/\bSGD\b|\bSingapore\b/i, 'SGD'],
  [/\bHKD\b|HK\$|\bHong Kong\b/i, 'HKD'],
  [/\bCAD\b|\bCanada\b|\bHST\b/, 'CAD'],
  [/\bTWD\b|\bNT\$/, 'TWD'],
];

/** True for a dollar that may be printed as `$` alone. */
export const isDollar = (code: string | null): boolean => dollars.some(([, own]) => own === code);

/** True for a text that has dollars of no country. */
export const isBareDollar = (text: string): boolean => !/\bUSD\b|\bUS ?\$|US Dollars?/.test(text);

/** The currency that the text names most often, with how often. */
export function readCurrency(text: string): { code: string; count: number } | null {
  let best: { code: string; count: number } | null = null;
  for (const [pattern, code] of currencyWords) {
    const count = text.match(pattern)?.length ?? 0;
    if (count > (best?.count ?? 0)) best = { code, count };
  }
  const own =
    best?.code === 'USD' && isBareDollar(text) ? dollars.find(([pattern]) => pattern.test(text)) : undefined;
  return best && own ? { ...best, code: own[1] } : best;
}
