/** A request's answer by reading: from the text itself, fields by a schema, a function with its arguments. Null: it is none of these. */
import type { ChatMessage, Tool } from '../../../api/services/chat.ts';
import type { Json } from '../../pack-files.ts';
import type { GenerateParams } from '../types.ts';
import type { ReadText } from './features.ts';
import {
  type Outcome,
  outcomes,
  type Place,
  type Reader,
  type Reading,
  type ReadingQuestion,
} from './reader.ts';
import { lengthOf, messageText, type QuestionWords, splitQuestion, wholeText } from './split.ts';
import { itemsOf, workOut } from './table.ts';
import { answerFromTable, type TableWords } from './table-answer.ts';
import { numberOf, typedValue, type ValueWords } from './values.ts';
import { questionOf, wordsOfKey } from './wording.ts';
import { segmentWords } from './words.ts';

type ReadingLanguage = 'en' | 'ms' | 'zh';

export interface ReadingSettings {
  question: QuestionWords;
  values: ValueWords;
  /** Asks for a summary. */
  summary: RegExp;
  /** “in at most 20 words”, “in two sentences”: the first group is the number; words count as characters in Chinese. */
  limit: RegExp;
  sentences: RegExp;
  malay: RegExp;
  tables: TableWords;
  /** Words that ask for the highest, the lowest or the sum of a table's column. */
  operations: { outcome: Outcome; asks: RegExp }[];
  /** Fields that are known by their names, and the form of their values: e-mail addresses, dates. */
  kinds: { key: RegExp; value: RegExp }[];
  answers: Record<ReadingLanguage, { none: string; yes: string; no: string; noTool: string }>;
  /** Log odds: that “not told” and “no” must win by; that a field which may stay empty, and a function, must reach. */
  thresholds: { none: number; no: number; told: number; tool: number };
}

export interface ReadAnswer {
  text: string;
  calls: { name: string; arguments: Record<string, unknown> }[];
}

type Request = Pick<GenerateParams, 'messages' | 'tools' | 'toolChoice' | 'format' | 'parallelToolCalls'>;

interface Context {
  reader: Reader;
  settings: ReadingSettings;
  signal: AbortSignal;
}

const at = (reading: Reading, outcome: (typeof outcomes)[number]): number =>
  reading.outcomes[outcomes.indexOf(outcome)] ?? -Infinity;

export async function answerByReading(request: Request, context: Context): Promise<ReadAnswer | null> {
  const { format, messages, toolChoice, tools } = request;
  if (messages.at(-1)?.role !== 'user') return null;
  if (tools.length > 0 && toolChoice.mode !== 'none') return callTools(request, context);
  if (format.type === 'json_object') return null;
  if (format.type === 'json_schema') {
    const value = await fillObject(format.schema, wholeText(messages), '', context);
    return value && { text: JSON.stringify(value), calls: [] };
  }
  return answerQuestion(messages, context);
}

function languageOf(text: string, malay: RegExp): ReadingLanguage {
  if (/\p{Script=Han}/u.test(text)) return 'zh';
  return malay.test(text) ? 'ms' : 'en';
}

async function answerQuestion(
  messages: readonly ChatMessage[],
  { reader, settings, signal }: Context,
): Promise<ReadAnswer | null> {
  const parted = splitQuestion(messages, settings.question);
  if (!parted) return null;
  const text = reader.prepare(parted.context);
  if (!reader.canRead(1, text)) return null;
  const language = languageOf(parted.question, settings.malay);
  const answers = settings.answers[language];
  if (settings.summary.test(parted.question)) {
    const [reading] = await reader.read([{ asking: 'summary', question: '' }], text, signal);
    return { text: summaryOf(reading!, parted.question, settings), calls: [] };
  }
  const [reading] = await reader.read([{ asking: 'ask', question: parted.question }], text, signal);
  const { place } = reading!;
  const likeliest = outcomes.reduce((left, right) =>
    at(reading!, right) > at(reading!, left) ? right : left,
  );
  const asked = settings.operations.find(({ asks }) => asks.test(parted.question))?.outcome;
  const best = asked && (likeliest === 'span' || likeliest === 'none') ? asked : likeliest;
  if (best !== 'yes' && best !== 'no') {
    const question = reader.prepare(parted.question);
    const read = (part: string) => reader.prepare(part);
    const told = answerFromTable(parted.context, { question, read, words: settings.tables, outcome: likeliest, reading: reading! });
    if (told !== null) return { text: told, calls: [] };
  }
  if (best === 'other') return null;
  if (best === 'yes' || best === 'no') {
    const isNo = at(reading!, 'no') - at(reading!, 'yes') > settings.thresholds.no;
    const proof = place && lengthOf(place.text) < longestProof ? ` (${place.text})` : '';
    return { text: `${isNo ? answers.no : answers.yes}${proof}`, calls: [] };
  }
  if (best !== 'span' && best !== 'none') {
    const worked = workOut(best, reader.prepare(parted.question), text, (part) => reader.prepare(part));
    if (worked?.value) return { text: worked.value, calls: [] };
    const found = worked?.row && reading!.within(worked.row.start, worked.row.end);
    if (found) return { text: found.text, calls: [] };
  }
  const isNone = at(reading!, 'none') - at(reading!, 'span') > Number(process.env.NONE ?? settings.thresholds.none);
  if (isNone) return { text: answers.none, calls: [] };
  const said = answerOf(reading!, text);
  return said === null ? null : { text: said, calls: [] };
}

