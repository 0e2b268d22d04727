/** An object by its schema, filled from a text. */
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../pack-files.ts';
import { candidatesOf, measured } from './candidates.ts';
import { classOf, speaksFor, unsaidOption } from './classify.ts';
import { type Context, chanceOf, type ReadingSettings, told } from './context.ts';
import type { ItemPlace } from './enumerations.ts';
import { coverageOf, type ReadText } from './features.ts';
import { isTextList, listedThings, listOf } from './field-lists.ts';
import { pairsOf } from './free-object.ts';
import { ledTo, saidSo } from './hints.ts';
import { formsOf, isHollow, sharedSure, singular, smallestOf } from './hollow.ts';
import { kindCalled, namesIn } from './listed-names.ts';
import { aliasesOf, namedOptions } from './options.ts';
import { allowsNone, assignPlaces, overlaps, type Slot } from './places.ts';
import type { Place, Reading } from './reader.ts';
import { relativeDate } from './relative-dates.ts';
import { fillRows } from './rows.ts';
import { asksNumber, asksText, isPlain } from './schemas.ts';
import { lengthOf } from './split.ts';
import { typedValue } from './values.ts';
import { questionOf, wordsOfKey } from './wording.ts';

/** The kinds of fields that reading can fill; others are null. */
function slotOf(key: string, schema: Json, isRequired: boolean, about: string): Slot {
  const named = {
    key,
    description:
      typeof schema.description === 'string'
        ? schema.description
        : typeof schema.title === 'string'
          ? schema.title
          : '',
  };
  const types = [schema.type].flat();
  const base = { key, schema, isRequired };
  if (isVoid(schema)) return { ...base, options: [], questions: [] };
  if (Array.isArray(schema.enum)) {
    const options = schema.enum.filter((option) => option !== null);
    const questions = options.map((option) => ({
      asking: 'choice' as const,
      question: questionOf(named, about, String(option)),
    }));
    return { ...base, options, questions };
  }
  if (types.includes('boolean'))
    return { ...base, options: [], questions: [{ asking: 'choice', question: questionOf(named, about) }] };
  if (types.includes('array')) {
    if (isPlain(schema.items) && [schema.items.type].flat().includes('object'))
      return { ...base, options: [], questions: [] };
    return { ...base, options: [], questions: [{ asking: 'list', question: questionOf(named, about) }] };
  }
  if (types.includes('object')) return { ...base, options: [], questions: [] };
  return { ...base, options: [], questions: [{ asking: 'field', question: questionOf(named, about) }] };
}

/** Null alone, or a list of nothing. */
const isVoid = ({ maxItems, type }: Json): boolean => type === 'null' || (type === 'array' && maxItems === 0);

