/** Objects that a sentence counts up: “rice for RM 25.90 and oil for RM 8.50”, “3 chairs, 2 tables”. */
import type { Json } from '../../pack-files.ts';
import { numberPlaces } from './number-places.ts';
import { asksNumber, isPlain } from './schemas.ts';
import { lengthOf } from './split.ts';
import { numberOf, type ValueWords } from './values.ts';
import { wordsOfKey } from './wording.ts';

/** Words around the parts of such a sentence. */
export interface PhraseWords {
  /** Fields that are amounts of money, and what stands before or behind such an amount. */
  money: RegExp;
  currencyBefore: RegExp;
  currencyBehind: RegExp;
  /** Between two parts. */
  border: RegExp;
  /** Up to the first thing: “we bought”; between a thing and its number: “for”, “at”; behind a thing that comes last: “to the office”. */
  lead: RegExp;
  link: RegExp;
  tail: RegExp;
  /** Words that things are counted in, before their names, “3 buah meja”, “2 boxes of”; a field that holds it, and what it is behind a number. */
  classifier: RegExp;
  unitKey: RegExp;
  unit: RegExp;
  /** One of a thing: “a pen”. */
  article: RegExp;
}

interface Part {
  name: string;
  unit: string | null;
  numbers: { value: number; isMoney: boolean }[];
}

const sentenceEnd = /(?<=[.!?])\s+|(?<=[。！？])|\n/u;
const label = /^.{0,400}[:：](?!\d)\s*/u;
const longestName = 8;
const mostSentence = 2000;

interface PhraseSettings {
  phrases: PhraseWords;
  values: ValueWords;
}

function partOf(words: string, hasUnit: boolean, { phrases, values }: PhraseSettings): Part | null {
  const { article, classifier, currencyBefore, currencyBehind, lead, link, tail, unit: unitWords } = phrases;
  const text = words.replace(lead, '').trim();
  const places = numberPlaces(text, values).filter(
    ({ start }, at) => !(at === 0 && start === 0 && article.test(text)),
  );
  if (places.length === 0) return null;
  const numbers: Part['numbers'] = [];
  // The words without their numbers and the currencies of these.
  const rest: string[] = [];
  let from = 0;
  for (const { end, start } of places) {
    const value = numberOf(text.slice(start, end), values);
    if (value === undefined) return null;
    const before = currencyBefore.exec(text.slice(from, start));
    const behind = currencyBehind.exec(text.slice(end));
    numbers.push({ value, isMoney: before !== null || behind !== null });
    rest.push(text.slice(from, before ? from + before.index : start));
    from = end + (behind?.[0].length ?? 0);
  }
  rest.push(text.slice(from));
  const unit = unitWords.exec(rest[1] ?? '')?.[0].trim() ?? null;
  if (hasUnit && unit !== null) rest[1] = rest[1]!.replace(unitWords, '');
  const one = article.exec(text);
  if (one) numbers.push({ value: 1, isMoney: false });
  const name = rest
    .map((piece) =>
      piece
        .replace(link, '')
        .replace(classifier, '')
        .replace(article, '')
        .replace(tail, '')
        .replace(/\s*[(（]$/u, '')
        .trim(),
    )
    .find((piece) => /\p{L}/u.test(piece));
  return name && lengthOf(name) <= longestName ? { name, numbers, unit } : null;
}

/** Null where no sentence counts up two things or more, each with a number at least. */
export function rowsOfPhrases(
  schema: Json,
  text: string,
  settings: PhraseSettings,
): Record<string, unknown>[] | null {
  const properties = Object.entries(schema.properties as Json);
  const unitKey = properties.find(
    ([key, each]) => isText(each) && settings.phrases.unitKey.test(wordsOfKey(key)),
  )?.[0];
  const names = properties.filter(([key, each]) => !asksNumber(each) && key !== unitKey);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const [named] = names;
  if (names.length !== 1 || !named || properties.length < 2 || !isText(named[1])) return null;
  for (const sentence of text.split(sentenceEnd)) {
    if (sentence.length > mostSentence) continue;
    const parts = sentence
      .replace(label, '')
      .replace(/[.。!！?？]\s*$/u, '')
      .split(settings.phrases.border)
      .filter((part) => part.trim() !== '')
      .map((part) => ({ part, told: partOf(part, unitKey !== undefined, settings) }));
    // “… and 30 files to our office in Tanner Row, York”: what is behind the last thing is no thing.
    const last = parts.findLastIndex(({ told }) => told !== null);
    const isTail = last >= 0 && settings.phrases.tail.test(parts[last]!.part);
    const things = isTail ? parts.slice(0, last + 1) : parts;
    const found = things.flatMap(({ told }) => (told === null ? [] : [told]));
    if (found.length < 2 || found.length < things.length) continue;
    const hasMoney = found.some(({ numbers }) => numbers.some(({ isMoney }) => isMoney));
    const rows = found.map(({ name, numbers, unit }) => {
      const open = [...numbers];
      const row: Record<string, unknown> = Object.create(null);
      for (const [key, each] of properties) {
        const wantsMoney = settings.phrases.money.test(wordsOfKey(key));
        const at = open.findIndex(({ isMoney }) => isMoney === (wantsMoney && hasMoney));
        if (key === named[0]) row[key] = name;
        else if (key === unitKey)
          row[key] = unit ?? ([(each as Json).type].flat().includes('null') ? null : '');
        else if (at >= 0) row[key] = open.splice(at, 1)[0]!.value;
        else if (isPlain(each) && [each.type].flat().includes('null') && required.includes(key))
          row[key] = null;
      }
      return row;
    });
    if (rows.every((row) => required.every((key) => row[key] !== undefined))) return rows;
  }
  return null;
}

const isText = (schema: unknown): boolean =>
  isPlain(schema) && [schema.type].flat().includes('string') && !Array.isArray(schema.enum);
