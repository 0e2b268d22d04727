/** Written and generated conversations as questions of the reading network, each with the places of its answer. */
import { readFileSync } from 'node:fs';
import type { ReadingTask } from '../../../server/engine/chat/reader/features.ts';
import type { Outcome } from '../../../server/engine/chat/reader/reader.ts';
import { readSettings } from '../../../server/engine/chat/reader/settings.ts';
import { splitQuestion, wholeText } from '../../../server/engine/chat/reader/split.ts';
import { questionOf } from '../../../server/engine/chat/reader/wording.ts';
import { seededRandom } from '../../../server/services/fixtures/random.ts';
import { type Block, blocksOf, type Field, type Filled } from './written.ts';

export interface Example {
  asking: ReadingTask;
  question: string;
  context: string;
  outcome: Outcome;
  /** Characters of the text: places of the answer, any of which is right (`list`, `summary`: all of which). */
  places: [start: number, end: number][];
  /** Examples of one group are split between training and development together. */
  group: string;
  language: string;
  source: string;
}

export const questionWords = readSettings(
  JSON.parse(readFileSync(new URL('reader.json', import.meta.url), 'utf8')),
).question;
const glue: Record<string, string[]> = JSON.parse(
  readFileSync(new URL('glue.json', import.meta.url), 'utf8'),
);

function placesOf(context: string, words: string): [number, number][] {
  const places: [number, number][] = [];
  if (words === '') return places;
  for (let at = context.indexOf(words); at >= 0; at = context.indexOf(words, at + 1)) {
    const [before, after] = [context[at - 1] ?? ' ', context[at + words.length] ?? ' '];
    const cut = (outside: string, inside: string) => /[a-z\d]/iu.test(outside) && /[a-z\d]/iu.test(inside);
    if (!cut(before, words[0]!) && !cut(after, words.at(-1)!)) places.push([at, at + words.length]);
  }
  return places.slice(0, 6);
}

interface Writing {
  random: () => number;
  source: string;
}

/** @returns the question and the text that the engine would make of them, or null where it would part them otherwise */
function glued(question: string, block: Pick<Block, 'language' | 'text'>, random: () => number) {
  const forms = glue[block.language] ?? glue.en!;
  const form = forms[Math.floor(random() * forms.length)]!;
  const content = form.replace('{text}', () => block.text).replace('{question}', () => question);
  return splitQuestion([{ role: 'user', content }], questionWords);
}

export function fromWritten(file: string, source: string): Example[] {
  const random = seededRandom(source);
  return blocksOf(readFileSync(file, 'utf8')).flatMap((block, at) => {
    const group = `${source}-${at}`;
    const common = { group, language: block.language, source };
    return [...asked(block, { random, source }), ...fielded(block), ...called(block)].map((each) => ({
      ...each,
      ...common,
    }));
  });
}

type Bare = Omit<Example, 'group' | 'language' | 'source'>;

const computed = /^(.*?)\s*#(sum|count|diff|avg|max|min)\s*$/su;

function asked(block: Block, { random }: Writing): Bare[] {
  const made: Bare[] = [];
  for (const { question, answer, words } of block.questions) {
    if (answer === '') continue;
    const parted = random() < 0.75 ? glued(question, block, random) : { question, context: block.text };
    if (!parted) continue;
    const [, value, operation] = computed.exec(answer) ?? [null, answer, ''];
    const base = { asking: 'ask' as const, ...parted };
    if (answer === '-') made.push({ ...base, outcome: 'none', places: [] });
    else if (operation === 'sum' || operation === 'count' || operation === 'diff' || operation === 'avg')
      made.push({ ...base, outcome: operation, places: [] });
    else if (
      /^(?:yes|no|ya|tidak|bukan|是|不是|否|有|没有|能|不能|可以|不可以)$/iu.test(value!) &&
      words !== null
    )
      made.push({
        ...base,
        outcome: /^(?:yes|ya|是|有|能|可以)$/iu.test(value!) ? 'yes' : 'no',
        places: placesOf(parted.context, words),
      });
    else {
      const places = placesOf(parted.context, words ?? value!);
      if (places.length > 0)
        made.push({
          ...base,
          outcome: operation === 'max' || operation === 'min' ? operation : 'span',
          places,
        });
    }
  }
  if (block.summary.length > 0 && block.text.length > 80) {
    const places = block.summary.flatMap((sentence) => placesOf(block.text, sentence).slice(0, 1));
    if (places.length > 0)
      made.push({ asking: 'summary', question: '', context: block.text, outcome: 'span', places });
  }
  return made;
}

