/** A request's answer by reading: from the text itself, fields by a schema, a function with its arguments. Null: it is none of these. */
import type { ChatMessage } from '../../../api/services/chat.ts';
import { callTools, type ReadAnswer, type ReadRequest } from './calls.ts';
import { choiceAnswer, optionsIn } from './choice-answer.ts';
import { classifying, classOf } from './classify.ts';
import { type Context, chanceOf } from './context.ts';
import { coverageOf } from './features.ts';
import { fillObject } from './fill.ts';
import { keysIn, labelledPairs, plainValue, withoutKeys } from './free-object.ts';
import { tableOf } from './grid.ts';
import { labelAnswer } from './labelled-lines.ts';
import { kindCalled } from './listed-names.ts';
import { everyOne, namedField } from './named-field.ts';
import { openOn } from './open-days.ts';
import { mostAsked, outcomes } from './reader.ts';
import { readingSchema } from './reading-schema.ts';
import { todayOf } from './relative-dates.ts';
import { roleAnswer } from './roles.ts';
import { isPlain } from './schemas.ts';
import { answerOf, conditionOf, denialOf, tellsKind } from './sentence-answer.ts';
import {
  lengthOf,
  messageText,
  narrowed,
  type QuestionWords,
  type SplitQuestion,
  splitQuestion,
  wholeText,
} from './split.ts';
import { stepAnswer } from './step-answer.ts';
import { sumAnswer } from './sum-answer.ts';
import { summaryAsked, summaryOf } from './summary.ts';
import { answerFromTable, comparesRows } from './table-answer.ts';
import { languageOf, lastSaid, otherAnswer, pictureAnswer, talkAnswer } from './talk.ts';
import { answerFromResults, resultObject } from './tool-results.ts';
import { wordsOfKey } from './wording.ts';

/** All that was said but the order to take fields from it. */
function givenText(messages: readonly ChatMessage[], words: QuestionWords): string {
  const lines = messageText(messages.at(-1)!).trim().split('\n');
  const orders = (line: string) =>
    words.order.test(line) && lengthOf(line) < longestOrder / 3 && !/\d|@/u.test(line);
  if (lines.length > 1 && messages.filter(({ role }) => role === 'user').length === 1) {
    const isFirst = orders(lines[0]!);
    if (isFirst || orders(lines.at(-1)!))
      return (isFirst ? lines.slice(1) : lines.slice(0, -1)).join('\n').trim();
  }
  const parted = splitQuestion(messages, words);
  const isOrder = parted && words.order.test(parted.question) && !/\d|@/u.test(parted.question);
  return isOrder && lengthOf(parted.question) < longestOrder ? parted.context : wholeText(messages);
}

const longestOrder = 60;

export async function answerByReading(asked: ReadRequest, given: Context): Promise<ReadAnswer | null> {
  const { settings } = given;
  const request = { ...asked, messages: asked.messages.map(narrowed) };
  const { format, messages, toolChoice, tools } = request;
  const budget = { left: mostAsked };
  const context = { ...given, budget, today: todayOf(messages.map(messageText).join('\n'), settings.values) };
  const { role } = messages.at(-1) ?? {};
  if (role !== 'user' && role !== 'tool') return null;
  const isCalled = tools.length > 0 && toolChoice.mode !== 'none';
  if (role === 'tool' && format.type === 'text' && (!isCalled || toolChoice.mode === 'auto'))
    return { text: await answerFromResults(messages, context), calls: [] };
  const talk =
    role === 'user' && format.type === 'text' && (!isCalled || toolChoice.mode === 'auto')
      ? (pictureAnswer(messages, settings) ??
        talkAnswer(lastSaid(messages), settings) ??
        sumAnswer(lastSaid(messages), settings.sums))
      : null;
  if (talk !== null) return { text: talk, calls: [] };
  if (isCalled) {
    const called = await callTools(request, context);
    return budget.left < 0 ? null : called;
  }
  if (format.type === 'json_object') return objectAnswer(messages, context);
  if (format.type === 'json_schema') {
    const isIso = settings.values.isoDate.test(wholeText(messages));
    const text = givenText(messages, settings.question);
    const value = await fillSchema(format.schema, text, { ...context, isIso, isEmptied: true });
    return value === undefined || budget.left < 0 ? null : { text: JSON.stringify(value), calls: [] };
  }
  const isObject =
    settings.objects.json.test(lastSaid(messages)) && keysIn(lastSaid(messages), settings.objects).length > 0;
  if (isObject) return objectAnswer(messages, context);
  const read = classAnswer(messages, context) ?? (await answerQuestion(messages, context));
  if (read) return read;
  const other = otherAnswer(messages, settings);
  return other === null ? null : { text: other, calls: [] };
}