/** Words of an answer that is a sentence of the text. */
const longestSentence = 38;
/** A place less likely than this is told with the sentence around it. */
const surePlace = Number(process.env.SURE ?? 0.85);

/** The words themselves where the network is sure of them; else the sentence that most likely holds them. */
function answerOf({ holders, place }: Reading, { text }: ReadText): string | null {
  const [holder] = holders;
  if (!place || !holder) return null;
  const chance = Math.exp(place.score);
  const best = holder.best;
  if (chance >= surePlace || text.slice(holder.start, holder.end).includes('|')) return best.text;
  const sentence = text.slice(holder.start, holder.end).trim();
  if (lengthOf(sentence) <= longestSentence) return sentence;
  return clauseAround(text, holder, best);
}

const clauseEnds = /[,，；;、:：–—]\s*/gu;

/** As many clauses around a place as a short answer holds. */
function clauseAround(text: string, holder: { start: number; end: number }, place: Place): string {
  const borders = [
    holder.start,
    ...[...text.slice(holder.start, holder.end).matchAll(clauseEnds)].map(
      ({ 0: sign, index }) => holder.start + index + sign.length,
    ),
    holder.end,
  ];
  let low = borders.findLastIndex((border) => border <= place.start);
  let high = borders.findIndex((border) => border >= place.end);
  const size = (a: number, b: number) => lengthOf(text.slice(borders[a], borders[b]));
  if (low < 0 || high < 0 || size(low, high) > longestSentence) return place.text;
  for (;;) {
    const before = low > 0 && size(low - 1, high) <= longestSentence;
    const after = high + 1 < borders.length && size(low, high + 1) <= longestSentence;
    if (after) high += 1;
    else if (before) low -= 1;
    else break;
  }
  return text.slice(borders[low], borders[high]).trim().replace(/[,，；;、:：–—]$/u, '');
}

const longestProof = 25;
const usualSummary = { words: 50, share: 0.4 };

/** The sentences that weigh most, in their order, within the limit that was asked for. */
function summaryOf({ sentences }: Reading, question: string, settings: ReadingSettings): string {
  const asked = (pattern: RegExp) => numberOf(pattern.exec(question)?.[1] ?? '', settings.values);
  const whole = sentences.reduce((sum, { text }) => sum + lengthOf(text), 0);
  const mostWords = asked(settings.limit) ?? Math.max(usualSummary.words, whole * usualSummary.share);
  const mostSentences = asked(settings.sentences) ?? sentences.length;
  const byWeight = sentences.toSorted((a, b) => b.score - a.score);
  let left = mostWords;
  const kept: typeof sentences = [];
  for (const sentence of byWeight) {
    const size = lengthOf(sentence.text);
    if (size > left || kept.length >= mostSentences) continue;
    kept.push(sentence);
    left -= size;
  }
  // One that is too long is cut rather than nothing said.
  if (kept.length === 0) return segmentsWithin(byWeight[0]?.text ?? '', mostWords);
  const words = kept.toSorted((a, b) => a.start - b.start).map(({ text }) => text);
  return words.join(/\p{Script=Han}/u.test(words[0]!) ? '' : ' ');
}

/** So many words of a text from its begin, a Chinese character as one. */
function segmentsWithin(text: string, most: number): string {
  const words = segmentWords(text).filter(({ kind }) => kind !== 'sign');
  return text.slice(0, words[Math.floor(most) - 1]?.end ?? text.length);
}

