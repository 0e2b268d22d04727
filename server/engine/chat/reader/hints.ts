/** A field's name tells of its value: “from”, “doctor”, “due” have words beside them or a form of their own. */
import type { Place, Reading } from './reader.ts';

export interface Hint {
  /** Fields by their names. */
  key: RegExp;
  /** The value itself, the words that end before it and those that begin behind it. */
  form: RegExp | null;
  before: RegExp | null;
  after: RegExp | null;
  /** Values that are known wherever they stand: weekdays, colors. */
  value: RegExp | null;
  /** Log odds that a place of this kind gains. */
  gain: number;
  /** Its value is a heading: all words behind those before it, in quotes or with capitals and numbers. */
  isWhole: boolean;
}

export interface HintWords {
  list: Hint[];
  /** Before a value: “my ”, “the ”. */
  possessive: RegExp;
  /** Names of persons with their titles. */
  persons: RegExp;
  /** A name that a text begins with: words with capitals and the small ones between them, a code. */
  name: RegExp;
  /** A heading that it begins with, in quotes or with its small words and numbers: “Jadual Mesyuarat 2026”. */
  heading: RegExp;
}

interface Clues {
  reading: Reading;
  text: string;
  words: HintWords;
}

const reach = 24;
const mostGained = 6;
const mostLeads = 12;

const isBefore = (pattern: RegExp, text: string, at: number): boolean => {
  const said = text.slice(Math.max(0, at - reach), at);
  return [...said.matchAll(pattern)].some(({ 0: words, index }) => index + words.length === said.length);
};

const isWhole = (pattern: RegExp, words: string): boolean =>
  [...words.matchAll(pattern)].some(([whole]) => whole.length === words.length);

/** True where a value stands at these characters: what is before and behind it may belong to its pattern. */
const standsAt = (pattern: RegExp, text: string, { end, start }: Pick<Place, 'start' | 'end'>): boolean => {
  const from = Math.max(0, start - reach);
  return [...text.slice(from, end + reach).matchAll(pattern)].some(
    ({ 0: words, index }) => from + index === start && words.length === end - start,
  );
};

const gainOf = (hints: readonly Hint[], { end, start, text: words }: Place, text: string): number =>
  Math.min(
    mostGained,
    hints.reduce((sum, { after, before, form, gain, value }) => {
      const fits =
        form?.test(words) ||
        (value && (isWhole(value, words) || standsAt(value, text, { start, end }))) ||
        (before && isBefore(before, text, start)) ||
        after?.test(text.slice(end, end + reach));
      return fits ? sum + gain : sum;
    }, 0),
  );

