/** Dates as documents print them, to ISO 8601. Day and month order is the document's own where it shows it. */

export interface FoundDate {
  iso: string;
  raw: string;
  index: number;
  /** False if day and month could be exchanged. */
  certain: boolean;
}

export type DayOrder = 'day-first' | 'month-first';

/**
 * First three or more letters of the months in English, Malay, German, French, Dutch, Polish, Spanish, Italian, Portuguese, Indonesian,
 * Czech, Finnish, Hungarian, Romanian and Turkish, without signs: text recognition loses them.
 */
const monthNames: [RegExp, number][] = [
  [/^(jan|sty|enero$|ene$|gen$|genn|ledna|leden|tammik|ianu|ocak$)/, 1],
  [/^(feb|fev|lut|peb|unora?$|helmik|subat$)/, 2],
  [/^(mar(?!ras)|mac|mrz|mrt|maa|brezna?$)/, 3],
  [/^(apr|avr|kwi|abr|dubna|huhtik|nisan$)/, 4],
  [/^(may|mei|mai|maj|mag$|magg|kvetna|kveten|toukok)/, 5],
  [/^(june?|juin|juni|jun|cze|giu|cerv(?:en|na)$|kesak|iun|haziran$)/, 6],
  [/^(july?|juli|juil|jul|lip|lug$|lugl|cerven?c|heinak|iul|temmuz$)/, 7],
  [/^(aug|ogo|aou|sie|ago$|agost|agust|srpna|elok|agus)/, 8],
  [/^(sep|wrz|set$|sett|setem|zari$|syysk|szep|eylul$)/, 9],
  [/^(oct|okt|paz|ott$|otto|out$|outub|rijna|lokak|ekim$)/, 10],
  [/^(nov|lis|marras|noiem|kasim$)/, 11],
  [/^(dec|dis|dez|gru|dic|des$|desem|prosinc|jouluk|aralik$)/, 12],
];

/** Short months that are words elsewhere, as in `2 set 12`: their year has four digits. */
const ambiguousMonth = /^(?:set|out|ago|gen|mag|des|ekim)$/i;

/** Small letters without their signs. */
const plainLetters = (name: string): string =>
  name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i');

const monthOf = (name: string): number | null => {
  const plain = plainLetters(name);
  return monthNames.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
};

const fullYear = (text: string): number => {
  const year = Number(text);
  if (text.length > 2) return year;
  return year < 70 ? 2000 + year : 1900 + year;
};

function toIso(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const valid = year >= 1900 && year < 2200 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return valid ? date.toISOString().slice(0, 10) : null;
}

/** Text recognition may lose the blank before a time: `2026-02-0918:36`; logs set a colon there: `12/05/2026:08:30:11`. */
const numeric =
  /(?<![\d./-])(\d{1,2})\s?[/.\-–]\s?(\d{1,2})\s?[/.\-–]\s?(?:(\d{4}|\d{2})(?!\d|:\d|[/.-]\d)|(\d{4}|\d{2})(?=(?:[01]\d|2[0-3]):\d{2}(?!:\d{2}:\d))|((?:19|20)\d{2})(?=:\d))/g;
const isoLike =
  /(?<!\d)(\d{4})(?:[-/.]|\s?\/\s)(\d{1,2})(?:[-/.]|\s?\/\s)(?:(\d{1,2})(?!\d)|(\d{2})(?=\d{2}:\d{2}))/g;
