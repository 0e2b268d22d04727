/** Functions that a request asks for, and their arguments. */
import type { Tool } from '../../../api/services/chat.ts';
import type { Json } from '../../pack-files.ts';
import type { GenerateParams } from '../types.ts';
import { type Context, chanceOf } from './context.ts';
import { enumerated, turnsOf } from './enumerated-calls.ts';
import type { ReadText } from './features.ts';
import { fillObject } from './fill.ts';
import { readingSchema } from './reading-schema.ts';
import { openRequest } from './requests.ts';
import { languageOf, lastSaid } from './talk.ts';
import { questionOf } from './wording.ts';

export interface ReadAnswer {
  text: string;
  calls: { name: string; arguments: Record<string, unknown> }[];
}

export type ReadRequest = Pick<
  GenerateParams,
  'messages' | 'tools' | 'toolChoice' | 'format' | 'parallelToolCalls'
>;

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

const requiredOf = ({ parameters }: Function): string[] =>
  Array.isArray(parameters?.required) ? parameters.required : [];

/** The arguments that the words tell, all that the function needs or not. */
const toldArguments = (tool: Function, said: string, context: Context) =>
  fillObject({ ...tool.parameters, required: [] }, said, tool.name, context);

/** Share of the arguments a function needs that the words tell; 0 of one that needs none. */
async function shareTold(tool: Function, said: string, context: Context): Promise<number> {
  const required = requiredOf(tool);
  const filled = required.length === 0 ? null : await toldArguments(tool, said, context);
  return filled ? required.filter((key) => filled[key] !== undefined).length / required.length : 0;
}

/** “… on 7 May: a ticket for 64 and paper for 12”: what a second call of a function may leave to the first. */
const leastTold = 0.6;

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
  const shares = new Map<string, number>();
  const shareOf = async (at: number, words: string): Promise<number> => {
    const key = `${at} ${words}`;
    const known = shares.get(key) ?? (await shareTold(open[at]!, words, context));
    shares.set(key, known);
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
        if (
          last?.tool === tool &&
          ((await shareOf(at, last.said)) < 1 || (await shareOf(at, words)) < leastTold)
        )
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

/** The functions that a request asks for, with their arguments; null where reading cannot tell. */
export async function callTools(
  { messages, parallelToolCalls, toolChoice, tools }: ReadRequest,
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
      const asking = () => ({ ...context, missing: new Set<string>() });
      const first = calls.find(({ name }) => name === part.tool.name)?.arguments;
      const filled =
        (await argumentsOf(part.tool, reader.prepare(part.said), asking())) ??
        (first ? await withFirst(part, first, context) : await argumentsOf(part.tool, text, asking()));
      if (filled && areApart(part.tool, filled)) calls.push({ name: part.tool.name, arguments: filled });
    }
    if (calls.length === parts.length) return { text: '', calls };
  }
  const tool = open[best]!;
  const missing = new Set<string>();
  const told = await argumentsOf(tool, text, { ...context, missing });
  if (told) {
    const each = parallelToolCalls ? enumerated(tool, told, said, settings.several) : [told];
    return { text: '', calls: each.map((filled) => ({ name: tool.name, arguments: filled })) };
  }
  // A call must be made, and the likeliest function wants what nobody said.
  if (mayRefuse && missing.size > 0)
    return { text: `${answers.missing}${[...missing].join(', ')}`, calls: [] };
  if (mayRefuse) return null;
  const others = open.map((tool, at) => ({ tool, score: scores[at]! })).sort((a, b) => b.score - a.score);
  for (const { tool: other } of others.slice(0, mostTried)) {
    const filled = await argumentsOf(other, text, { ...context, missing: new Set() });
    if (filled) return { text: '', calls: [{ name: other.name, arguments: filled }] };
  }
  const filled = await argumentsOf(tool, text, { ...context, isForced: true });
  return filled && { text: '', calls: [{ name: tool.name, arguments: filled }] };
}

/** A call of one function for each turn of the request; none where a turn does not tell what the function needs. */
async function callsByTurn(tool: Function, said: string, context: Context): Promise<ReadAnswer['calls']> {
  const parted = turnsOf(said, context.settings.several);
  if (!parted) return [];
  const required = requiredOf(tool);
  const shared = parted.shared === '' ? null : await toldArguments(tool, parted.shared, context);
  const calls: ReadAnswer['calls'] = [];
  for (const turn of parted.turns) {
    const own = (await toldArguments(tool, turn, context)) ?? {};
    const filled = { ...Object.fromEntries(required.map((key) => [key, shared?.[key]])), ...own };
    if (!required.every((key) => filled[key] !== undefined)) return [];
    calls.push({ name: tool.name, arguments: filled });
  }
  return calls;
}

/** A part's own arguments, and of the first call of its function those that it needs and does not tell. */
async function withFirst(
  { said, tool }: Part,
  first: Record<string, unknown>,
  context: Context,
): Promise<Record<string, unknown>> {
  const shared = Object.entries(first).filter(([key]) => requiredOf(tool).includes(key));
  return { ...Object.fromEntries(shared), ...(await toldArguments(tool, said, context)) };
}

/** No two arguments that the function needs have the same words: “My card is L-5581” is no loan of a copy. */
function areApart(tool: Function, filled: Record<string, unknown>): boolean {
  const words = requiredOf(tool)
    .map((key) => filled[key])
    .filter((value) => typeof value === 'string');
  return new Set(words).size === words.length;
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
