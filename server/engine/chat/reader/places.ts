/** Places of the text for the fields of a schema. */
import type { Json } from '../../pack-files.ts';
import { candidatesOf, namedForm } from './candidates.ts';
import { type ReadingSettings, told } from './context.ts';
import type { ReadText } from './features.ts';
import type { Place, Reading, ReadingQuestion } from './reader.ts';
import { relativeDate } from './relative-dates.ts';
import { isVerb } from './requests.ts';
import { asksNumber } from './schemas.ts';
import { lengthOf } from './split.ts';
import { typedValue } from './values.ts';
import { wordsOfKey } from './wording.ts';

export interface Slot {
  key: string;
  schema: Json;
  isRequired: boolean;
  questions: ReadingQuestion[];
  options: unknown[];
}

/** A field that may be left out, or be null. */
export const allowsNone = ({ isRequired, schema }: Slot): boolean =>
  !isRequired || [schema.type].flat().includes('null');

/** Log odds that a field which may stay empty must reach: more where the schema says what it is otherwise. */
export const leastTold = ({ schema }: Slot, { thresholds, usual }: ReadingSettings): number =>
  thresholds.told + (usual.test(String(schema.description ?? '')) ? thresholds.usual : 0);

/** A full stop behind an initial or a short word of a name, “R. Kettering”, “Kg. Baru”, ends nothing; a wide gap begins another column. */
const labelEnd =
  /\n|\t| {2,}(?=\S)|\u3000|[|;；]|[,，](?!\d)|。|[!?](?=\s|$)|(?<!(?:^|[\s(&])\p{Lu}\p{Ll}{0,2})\.(?=\s|$)|\.(?=\s*$)|$/u;
/** The value of an attribute, and the quote that ends it. */
const quotedValue = /^["']([^"'\n]{1,80})["']/u;

/** The words behind a field's own name, where the text has it as a label: “rate: 5”, “rate = 5”; “zorvel 5” if `isStrange`. */
function labelled(key: string, text: string, isStrange: boolean): Place | null {
  const name = key
    .split(/[_\s-]+/u)
    .map((part) => RegExp.escape(part))
    .join('[ _-]?');
  const sign = isStrange ? String.raw`\s*(?:[:：=]|\t|\s)\s*` : String.raw`\s*(?:[:：=]|\t)\s*`;
  const found = new RegExp(`(?<![\\p{L}\\p{N}_-])${name}${sign}`, 'iu').exec(text);
  if (!found) return null;
  const start = found.index + found[0].length;
  const quoted = quotedValue.exec(text.slice(start))?.[1];
  if (quoted) return { text: quoted, start: start + 1, end: start + 1 + quoted.length, score: 0 };
  const end = start + labelEnd.exec(text.slice(start))!.index;
  const value = text.slice(start, end).trim();
  return value === '' || lengthOf(value) > longestLabelled
    ? null
    : { text: value, start, end: start + value.length, score: 0 };
}

const longestLabelled = 12;

/** Of a label's words the value alone, where the field's values have a form: “012-555 0143” of “only 012-555 0143 (Aini)”. */
function formedWithin(place: Place, slot: Slot, settings: ReadingSettings): Place {
  const [found, ...others] = place.text.matchAll(namedForm(slot, settings)?.value ?? /$^/gu);
  if (!found || others.length > 0) return place;
  const start = place.start + found.index;
  return { ...place, text: found[0], start, end: start + found[0].length };
}

interface Assigning {
  /** A request's first word is rather what is to be done than an argument. */
  isCall: boolean;
  /** A name whose words nobody knows. */
  isStrange: (key: string) => boolean;
  /** Log odds that a place loses when something else has taken it. */
  penalty: number;
  settings: ReadingSettings;
  /** Share of a field's name that words say. */
  likeness: (slot: Slot) => (words: string) => number;
  read: Pick<ReadText, 'text' | 'words' | 'known'>;
  /** The day that the request calls today. */
  today: string | undefined;
}

/** A place of the text for each field, the surest first; a place that is taken goes to another only where nothing else will do. */
export function assignPlaces(
  answered: readonly { slot: Slot; readings: Reading[] }[],
  { isCall, isStrange, likeness, penalty, read, settings, today }: Assigning,
): Map<Slot, Place> {
  const { text } = read;
  const fits = (place: Place, slot: Slot) =>
    typedValue(place.text, { ...slot, context: text, start: place.start }, settings.values) !== undefined ||
    (today !== undefined && relativeDate(place, text, today, settings.values) !== undefined);
  const options = new Set(
    answered.flatMap(({ slot }) => slot.options.map((each) => String(each).toLowerCase())),
  );
  const taken: Place[] = [];
  const lossOf = (place: Place): number =>
    (taken.some((other) => overlaps(other, place)) ? penalty : 0) +
    (isCall && isVerb(place, text) ? verbLoss : 0);
  const chosen = new Map<Slot, Place>();
  const candidates = new Map<Slot, Place[]>();
  const open = answered.flatMap(({ slot, readings: [reading] }) => {
    if (!reading || slot.questions[0]?.asking !== 'field') return [];
    const said = labelled(slot.key, text, isStrange(slot.key));
    const label = said && formedWithin(said, slot, settings);
    return [{ slot, reading, label: label && fits(label, slot) ? label : null }];
  });
  const sureness = ({ label, reading }: (typeof open)[number]) =>
    label ? 0 : Math.min(0, told(reading)) + (reading.place?.score ?? -Infinity);
  for (const { label, reading, slot } of open.sort((a, b) => sureness(b) - sureness(a))) {
    if (label) {
      taken.push(label);
      chosen.set(slot, label);
      continue;
    }
    const least = allowsNone(slot) ? leastTold(slot, settings) : -Infinity;
    const fitting = candidatesOf(slot, reading, read, settings, likeness(slot)).filter((place) =>
      fits(place, slot),
    );
    // “in celsius” is the unit's, whatever else asks for words.
    const own = fitting.filter((place) => !options.has(place.text.toLowerCase()));
    const all = own.length > 0 ? own : fitting;
    candidates.set(slot, all);
    const weighed = all
      .map((place) => ({ place, loss: lossOf(place) }))
      .sort((a, b) => b.place.score - b.loss - (a.place.score - a.loss));
    const [best] = weighed;
    const sure = told(reading) + (best?.place.gain ?? 0);
    if (!best || sure - (allowsNone(slot) ? best.loss : 0) < least) continue;
    taken.push(best.place);
    chosen.set(slot, best.place);
  }
  exchange(chosen, candidates, {
    penalty,
    order: answered.map(({ slot }) => slot),
    turnGain: ({ schema }, other) =>
      asksNumber(schema) && asksNumber(other.schema) ? inTurn.numbers : isCall ? 0 : inTurn.fields,
  });
  // One that may stay empty leaves a place to a field that must have it.
  for (const { reading, slot } of open) {
    const place = chosen.get(slot);
    if (!place || !allowsNone(slot)) continue;
    const isShared = [...chosen].some(
      ([other, its]) => other !== slot && !allowsNone(other) && overlaps(place, its),
    );
    if (isShared && told(reading) + (place.gain ?? 0) - penalty < leastTold(slot, settings))
      chosen.delete(slot);
  }
  // Two numbers at one place: one of them is not told.
  for (const [slot, place] of chosen) {
    if (!allowsNone(slot) || !asksNumber(slot.schema)) continue;
    const isOthers = [...chosen].some(
      ([other, its]) =>
        other !== slot &&
        asksNumber(other.schema) &&
        overlaps(place, its) &&
        (its.gain ?? 0) >= (place.gain ?? 0),
    );
    if (isOthers) chosen.delete(slot);
  }
  inOrder(chosen);
  inTime(chosen, candidates, read.text, settings);
  return chosen;
}

/** Log odds that a request's first word is no argument. */
const verbLoss = 4;

export const overlaps = (a: Place, b: Place): boolean => a.start < b.end && b.start < a.end;

interface Exchanging {
  penalty: number;
  order: readonly Slot[];
  /** Log odds that of two fields the first is told first. */
  turnGain: (slot: Slot, other: Slot) => number;
}

/** A place that one field has taken may fit another better, all together: two give up and take others as long as their sum grows. */
function exchange(
  chosen: Map<Slot, Place>,
  candidates: ReadonlyMap<Slot, Place[]>,
  { order, penalty, turnGain }: Exchanging,
): void {
  const slots = [...candidates.keys()]
    .filter((slot) => chosen.has(slot))
    .sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const sum = () => {
    let total = 0;
    slots.forEach((slot, at) => {
      const place = chosen.get(slot)!;
      total += place.score;
      slots.slice(0, at).forEach((other, before) => {
        const earlier = chosen.get(other)!;
        if (overlaps(place, earlier)) total -= penalty;
        else if (earlier.start < place.start) total += turnGain(slot, slots[before]!);
      });
    });
    return total;
  };
  if (slots.length > mostExchanged) return;
  for (let round = 0, grew = true; round < 3 && grew; round += 1) {
    grew = false;
    for (const first of slots)
      for (const second of slots) {
        if (first === second) continue;
        const before = [chosen.get(first)!, chosen.get(second)!] as const;
        let best = sum() + 1e-6;
        let kept = before;
        for (const one of candidates.get(first)!)
          for (const two of candidates.get(second)!) {
            chosen.set(first, one).set(second, two);
            const total = sum();
            if (total > best) [best, kept] = [total, [one, two]];
          }
        chosen.set(first, kept[0]).set(second, kept[1]);
        grew ||= kept !== before;
      }
  }
}

const mostExchanged = 14;
/** Log odds that two numbers, and two fields of any kind of an object, are said in the order that the schema has. */
const inTurn = { numbers: 3, fields: 1 };

const lastSign = /[a-z\d]$/iu;

/** `side_a`, `side_b` or `num1`, `num2`: which is which nobody says but by their order. */
function inOrder(chosen: Map<Slot, Place>): void {
  const families = Map.groupBy(chosen.keys(), ({ key }) =>
    /(?:[_\d][a-z]|\d)$/iu.test(key) ? key.replace(lastSign, '') : key,
  );
  for (const slots of families.values()) {
    const places = slots.map((slot) => chosen.get(slot)!).sort((a, b) => a.start - b.start);
    slots
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .forEach((slot, at) => void chosen.set(slot, places[at]!));
  }
}

/**
 * “check in” before “check out”: two days that were found the other way round change places, and of two days that are one
 * the earlier, or the later, is another day that the text tells.
 */
function inTime(
  chosen: Map<Slot, Place>,
  candidates: ReadonlyMap<Slot, Place[]>,
  text: string,
  { pairs, values }: ReadingSettings,
): void {
  const schema = { type: 'string', format: 'date' };
  const dayIn = ({ start, text: said }: Place, context: string): unknown =>
    typedValue(said, { key: '', schema, context, start }, values);
  const dayOf = (place: Place): string => String(dayIn(place, text) ?? dayIn(place, anyYear) ?? '');
  for (const { earlier, later } of pairs) {
    const [first, ...others] = [...chosen.keys()].filter(({ key }) => earlier.test(wordsOfKey(key)));
    const [second, ...more] = [...chosen.keys()].filter(({ key }) => later.test(wordsOfKey(key)));
    if (!first || !second || first === second || others.length + more.length > 0) continue;
    const [one, two] = [chosen.get(first)!, chosen.get(second)!];
    const [before, after] = [dayOf(one), dayOf(two)];
    if (before === '' || after === '') continue;
    if (before > after) chosen.set(first, two).set(second, one);
    if (before !== after) continue;
    const other = (slot: Slot, fits: (day: string) => boolean) =>
      candidates
        .get(slot)
        ?.filter((place) => dayOf(place) !== '' && fits(dayOf(place)))
        .toSorted((a, b) => b.score - a.score)[0];
    const sooner = other(first, (day) => day < before);
    const on = other(second, (day) => day > after);
    if (sooner && (!on || sooner.score >= on.score)) chosen.set(first, sooner);
    else if (on) chosen.set(second, on);
  }
}

/** Days without a year are of the same one. */
const anyYear = '2000-01-01';
