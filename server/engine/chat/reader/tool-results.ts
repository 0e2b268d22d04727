/** An answer from what a function gave back: the values that the question asks for, else all of them in plain words. */
import type { ChatMessage } from '../../../api/services/chat.ts';
import { type Context, chanceOf } from './context.ts';
import { coverageOf } from './features.ts';
import { outcomes } from './reader.ts';
import { isPlain } from './schemas.ts';
import { answerOf } from './sentence-answer.ts';
import { lengthOf, messageText } from './split.ts';
import { answerFromTable } from './table-answer.ts';
import { languageOf, lastSaid } from './talk.ts';
import type { ResultWords } from './talk-words.ts';
import { wordsOfKey } from './wording.ts';

type Pairs = [key: string, value: string][];

const mostPairs = 16;
const mostLines = 20;
const longestValue = 300;
const longestText = 60;

/** Numbers as they are written: 1482.50. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? (context?.source ?? String(value)) : value,
    );
  } catch {
    return undefined;
  }
};

const shortened = (text: string): string =>
  text.length > longestValue ? `${text.slice(0, longestValue).trimEnd()}…` : text;

/** The values of an object by their keys' words, those within others as well. */
function pairsOf(value: unknown, key = ''): Pairs {
  if (value === null || value === '') return [];
  if (Array.isArray(value)) {
    const parts = value.slice(0, mostPairs).map((each) => pairsOf(each).map(([, said]) => said));
    return value.length > 0 ? [[key, parts.map((part) => part.join(' ')).join(', ')]] : [];
  }
  if (!isPlain(value)) return [[key, shortened(String(value))]];
  return Object.entries(value)
    .flatMap(([inner, each]) => pairsOf(each, [key, wordsOfKey(inner)].filter(Boolean).join(' ')))
    .slice(0, mostPairs);
}

/** The array of objects that a result is or holds. */
function rowsOf(value: unknown): Record<string, unknown>[] | null {
  const array = Array.isArray(value)
    ? value
    : isPlain(value)
      ? Object.values(value).find((each) => Array.isArray(each) && each.length > 0 && each.every(isPlain))
      : undefined;
  return Array.isArray(array) && array.length > 0 && array.every(isPlain) ? array : null;
}

const line = (pairs: Pairs): string =>
  pairs.map(([key, value]) => (key === '' ? value : `${key}: ${value}`)).join(', ');

/** The error of a result, by a key or the words themselves; null where nothing did. */
function errorOf(text: string, value: unknown, words: ResultWords): string | null {
  if (typeof value === 'string' || value === undefined)
    return words.errorText.test(text) ? text.replace(words.errorText, '') || text : null;
  if (!isPlain(value)) return null;
  const [, error] =
    Object.entries(value).find(([key, each]) => words.error.test(wordsOfKey(key)) && Boolean(each)) ?? [];
  if (error === undefined) return null;
  const told = error === true ? Object.entries(value).filter(([, each]) => typeof each === 'string') : [];
  return line(told.length > 0 ? pairsOf(Object.fromEntries(told)) : pairsOf(error));
}

/** Objects as a table, whose cells are asked for as those of any text. */
function tableText(rows: readonly Record<string, unknown>[]): string {
  const flat = rows.map((row) => new Map(pairsOf(row)));
  const header = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  const cells = (values: string[]) => `| ${values.map((each) => each.replaceAll('|', '/')).join(' | ')} |`;
  return [
    cells(header),
    cells(header.map(() => '---')),
    ...flat.map((row) => cells(header.map((key) => row.get(key) ?? ''))),
  ].join('\n');
}

/** All of a result in words: a line for each of its objects. */
function flatText(text: string, value: unknown): string {
  if (value === null) return '';
  if (!isPlain(value)) return typeof value === 'string' ? value : text;
  const rows = rowsOf(value);
  if (!rows) return line(pairsOf(value));
  const beside =
    isPlain(value) && !Array.isArray(value) ? Object.entries(value).filter(([, each]) => each !== rows) : [];
  return [Object.fromEntries(beside), ...rows]
    .map((each) => line(pairsOf(each)))
    .filter(Boolean)
    .join('\n');
}

