/** A request's answer by reading: from the text itself, fields by a schema, a function with its arguments. Null: it is none of these. */
import type { ChatMessage, Tool } from '../../../api/services/chat.ts';
import type { Json } from '../../pack-files.ts';
import type { GenerateParams } from '../types.ts';
import { classifying, classOf } from './classify.ts';
import { type Context, chanceOf } from './context.ts';
import { enumerated, turnsOf } from './enumerated-calls.ts';
import { coverageOf, type ReadText } from './features.ts';
import { fillObject } from './fill.ts';
import { keysIn, labelledPairs, plainValue, withoutKeys } from './free-object.ts';
import { outcomes } from './reader.ts';
import { readingSchema } from './reading-schema.ts';
import { todayOf } from './relative-dates.ts';
import { openRequest } from './requests.ts';
import { roleAnswer } from './roles.ts';
import { isPlain } from './schemas.ts';
import { answerOf, conditionOf } from './sentence-answer.ts';
import {
  lengthOf,
  messageText,
  type QuestionWords,
  type SplitQuestion,
  splitQuestion,
  wholeText,
} from './split.ts';
import { sumAnswer } from './sum-answer.ts';
import { summaryAsked, summaryOf } from './summary.ts';
import { answerFromTable } from './table-answer.ts';
import { languageOf, lastSaid, otherAnswer, pictureAnswer, talkAnswer } from './talk.ts';
import { answerFromResults, resultObject } from './tool-results.ts';
import { questionOf } from './wording.ts';

export interface ReadAnswer {
  text: string;
  calls: { name: string; arguments: Record<string, unknown> }[];
}

type Request = Pick<GenerateParams, 'messages' | 'tools' | 'toolChoice' | 'format' | 'parallelToolCalls'>;

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

export async function answerByReading(request: Request, given: Context): Promise<ReadAnswer | null> {
  const { settings } = given;
  const { format, messages, toolChoice, tools } = request;
  const context = { ...given, today: todayOf(messages.map(messageText).join('\n'), settings.values) };
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
  if (isCalled) return callTools(request, context);
  if (format.type === 'json_object') return objectAnswer(messages, context);
  if (format.type === 'json_schema') {
    const isIso = settings.values.isoDate.test(wholeText(messages));
    const text = givenText(messages, settings.question);
    const value = await fillSchema(format.schema, text, { ...context, isIso, isEmptied: true });
    return value === undefined ? null : { text: JSON.stringify(value), calls: [] };
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
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]));
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
  { reader, settings, signal }: Context,
): Promise<ReadAnswer | null> {
  const split = summaryAsked(messages, settings.summary) ?? splitQuestion(messages, settings.question);
  const [, order, rest] = beforeColon.exec(lastSaid(messages)) ?? [];
  if (!split)
    return order && rest ? oneField({ question: order, context: rest }, { reader, settings, signal }) : null;
  const isBrief = settings.talk.brief.test(lastSaid(messages));
  const parted = isBrief ? { ...split, question: withoutBrief(split.question, settings.talk.brief) } : split;
  const text = reader.prepare(parted.context);
  if (!reader.canRead(1, text)) return null;
  const language = languageOf(parted.question, settings.malay);
  const answers = settings.answers[language];
  if (settings.summary.test(parted.question)) {
    const [reading] = await reader.read([{ asking: 'summary', question: '' }], text, signal);
    return { text: summaryOf(reading!, parted.question, settings), calls: [] };
  }
  const named = roleAnswer(parted.question, parted.context, settings.roles);
  if (named !== null) return { text: named, calls: [] };
  const [reading] = await reader.read([{ asking: 'ask', question: parted.question }], text, signal);
  const { place } = reading!;
  const likeliest = outcomes.reduce((left, right) =>
    chanceOf(reading!, right) > chanceOf(reading!, left) ? right : left,
  );
  if (likeliest !== 'yes' && likeliest !== 'no') {
    const told = answerFromTable(parted.context, {
      question: reader.prepare(parted.question),
      read: (part) => reader.prepare(part),
      words: settings.tables,
      outcome: likeliest,
      reading: reading!,
    });
    if (told !== null) return { text: told, calls: [] };
  }
  if (likeliest === 'other') return oneField(parted, { reader, settings, signal });
  // “Yes or no only”: nothing else is an answer but that the text does not say.
  const isForced = isBrief && likeliest !== 'none' && wantsTruth(messages, answers, settings.talk.brief);
  if (likeliest === 'yes' || likeliest === 'no' || isForced) {
    const isNo = chanceOf(reading!, 'no') - chanceOf(reading!, 'yes') > settings.thresholds.no;
    const condition = isNo && !isBrief ? conditionOf(reading!, text, settings) : null;
    const isAsked =
      condition !== null &&
      coverageOf(reader.prepare(condition), reader.prepare(parted.question)) > settings.thresholds.condition;
    if (isAsked) return { text: condition, calls: [] };
    const proof = !isBrief && place && lengthOf(place.text) < longestProof ? ` (${place.text})` : '';
    return { text: `${isNo ? answers.no : answers.yes}${proof}`, calls: [] };
  }
  const isNone = chanceOf(reading!, 'none') - chanceOf(reading!, 'span') > settings.thresholds.none;
  if (isNone) return { text: answers.none, calls: [] };
  const said = answerOf(reading!, text, settings);
  return said === null ? null : { text: said, calls: [] };
}

