/** Fields that are lists: days, runs of numbers, values of a kind, things that the text counts up. */
import type { Json } from '../../pack-files.ts';
import { namedForm } from './candidates.ts';
import { type ReadingSettings, told } from './context.ts';
import type { ItemPlace } from './enumerations.ts';
import { valuesOf } from './hints.ts';
import { formsOf, singular } from './hollow.ts';
import { itemsOfFields } from './lists.ts';
import { numberRun } from './number-runs.ts';
import { allowsNone, leastTold, type Slot } from './places.ts';
import type { Reading } from './reader.ts';
import { asksNumber, asksText, isPlain } from './schemas.ts';
import { pieceAround } from './split.ts';
import { typedValue } from './values.ts';
import { wordsOfKey } from './wording.ts';

const itemSchema = ({ items }: Json): Json => (isPlain(items) ? items : {});

/** A list of texts of any kind. */
export const isTextList = ({ items, type }: Json): boolean =>
  [type].flat().includes('array') && isPlain(items) && asksText(items) && !Array.isArray(items.enum);

/** Share of a field's name that words say. */
function likenessTo(name: string, words: string): number {
  if (/\p{Script=Han}/u.test(words)) return name.includes(words) || words.includes(name) ? 1 : 0;
  const own = formsOf(name).map(singular);
  const said = new Set(formsOf(words.replaceAll('_', ' ')).map(singular));
  return own.filter((form) => said.has(form)).length / own.length;
}

/** Of each field that is a list of texts the things that the text counts up for it. */
export function listedThings(
  answered: readonly { slot: Slot; readings: Reading[] }[],
  text: string,
  { amounts, denied }: ReadingSettings,
): Map<Slot, ItemPlace[]> {
  const asked = answered.flatMap(({ slot, readings: [reading] }) =>
    reading && isTextList(slot.schema) ? [{ slot, reading }] : [],
  );
  const fields = asked.map(({ reading, slot }) => {
    const names = answered.filter((each) => each.slot !== slot).map((each) => wordsOfKey(each.slot.key));
    return {
      reading,
      likeness: (words: string) => likenessTo(wordsOfKey(slot.key), words),
      others: (words: string) => Math.max(0, ...names.map((name) => likenessTo(name, words))),
    };
  });
  const things = itemsOfFields(text, fields, { amounts, denied: denied.item });
  return new Map(asked.map(({ slot }, at) => [slot, things[at]!]));
}

/** The days of the sentence that a list of them is told in, “on 6 and 7 November 2024”, else of the whole text. */
function daysIn(
  key: string,
  text: string,
  { place }: Reading,
  settings: ReadingSettings,
): unknown[] | undefined {
  const schema = { type: 'string', format: 'date' };
  const form = namedForm({ key, schema }, settings)?.value ?? /$^/gu;
  const days = [...text.matchAll(form)].flatMap(({ 0: said, index: start }) => {
    const day = typedValue(said, { context: text, key: '', schema, start }, settings.values);
    return day === undefined ? [] : [{ day, start }];
  });
  const { from, to } = place
    ? pieceAround(text, /(?<=[.!?])\s+|[。！？\n]/gu, place)
    : { from: 0, to: text.length };
  const near = days.filter(({ start }) => from <= start && start < to);
  const found = (near.length > 0 ? near : days).map(({ day }) => day);
  return found.length > 0 ? [...new Set(found)] : undefined;
}

interface Listing {
  /** Items that the text counts up for it. */
  things: readonly ItemPlace[];
  /** Begins of the runs of numbers that other fields have. */
  runs: number[];
  saidOf: (option: unknown) => number;
  settings: ReadingSettings;
  text: string;
}

/** Items that the schema names, else a run of numbers, else what the text counts up. */
export function listOf(
  slot: Slot,
  reading: Reading,
  { runs, saidOf, settings, text, things }: Listing,
): unknown[] | undefined {
  const schema = itemSchema(slot.schema);
  if (Array.isArray(schema.enum)) {
    const said = schema.enum.filter((option) => saidOf(option) > settings.thresholds.named);
    if (said.length > 0 || allowsNone(slot)) return said.length > 0 ? said : undefined;
  }
  if (allowsNone(slot) && told(reading) < leastTold(slot, settings)) return undefined;
  const run = asksNumber(schema) ? numberRun(text, reading, runs, settings.values) : null;
  if (run) {
    runs.push(run.start);
    return [schema.type].flat().includes('integer') ? run.values.map(Math.round) : run.values;
  }
  const isDay = schema.format === 'date';
  if (isDay) return daysIn(slot.key, text, reading, settings);
  const { before, item: lead } = settings.trim;
  const name = wordsOfKey(slot.key);
  // “花生过敏” of 过敏
  const isNamed = (item: string) =>
    /^\p{Script=Han}+$/u.test(item) && item.length > name.length + 1 && item.endsWith(name);
  const items = things
    .map(({ end, start }) => text.slice(start, end).replace(before, '').replace(lead, ''))
    .map((item) => (isNamed(item) ? item.slice(0, -name.length) : item))
    .filter((item) => !settings.denied.nothing.test(item))
    .map((item) => typedValue(item, { key: slot.key, schema }, settings.values))
    .filter((value) => value !== undefined && value !== '');
  const named = asksText(schema) ? valuesOf(name, text, settings.hints) : [];
  const isOfKind = items.filter((item) => named.includes(String(item))).length * 2 >= items.length;
  return named.length === 0 || (items.length > 1 && isOfKind) ? items : named;
}
