/** What is asked: our held-back conversations (models/recipes/lingua-starter/heldback.py) and, where it is there, BFCL. */
import { existsSync, readFileSync } from 'node:fs';
import type { ChatMessage, Tool } from '../../../server/api/services/chat.ts';

export type Language = 'en' | 'ms' | 'zh';

export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

export interface Item {
  task: string;
  language: Language;
  messages: ChatMessage[];
  /** Words, or the calls. */
  answer: string | Call[];
  tools?: Tool[];
  schema?: Record<string, unknown>;
}

export interface BfclItem {
  category: string;
  messages: ChatMessage[];
  tools: Tool[];
  /** Accepted values of each argument; "" among them: may be left out. */
  accepted: Record<string, Record<string, unknown[]>>[];
}

const bfcl = new URL('../../../../shared/data/chat-bfcl-dev/bfcl_dev.jsonl', import.meta.url);

const linesOf = (url: URL): string[] => readFileSync(url, 'utf8').split('\n').filter(Boolean);

export const heldBack = (): Item[] =>
  linesOf(new URL('held-back.jsonl', import.meta.url)).map((line) => JSON.parse(line));

/** Running text that training never saw. */
export const paragraphs = (): Record<Language, string[]> =>
  JSON.parse(readFileSync(new URL('paragraphs.json', import.meta.url), 'utf8'));

interface BfclRow {
  category: string;
  question: ChatMessage[][];
  function: { name: string; description: string; parameters: Record<string, unknown> }[];
  ground_truth: BfclItem['accepted'];
}

/** Every `step`-th question with one call to make; null without the shared data. */
export function bfclQuestions(step: number): BfclItem[] | null {
  if (!existsSync(bfcl)) return null;
  const rows = linesOf(bfcl).map((line) => JSON.parse(line) as BfclRow);
  return rows
    .filter(({ category }) => category === 'simple_python' || category === 'multiple')
    .filter((_, index) => index % step === 0)
    .map((row) => ({
      category: row.category,
      messages: row.question[0]!,
      tools: row.function.map(({ name, description, parameters }) => ({
        type: 'function',
        function: {
          name: plainName(name),
          description,
          parameters: toJsonSchema(parameters) as Record<string, unknown>,
        },
      })),
      accepted: row.ground_truth.map((call) =>
        Object.fromEntries(Object.entries(call).map(([name, value]) => [plainName(name), value])),
      ),
    }));
}

/** Our API takes no dots in names of functions. */
const plainName = (name: string) => name.replaceAll('.', '_');

const typeNames: Record<string, string | undefined> = {
  dict: 'object',
  float: 'number',
  tuple: 'array',
  any: undefined,
};

/** The set names types as Python does. */
function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .map(([key, inner]): [string, unknown] =>
      key === 'type' && typeof inner === 'string' && inner in typeNames
        ? [key, typeNames[inner]]
        : [key, toJsonSchema(inner)],
    )
    .filter(([key, inner]) => inner !== undefined && key !== 'default' && key !== 'optional');
  return Object.fromEntries(entries);
}