const isTrue = (value: string) => /^(?:true|yes|ya|是)$/iu.test(value);

/** One field of a text or one argument of a call. `about`: what the field belongs to. */
function filled({ field, value, words }: Filled, context: string, about: string): Bare[] {
  const base = { question: questionOf(field, about), context };
  if (field.type === 'enum') {
    return field.options.map((option) => ({
      ...base,
      asking: 'choice' as const,
      question: questionOf(field, about, option),
      outcome: option === value ? 'yes' : 'no',
      places: option === value && words ? placesOf(context, words) : [],
    }));
  }
  if (field.type === 'boolean') {
    const places = words ? placesOf(context, words) : [];
    return [
      { ...base, asking: 'choice', outcome: value === null ? 'none' : isTrue(value) ? 'yes' : 'no', places },
    ];
  }
  if (field.type === 'array') {
    const parts = value === null ? [] : (words ?? value).split(/\s*\|\s*/u);
    const places = parts.flatMap((part) => placesOf(context, part).slice(0, 1));
    if (value !== null && places.length < parts.length) return [];
    return [{ ...base, asking: 'list', outcome: value === null ? 'none' : 'span', places }];
  }
  if (value === null) return [{ ...base, asking: 'field', outcome: 'none', places: [] }];
  const places = placesOf(context, words ?? value);
  return places.length > 0 ? [{ ...base, asking: 'field', outcome: 'span', places }] : [];
}

const fielded = (block: Block): Bare[] => block.fields.flatMap((each) => filled(each, block.text, ''));

const called = (block: Block): Bare[] => block.requests.flatMap((request) => calledBy(request, block));

/** Words between two requests that are made at once. */
const joins: Record<Block['language'], string[]> = {
  en: [' and ', ', and also ', '. Then ', '; ', '. Also, ', ', then ', '. '],
  ms: [' dan ', ', lepas tu ', '. Kemudian ', '; ', ' dan juga ', '. '],
  zh: ['，然后', '。另外', '，再', '；', '，顺便', '。'],
};

/** Two requests of a block as one. */
export function joined(block: Block, random: () => number): Bare[] {
  const { requests } = block;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const [first, second] = [pick(requests), pick(requests)];
  if (!first || !second || first === second || first.calls.length !== 1 || second.calls.length !== 1)
    return [];
  const said = first.said.replace(/[.。!！]$/u, '') + pick(joins[block.language]) + second.said;
  const calls = [...first.calls, ...second.calls];
  return calledBy({ said, calls }, block);
}

/** A request with small talk before or behind it. */
export function talkative(block: Block, random: () => number, talk: readonly string[]): Bare[] {
  const request = block.requests[Math.floor(random() * block.requests.length)];
  const other = talk[Math.floor(random() * talk.length)];
  if (!request || !other || request.calls.length === 0) return [];
  const stop = /[.。!！?？]$/u;
  const closed = (text: string) => (stop.test(text) ? text : text + (block.language === 'zh' ? '。' : '.'));
  const gap = block.language === 'zh' ? '' : ' ';
  const said = random() < 0.5 ? closed(other) + gap + request.said : closed(request.said) + gap + other;
  return calledBy({ said, calls: request.calls }, block);
}

/** The same block with keys alone or in small letters, as people write them. */
export function altered(block: Block, random: () => number): Block {
  const without = random() < 0.3;
  const small = random() < 0.2 && block.language !== 'zh';
  const bare = (field: Field): Field => (without ? { ...field, description: '' } : field);
  const tools = block.tools.map((tool) => ({ ...tool, fields: tool.fields.map(bare) }));
  const text = (words: string) =>
    small && words.toLowerCase().length === words.length ? words.toLowerCase() : words;
  const filledIn = (each: Filled, fields: readonly Field[] | null): Filled => ({
    ...each,
    field: fields?.find(({ key }) => key === each.field.key) ?? bare(each.field),
    value:
      each.value === null || each.field.type === 'enum' || each.field.type === 'boolean'
        ? each.value
        : text(each.value),
    words: each.words === null ? null : text(each.words),
  });
  return {
    ...block,
    text: text(block.text),
    tools,
    fields: block.fields.map((each) => filledIn(each, null)),
    requests: block.requests.map(({ said, calls }) => ({
      said: text(said),
      calls: calls.map(({ name, values }) => ({
        name,
        values: values.map((each) =>
          filledIn(each, tools.find((tool) => tool.name === name)?.fields ?? null),
        ),
      })),
    })),
  };
}