const border = /[,，、。;；!！?？\n"”》」]|\.(?=\s|$)/u;
const longestClause = 60;
/** Log odds that the words behind “titled” are all of the title. */
const headingGain = 12;

/** Places that the words before them, or a person's title, give away. */
function given(
  hints: readonly Hint[],
  { reading: { within }, text, words: { heading, name } }: Clues,
): Place[] {
  const found: Place[] = [];
  const add = (start: number, end: number, isWhole: boolean) => {
    const place = end > start ? within(start, end) : null;
    if (place) found.push(isWhole ? { ...place, text: text.slice(start, end), start, end } : place);
  };
  for (const { before, isWhole, value } of hints) {
    for (const { 0: words, index } of value ? text.matchAll(value).take(mostLeads) : [])
      add(index, index + words.length, true);
    for (const { 0: words, index } of before ? text.matchAll(before).take(mostLeads) : []) {
      const start = index + words.length;
      const clause = text.slice(start, start + longestClause);
      const length = border.exec(clause)?.index ?? clause.length;
      const head = isWhole ? heading.exec(clause)?.[0] : undefined;
      if (head) {
        const skipped = /^["“「'‘]/u.test(head) ? 1 : 0;
        const place = within(start + skipped, start + head.length);
        if (place)
          found.push({
            ...place,
            text: head.slice(skipped),
            start: start + skipped,
            end: start + head.length,
            score: place.score + headingGain,
          });
        continue;
      }
      const known = name.exec(clause)?.[0].length ?? 0;
      add(start, start + length, false);
      if (known > 0 && known < length) add(start, start + known, true);
    }
  }
  return found;
}

/** Words beside a number that say of what it is: “3 cups of rice”, “platform 4”. */
const behindNumber = /^\s*-?(?:(?:\p{Script=Han}){1,6}|[^\s\d,.;:，。；：]+(?: [^\s\d,.;:，。；：]+){0,2})/u;
const beforeNumber = /(?:(?:\p{Script=Han}){1,5}|(?<![^\s])[^\s\d,.;，。；]+(?: [^\s\d,.;，。；]+)?)\s*$/u;
const besideGain = { behind: 3, before: 2 };

/** @param likeness share of the field's name that words say */
export function counted(
  places: readonly Place[],
  text: string,
  likeness: (words: string) => number,
): Place[] {
  return places.map((place) => {
    if (!/\d/u.test(place.text) && place.end - place.start > longestNumber) return place;
    const behind = behindNumber.exec(text.slice(place.end, place.end + reach))?.[0].trim() ?? '';
    const before =
      beforeNumber.exec(text.slice(Math.max(0, place.start - reach), place.start))?.[0].trim() ?? '';
    const next = behind.split(' ')[0]!;
    const last = before.split(' ').at(-1)!;
    const gain = Math.max(
      behind === '' ? 0 : besideGain.behind * Math.max(likeness(behind), likeness(next)),
      before === '' ? 0 : besideGain.before * Math.max(likeness(before), likeness(last)),
    );
    return gain < leastBeside
      ? place
      : { ...place, score: place.score + gain, gain: (place.gain ?? 0) + gain };
  });
}

const longestNumber = 24;
const leastBeside = 0.8;

/** The places with what the field's name says for them, and those that its words lead to. */
export function hinted(key: string, places: readonly Place[], clues: Clues): Place[] {
  const { text, words } = clues;
  const hints = words.list.filter((hint) => hint.key.test(key));
  if (hints.length === 0) return [...places];
  const all = [...places];
  for (const place of given(hints, clues)) {
    const at = all.findIndex(({ end, start }) => start === place.start && end === place.end);
    if (at < 0) all.push(place);
    else if (place.score > all[at]!.score) all[at] = place;
  }
  return all.map((place) => {
    const gain = gainOf(hints, place, text);
    return gain > 0 ? { ...place, score: place.score + gain, gain: (place.gain ?? 0) + gain } : place;
  });
}

/** True where words are a value that a field's name is known for: “euro” of a currency. */
export const isKnownValue = (key: string, place: Place, text: string, words: HintWords): boolean =>
  words.list.some(
    ({ key: pattern, value }) =>
      value && pattern.test(key) && (isWhole(value, place.text) || standsAt(value, text, place)),
  );

/** Values of a field whose name says what they are, where the text has two of them or more: weekdays, languages. */
export function valuesOf(key: string, text: string, words: HintWords): string[] {
  const values = words.list.flatMap(({ key: pattern, value }) => (value && pattern.test(key) ? [value] : []));
  for (const value of values) {
    const found = [...new Set([...text.matchAll(value)].map(([said]) => said))];
    if (found.length > 1 && found.length <= mostLeads) return found;
  }
  return [];
}

/** Log odds that words before a value's name, “from my savings”, give it to the field. */
export function ledTo(key: string, value: string, text: string, words: HintWords): number {
  const hints = words.list.filter(({ before, key: pattern }) => before && pattern.test(key));
  if (hints.length === 0 || value === '') return 0;
  const places = [
    ...text.matchAll(
      new RegExp(`(?<![\\p{Script=Latin}\\d])${RegExp.escape(value.replaceAll('_', ' '))}`, 'giu'),
    ),
  ];
  const leads = (at: number, pattern: RegExp) =>
    [at, at - (words.possessive.exec(text.slice(Math.max(0, at - reach), at))?.[0].length ?? 0)].some(
      (start) => isBefore(pattern, text, start),
    );
  return Math.max(
    0,
    ...places.map(({ index }) =>
      hints.reduce((sum, { before, gain }) => sum + (leads(index, before!) ? gain : 0), 0),
    ),
  );
}

const sentence = /[.!?;\n](?:\s|$)|[。！？；]/u;
const clause = /[,:]\s|\s(?:but|and|while|whereas)\s/u;
/** Words of a field's name that say nothing by themselves; letters that words of one stem share. */
const small = /^(?:is|are|was|has|have|be|the|a|of|for|in|to|it)$/u;
const stemLetters = 5;

/** All words of a name of two or more in one sentence say that it is so, or with a word of denial that it is not: “accessible for wheelchairs”. */
function saidApart(name: string, text: string, denial: RegExp): number {
  const stems = name
    .toLowerCase()
    .split(' ')
    .filter((word) => /^[a-z]{3,}$/u.test(word) && !small.test(word))
    .map((word) => word.slice(0, stemLetters));
  if (stems.length < 2) return 0;
  const hasAll = (each: string) => {
    const words = each.toLowerCase().split(/[^a-z]+/u);
    return stems.every((stem) => words.some((word) => word.startsWith(stem)));
  };
  const whole = text.split(sentence).find(hasAll);
  // “Pets are allowed, subletting is not”: a clause by itself.
  const said = whole?.split(clause).find(hasAll) ?? whole;
  return said === undefined ? 0 : denial.test(said) ? -namedGain : namedGain;
}

/** Words beside a field's own name that deny it, or a Chinese one. */
export interface DeniedName {
  before: RegExp;
  behind: RegExp;
  /** “Gift wrapping: yes”; a question or a label otherwise. */
  confirmed: RegExp;
  asked: RegExp;
  /** 夜间锁门 of “夜间不锁门”; before what is denied: 是否, 允许; before its bare word: 不得. */
  inserted: string;
  opening: RegExp;
  bare: string;
}

/** 是否已婚 of “未婚”, 允许转租 of “不得转租”, 夜间锁门 of “夜间不锁门”. */
function deniedInHan(name: string, text: string, { bare, inserted, opening }: DeniedName): boolean {
  if (!/^\p{Script=Han}{2,8}$/u.test(name)) return false;
  const found = new RegExp([...name].join(`(?:${inserted})?`), 'u').exec(text)?.[0];
  if (found !== undefined) return found !== name;
  const rest = name.replace(opening, '').replace(opening, '');
  return rest !== name && new RegExp(`${bare}${rest}`, 'u').test(text);
}

/** Words that deny: before what they deny, anywhere in its clause, beside a field's name. */
interface Denials {
  negation: RegExp;
  clause: RegExp;
  name: DeniedName;
}

/** Log odds that a text which has a field's very name says that it is so; against it beside a negation. */
export function saidSo(name: string, text: string, denials: Denials): number {
  if (deniedInHan(name, text, denials.name)) return -literalGain;
  const pattern = `(?<![\\p{Script=Latin}\\d])${RegExp.escape(name)}(?![\\p{Script=Latin}\\d])`;
  const found = name.length < 2 ? null : new RegExp(pattern, 'iu').exec(text);
  // “unhurt”, “non-smoker”
  const bare = name.replace(/^(?:is|was|are|has) /u, '');
  const isTurned =
    /^[a-z]{4,}$/u.test(bare) && new RegExp(`\\b(?:un|non-?|in|im|dis)${bare}`, 'iu').test(text);
  if (isTurned) return -namedGain;
  const end = found ? found.index + found[0].length : 0;
  const behind = text.slice(end, end + reach);
  if (found && denials.name.behind.test(behind)) return -literalGain;
  if (found && denials.name.confirmed.test(behind)) return literalGain;
  if (!found || denials.name.asked.test(behind)) return saidApart(name, text, denials.clause);
  const before = text.slice(Math.max(0, found.index - reach), found.index);
  const near = before.slice(before.search(/[^,.;:，。；：!?]*$/u));
  const isDenied =
    denials.negation.test(before) ||
    denials.name.before.test(before) ||
    (/^[a-z]/iu.test(name) && denials.clause.test(near));
  return isDenied ? -literalGain : literalGain;
}

/** Log odds that its words in a clause, and its very name, say it. */
const namedGain = 2;
const literalGain = 4;