/** Null where the schema asks for what reading cannot give. */
export async function fillObject(
  schema: unknown,
  text: string | ReadText,
  about: string,
  context: Context,
): Promise<Record<string, unknown> | null> {
  if (!isPlain(schema) || !isPlain(schema.properties)) return null;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const slots: Slot[] = [];
  for (const [key, each] of Object.entries(schema.properties)) {
    const slot = isPlain(each) ? slotOf(key, each, required.has(key), about) : null;
    if (slot) slots.push(slot);
    else if (required.has(key)) return null;
  }
  const read = typeof text === 'string' ? context.reader.prepare(text) : text;
  const questions = slots.flatMap((slot) => slot.questions);
  if (!context.reader.canRead(questions.length, read, context.budget)) return null;
  const readings = await context.reader.read(questions, read, context.signal);
  const value: Record<string, unknown> = Object.create(null);
  const answered = slots.map((slot) => ({ slot, readings: readings.splice(0, slot.questions.length) }));
  const places = assignPlaces(answered, {
    isCall: context.missing !== undefined || context.isForced === true,
    isStrange: (key) => {
      const { known, words } = context.reader.prepare(wordsOfKey(key));
      return words.every(({ kind }, at) => kind === 'letters' && known[at] === null);
    },
    likeness: ({ key }) => {
      const name = context.reader.prepare(wordsOfKey(key));
      const own = new Set(formsOf(wordsOfKey(key)).map(singular));
      const isNamed = (word: string) => own.has(singular(word.toLowerCase()));
      return (words) => (isNamed(words) ? 1 : coverageOf(context.reader.prepare(words), name));
    },
    penalty: about === '' ? sharedPlace.field : sharedPlace.argument,
    settings: context.settings,
    read,
    today: context.today,
  });
  const untelling = {
    read,
    settings: context.settings,
    names: about === '' ? Object.keys(schema.properties).map(wordsOfKey).join(' ') : wordsOfKey(about),
    isCall: context.missing !== undefined || context.isForced === true,
    isAsked: context.missing !== undefined || context.isEmptied === true || context.isForced === true,
    readings: new Map(answered.map(({ slot, readings }) => [slot, readings[0]])),
  };
  // “free of charge” is what the only amount without a place costs.
  const isAmount = ({ key, schema: its }: Slot) =>
    asksNumber(its) && context.settings.free.key.test(wordsOfKey(key));
  const unpaid = slots.filter((slot) => isAmount(slot) && !places.has(slot));
  const isFree = (slot: Slot) =>
    about === '' && unpaid.length === 1 && unpaid[0] === slot && context.settings.free.words.test(read.text);
  const isBlank = context.isEmptied === true && !/[\p{L}\p{N}]/u.test(read.text);
  const kindOf = ({ key, schema: its }: Slot) =>
    isTextList(its) ? kindCalled(wordsOfKey(key), context.settings.entities) : undefined;
  const namesOf = slots.some(kindOf) ? await namesIn(read.text, context) : () => [];
  const namesFor = (slot: Slot): string[] => {
    const kind = kindOf(slot);
    return kind ? namesOf(kind) : [];
  };
  /** Of a text field whose place is another's: the likeliest one that is nobody's, where the text surely tells it. */
  const spareOf = (slot: Slot, reading: Reading): unknown => {
    const isWanted = asksText(slot.schema) && slot.options.length === 0 && !allowsNone(slot);
    if (!isWanted || told(reading) < surelyTold) return undefined;
    const others = [...places].filter(([other]) => other !== slot).map(([, place]) => place);
    const open = candidatesOf(slot, reading, read, context.settings)
      .filter((place) => place.score > leastSpare && others.every((other) => !overlaps(place, other)))
      .toSorted((one, other) => other.score - one.score);
    const [best] = open.filter((place) => !isHollow(slot, place, [...places, [slot, place]], untelling));
    if (!best || lengthOf(best.text) > longestSpare) return undefined;
    return typedValue(best.text, { ...slot, context: read.text, start: best.start }, context.settings.values);
  };
  const runsTaken: number[] = [];
  const things = listedThings(answered, read.text, context.settings);
  const optionsTaken = new Set<string>();
  for (const { slot, readings: mine } of answered) {
    const within = [about, wordsOfKey(slot.key)].filter(Boolean).join(' ');
    const { items } = slot.schema;
    const named = namedOptions(slot.schema, context.settings.options);
    const filled =
      isBlank && !isVoid(slot.schema)
        ? undefined
        : slot.questions.length > 0
          ? fill(slot, mine, {
              isExtracting: context.isEmptied === true,
              prepare: (words) => context.reader.prepare(words),
              place: places.get(slot),
              names: namesFor(slot),
              text: read.text,
              settings: context.settings,
              named,
              isIso: (context.isIso ?? false) || context.today !== undefined,
              today: context.today,
              runs: runsTaken,
              things: things.get(slot) ?? [],
              hintOf: (option) =>
                codeSaid(slot.key, option, read.text, context.settings) +
                ledTo(wordsOfKey(slot.key), String(option), read.text, context.settings.hints) -
                (about !== '' && optionsTaken.has(`${slot.options.join('|')} ${option}`)
                  ? sharedPlace.argument
                  : 0),
              saidOf: (option) =>
                aliasesOf(String(option), slot.schema.description).some((alias) =>
                  hasWord(read.text, alias),
                ) || isMeant(String(option), read.text, context.settings.values)
                  ? 1
                  : coverageOf(read, context.reader.prepare(wordsOfKey(String(option)))),
            })
          : isVoid(slot.schema)
            ? smallestOf(slot.schema)
            : isPlain(items)
              ? await fillRows(items, read, within, context, (item, isEmptied) =>
                  fillObject(items, item, within, {
                    ...context,
                    isEmptied: isEmptied && context.isEmptied === true,
                  }),
                )
              : isPlain(slot.schema.properties)
                ? await fillObject(slot.schema, read, within, context)
                : freeObject(slot.schema, read.text);
    if (about !== '' && slot.options.length > 0) optionsTaken.add(`${slot.options.join('|')} ${filled}`);
    const place = places.get(slot);
    // A list of nothing but what another field holds.
    const [first] = mine;
    const isOthers =
      first !== undefined &&
      untelling.isAsked &&
      Array.isArray(filled) &&
      filled.length === 1 &&
      told(first) < sharedSure &&
      [...places.values()].some(({ text: words }) => words === filled[0]);
    const isUntold =
      filled === undefined ||
      filled === null ||
      isOthers ||
      (!slot.isRequired && isAgain(filled, value)) ||
      (place && isHollow(slot, place, [...places], untelling));
    const spare = isUntold && context.isEmptied && first ? spareOf(slot, first) : undefined;
    if (!isUntold) value[slot.key] = filled;
    else if (spare !== undefined) value[slot.key] = spare;
    else if (isFree(slot)) value[slot.key] = 0;
    else if (!slot.isRequired) continue;
    else if ([slot.schema.type].flat().includes('null')) value[slot.key] = null;
    else if (context.missing) {
      // Of an object its own arguments are named already.
      if (!isPlain(slot.schema.properties) || context.missing.size === 0) context.missing.add(slot.key);
    } else if (context.isForced || context.isEmptied)
      value[slot.key] = unsaidOption(slot.options, context.settings.classes) ?? smallestOf(slot.schema);
    else return null;
  }
  return context.missing && context.missing.size > 0 ? null : value;
}