/** What a second look at the written fields and requests adds: alone, altered, joined, with small talk. */
export function variedFrom(file: string, source: string): Example[] {
  const random = seededRandom(`varied ${source}`);
  const blocks = blocksOf(readFileSync(file, 'utf8'));
  const talk = (language: string) =>
    blocks.flatMap((block) =>
      block.language === language
        ? block.requests.filter(({ calls }) => calls.length === 0).map(({ said }) => said)
        : [],
    );
  const talks = { en: talk('en'), ms: talk('ms'), zh: talk('zh') };
  return blocks.flatMap((block, at) => {
    const common = { group: `${source}-${at}`, language: block.language, source };
    const changed = altered(block, random);
    const own = block.requests.map(({ said }) => said);
    const others = talks[block.language].filter((said) => !own.includes(said));
    const made = [...fielded(changed), ...called(changed)];
    for (let times = 0; times < Math.min(4, block.requests.length); times += 1) {
      made.push(...joined(times % 2 === 0 ? changed : block, random));
      if (random() < 0.5) made.push(...talkative(changed, random, others));
    }
    // Of a function that nobody asks for, of another's fields: not told.
    const strange = blocks[Math.floor(random() * blocks.length)]!;
    if (strange !== block) {
      for (const { said } of block.requests)
        made.push(
          ...calledBy({ said, calls: [] }, { ...block, tools: strange.tools.slice(0, 1) }).filter(
            () => random() < 0.6,
          ),
        );
      for (const { field } of strange.fields)
        if (
          random() < 0.15 &&
          block.text !== '' &&
          !block.fields.some(({ field: { key } }) => key === field.key)
        )
          made.push(...filled({ field, value: null, words: null }, block.text, ''));
    }
    return made.map((each) => ({ ...each, ...common }));
  });
}

function calledBy({ said, calls }: Block['requests'][number], block: Block): Bare[] {
  const chosen = block.tools.map(
    (tool): Bare => ({
      asking: 'tool',
      question: questionOf(
        { key: tool.name, description: tool.description },
        tool.fields.map(({ key }) => key).join(', '),
      ),
      context: said,
      outcome: calls.some(({ name }) => name === tool.name) ? 'yes' : 'no',
      places: [],
    }),
  );
  const single = new Set(calls.map(({ name }) => name)).size === calls.length;
  const given = single
    ? calls.flatMap(({ name, values }) =>
        (block.tools.find((tool) => tool.name === name)?.fields ?? []).flatMap((field) => {
          const known = values.find((each) => each.field === field);
          return filled(known ?? { field, value: null, words: null }, said, name);
        }),
      )
    : [];
  return [...chosen, ...given];
}

interface Conversation {
  task: string;
  language: Block['language'];
  messages: {
    role: 'system' | 'user' | 'assistant';
    content: string;
    tool_calls?: { function: { name: string; arguments: Record<string, unknown> } }[];
  }[];
  tools: {
    function: {
      name: string;
      description?: string;
      parameters?: { properties?: Record<string, Json>; required?: string[] };
    };
  }[];
  schema: { properties?: Record<string, Json>; required?: string[] } | null;
}

interface Json {
  type?: string;
  enum?: string[];
  description?: string;
  items?: Json;
}

const fieldOf = (key: string, schema: Json, required: boolean): Field => ({
  key,
  type: schema.enum ? 'enum' : (schema.type ?? 'string'),
  options: schema.enum ?? [],
  description: schema.description ?? '',
  required,
});

/** A value as it may stand in the text. */
function saidAs(value: unknown, context: string): string | null {
  if (typeof value === 'string') return context.includes(value) ? value : null;
  if (typeof value !== 'number') return null;
  const forms = [
    String(value),
    value.toFixed(2),
    value.toLocaleString('en-US'),
    value.toLocaleString('en-US', { minimumFractionDigits: 2 }),
  ];
  return forms.find((form) => placesOf(context, form).length > 0) ?? null;
}