/** “Extract the e-mail address”: as a field; null where nothing of the kind is asked, or told. */
async function oneField(
  { context: text, question }: SplitQuestion,
  context: Context,
): Promise<ReadAnswer | null> {
  const key = context.settings.objects.one.exec(question)?.slice(1).find(Boolean)?.trim();
  if (!key) return null;
  const schema = { properties: { [key]: { type: 'string' } }, required: [key] };
  const value = (await fillObject(schema, text, '', { ...context, isEmptied: true }))?.[key];
  return typeof value === 'string' && value !== '' ? { text: value, calls: [] } : null;
}

const beforeColon = /^([^:：\n]{3,80})[:：]\s*(\S.*)$/su;
const longestProof = 25;

const wantsTruth = (messages: readonly ChatMessage[], { yes }: { yes: string }, brief: RegExp): boolean =>
  brief.exec(lastSaid(messages))?.[0].toLowerCase().includes(yes.toLowerCase()) ?? false;

/** The question without how it is to be answered; as it is where nothing else is left. */
function withoutBrief(question: string, brief: RegExp): string {
  const rest = question.replace(brief, ' ').trim();
  return rest === '' ? question : rest;
}

type Function = Tool['function'];

/** Log odds of each function that the words ask for it; null where reading would take too long. */
async function scoresOf(
  open: readonly Function[],
  text: ReadText,
  { reader, signal }: Context,
): Promise<number[] | null> {
  if (!reader.canRead(open.length, text)) return null;
  const readings = await reader.read(
    open.map((tool) => ({
      asking: 'tool' as const,
      question: questionOf(
        { key: tool.name, description: tool.description ?? '' },
        Object.keys((tool.parameters?.properties as Json | undefined) ?? {}).join(', '),
      ),
    })),
    text,
    signal,
  );
  return readings.map((reading) => chanceOf(reading, 'yes') - chanceOf(reading, 'no'));
}

/** Words that tell every argument the function needs, and not by the same words. */
async function isWhole(tool: Function, said: string, context: Context): Promise<boolean> {
  const required = tool.parameters?.required;
  if (!Array.isArray(required) || required.length === 0) return false;
  const open = { ...tool.parameters, required: [] };
  const filled = await fillObject(open, said, tool.name, context);
  return filled !== null && required.every((key) => filled[key] !== undefined);
}

const mostParts = 8;
const longestParted = 2000;

interface Part {
  tool: Function;
  said: string;
}

/** Parts of a request that ask for a function each, as their log odds have it together: “do this and then do that”. */
async function partsOf(said: string, open: readonly Function[], context: Context): Promise<Part[]> {
  const { joins, thresholds } = context.settings;
  const borders = [
    0,
    ...[...said.matchAll(joins)].map(({ 0: sign, index }) => index + sign.length),
    said.length,
  ];
  if (borders.length < 3 || borders.length > mostParts + 1) return [];
  if (open.length * borders.length ** 2 > mostPartReadings) return [];
  const whole = new Map<string, boolean>();
  const isWholeFor = async (at: number, words: string): Promise<boolean> => {
    const key = `${at} ${words}`;
    const known = whole.get(key) ?? (await isWhole(open[at]!, words, context));
    whole.set(key, known);
    return known;
  };
  // The best parts of the words up to each border.
  const best: { score: number; parts: Part[] }[] = [{ score: 0, parts: [] }];
  for (let end = 1; end < borders.length; end += 1) {
    best[end] = { score: -Infinity, parts: [] };
    for (let start = 0; start < end; start += 1) {
      const before = best[start]!;
      const words = said.slice(borders[start], borders[end]);
      if (before.score === -Infinity || words.trim() === '') continue;
      const scores = await scoresOf(open, context.reader.prepare(words), context);
      if (!scores) return [];
      for (const [at, tool] of open.entries()) {
        const score = before.score + Math.min(surest, scores[at]!) - thresholds.part;
        if (score <= best[end]!.score) continue;
        const last = before.parts.at(-1);
        // The same function again needs arguments of its own.
        if (last?.tool === tool && !((await isWholeFor(at, last.said)) && (await isWholeFor(at, words))))
          continue;
        best[end] = { score, parts: [...before.parts, { tool, said: words }] };
      }
    }
  }
  return best.at(-1)!.parts;
}

const surest = 3;
/** Functions times pairs of borders that are read. */
const mostPartReadings = 600;