/** @returns undefined where the schema asks for what reading cannot give */
async function fillSchema(schema: unknown, text: string, context: Context): Promise<unknown> {
  const read = readingSchema(schema);
  if (!isPlain(read)) return undefined;
  if (isPlain(read.properties)) return (await fillObject(read, text, '', context)) ?? undefined;
  const key = typeof read.title === 'string' ? read.title : 'value';
  return (await fillObject({ properties: { [key]: read }, required: [key] }, text, '', context))?.[key];
}

/** An object without a schema: what was given back, the keys that are named, else what the message tells by labels. */
async function objectAnswer(messages: readonly ChatMessage[], context: Context): Promise<ReadAnswer> {
  const { objects, question } = context.settings;
  const isResult = messages.at(-1)?.role === 'tool';
  const said = lastSaid(messages);
  const keys = isResult ? [] : keysIn(wholeText(messages), objects);
  const pairs = isResult ? resultObject(messages) : labelledPairs(said, objects);
  const isTold = keys.every((key) => Object.hasOwn(pairs, key));
  const { entities } = context.settings;
  const isList = (key: string) =>
    entities.plural.test(key) && kindCalled(wordsOfKey(key), entities) !== undefined;
  const properties = Object.fromEntries(
    keys.map((key) => [key, isList(key) ? { type: 'array', items: { type: 'string' } } : { type: 'string' }]),
  );
  const filled = isTold
    ? null
    : await fillObject(
        { properties, required: keys },
        withoutKeys(givenText(messages, question), objects),
        '',
        {
          ...context,
          isEmptied: true,
        },
      );
  const read = Object.entries(filled ?? {}).map(([key, value]) => [
    key,
    Object.hasOwn(pairs, key) ? pairs[key] : plainValue(value),
  ]);
  return { text: JSON.stringify(filled ? Object.fromEntries(read) : pairs), calls: [] };
}

/** One of the names that an instruction lists, or that nothing tells which. */
function classAnswer(messages: readonly ChatMessage[], { reader, settings }: Context): ReadAnswer | null {
  const asked = classifying(messages, settings.classes);
  if (!asked) return null;
  const { unsure } = settings.answers[languageOf(messageText(messages.at(-1)!), settings.malay)];
  return { text: classOf(asked, (text) => reader.prepare(text), settings.classes) ?? unsure, calls: [] };
}