function filledFrom(
  values: Record<string, unknown>,
  properties: Record<string, Json>,
  context: string,
  about: string,
): Bare[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const field = fieldOf(key, schema, false);
    const value = values[key] ?? null;
    if (schema.type === 'array') {
      const parts = Array.isArray(value) ? value.map((each) => saidAs(each, context)) : [];
      if (parts.includes(null) || (Array.isArray(value) && schema.items?.type === 'object')) return [];
      return filled({ field, value: value === null ? null : parts.join('|'), words: null }, context, about);
    }
    if (schema.type === 'object') return [];
    if (schema.enum || schema.type === 'boolean')
      return filled({ field, value: value === null ? null : String(value), words: null }, context, about);
    const said = value === null ? null : saidAs(value, context);
    if (value !== null && said === null) return [];
    return filled({ field, value: said, words: null }, context, about);
  });
}

const elsewhere = new Set([
  'translate',
  'rewrite',
  'classify',
  'sums',
  'days',
  'sort',
  'count',
  'dates',
  'arithmetic',
  'units',
  'reverse',
  'smalltalk',
  'refusal',
]);

export function fromGenerated(file: string): Example[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .flatMap((line, at) => {
      const conversation: Conversation = JSON.parse(line);
      const common = {
        group: `generated-${at}`,
        language: conversation.language,
        source: `generated-${conversation.task}`,
      };
      return bareOf(conversation).map((each) => ({ ...each, ...common }));
    });
}

function bareOf({ messages, schema, task, tools }: Conversation): Bare[] {
  const answer = messages.at(-1)!;
  const before = messages.slice(0, -1);
  const user = before.findLast(({ role }) => role === 'user')?.content ?? '';
  if (tools.length > 0) {
    const call = answer.tool_calls ?? [];
    return [
      ...tools.map(
        ({ function: tool }): Bare => ({
          asking: 'tool',
          question: questionOf(
            { key: tool.name, description: tool.description ?? '' },
            Object.keys(tool.parameters?.properties ?? {}).join(', '),
          ),
          context: user,
          outcome: call.some((each) => each.function.name === tool.name) ? 'yes' : 'no',
          places: [],
        }),
      ),
      ...(call.length === 1 ? call : []).flatMap(({ function: { arguments: values, name } }) =>
        filledFrom(
          values,
          tools.find((tool) => tool.function.name === name)?.function.parameters?.properties ?? {},
          user,
          name,
        ),
      ),
    ];
  }
  if (schema) return filledFrom(JSON.parse(answer.content), schema.properties ?? {}, wholeText(before), '');
  const parted = splitQuestion(before, questionWords);
  if (!parted) return [];
  const base = { asking: 'ask' as const, ...parted };
  if (elsewhere.has(task)) return [{ ...base, outcome: 'other', places: [] }];
  if (task === 'summary' || task === 'summarise') {
    const places = answer.content
      .split(/(?<=[.!?])\s+|(?<=[。！？])/u)
      .flatMap((part) => placesOf(parted.context, part).slice(0, 1));
    return places.length > 0 ? [{ ...base, asking: 'summary', question: '', outcome: 'span', places }] : [];
  }
  if (/^(?:The text does not|Teks itu tidak|文中没有)/u.test(answer.content))
    return [{ ...base, outcome: 'none', places: [] }];
  const said = answer.content.replace(/\s*[（(][^（(]*[)）]$/u, '').replace(/[.。]$/u, '');
  if (task === 'grid' && /^(?:how many (?:rows|entries|lines)|count)/iu.test(parted.question))
    return [{ ...base, outcome: 'count', places: [] }];
  const places = placesOf(parted.context, said);
  const outcome =
    task !== 'grid'
      ? 'span'
      : highest.test(parted.question)
        ? 'max'
        : lowest.test(parted.question)
          ? 'min'
          : 'span';
  return places.length > 0 ? [{ ...base, outcome, places }] : [];
}

const highest =
  /\b(?:most|highest|largest|biggest|greatest|more|longest|terbanyak|tertinggi|terbesar|paling (?:banyak|tinggi|besar)|lebih)\b|最[多高大长]|更[高大多]/iu;
const lowest =
  /\b(?:least|lowest|smallest|fewest|less|shortest|terendah|terkecil|paling (?:sedikit|rendah|kecil))\b|最[少低小短]|更[低小少]/iu;
