/**
 * Questions of somebody who had seen neither generators nor code (blind/README.md), and when an answer to one counts as right.
 * Nothing may be tuned on them.
 */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { ChatMessage, Tool } from '../../../server/api/services/chat.ts';
import type { Language } from './items.ts';
import { parsed, type Said } from './scoring.ts';

interface ExpectedCall {
  name: string;
  /** Every argument of the function: its value, or `any_of` with `null` for “may be left out”. */
  arguments: Record<string, unknown>;
}

type Expected =
  | { answers: string[] }
  | { unanswerable: true }
  | { json: Record<string, unknown> }
  | { calls: ExpectedCall[] }
  | { must: string[][]; must_not: string[]; max_words: number };

export const blindKinds = ['passage', 'fields', 'tools', 'tables', 'summary'] as const;

export interface BlindItem {
  id: string;
  lang: Language;
  kind: (typeof blindKinds)[number];
  messages: ChatMessage[];
  tools?: Tool[];
  response_format?: { json_schema: { schema: Record<string, unknown> } };
  expect: Expected;
}

export const blindItems = (): BlindItem[] =>
  gunzipSync(readFileSync(new URL('blind/questions.jsonl.gz', import.meta.url)))
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Who repeats the passage does not answer; the longest wanted answer has a quarter of it. */
const longestAnswer = 40;

const han = /\p{Script=Han}/gu;

const plainAnswer = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/(?<=\d),(?=\d{3})/gu, '')
    .replaceAll(/[\s*_`"'“”‘’«»]+/gu, ' ')
    .trim();

/** Blanks are ignored in Chinese; elsewhere words and numbers stand whole: “3” is not in “13”, nor “ten” in “written”. */
function contains(text: string, variant: string): boolean {
  const [whole, part] = [plainAnswer(text), plainAnswer(variant)];
  if (/\p{Script=Han}/u.test(part)) return whole.replaceAll(' ', '').includes(part.replaceAll(' ', ''));
  const before = /^\d/u.test(part) ? '(?<!\\d)' : '(?<![a-z\\d])';
  const after = /\p{L}$/u.test(part) && part.length <= 4 ? '(?![a-z])' : '';
  return new RegExp(`${before}(?<!\\d[.,:])${RegExp.escape(part)}(?!\\d|[.,:]\\d)${after}`, 'u').test(whole);
}

/** Words, each Chinese character as one in a text that has them. */
function lengthOf(text: string): number {
  const characters = text.match(han)?.length ?? 0;
  return characters + (text.replaceAll(han, ' ').match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0);
}

const refusals: Record<Language, RegExp> = {
  en: /\b(?:not|n't|no|nothing|never|unknown|unclear|without|unable|cannot)\b|n't\b/iu,
  ms: /\b(?:tidak|tiada|tak|bukan|belum|tanpa)\b/iu,
  zh: /没有|没|未|无|不(?:知|清楚|详|明|能|含|包括|在)/u,
};

function isWantedCall({ name, arguments: wanted }: ExpectedCall, said: Said['calls'][number]): boolean {
  const got = parsed(said.arguments);
  if (said.name !== name || typeof got !== 'object' || got === null) return false;
  const given = got as Record<string, unknown>;
  const known = Object.entries(wanted).every(([key, value]) => {
    const choices = hasChoices(value) ? value.any_of : [value];
    return choices.some((choice) => isDeepStrictEqual(given[key] ?? null, choice));
  });
  return known && Object.keys(given).every((key) => key in wanted);
}

const hasChoices = (value: unknown): value is { any_of: unknown[] } =>
  typeof value === 'object' && value !== null && Array.isArray((value as { any_of?: unknown }).any_of);

function areWantedCalls(wanted: readonly ExpectedCall[], said: Said['calls']): boolean {
  const open = [...said];
  for (const call of wanted) {
    const at = open.findIndex((each) => isWantedCall(call, each));
    if (at < 0) return false;
    open.splice(at, 1);
  }
  return open.length === 0;
}

/** By the kind: a variant in a short answer, a refusal, the same JSON, the same calls in any order, what a summary must have. */
export function isBlindRight(
  { expect, lang }: Pick<BlindItem, 'expect' | 'lang'>,
  { text, calls }: Said,
): boolean {
  if ('calls' in expect) return areWantedCalls(expect.calls, calls);
  if (calls.length > 0 || text.trim() === '') return false;
  if ('json' in expect) return isDeepStrictEqual(parsed(text), expect.json);
  if ('must' in expect) {
    return (
      lengthOf(text) <= expect.max_words &&
      expect.must.every((group) => group.some((variant) => contains(text, variant))) &&
      !expect.must_not.some((variant) => contains(text, variant))
    );
  }
  if (lengthOf(text) > longestAnswer) return false;
  return 'answers' in expect
    ? expect.answers.some((variant) => contains(text, variant))
    : refusals[lang].test(text) && !/\d/u.test(text);
}

const refusal: Record<Language, string> = {
  en: 'The text does not say.',
  ms: 'Teks itu tidak menyatakannya.',
  zh: '文中没有提到。',
};

/** Who always says that the text does not tell, and never calls a function. */
export const alwaysRefusing = ({ lang }: BlindItem): Said => ({ text: refusal[lang], calls: [] });

/** Who repeats what was said last. */
export const echoing = ({ messages }: BlindItem): Said => {
  const content = messages.at(-1)?.content;
  return { text: typeof content === 'string' ? content : '', calls: [] };
};