const mostRows = 64;

interface Slot {
  key: string;
  schema: Json;
  isRequired: boolean;
  questions: ReadingQuestion[];
  options: unknown[];
}

const isPlain = (schema: unknown): schema is Json => typeof schema === 'object' && schema !== null;

/** The kinds of fields that reading can fill; others are null. */
function slotOf(key: string, schema: Json, isRequired: boolean, about: string): Slot | null {
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
  if (types.includes('object'))
    return isPlain(schema.properties) ? { ...base, options: [], questions: [] } : null;
  return { ...base, options: [], questions: [{ asking: 'field', question: questionOf(named, about) }] };
}

/** Null where the schema asks for what reading cannot give. */
async function fillObject(
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
  if (!context.reader.canRead(questions.length, read)) return null;
  const readings = await context.reader.read(questions, read, context.signal);
  const value: Record<string, unknown> = {};
  const answered = slots.map((slot) => ({ slot, readings: readings.splice(0, slot.questions.length) }));
  const places = assignPlaces(answered, {
    penalty: about === '' ? sharedPlace.field : sharedPlace.argument,
    settings: context.settings,
    text: read.text,
  });
  for (const { slot, readings: mine } of answered) {
    const within = [about, wordsOfKey(slot.key)].filter(Boolean).join(' ');
    const filled =
      slot.questions.length > 0
        ? fill(slot, mine, { place: places.get(slot), text: read.text, settings: context.settings })
        : isPlain(slot.schema.items)
          ? await fillRows(slot.schema.items, read, within, context)
          : await fillObject(slot.schema, read, within, context);
    if (filled !== undefined && filled !== null) value[slot.key] = filled;
    else if ([slot.schema.type].flat().includes('null') && slot.isRequired) value[slot.key] = null;
    else if (slot.isRequired) return null;
  }
  return value;
}

/** An object for each item of the text's list or table. */
async function fillRows(
  schema: Json,
  text: ReadText,
  about: string,
  context: Context,
): Promise<Record<string, unknown>[] | null> {
  const rows: Record<string, unknown>[] = [];
  for (const item of itemsOf(text).slice(0, mostRows)) {
    const row = await fillObject(schema, item, about, context);
    if (row) rows.push(row);
  }
  return rows.length > 0 ? rows : null;
}

/** Log odds that a place loses when something else has taken it: fields of a text may agree, arguments seldom do. */
const sharedPlace = { field: 3, argument: 6 };

const allowsNone = ({ isRequired, schema }: Slot): boolean =>
  !isRequired || [schema.type].flat().includes('null');

const told = (reading: Reading): number => at(reading, 'span') - at(reading, 'none');

/** The best places of a field; of one whose values have a form, those of that form, whole. */
function candidatesOf(
  { key, schema }: Slot,
  reading: Reading,
  text: string,
  { kinds }: ReadingSettings,
): Place[] {
  const isText = [schema.type].flat().includes('string');
  const kind = isText ? kinds.find((each) => each.key.test(wordsOfKey(key))) : undefined;
  const formed = [...(kind ? text.matchAll(kind.value) : [])].flatMap(({ 0: words, index }): Place[] => {
    const place = reading.within(index, index + words.length);
    return place ? [{ ...place, text: words, start: index, end: index + words.length }] : [];
  });
  return formed.length > 0 ? formed : reading.best;
}

/** A place of the text for each field, the surest first; a place that is taken goes to another only where nothing else will do. */
function assignPlaces(
  answered: readonly { slot: Slot; readings: Reading[] }[],
  { penalty, settings, text }: { penalty: number; settings: ReadingSettings; text: string },
): Map<Slot, Place> {
  const taken: Place[] = [];
  const chosen = new Map<Slot, Place>();
  const open = answered.flatMap(({ slot, readings: [reading] }) =>
    reading && slot.questions[0]?.asking === 'field' ? [{ slot, reading }] : [],
  );
  const sureness = ({ reading }: (typeof open)[number]) =>
    Math.min(0, told(reading)) + (reading.place?.score ?? -Infinity);
  for (const { reading, slot } of open.sort((a, b) => sureness(b) - sureness(a))) {
    const least = allowsNone(slot) ? settings.thresholds.told : -Infinity;
    const fitting = candidatesOf(slot, reading, text, settings)
      .filter(({ text }) => typedValue(text, slot, settings.values) !== undefined)
      .map((place) => ({
        place,
        loss: taken.some(({ end, start }) => start < place.end && place.start < end) ? penalty : 0,
      }))
      .sort((a, b) => b.place.score - b.loss - (a.place.score - a.loss));
    const [best] = fitting;
    if (!best || told(reading) - (allowsNone(slot) ? best.loss : 0) < least) continue;
    taken.push(best.place);
    chosen.set(slot, best.place);
  }
  inOrder(chosen);
  return chosen;
}

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

