/**
 * Guardrails: what the settings have moderated of prompts and answers, by svc-shield-base, blocked or masked. Every protocol has
 * them, since all go through the chat service. Where the moderation cannot be asked, the request fails: nothing goes unseen.
 */

import type { Settings } from '../../api/console/console.ts';
import type { ChatMessage } from '../../api/services/chat.ts';
import type { ModerationCategory } from '../../api/services/moderations.ts';
import type { GenerateEvent, GenerateParams } from '../../engine/chat/types.ts';
import { ApiError } from '../../errors.ts';
import type { Engines } from '../../hosts/engines.ts';
import { type Caller, recordGuardrail } from '../caller.ts';
import type { ReasoningEvent } from './reasoning.ts';

export type GuardrailRule = Settings['guardrails'][0];
type Act = 'block' | 'mask';

export interface Guarded {
  rule: GuardrailRule;
  engines: Engines;
  caller: Caller;
}

/**
 * The rule of the key, else that of the pack, else that of all.
 * @param keys the caller's and those it replaced
 */
export function guardrailFor(
  rules: readonly GuardrailRule[],
  keys: readonly string[],
  pack: string | null,
): GuardrailRule | null {
  const of = (target: string) => rules.find((rule) => rule.target === target);
  const packRule = pack === null ? undefined : (of(pack) ?? of(pack.split('@', 1)[0]!));
  const keyRule = keys.map(of).find((each) => each !== undefined);
  const rule = keyRule ?? packRule ?? of('*');
  return rule && (rule.prompt !== 'off' || rule.answer !== 'off') ? rule : null;
}

interface Verdict {
  categories: ModerationCategory[];
  /** The text with what was found replaced; null where nobody can say which part it is. */
  masked: string | null;
}

/** Longest text of one question, in UTF-16 units; more is asked piece by piece. */
const pieceLength = 8_000;

/** Null where nothing was found. */
async function judge(text: string, { rule, engines, caller }: Guarded): Promise<Verdict | null> {
  const found = new Set<ModerationCategory>();
  let masked: string | null = '';
  for (let from = 0; from < text.length; ) {
    const piece = pieceOf(text, from);
    from += piece.length;
    const { categories } = rule;
    const params = { text: piece, ...(categories ? { categories } : {}) };
    const { flaggedCategories, spans } = await engines.call('svc-shield-base', 'classify', params, caller);
    const flagged = (Object.keys(flaggedCategories) as ModerationCategory[]).filter(
      (name) => flaggedCategories[name],
    );
    for (const name of flagged) found.add(name);
    const hasSpans = flagged.every((name) => spans.some(({ category }) => category === name));
    masked = masked === null || !hasSpans ? null : masked + maskSpans(piece, spans, flagged);
  }
  return found.size === 0 ? null : { categories: [...found], masked };
}

/** Ends at a space where there is one near. */
function pieceOf(text: string, from: number): string {
  if (text.length - from <= pieceLength) return text.slice(from);
  const space = text.lastIndexOf(' ', from + pieceLength);
  return text.slice(from, space > from ? space + 1 : from + pieceLength);
}

function maskSpans(
  text: string,
  spans: readonly { category: ModerationCategory; start: number; end: number }[],
  flagged: readonly ModerationCategory[],
): string {
  const ordered = spans
    .filter(({ category }) => flagged.includes(category))
    .toSorted((first, second) => first.start - second.start || second.end - first.end);
  let masked = '';
  let at = 0;
  for (const { category, start, end } of ordered) {
    if (end <= at) continue;
    masked += `${text.slice(at, Math.max(at, start))}[${category}]`;
    at = end;
  }
  return masked + text.slice(at);
}

const named = ({ categories }: Verdict): string => categories.map((name) => `[${name}]`).join(' ');

function note(where: string, act: Act, { categories }: Verdict, caller: Caller): void {
  recordGuardrail(caller, `${where}=${categories.join('+')}:${act}`);
}

/**
 * The prompt as the engine may have it: what people and tools wrote, looked at.
 * @throws ApiError content_blocked naming the message
 */
export async function guardPrompt(params: GenerateParams, guarded: Guarded): Promise<GenerateParams> {
  const act = guarded.rule.prompt;
  if (act === 'off') return params;
  const check = async (text: string, param: string): Promise<string> => {
    const verdict = await judge(text, guarded);
    if (!verdict) return text;
    note('prompt', act, verdict, guarded.caller);
    if (act === 'mask') return verdict.masked ?? named(verdict);
    const message = `${param} is refused by a guardrail of this installation: ${verdict.categories.join(', ')}.`;
    throw new ApiError('content_blocked', message, { param });
  };
  if (params.raw) return { ...params, raw: { ...params.raw, text: await check(params.raw.text, 'prompt') } };
  const messages: ChatMessage[] = [];
  for (const [index, message] of params.messages.entries()) {
    const { content } = message;
    const param = `messages[${index}].content`;
    if (message.role !== 'user' && message.role !== 'tool') messages.push(message);
    else if (typeof content === 'string') messages.push({ ...message, content: await check(content, param) });
    else if (Array.isArray(content)) {
      const parts = [];
      for (const [part, each] of content.entries())
        parts.push(
          each.type === 'text' ? { ...each, text: await check(each.text, `${param}[${part}].text`) } : each,
        );
      messages.push({ ...message, content: parts });
    } else messages.push(message);
  }
  return { ...params, messages };
}