/** Tool messages at the end, the oldest first. */
const lastResults = (messages: readonly ChatMessage[]): string[] =>
  messages
    .slice(messages.findLastIndex(({ role }) => role !== 'tool') + 1)
    .map((message) => messageText(message).trim());

export async function answerFromResults(messages: readonly ChatMessage[], context: Context): Promise<string> {
  const { reader, settings } = context;
  const question = lastSaid(messages);
  const answers = settings.answers[languageOf(question, settings.malay)];
  const told: string[] = [];
  for (const text of lastResults(messages)) {
    const value = parse(text);
    const error = errorOf(text, value, settings.results);
    if (error !== null) {
      told.push(`${answers.failed}${error}`);
      continue;
    }
    const said = flatText(text, value);
    if (said === '') told.push(answers.noResult);
    else if (reader.canRead(1, reader.prepare(said)))
      told.push((await pointed(question, said, value, context)) ?? bounded(said));
    else told.push(bounded(said));
  }
  return [...new Set(told)].join('\n');
}

/** All of a short text, the begin of a long one. */
const bounded = (text: string): string => {
  if (text.includes('\n') || lengthOf(text) <= longestText) return shortenedLines(text);
  return `${text.slice(0, longestValue).trimEnd()}…`;
};

const shortenedLines = (text: string): string => {
  const lines = text.split('\n');
  return [...lines.slice(0, mostLines).map(shortened), ...(lines.length > mostLines ? ['…'] : [])].join('\n');
};

/** The value that the reader is sure of, with its unit; null where it is not, or the question says it itself. */
async function pointed(
  question: string,
  said: string,
  value: unknown,
  { reader, settings, signal }: Context,
): Promise<string | null> {
  const rows = rowsOf(value);
  const source = rows && rows.length > 1 ? tableText(rows) : said;
  const text = reader.prepare(source);
  if (!settings.question.anywhere.test(question) && !/[?？]/u.test(question)) return null;
  if (!reader.canRead(1, text)) return null;
  const [reading] = await reader.read([{ asking: 'ask', question }], text, signal);
  const asked = reader.prepare(question);
  const likeliest = outcomes.reduce((left, right) =>
    chanceOf(reading!, right) > chanceOf(reading!, left) ? right : left,
  );
  if (rows && rows.length > 1)
    return answerFromTable(source, {
      question: asked,
      read: (part) => reader.prepare(part),
      words: settings.tables,
      outcome: likeliest,
      reading: reading!,
    });
  const { place } = reading!;
  if (likeliest === 'span' && !isPlain(value) && lengthOf(said) > longestText)
    return answerOf(reading!, text, settings);
  if (likeliest !== 'span' || !isPlain(value) || !place || Math.exp(place.score) < settings.thresholds.sure)
    return null;
  const pairs = pairsOf(value);
  const found = pairs.filter(([, each]) => each.includes(place.text));
  if (found.length !== 1 || coverageOf(asked, reader.prepare(found[0]![1])) > 0.5) return null;
  const [, answer] = found[0]!;
  const unit = /^-?[\d.,]+$/u.test(answer)
    ? pairs.find(([key]) => settings.results.unit.test(key))
    : undefined;
  return unit ? `${answer} ${unit[1]}` : answer;
}

/** The object that was given back last, as it is. */
export function resultObject(messages: readonly ChatMessage[]): Record<string, unknown> {
  const text = lastResults(messages).at(-1) ?? '';
  try {
    // Visiting each value fails on what is nested too deep to be written again.
    const value: unknown = JSON.parse(text, (_key, each: unknown) => each);
    return isPlain(value) && !Array.isArray(value) ? value : { result: value };
  } catch {
    return { result: text };
  }
}