async function answerQuestion(
  messages: readonly ChatMessage[],
  { budget, entities, reader, settings, signal }: Context,
): Promise<ReadAnswer | null> {
  const split =
    summaryAsked(messages, settings.summary) ?? tableLast(splitQuestion(messages, settings.question));
  const [, order, rest] = beforeColon.exec(lastSaid(messages)) ?? [];
  // Without the day: a field that is asked for by itself is told as the text has it.
  const context = { entities, reader, settings, signal, ...(budget && { budget }) };
  if (!split) {
    const asked = order && rest ? { question: order, context: rest } : null;
    const field = asked && ((await everyOne(asked, context)) ?? (await namedField(asked, context)));
    return field === null ? null : { text: field, calls: [] };
  }
  const isBrief = settings.talk.brief.test(lastSaid(messages));
  const asks = isBrief ? withoutBrief(split.question, settings.talk.brief) : split.question;
  const parted = { ...split, question: asks.replace(settings.question.lead, '') };
  const text = reader.prepare(parted.context);
  if (!reader.canRead(1, text, budget)) return null;
  const language = languageOf(parted.question, settings.malay);
  const answers = settings.answers[language];
  const every = await everyOne(parted, context);
  if (every !== null) return { text: every, calls: [] };
  if (settings.summary.test(parted.question)) {
    const [reading] = await reader.read([{ asking: 'summary', question: '' }], text, signal);
    return { text: summaryOf(reading!, parted.question, settings), calls: [] };
  }
  const { decoder, writing } = settings.talk;
  if (writing.test(parted.question) && !decoder.test(lastSaid(messages)))
    return { text: answers.writing, calls: [] };
  const labelled = labelAnswer(parted, settings.labels);
  if (labelled !== null) return { text: labelled, calls: [] };
  const named = roleAnswer(parted.question, parted.context, settings.roles);
  if (named !== null) return { text: named, calls: [] };
  const isChoice = optionsIn(parted.question, parted.context, settings.choices) !== null;
  const opening = isChoice
    ? null
    : openOn(parted.question, parted.context, settings.values.weekdays, settings.opening);
  if (opening) {
    const proof = !isBrief && lengthOf(opening.clause) < longestProof ? ` (${opening.clause})` : '';
    return { text: `${opening.isTrue ? answers.yes : answers.no}${proof}`, calls: [] };
  }
  const asking = {
    question: reader.prepare(parted.question),
    read: (part: string) => reader.prepare(part),
    words: settings.tables,
  };
  const isMore = settings.question.polar.test(parted.question) ? comparesRows(parted.context, asking) : null;
  if (isMore !== null) return { text: isMore ? answers.yes : answers.no, calls: [] };
  const [reading] = await reader.read([{ asking: 'ask', question: parted.question }], text, signal);
  const { place } = reading!;
  const likeliest = outcomes.reduce((left, right) =>
    chanceOf(reading!, right) > chanceOf(reading!, left) ? right : left,
  );
  // “Is …?” is answered by yes or no, whatever else the text tells.
  const isPolar = likeliest === 'span' && settings.question.polar.test(parted.question);
  if (likeliest !== 'yes' && likeliest !== 'no') {
    const told = answerFromTable(parted.context, {
      ...asking,
      outcome: likeliest,
      reading: reading!,
    });
    const isTruth = told !== null && (settings.tables.yes.test(told) || settings.tables.no.test(told));
    if (told !== null && (isTruth || !isPolar)) return { text: told === '' ? answers.none : told, calls: [] };
  }
  const choice =
    isChoice && tableOf(parted.context) === null
      ? choiceAnswer(parted.question, {
          read: (part) => reader.prepare(part),
          reading: reading!,
          text: parted.context,
          words: settings.choices,
        })
      : null;
  if (choice !== null) return { text: choice === '' ? answers.none : choice, calls: [] };
  const isNone = chanceOf(reading!, 'none') - chanceOf(reading!, 'span') > settings.thresholds.none;
  const field =
    likeliest === 'other' || likeliest === 'none' || isNone ? await namedField(parted, context) : null;
  if (field !== null) return { text: field, calls: [] };
  if (likeliest === 'other') return null;
  // “Yes or no only”: nothing else is an answer but that the text does not say.
  const isForced = isBrief && likeliest !== 'none' && wantsTruth(messages, answers, settings.talk.brief);
  if (likeliest === 'yes' || likeliest === 'no' || isForced || isPolar) {
    const { no, saysNo } = settings.thresholds;
    const odds = chanceOf(reading!, 'no') - chanceOf(reading!, 'yes');
    const surest = Math.max(chanceOf(reading!, 'no'), chanceOf(reading!, 'yes'));
    if (!isForced && chanceOf(reading!, 'none') > surest - nearlyNone)
      return { text: answers.none, calls: [] };
    const shareOf = (clause: string) => coverageOf(reader.prepare(clause), reader.prepare(parted.question));
    const isNo = odds + saysNo * denialOf(reading!, parted, shareOf, settings) > no;
    const condition = odds > 0 && !isBrief ? conditionOf(reading!, text, settings) : null;
    const isAsked =
      condition !== null &&
      coverageOf(reader.prepare(condition), reader.prepare(parted.question)) > settings.thresholds.condition;
    if (isAsked) return { text: condition, calls: [] };
    const proof = !isBrief && place && lengthOf(place.text) < longestProof ? ` (${place.text})` : '';
    return { text: `${isNo ? answers.no : answers.yes}${proof}`, calls: [] };
  }
  const step = stepAnswer(parted, {
    language,
    place,
    shareOf: (part) => coverageOf(reader.prepare(part), reader.prepare(parted.question)),
    values: settings.values,
    words: settings.steps,
  });
  if (step !== null) return { text: step, calls: [] };
  if (isNone) return { text: answers.none, calls: [] };
  if (place && !tellsKind(place, parted, settings)) return { text: answers.none, calls: [] };
  const said = answerOf(reading!, text, settings);
  return said === null ? null : { text: said, calls: [] };
}

/** Lines of values are what is asked about, however they begin. */
const tableLast = (split: SplitQuestion | null): SplitQuestion | null =>
  split && !split.context.includes('\n') && tableOf(split.question)
    ? { ...split, question: split.context, context: split.question }
    : split;

const beforeColon = /^([^:：\n]{3,80})[:：]\s*(\S.*)$/su;
const longestProof = 25;
/** Log odds below yes and no from which neither is told. */
const nearlyNone = 1;

const wantsTruth = (messages: readonly ChatMessage[], { yes }: { yes: string }, brief: RegExp): boolean =>
  brief.exec(lastSaid(messages))?.[0].toLowerCase().includes(yes.toLowerCase()) ?? false;

/** The question without how it is to be answered; as it is where nothing else is left. */
function withoutBrief(question: string, brief: RegExp): string {
  const rest = question.replace(brief, ' ').trim();
  return rest === '' ? question : rest;
}