const chinese = /(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日?/g;
/** By the years of the Republic, as in Taiwan: 民國115年3月25日. */
const republican = /(?<!\d)(?:(?<=民[國国]\s?)(\d{2})|(1\d{2}))\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日/g;
const beforeRepublic = 1911;
/** Written out: 二〇二六年四月十六日. */
const writtenOut =
  /([〇零○一二三四五六七八九]{4}|(?<!\d)\d{4})\s?年\s?([一二三四五六七八九十]{1,2})\s?月\s?([一二三四五六七八九十]{1,3})\s?[日号]/g;
/** Months may stand in two languages: `17 AUG/AOUT 2028`. */
const yearFirst = /(?<![\d.])(\d{4})\.\s(\d{1,2})\.\s(\d{1,2})\.?(?!\d)/g;
const dayName =
  /(?<![\d.,])(\d{1,2})(?:st|nd|rd|th|\.|er|e)?[\s\-/]{0,3}(?:de |of )?(\p{L}{3,12})\.?(?:\s?\/\s?\p{L}{3,9})?[\s\-/,']{0,3}(?:del? )?(\d{4}(?!\d|[,:]\d)|\d{2}(?![\d:,]))/gu;
const nameDay =
  /(?<!\p{L})(\p{L}{3,12})\.?\s{0,2}(\d{1,2})(?:st|nd|rd|th)?(?:\s?,\s{0,2}|\s{1,2})(\d{4})(?!\d)/gu;
/** `2026-Mar-08`, `2026 március 8`. */
const yearName = /(?<![\d.,])(\d{4})\.?[\s\-/]{1,2}(\p{L}{3,10})\.?[\s\-/]{1,2}(\d{1,2})(?![\d:,]|\.\d)/gu;
const compact = /(?<!\d)(20\d{2})(0[1-9]|1[0-2])([0-2]\d|3[01])(?!\d)/g;

/** Every date has one; looking for them takes long. */
const hasDigit = /\d|年/;

/** Dates of a text in the order they stand. */
export function findDates(text: string, order: DayOrder): FoundDate[] {
  const found: FoundDate[] = [];
  if (!hasDigit.test(text)) return found;
  const add = (match: RegExpMatchArray, iso: string | null, certain: boolean): void => {
    const start = match.index!;
    const end = start + match[0].length;
    const clashes = found.some((date) => date.index < end && date.index + date.raw.length > start);
    if (iso && !clashes) found.push({ iso, raw: match[0].trim(), index: start, certain });
  };
  for (const match of text.matchAll(isoLike))
    add(match, toIso(Number(match[1]), Number(match[2]), Number(match[3] ?? match[4])), true);
  for (const match of text.matchAll(yearFirst))
    add(match, toIso(Number(match[1]), Number(match[2]), Number(match[3])), true);
  for (const match of text.matchAll(chinese))
    add(match, toIso(Number(match[1]), Number(match[2]), Number(match[3])), true);
  for (const match of text.matchAll(republican))
    add(
      match,
      toIso(beforeRepublic + Number(match[1] ?? match[2]), Number(match[3]), Number(match[4])),
      true,
    );
  for (const match of text.matchAll(writtenOut))
    add(match, toIso(Number(digitsOf(match[1]!)), hanNumber(match[2]!), hanNumber(match[3]!)), true);
  for (const match of text.matchAll(numeric)) add(match, ...fromNumeric(match, order));
  for (const match of text.matchAll(dayName)) add(match, fromName(match[2]!, match[1]!, match[3]!), true);
  for (const match of text.matchAll(nameDay)) add(match, fromName(match[1]!, match[2]!, match[3]!), true);
  for (const match of text.matchAll(yearName)) add(match, fromName(match[2]!, match[3]!, match[1]!), true);
  for (const match of text.matchAll(compact))
    add(match, toIso(Number(match[1]), Number(match[2]), Number(match[3])), false);
  return found.sort((a, b) => a.index - b.index);
}

/** A mail's date with its time and zone (RFC 5322). */
const ofMail =
  /^(?:\p{L}{3},\s*)?(\d{1,2}\s+\p{L}{3}\s+\d{4})\s+\d{1,2}:\d{2}(?::\d{2})?\s+(?:[+-]\d{4}|[A-Z]{1,5})(?:\s*\([^()]*\))?$/u;

/** The day by the sender's own clock; null where the text is no date of a mail. */
export function dayOfMail(text: string): string | null {
  const day = ofMail.exec(text)?.[1];
  return (day && findDates(day, 'day-first')[0]?.iso) || null;
}

const hanDigits = '〇一二三四五六七八九';

/** Han digits in a row, as in a year. */
const digitsOf = (text: string): string =>
  [...text].map((digit) => (/\d/.test(digit) ? digit : Math.max(0, hanDigits.indexOf(digit)))).join('');

/** Up to 99: 十六, 二十, 三十一. */
function hanNumber(text: string): number {
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text];
  const ten = text.includes('十') ? Number(digitsOf(tens || '一')) : 0;
  return 10 * ten + Number(digitsOf(ones ?? ''));
}

function fromName(name: string, day: string, year: string): string | null {
  if (year.length < 4 && ambiguousMonth.test(name)) return null;
  const month = monthOf(name);
  return month ? toIso(fullYear(year), month, Number(day)) : null;
}

function fromNumeric(match: RegExpMatchArray, order: DayOrder): [string | null, boolean] {
  const [first, second, year] = [
    Number(match[1]),
    Number(match[2]),
    fullYear(match[3] ?? match[4] ?? match[5]!),
  ];
  const dayFirst = toIso(year, second, first);
  const monthFirst = toIso(year, first, second);
  const chosen = order === 'day-first' ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst);
  return [chosen, dayFirst === null || monthFirst === null || first === second];
}

/**
 * Day or month first: as the paper says it, else from dates that allow only one reading, else what the currency suggests, else how dates are
 * spelled out ("January 10, 2015" is written where months come first).
 */
export function readDayOrder(texts: Iterable<string>, currency: string | null): DayOrder {
  let dayFirst = 0;
  let monthFirst = 0;
  for (const text of texts) {
    if (/(?<!\p{L})MM\s?[/.-]\s?DD(?!\p{L})/u.test(text)) return 'month-first';
    if (/(?<!\p{L})DD\s?[/.-]\s?MM(?!\p{L})/u.test(text)) return 'day-first';
  }
  const dated = [...texts].filter((text) => hasDigit.test(text));
  for (const text of dated)
    for (const [, first, second] of text.matchAll(numeric)) {
      if (Number(first) > 12 && Number(second) <= 12) dayFirst++;
      if (Number(second) > 12 && Number(first) <= 12) monthFirst++;
    }
  if (dayFirst !== monthFirst) return dayFirst > monthFirst ? 'day-first' : 'month-first';
  if (currency) return currency === 'USD' ? 'month-first' : 'day-first';
  let spelled = 0;
  for (const text of dated) {
    for (const [, name] of text.matchAll(nameDay)) if (monthOf(name!)) spelled++;
    for (const [, , name] of text.matchAll(dayName)) if (monthOf(name!)) spelled--;
  }
  return spelled > 0 ? 'month-first' : 'day-first';
}
