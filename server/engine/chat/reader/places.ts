/** Places of the text for the fields of a schema. */
import type { Json } from '../../pack-files.ts';
import { type ReadingSettings, told } from './context.ts';
import type { Place, Reading, ReadingQuestion } from './reader.ts';
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

const labelEnd = /\n|[|;；]|[,，](?!\d)|。|[.!?](?=\s|$)|$/u;

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
  const end = start + labelEnd.exec(text.slice(start))!.index;
  const value = text.slice(start, end).trim();
  return value === '' || lengthOf(value) > longestLabelled
    ? null
    : { text: value, start, end: start + value.length, score: 0 };
}

const longestLabelled = 12;

/** The best places of a field; of one whose values have a form, those of that form, whole. */
function candidatesOf(
  { key, schema }: Slot,
  reading: Reading,
  text: string,
  { kinds }: ReadingSettings,
): Place[] {
  const isText = [schema.type].flat().includes('string');
  const name = schema.format === 'date' ? 'date' : wordsOfKey(key);
  const kind = isText ? kinds.find((each) => each.key.test(name)) : undefined;
  const formed = [...(kind ? text.matchAll(kind.value) : [])].flatMap(({ 0: words, index }): Place[] => {
    const place = reading.within(index, index + words.length);
    return place ? [{ ...place, text: words, start: index, end: index + words.length }] : [];
  });
  if (formed.length > 0) return formed;
  // An address of the net or of mail is nobody's name, and no town.
  const isOther = ({ text: words }: Place) => isText && /^(?:https?:|www\.)\S+$|^\S+@\S+\.\S+$/u.test(words);
  const plain = reading.best.filter((place) => !isOther(place));
  return (plain.length > 0 ? plain : reading.best).map((place) => withMark(wholeName(place, text), text));
}

/** “#50059”: the mark belongs to the number. */
const withMark = (place: Place, text: string): Place =>
  text[place.start - 1] === '#' && !place.text.startsWith('#')
    ? { ...place, text: `#${place.text}`, start: place.start - 1 }
    : place;

/** With the last sign of a Chinese name that was cut: one sign, and nothing behind it. */
function wholeName(place: Place, text: string): Place {
  const isCut =
    lengthOf(place.text) <= 4 &&
    /^\p{Script=Han}+$/u.test(place.text) &&
    /^\p{Script=Han}(?![\p{Script=Han}\p{N}])/u.test(text.slice(place.end)) &&
    !/[的了在是和与]$/u.test(text.slice(0, place.end + 1));
  return isCut ? { ...place, text: place.text + text[place.end], end: place.end + 1 } : place;
}

interface Assigning {
  /** A name whose words nobody knows. */
  isStrange: (key: string) => boolean;
  /** Log odds that a place loses when something else has taken it. */
  penalty: number;
  settings: ReadingSettings;
  text: string;
}

/** A place of the text for each field, the surest first; a place that is taken goes to another only where nothing else will do. */
export function assignPlaces(
  answered: readonly { slot: Slot; readings: Reading[] }[],
  { isStrange, penalty, settings, text }: Assigning,
): Map<Slot, Place> {
  const fits = (place: Place, slot: Slot) =>
    typedValue(place.text, { ...slot, context: text }, settings.values) !== undefined;
  const taken: Place[] = [];
  const chosen = new Map<Slot, Place>();
  const candidates = new Map<Slot, Place[]>();
  const open = answered.flatMap(({ slot, readings: [reading] }) => {
    if (!reading || slot.questions[0]?.asking !== 'field') return [];
    const label = labelled(slot.key, text, isStrange(slot.key));
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
    const least = allowsNone(slot) ? settings.thresholds.told : -Infinity;
    const all = candidatesOf(slot, reading, text, settings).filter((place) => fits(place, slot));
    candidates.set(slot, all);
    const fitting = all
      .map((place) => ({ place, loss: taken.some((other) => overlaps(other, place)) ? penalty : 0 }))
      .sort((a, b) => b.place.score - b.loss - (a.place.score - a.loss));
    const [best] = fitting;
    if (!best || told(reading) - (allowsNone(slot) ? best.loss : 0) < least) continue;
    taken.push(best.place);
    chosen.set(slot, best.place);
  }
  exchange(chosen, candidates, penalty);
  inOrder(chosen);
  return chosen;
}

const overlaps = (a: Place, b: Place): boolean => a.start < b.end && b.start < a.end;

/** A place that one field has taken may fit another better, all together: two give up and take others as long as their sum grows. */
function exchange(chosen: Map<Slot, Place>, candidates: ReadonlyMap<Slot, Place[]>, penalty: number): void {
  const slots = [...candidates.keys()].filter((slot) => chosen.has(slot));
  const sum = () => {
    let total = 0;
    slots.forEach((slot, at) => {
      const place = chosen.get(slot)!;
      total += place.score;
      for (const other of slots.slice(0, at)) if (overlaps(place, chosen.get(other)!)) total -= penalty;
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