/** Text of a model: its answer, or the thinking that was parted off before. */
type TextEvent = Extract<GenerateEvent, { kind: 'text' }> | ReasoningEvent;
type CallEvent = Extract<GenerateEvent, { kind: 'tool' | 'arguments' }>;

/** Events that wait until they have been looked at. */
interface Held {
  /** Of one kind. */
  texts: TextEvent[];
  calls: CallEvent[];
  isOver: boolean;
  /** Generated so far, for an answer that is ended here. */
  tokens: number;
}

/** A point ends a sentence before a space alone: addresses and numbers have points as well. */
const sentenceEnd = /[.!?]["'”’)\]]*(?=\s)|[。！？]["”’）]*|\n/g;
/** A sentence without an end is looked at up to its last word once it is this long. */
const longestSentence = 600;

/** Length of the sentences that are whole; 0 where none is. */
function wholeLength(text: string): number {
  let length = 0;
  for (const end of text.matchAll(sentenceEnd)) length = end.index + end[0].length;
  return length === 0 && text.length > longestSentence ? Math.max(text.lastIndexOf(' '), 0) : length;
}

/** Takes the events of the first `length` characters; one that reaches further is parted, its scores stay with the rest. */
function takeTexts(texts: TextEvent[], length: number): TextEvent[] {
  const taken: TextEvent[] = [];
  for (let left = length; left > 0; ) {
    const event = texts[0]!;
    if (event.text.length <= left) {
      taken.push(texts.shift()!);
      left -= event.text.length;
    } else {
      taken.push({ kind: event.kind, choice: event.choice, text: event.text.slice(0, left) });
      texts[0] = { ...event, text: event.text.slice(left) };
      left = 0;
    }
  }
  return taken;
}

/**
 * An answer's events, each sentence once it is whole and has been looked at; a call once its arguments are. A choice that is
 * blocked ends with `content_filter`, and the engine once all of them have ended.
 */
export async function* guardAnswer(
  events: AsyncIterable<GenerateEvent | ReasoningEvent>,
  guarded: Guarded,
  params: GenerateParams,
): AsyncGenerator<GenerateEvent | ReasoningEvent> {
  const { rule } = guarded;
  if (rule.answer === 'off') return yield* events;
  const guard = new AnswerGuard(guarded, rule.answer, params);
  for await (const event of events) {
    if (event.kind === 'prompt' || event.kind === 'usage') yield event;
    else yield* guard.take(event);
    if (guard.isOver) return;
  }
}

class AnswerGuard {
  readonly #guarded: Guarded;
  readonly #act: Act;
  readonly #params: GenerateParams;
  readonly #choices: Held[] = [];

  constructor(guarded: Guarded, act: Act, params: GenerateParams) {
    this.#guarded = guarded;
    this.#act = act;
    this.#params = params;
  }

  get isOver(): boolean {
    return this.#choices.filter(({ isOver }) => isOver).length === this.#params.choices;
  }

  async *take(
    event: Exclude<GenerateEvent, { kind: 'prompt' | 'usage' }> | ReasoningEvent,
  ): AsyncGenerator<GenerateEvent | ReasoningEvent> {
    this.#choices[event.choice] ??= { texts: [], calls: [], isOver: false, tokens: 0 };
    const held = this.#choices[event.choice]!;
    if (held.isOver) return;
    held.tokens += 1;
    if (event.kind === 'text' || event.kind === 'reasoning') {
      if (held.texts.some(({ kind }) => kind !== event.kind)) yield* this.#releaseText(held);
      if (held.isOver) return;
      held.texts.push(event);
      const length = wholeLength(textOf(held.texts));
      if (length > 0) yield* this.#releaseText(held, length);
      return;
    }
    if (event.kind !== 'arguments') {
      yield* this.#releaseText(held);
      if (!held.isOver) yield* this.#releaseCalls(held);
    }
    if (held.isOver) return;
    if (event.kind === 'finish') {
      held.isOver = true;
      yield event;
    } else held.calls.push(event);
  }

  /** All that is held where no length is named. */
  async *#releaseText(held: Held, length?: number): AsyncGenerator<GenerateEvent | ReasoningEvent> {
    const [first] = held.texts;
    if (!first) return;
    const texts = length === undefined ? held.texts.splice(0) : takeTexts(held.texts, length);
    const verdict = await judge(textOf(texts), this.#guarded);
    if (!verdict) return yield* texts;
    // Text that must keep a form cannot lose a part that nobody can name.
    const leading = /^\s*/.exec(textOf(texts))![0];
    const whole = this.#params.format.type === 'text' ? leading + named(verdict) : null;
    const masked = verdict.masked ?? whole;
    if (this.#act === 'block' || masked === null) return yield* this.#block(held, first.choice, verdict);
    note('answer', 'mask', verdict, this.#guarded.caller);
    yield { kind: first.kind, choice: first.choice, text: masked };
  }

  async *#releaseCalls(held: Held): AsyncGenerator<GenerateEvent> {
    const [first] = held.calls;
    if (!first) return;
    const calls = held.calls.splice(0);
    const verdict = await judge(textOf(calls), this.#guarded);
    if (verdict) yield* this.#block(held, first.choice, verdict);
    else yield* calls;
  }

  *#block(held: Held, choice: number, verdict: Verdict): Generator<GenerateEvent> {
    note('answer', 'block', verdict, this.#guarded.caller);
    held.isOver = true;
    yield { kind: 'finish', choice, reason: 'content_filter', tokens: held.tokens };
  }
}

const textOf = (events: readonly (TextEvent | CallEvent)[]): string =>
  events.map((event) => (event.kind === 'tool' ? '' : event.text)).join('');
