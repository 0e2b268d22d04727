/** Values that are none: a field's place that tells nothing of it, and what stands for a value that nobody told. */
import type { Json } from '../../pack-files.ts';
import { type ReadingSettings, told } from './context.ts';
import type { ReadText } from './features.ts';
import { isKnownValue } from './hints.ts';
import type { Slot } from './places.ts';
import type { Place, Reading } from './reader.ts';
import { isVerb } from './requests.ts';
import { asksText, isPlain } from './schemas.ts';
import { wordsOfKey } from './wording.ts';
import { segmentWords } from './words.ts';

interface Untelling {
  read: ReadText;
  settings: ReadingSettings;
  /** Words of the function, or of all fields. */
  names: string;
  isCall: boolean;
  /** Nothing may be made up. */
  isAsked: boolean;
  readings: ReadonlyMap<Slot, Reading | undefined>;
}

export const formsOf = (text: string): string[] =>
  segmentWords(text)
    .filter(({ kind }) => kind !== 'sign' && kind !== 'line')
    .map(({ form }) => form);

export const singular = (form: string): string => (/^[a-z]{3,}s$/u.test(form) ? form.slice(0, -1) : form);

const stem = (form: string): string =>
  /^[a-z]{5,}$/u.test(form) ? form.replace(/(?:ing|ed|s)$/u, '') : form;

/** True where a field's place holds nothing but greetings, the field's name or the function's, or what is surely another field's. */
export function isHollow(
  slot: Slot,
  place: Place,
  places: readonly [Slot, Place][],
  { isAsked, isCall, names, read, readings, settings }: Untelling,
): boolean {
  if (!isAsked) return false;
  const { key } = slot;
  const gain = place.gain ?? 0;
  const reading = readings.get(slot);
  const sure = reading ? told(reading) + gain : 0;
  const isText = isWords(slot);
  // A label's own value is told by its name.
  const isLabelled = place.score === 0 && place.gain === undefined && place.start > 0;
  if (isLabelled) return false;
  const shared = places.find(
    ([other, its]) => other !== slot && its.start === place.start && its.end === place.end,
  );
  if (shared && (shared[1].gain ?? 0) > gain && gain === 0 && shared[1].score > place.score) return true;
  // One place for several fields of a text is told by the surest of them: “Tell me about Canada” names no capital.
  if (shared && !isCall && isText && sure < sharedSure && isWords(shared[0])) {
    const its = readings.get(shared[0]);
    const isFirst = places.findIndex(([each]) => each === slot) < places.indexOf(shared);
    if (its && (isFirst ? told(its) > sure : told(its) >= sure)) return true;
  }
  // “account 7788”: a number behind the name of another argument is that one's alone.
  const before = read.text.slice(0, place.start).trimEnd().toLowerCase();
  if (shared && isCall && !isText && isWords(shared[0]) && before.endsWith(wordsOfKey(shared[0].key)))
    return true;
  if (!isText) return false;
  if (isCall && !slot.isRequired && isVerb(place, read.text)) return true;
  // “four parcels” is no number of a parcel.
  const isCount = !/\d/u.test(place.text) && place.text.toLowerCase() in settings.values.numbers;
  if (isCall && isCount && isCodeName(wordsOfKey(key))) return true;
  if (sure < leastSure) return true;
  const kind = settings.kinds.find((each) => each.isStrict && each.key.test(wordsOfKey(key)));
  if (kind && ![...place.text.matchAll(kind.value)].length) return true;
  if (read.text[place.end] === ':' || read.text[place.end] === '：') return sure < labelSure;
  // “Puan Rosnah” is a greeting's words and a name.
  const isPerson = [...place.text.matchAll(settings.hints.persons)].some(([said]) => said === place.text);
  if (settings.polite.test(place.text) && !isPerson) return true;
  if (sure < politeSure && settings.polite.test(sentenceAround(read, place))) return true;
  if (isKnownValue(wordsOfKey(key), place, read.text, settings.hints)) return false;
  const known = new Set(formsOf(`${wordsOfKey(key)} ${names}`).map(stem));
  const forms = formsOf(place.text);
  return forms.every((form) => known.has(stem(form)) || settings.requests.empty.test(form));
}

const isCodeName = (name: string): boolean =>
  /(?:^|\s)(?:no|number|id|code|ref|reference|nombor|kod)$/u.test(name);

const isWords = ({ schema }: Slot): boolean => asksText(schema);

const leastSure = -1.5;
const labelSure = 1.5;
/** Log odds from which two fields of a text have the same words. */
export const sharedSure = 4;
const politeSure = 1;

function sentenceAround({ sentenceOf, text, words }: ReadText, { start }: Place): string {
  const at = words.findLastIndex((word) => word.start <= start);
  const own = words.filter((_, index) => sentenceOf[index] === sentenceOf[at]);
  return text.slice(own[0]?.start, own.at(-1)?.end);
}

/** The smallest value that a schema allows, such as '', 0 or [], for a field that must be there and that nobody told. */
export function smallestOf(schema: Json, budget = { items: mostInAll }): unknown {
  const { items, minItems, minLength, properties, required, type } = schema;
  const types = [type].flat();
  if (schema.const !== undefined) return schema.const;
  if (types.includes('null')) return null;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (types.includes('boolean')) return false;
  if (types.includes('array')) {
    const length = Math.max(0, Math.min(Number(minItems ?? 0), mostItems, budget.items));
    budget.items -= length;
    return Array.from({ length }, () => (isPlain(items) ? smallestOf(items, budget) : null));
  }
  if (
    types.includes('string') &&
    typeof schema.format === 'string' &&
    Object.hasOwn(emptyFormats, schema.format)
  )
    return emptyFormats[schema.format];
  if (types.includes('string')) return ' '.repeat(Math.max(0, Math.min(Number(minLength ?? 0), mostItems)));
  if (types.includes('integer') || types.includes('number')) {
    const { exclusiveMinimum, maximum, minimum } = schema;
    const above = Math.max(0, Number(minimum ?? 0), Number(exclusiveMinimum ?? -1) + 1);
    const least = types.includes('number') ? above : Math.ceil(above);
    return maximum === undefined ? least : Math.min(least, Number(maximum));
  }
  if (!isPlain(properties) || !Array.isArray(required)) return {};
  return Object.fromEntries(
    required.map((key: string) => [
      key,
      isPlain(properties[key]) ? smallestOf(properties[key], budget) : null,
    ]),
  );
}

/** Formats that no empty text has. */
const emptyFormats: Record<string, string> = {
  date: '1970-01-01',
  time: '00:00:00Z',
  'date-time': '1970-01-01T00:00:00Z',
  duration: 'PT0S',
  email: 'unknown@example.invalid',
  ipv4: '0.0.0.0',
  ipv6: '::',
  uri: 'about:blank',
  uuid: '00000000-0000-0000-0000-000000000000',
};

const mostItems = 16;
/** Items of all arrays, those within others as well. */
const mostInAll = 256;
