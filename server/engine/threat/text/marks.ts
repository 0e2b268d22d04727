/**
 * Marks of a text beside its words: how large its numbers are and beside which word they stand, addresses within and without, hours of
 * the night, names without meaning, lines that repeat. A log tells an attack by these where no word does.
 */
import { entropy } from '../anomalies/entropy.ts';

/** Of words, of an event with named fields, or a line such as a command. */
export type Form = 'prose' | 'event' | 'line';

/** Fields with names, three or more of which make an event. */
const FIELD = /[\w.-]{2,40}=\S|"[\w. -]{1,40}"\s?:|<(?:Data|Event)\b/gu;
const LEAST_FIELDS = 3;
const WORDS = /\p{L}{2,30} \p{L}{1,30} \p{L}{2,30} \p{L}|\p{Script=Han}{6}/u;

export function textFormOf(text: string): Form {
  if (/^\s{0,20}[{[<]/u.test(text) || (text.match(FIELD) ?? []).length >= LEAST_FIELDS) return 'event';
  return WORDS.test(text) ? 'prose' : 'line';
}

/** Thousands may be parted; years, dates, versions and addresses are no counts. */
const NUMBER = /(?<![\w.:/-])(?:\d{1,3}(?:[,.]\d{3}){1,3}|\d{3,6})(?![\w.:/]|-\d)/gu;
const YEAR = /^(?:19|20)\d\d$/u;
const MOST_DIGITS = 4;
const BESIDE = 24;
const NEXT = /^\s{0,3}(\p{L}{2,20}|%)/u;
const BEFORE = /(\p{L}{2,20}|[x×*])[\s=:"]{0,3}$/u;
const MULTIPLE = /[x×*]\s?\d{2}|\d{2}\s?[x×](?!\w)/u;

function* numbersOf(text: string, form: Form): Iterable<string> {
  let most = 0;
  for (const { 0: number, index } of text.matchAll(NUMBER)) {
    if (YEAR.test(number)) continue;
    const digits = number.replace(/\D/gu, '').length - 1;
    most = Math.max(most, digits);
    const end = index + number.length;
    const size = Math.min(digits, MOST_DIGITS);
    const next = NEXT.exec(text.slice(end, end + BESIDE))?.[1];
    const before = BEFORE.exec(text.slice(Math.max(0, index - BESIDE), index))?.[1];
    if (next !== undefined) yield `n${size} ${next}`;
    if (before !== undefined) yield `${before} n${size}`;
  }
  yield `most ${most}`;
  yield `most ${form} ${most}`;
  if (MULTIPLE.test(text)) yield `times ${form}`;
}

const HOUR = /(?<![\d:.])([01]?\d|2[0-3]):[0-5]\d(?!\d)/gu;
const [MORNING, LATE] = [6, 23];

function* hoursOf(text: string, form: Form): Iterable<string> {
  const hours = [...text.matchAll(HOUR)].map(([, hour]) => Number(hour));
  if (hours.length === 0) return;
  const name = hours.some((hour) => hour < MORNING || hour >= LATE) ? 'night' : 'day';
  yield name;
  yield `${name} ${form}`;
}

export const ADDRESS = /\b\d{1,3}(?:\[?\.\]?\d{1,3}){3}\b/gu;
const INNER =
  /^(?:10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./u;
/** True for addresses that a network gives itself, defanged or not. */
export const isInner = (address: string): boolean => INNER.test(address.replaceAll(/[[\]]/gu, ''));
/** Kinds and numbers of things that are told apart up to here. */
const MOST_ALIKE = 3;

function* addressesOf(text: string, form: Form): Iterable<string> {
  const all = [...new Set(text.match(ADDRESS) ?? [])];
  const inner = all.filter(isInner).length;
  const outer = all.length - inner;
  yield `inner ${Math.min(inner, MOST_ALIKE)}`;
  yield `outer ${Math.min(outer, MOST_ALIKE)}`;
  yield `both ${Math.min(inner, 1)}${Math.min(outer, 1)} ${form}`;
}

const LABEL = /(?<![a-z0-9_-])[a-z0-9_-]{8,63}(?=\.[a-z])/gu;
const RANDOM_BITS = 2.7;

/** No word: digits between letters, or hardly a vowel. */
function isRandom(label: string): boolean {
  const vowels = (label.match(/[aeiou]/gu) ?? []).length / label.length;
  const turns = (label.match(/[a-z]\d|\d[a-z]/gu) ?? []).length;
  return (turns >= 2 || vowels < 0.15) && entropy(label) >= RANDOM_BITS;
}

/** Share of lines of one shape from which a text repeats itself. */
const REPEATED = 0.6;

function* linesOf(text: string): Iterable<string> {
  const lines = text.split('\n').filter((line) => line !== '');
  yield `lines ${[8, 3, 1].find((most) => lines.length > most) ?? 0}`;
  if (lines.length < 2) return;
  const shapes = new Map<string, number>();
  for (const line of lines) {
    const shape = line
      .split(/\s+/u)
      .map((word) => (/[\d/.\\]/u.test(word) ? '#' : word))
      .join(' ');
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  }
  const most = Math.max(...shapes.values());
  yield `repeated ${most > lines.length * REPEATED ? 'mostly' : most > 1 ? 'some' : 'none'}`;
}

const SHORT = 40;
const LONGEST = 5;

/** Marks of a lower-cased text; `best` is the highest level that rules gave it. */
export function* marksOf(text: string, best: number): Iterable<string> {
  const form = textFormOf(text);
  yield `form ${form}`;
  yield* numbersOf(text, form);
  yield* hoursOf(text, form);
  yield* addressesOf(text, form);
  yield `random ${Math.min((text.match(LABEL) ?? []).filter(isRandom).length, MOST_ALIKE)}`;
  yield* linesOf(text);
  yield `length ${Math.min(LONGEST, Math.floor(Math.log2(text.length / SHORT + 1)))} ${form}`;
  yield `best ${best} ${form}`;
}