async function callTools(
  { messages, parallelToolCalls, toolChoice, tools }: Request,
  context: Context,
): Promise<ReadAnswer | null> {
  const { reader, settings } = context;
  const asked = lastSaid(messages);
  const answers = settings.answers[languageOf(asked, settings.malay)];
  const mayRefuse = toolChoice.mode === 'auto';
  const said = mayRefuse ? openRequest(asked, settings.requests) : asked;
  if (said === null) return { text: answers.notCalled, calls: [] };
  const text = reader.prepare(said);
  const open = tools
    .map(({ function: tool }) => ({ ...tool, parameters: readingSchema(tool.parameters) as Json }))
    .filter(({ name }) => toolChoice.mode !== 'function' || toolChoice.name === name);
  const scores = await scoresOf(open, text, context);
  if (!scores) return null;
  const best = await likeliest(open, scores, text, context, mayRefuse);
  if (mayRefuse && scores[best]! < settings.thresholds.tool) return { text: answers.noTool, calls: [] };
  const turns = parallelToolCalls ? await callsByTurn(open[best]!, said, context) : [];
  if (turns.length > 1) return { text: '', calls: turns };
  const parts = parallelToolCalls && said.length < longestParted ? await partsOf(said, open, context) : [];
  if (parts.length > 1 && parts.some(({ tool }) => tool === open[best])) {
    const calls: ReadAnswer['calls'] = [];
    for (const part of parts) {
      const filled =
        (await argumentsOf(part.tool, reader.prepare(part.said), context)) ??
        (await argumentsOf(part.tool, text, context));
      if (filled) calls.push({ name: part.tool.name, arguments: filled });
    }
    if (calls.length === parts.length) return { text: '', calls };
  }
  const chosen = open.filter((_, index) => index === best || (parallelToolCalls && scores[index]! > 2));
  const calls: ReadAnswer['calls'] = [];
  const missing = new Set<string>();
  for (const tool of chosen) {
    const mine = new Set<string>();
    const filled = await argumentsOf(tool, text, { ...context, missing: mine });
    for (const key of mine) missing.add(key);
    if (!filled) continue;
    for (const each of parallelToolCalls ? enumerated(tool, filled, said, settings.several) : [filled])
      calls.push({ name: tool.name, arguments: each });
  }
  if (calls.length > 0) return { text: '', calls };
  // A call must be made, and the likeliest function wants what nobody said.
  if (mayRefuse && missing.size > 0)
    return { text: `${answers.missing}${[...missing].join(', ')}`, calls: [] };
  if (mayRefuse) return null;
  const others = open.map((tool, at) => ({ tool, score: scores[at]! })).sort((a, b) => b.score - a.score);
  for (const { tool } of others.slice(0, mostTried)) {
    const filled = await argumentsOf(tool, text, { ...context, missing: new Set() });
    if (filled) return { text: '', calls: [{ name: tool.name, arguments: filled }] };
  }
  const filled = await argumentsOf(open[best]!, text, { ...context, isForced: true });
  return filled && { text: '', calls: [{ name: open[best]!.name, arguments: filled }] };
}

/** A call of one function for each turn of the request; none where a turn does not tell what the function needs. */
async function callsByTurn(tool: Function, said: string, context: Context): Promise<ReadAnswer['calls']> {
  const parted = turnsOf(said, context.settings.several);
  if (!parted) return [];
  const required = Array.isArray(tool.parameters?.required) ? tool.parameters.required : [];
  const open = { ...tool.parameters, required: [] };
  const shared =
    parted.shared === '' ? {} : ((await fillObject(open, parted.shared, tool.name, context)) ?? {});
  const calls: ReadAnswer['calls'] = [];
  for (const turn of parted.turns) {
    const own = (await fillObject(open, turn, tool.name, context)) ?? {};
    const filled = { ...Object.fromEntries(required.map((key) => [key, shared[key]])), ...own };
    if (!required.every((key) => filled[key] !== undefined)) return [];
    calls.push({ name: tool.name, arguments: filled });
  }
  return calls;
}

const mostTried = 4;

/** The likeliest function; another that is nearly as likely, where the first one wants arguments that nobody said. */
async function likeliest(
  open: readonly Function[],
  scores: readonly number[],
  text: ReadText,
  context: Context,
  mayRefuse: boolean,
): Promise<number> {
  const order = scores.map((_, at) => at).sort((a, b) => scores[b]! - scores[a]!);
  const [first] = order;
  if (!mayRefuse || scores[first!]! < context.settings.thresholds.tool) return first!;
  const near = order.filter(
    (at) => scores[first!]! - scores[at]! < nearlyAs && scores[at]! >= context.settings.thresholds.tool,
  );
  if (near.length < 2) return first!;
  for (const at of near.slice(0, mostTried)) {
    const missing = new Set<string>();
    await argumentsOf(open[at]!, text, { ...context, missing });
    if (missing.size === 0) return at;
  }
  return first!;
}

/** Log odds between functions of which the second may be meant. */
const nearlyAs = 2;

const argumentsOf = async (
  tool: Function,
  text: ReadText,
  context: Context,
): Promise<Record<string, unknown> | null> =>
  Object.keys((tool.parameters?.properties as Json | undefined) ?? {}).length === 0
    ? {}
    : fillObject(tool.parameters, text, tool.name, context);