interface Filling {
  /** The place that is the field's. */
  place: Place | undefined;
  text: string;
  settings: ReadingSettings;
}

/** @returns undefined where the text does not tell */
function fill(slot: Slot, readings: Reading[], { place, settings, text }: Filling): unknown {
  const { key, options, questions, schema } = slot;
  const [first] = readings;
  if (!first) return undefined;
  if (options.length > 0) {
    const scores = readings.map((reading) => at(reading, 'yes') - at(reading, 'no'));
    const best = scores.indexOf(Math.max(...scores));
    return allowsNone(slot) && scores[best]! < 0 ? undefined : options[best];
  }
  switch (questions[0]!.asking) {
    case 'choice': {
      const [yes, no, none] = [at(first, 'yes'), at(first, 'no'), at(first, 'none')];
      return allowsNone(slot) && none > Math.max(yes, no) ? undefined : yes > no;
    }
    case 'list':
      if (allowsNone(slot) && told(first) < settings.thresholds.told) return undefined;
      return listOf(first, { key, schema: isPlain(schema.items) ? schema.items : {} }, text, settings);
    default:
      return place && typedValue(place.text, { key, schema }, settings.values);
  }
}

const brackets = /\[[^[\]]*\]|\([\d\s.,;-]+\)/gu;

/** Numbers in brackets belong together; else every place that the reading found. */
function listOf(
  { place, places }: Reading,
  item: { key: string; schema: Json },
  text: string,
  settings: ReadingSettings,
): unknown[] {
  const groups = [...text.matchAll(brackets)];
  const isNumeric = ['integer', 'number'].some((type) => [item.schema.type].flat().includes(type));
  const group =
    isNumeric && place
      ? (groups.find(({ 0: all, index }) => index <= place.start && place.end <= index + all.length) ??
        groups[0])
      : undefined;
  if (group) return (group[0].match(/-?\d+(?:\.\d+)?/gu) ?? []).map(Number);
  const found = places.length > 0 ? places : place ? [place] : [];
  return found
    .map((each) => typedValue(each.text, item, settings.values))
    .filter((value) => value !== undefined);
}

async function callTools(
  { messages, parallelToolCalls, toolChoice, tools }: Request,
  context: Context,
): Promise<ReadAnswer | null> {
  const { reader, settings, signal } = context;
  const said = messageText(messages.at(-1)!);
  const text = reader.prepare(said);
  const open = tools.filter(
    ({ function: { name } }) => toolChoice.mode !== 'function' || toolChoice.name === name,
  );
  if (!reader.canRead(open.length, text)) return null;
  const readings = await reader.read(
    open.map(({ function: tool }) => ({
      asking: 'tool' as const,
      question: questionOf(
        { key: tool.name, description: tool.description ?? '' },
        Object.keys((tool.parameters?.properties as Json | undefined) ?? {}).join(', '),
      ),
    })),
    text,
    signal,
  );
  const scores = readings.map((reading) => at(reading, 'yes') - at(reading, 'no'));
  const best = scores.indexOf(Math.max(...scores));
  if (toolChoice.mode === 'auto' && scores[best]! < settings.thresholds.tool) {
    return { text: settings.answers[languageOf(said, settings.malay)].noTool, calls: [] };
  }
  const chosen = open.filter((_, index) => index === best || (parallelToolCalls && scores[index]! > 2));
  const calls: ReadAnswer['calls'] = [];
  for (const { function: tool } of chosen) {
    const filled = await argumentsOf(tool, text, context);
    if (!filled) return null;
    calls.push({ name: tool.name, arguments: filled });
  }
  return { text: '', calls };
}

const argumentsOf = async (
  tool: Tool['function'],
  text: ReadText,
  context: Context,
): Promise<Record<string, unknown> | null> =>
  Object.keys((tool.parameters?.properties as Json | undefined) ?? {}).length === 0
    ? {}
    : fillObject(tool.parameters, text, tool.name, context);
