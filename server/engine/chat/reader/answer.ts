/** A request's answer by reading: from the text itself, fields by a schema, a function with its arguments. Null: it is none of these. */
import type { ChatMessage, Tool } from '../../../api/services/chat.ts';
import type { Json } from '../../pack-files.ts';
import type { GenerateParams } from '../types.ts';
import { type Context, chanceOf, type ReadingLanguage } from './context.ts';
import type { ReadText } from './features.ts';
import { fillObject } from './fill.ts';
import { outcomes } from './reader.ts';
import { answerOf } from './sentence-answer.ts';
import { lengthOf, messageText, type QuestionWords, splitQuestion, wholeText } from './split.ts';
import { summaryAsked, summaryOf } from './summary.ts';
import { answerFromTable } from './table-answer.ts';
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

export async function answerByReading(request: Request, context: Context): Promise<ReadAnswer | null> {
  const { settings } = context;
  const { format, messages, toolChoice, tools } = request;
  if (messages.at(-1)?.role !== 'user') return null;
  if (tools.length > 0 && toolChoice.mode !== 'none') return callTools(request, context);
  if (format.type === 'json_object') return null;
  if (format.type === 'json_schema') {
    const value = await fillObject(format.schema, givenText(messages, settings.question), '', context);
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
  const parted = summaryAsked(messages, settings.summary) ?? splitQuestion(messages, settings.question);
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
  if (likeliest === 'other') return null;
  if (likeliest === 'yes' || likeliest === 'no') {
    const isNo = chanceOf(reading!, 'no') - chanceOf(reading!, 'yes') > settings.thresholds.no;
    const proof = place && lengthOf(place.text) < longestProof ? ` (${place.text})` : '';
    return { text: `${isNo ? answers.no : answers.yes}${proof}`, calls: [] };
  }
  const isNone = chanceOf(reading!, 'none') - chanceOf(reading!, 'span') > settings.thresholds.none;
  if (isNone) return { text: answers.none, calls: [] };
  const said = answerOf(reading!, text, settings);
  return said === null ? null : { text: said, calls: [] };
}

const longestProof = 25;

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
  const scores = readings.map((reading) => chanceOf(reading, 'yes') - chanceOf(reading, 'no'));
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