/** Log odds that what an option is the code of, “dollars” of USD, stands where the field's name leads to. */
function codeSaid(key: string, option: unknown, text: string, { hints, values }: ReadingSettings): number {
  const known = values.codes.find(({ code }) => code === option);
  if (!known) return 0;
  const name = wordsOfKey(key);
  return hints.list.reduce((most, { gain, key: pattern, value }) => {
    const said = value && pattern.test(name) ? [...text.matchAll(value)].map(([words]) => words) : [];
    return said.some((words) => words === option || known.name.test(words)) ? Math.max(most, gain) : most;
  }, 0);
}

/** A list that another argument has: “to” and “cc”. */
const isAgain = (list: unknown, value: Record<string, unknown>): boolean =>
  Array.isArray(list) &&
  list.length > 0 &&
  Object.values(value).some((other) => isDeepStrictEqual(other, list));

/** “Tuesday” of `tue`, “英文” of `en`. */
function isMeant(option: string, text: string, { languages, weekdays }: ReadingSettings['values']): boolean {
  const day = weekdays.findIndex((pattern) => pattern.exec(option)?.[0] === option.toLowerCase());
  if (day >= 0) return weekdays[day]!.test(text);
  return languages.some(({ code, name }) => code === option && name.test(text));
}

const hasWord = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\p{Script=Latin}\\d])${RegExp.escape(word)}(?![\\p{Script=Latin}\\d])`, 'iu').test(text);

/** Log odds that a place loses when something else has taken it: fields of a text may agree, arguments seldom do. */
const sharedPlace = { field: 5, argument: 6 };

interface Filling {
  /** The place that is the field's. */
  place: Place | undefined;
  /** Log odds that what the field's name leads to, “from”, gives an option, less what another field that has it takes. */
  hintOf: (option: unknown) => number;
  /** Share of an option's words that the text has. */
  saidOf: (option: unknown) => number;
  /** Dates are wanted as YYYY-MM-DD. */
  isIso: boolean;
  /** The day that the request calls today. */
  today: string | undefined;
  /** Names of the kind that a list is of. */
  names: string[];
  /** Values that the field's description names. */
  named: string[];
  /** Of a list, what the text counts up for it. */
  things: readonly ItemPlace[];
  /** Begins of the runs of numbers that other fields have. */
  runs: number[];
  text: string;
  settings: ReadingSettings;
  /** An object is taken from a text, which may tell nothing of a field; arguments of a call seldom go unsaid. */
  isExtracting: boolean;
  prepare: (words: string) => ReadText;
}

/** A date by its name. */
const isDate = ({ key, schema }: Slot, { kinds }: ReadingSettings): boolean =>
  [schema.type].flat().includes('string') &&
  schema.format === undefined &&
  (kinds.find((kind) => kind.key.test(wordsOfKey(key)))?.value.source.includes(machineDate) ?? false);

const machineDate = String.raw`\d{4}-\d{1,2}-\d{1,2}`;

/** Of a schema that names no keys. */
function freeObject({ additionalProperties }: Json, text: string): Record<string, unknown> {
  if (additionalProperties === false) return {};
  const pairs = Object.entries(pairsOf(text));
  const isNumber = asksNumber(additionalProperties);
  return Object.fromEntries(isNumber ? pairs.filter(([, value]) => typeof value === 'number') : pairs);
}

const isWholeNumber = ({ type }: Json): boolean => [type].flat().includes('integer');

/** Characters around a place that may tell the part of the day. */
const nearby = 20;

/** @returns undefined where the text does not tell */
function fill(slot: Slot, readings: Reading[], filling: Filling): unknown {
  const { hintOf, isExtracting, isIso, named, names, place, saidOf, settings, text, today } = filling;
  const { key, options, questions, schema } = slot;
  const [first] = readings;
  if (!first) return undefined;
  if (options.length > 0) {
    const option = isExtracting ? optionOf(slot, readings, filling) : 'unsure';
    if (option !== 'unsure') return option?.value;
    const scores = readings.map(
      (reading, index) =>
        chanceOf(reading, 'yes') -
        chanceOf(reading, 'no') +
        settings.thresholds.said * saidOf(options[index]) +
        hintOf(options[index]),
    );
    const best = scores.indexOf(Math.max(...scores));
    const isUnsaid = isExtracting && allowsNone(slot) && !options.some((each) => saidOf(each) > leastSaid);
    const least = isUnsaid ? surelySo : settings.thresholds[slot.isRequired ? 'choice' : 'optional'];
    return allowsNone(slot) && scores[best]! < least ? undefined : options[best];
  }
  switch (questions[0]!.asking) {
    case 'choice': {
      const [yes, no, none] = [chanceOf(first, 'yes'), chanceOf(first, 'no'), chanceOf(first, 'none')];
      const state = settings.states.find((each) => each.key.test(wordsOfKey(key)));
      if (state?.no.test(text)) return false;
      if (state?.yes.test(text)) return true;
      if (state?.isUnsaid) return allowsNone(slot) ? undefined : false;
      const said = saidSo(wordsOfKey(key), text, {
        negation: settings.classes.negation,
        clause: settings.conditions.saysNo,
        name: settings.denied.name,
      });
      if (isExtracting && said === 0) {
        const spoken = speaksFor(wordsOfKey(key).replace(/^is /u, ''), text, settings.classes);
        if (spoken) return spoken > 0;
        const isLike = saidOf(wordsOfKey(key)) > likeName;
        // Nothing of it is told: what the network would say rather is a guess.
        if (yes > no && yes - none < (isLike ? 0 : surelySo)) return allowsNone(slot) ? undefined : false;
      }
      return allowsNone(slot) && none > Math.max(yes, no) && said === 0 ? undefined : yes + said > no;
    }
    case 'list':
      return names.length > 0 ? names : listOf(slot, first, filling);
    default: {
      const option = bestSaid(named, saidOf, settings);
      if (option !== undefined) return option;
      const isDenied = isExtracting && deniedIn(wordsOfKey(key), text, settings.denied);
      if (isDenied && isWholeNumber(schema) && !place?.gain) return 0;
      if (!place || (allowsNone(slot) && settings.denied.nothing.test(place.text))) return undefined;
      const asked = isIso && isDate(slot, settings) ? { ...schema, format: 'date' } : schema;
      const near = text.slice(Math.max(0, place.start - nearby), place.end + nearby);
      const isDay = asked.format === 'date' || settings.values.isoDate.test(String(schema.description ?? ''));
      const day = today && isDay ? relativeDate(place, text, today, settings.values) : undefined;
      if (day) return day;
      return typedValue(
        asksNumber(schema) ? measured(place, text, settings.values) : place.text,
        { context: today ? `${text}\n${today}` : text, key, near, schema: asked, start: place.start },
        settings.values,
      );
    }
  }
}

/** Log odds that a text tells a field which had another's place; that its next place must reach; words that it may have. */
const surelyTold = 0.9;
const leastSpare = -7;
const longestSpare = 5;

/** “no checked baggage”: a word of none before the field's own last word. */
function deniedIn(name: string, text: string, { before }: ReadingSettings['denied']): boolean {
  const last = name.split(' ').at(-1)!;
  const stem = /^[a-z]{3,}$/u.test(last) ? last.replace(/(?:ies|s)$/u, '') : last;
  return stem.length > 1 && new RegExp(`(?:${before.source})${RegExp.escape(stem)}`, 'iu').test(text);
}

/** Share of a field's name that a text has, and log odds that it is told, from which a field is so. */
const likeName = 0.3;
const surelySo = 1.2;
/** Log odds below which the network guesses among values that no word of the text speaks for. */
const leastChosen = { class: -1, other: -1.5 };

const currencyCode = /^\p{Lu}{3}$/u;

/** One of several values by the text's words; undefined inside where nothing tells; 'unsure': the network is to say. */
function optionOf(
  { key, options, schema }: Slot,
  readings: readonly Reading[],
  { hintOf, prepare, saidOf, settings, text }: Filling,
): { value: unknown } | 'unsure' {
  const { classes } = settings;
  const untold = {
    value: [schema.type].flat().includes('null') ? undefined : unsaidOption(options, classes),
  };
  const spoken = options.filter((option) => saidOf(option) > leastSaid || hintOf(option) > 0);
  if (spoken.length === 0 && options.every((option) => currencyCode.test(String(option))))
    return { value: undefined };
  const names = options.map(String);
  const isMood = [classes.positive, classes.negative].every(({ option }) =>
    names.some((name) => option.test(name)),
  );
  if (!isMood && spoken.length > 0) return spoken.length === 1 ? { value: spoken[0] } : 'unsure';
  const isClass = classes.field.test(wordsOfKey(key));
  const told = isClass ? classOf({ options: names, text }, prepare, classes) : null;
  if (told !== null && told !== unsaidOption(names, classes)) return { value: options[names.indexOf(told)] };
  const least = leastChosen[isClass ? 'class' : 'other'];
  const isGuess = readings.every((reading) => chanceOf(reading, 'yes') - chanceOf(reading, 'no') < least);
  if (!isGuess && !(isMood && told !== null)) return 'unsure';
  return untold.value === undefined && !isClass ? 'unsure' : untold;
}

const leastSaid = 0.9;

/** Of values that a description names the one that the text has. */
function bestSaid(
  named: readonly string[],
  saidOf: (option: unknown) => number,
  { thresholds }: ReadingSettings,
): string | undefined {
  const [best] = named.map((option) => ({ option, said: saidOf(option) })).sort((a, b) => b.said - a.said);
  return best && best.said > thresholds.named ? best.option : undefined;
}
