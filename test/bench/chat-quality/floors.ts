/** What answers without a model get: the most frequent answer, and the longest overlap of words. */
import type { ChatMessage, Tool } from '../../../server/api/services/chat.ts';
import type { Item } from './items.ts';
import type { Said } from './scoring.ts';

const textOf = (messages: readonly ChatMessage[]): string =>
  typeof messages.at(-1)?.content === 'string' ? (messages.at(-1)!.content as string) : '';

const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(/[\u4e00-\u9fff]|[\p{L}\p{N}@._+-]*[\p{L}\p{N}]/gu) ?? [];

/** Of all answers to these items, the commonest. */
export function mostFrequent(items: readonly Item[]): string {
  const counts = new Map<string, number>();
  for (const { answer } of items)
    if (typeof answer === 'string') counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}

/** The sentence that shares most words with the question; of it, the longest run of words the question does not have. */
export function overlapAnswer({ messages }: Item): Said {
  const lines = textOf(messages)
    .split(/\n+|(?<=[.。])\s*/u)
    .filter(Boolean);
  const question = new Set(wordsOf(lines.find((line) => /[?？]$/u.test(line.trim())) ?? lines.at(-1) ?? ''));
  const passage = lines.filter((line) => !/[?？]$/u.test(line.trim()));
  const best = passage.sort((a, b) => shared(b, question) - shared(a, question))[0] ?? '';
  return { text: longestNew(best, question), calls: [] };
}

const shared = (line: string, words: ReadonlySet<string>): number =>
  wordsOf(line).filter((word) => words.has(word)).length;

function longestNew(line: string, known: ReadonlySet<string>): string {
  const isChinese = /[\u4e00-\u9fff]/u.test(line);
  const pieces = isChinese ? [...line.replaceAll(/[。，]/gu, '')] : line.split(' ');
  const runs: string[][] = [[]];
  for (const piece of pieces) {
    if (wordsOf(piece).every((word) => known.has(word))) runs.push([]);
    else runs.at(-1)!.push(piece);
  }
  return runs.sort((a, b) => b.length - a.length)[0]!.join(isChinese ? '' : ' ');
}

/** The field's value is what stands behind its name; else the first number for a number. */
export function labelledFields({ messages, schema }: Item): Said {
  const text = textOf(messages);
  const properties = (schema?.properties ?? {}) as Record<string, { type?: string }>;
  const values = Object.entries(properties).map(([key, { type }]) => {
    const label = key.replaceAll('_', '[ _]').replaceAll(/[.*+?^${}()|\\]/g, '\\$&');
    const found = new RegExp(
      `${label}(?:\\s*(?:is|ialah|[:：=-])\\s*|\\s+)([^\\n;|,]+?)(?=[.。]?\\s|$|[;|,])`,
      'iu',
    ).exec(text)?.[1];
    if (type === 'number' || type === 'integer')
      return [key, Number(/\d+(?:\.\d+)?/.exec(found ?? text)?.[0] ?? 0)];
    return [key, found ?? ''];
  });
  return { text: JSON.stringify(Object.fromEntries(values)), calls: [] };
}

/** The function whose name and description share most words with the question; numbers and capitals in order. */
export function overlapCall(messages: readonly ChatMessage[], tools: readonly Tool[]): Said {
  const text = textOf(messages);
  const question = new Set(wordsOf(text));
  const score = ({ function: { description, name } }: Tool) =>
    shared(`${name.replaceAll(/[_.]/g, ' ')} ${description ?? ''}`, question);
  const tool = [...tools].sort((a, b) => score(b) - score(a))[0]!;
  const numbers = (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
  const names = [...text.matchAll(/(['"“])(.+?)['"”]|(?<=\s)(\p{Lu}[\p{L}]*(?: \p{Lu}[\p{L}]*)*)/gu)].map(
    (match) => match[2] ?? match[3] ?? '',
  );
  const { properties = {}, required = [] } = (tool.function.parameters ?? {}) as {
    properties?: Record<string, { type?: string }>;
    required?: string[];
  };
  const given = Object.entries(properties)
    .filter(([key]) => required.includes(key))
    .map(([key, { type }]) => {
      if (type === 'integer' || type === 'number') return [key, numbers.shift() ?? 0];
      if (type === 'array') return [key, numbers.splice(0)];
      return [key, type === 'boolean' ? true : (names.shift() ?? '')];
    });
  return {
    text: '',
    calls: [{ name: tool.function.name, arguments: JSON.stringify(Object.fromEntries(given)) }],
  };
}
