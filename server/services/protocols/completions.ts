/** POST /v1/completions: a text without a chat format, gone on with by the chat service. */
import type { Completion, CompletionsRequest } from '../../api/services/completions.ts';
import type { FinishReason, TokenScore } from '../../engine/chat/types.ts';
import { ApiError } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import { answerChat } from '../chat/chat.ts';
import {
  type AnswerHead,
  type AnswerWriter,
  type ChoiceEvent,
  type Tokens,
  toUsage,
} from '../chat/chat-answer.ts';
import type { InferenceDeps } from '../model-call.ts';
import { callWithFieldNames, type FieldNames, withFieldNames } from './field-names.ts';

export type CompletionsService = (
  body: CompletionsRequest,
  caller: Caller,
) => Promise<Completion | { events: AsyncIterable<Completion> }>;

type Choice = Completion['choices'][number];

const defaultMaxTokens = 16;
const names: FieldNames = { messages: ['prompt'], fields: [[/^messages\b.*/, 'prompt']] };

export function createCompletions(deps: InferenceDeps): CompletionsService {
  return async (body, caller) => {
    if (body.echo === true && body.logprobs !== undefined) {
      const message = 'logprobs: the prompt has no scores, so echo goes without them.';
      throw new ApiError('invalid_value', message, { param: 'logprobs' });
    }
    const { prompt, suffix, echo, logprobs, best_of: _, ...shared } = body;
    const text = typeof prompt === 'string' ? prompt : prompt[0]!;
    const chat = {
      ...shared,
      messages: [{ role: 'user' as const, content: text }],
      max_tokens: body.max_tokens ?? defaultMaxTokens,
      ...(logprobs === undefined ? {} : { logprobs: true, top_logprobs: logprobs }),
    };
    const raw = { text, suffix: suffix ?? null };
    const write = (head: AnswerHead) =>
      new TextWriter(head, {
        echo: echo === true ? text : '',
        includeUsage: body.stream !== true || body.stream_options?.include_usage === true,
      });
    const parts = callWithFieldNames(names, () => answerChat(chat, { deps, caller, raw }, write));
    const events = withFieldNames(names, parts);
    return body.stream === true ? { events } : joined(events);
  };
}

interface TextOptions {
  /** Text before the answer of each choice. */
  echo: string;
  includeUsage: boolean;
}

class TextWriter implements AnswerWriter<Completion> {
  readonly #head: AnswerHead;
  readonly #options: TextOptions;
  readonly #lengths: number[] = [];

  constructor(head: AnswerHead, options: TextOptions) {
    this.#head = head;
    this.#options = options;
  }

  add(event: ChoiceEvent): Completion[] {
    if (event.kind !== 'text' && event.kind !== 'finish') return [];
    const index = event.choice;
    const begun = this.#lengths[index] !== undefined;
    const from = this.#lengths[index] ?? this.#options.echo.length;
    const echoed = begun ? '' : this.#options.echo;
    const answer = event.kind === 'text' ? event.text : '';
    this.#lengths[index] = from + answer.length;
    const logprobs = event.kind === 'text' && event.scores ? toScores(event.scores, from) : null;
    const finish_reason = event.kind === 'finish' ? toReason(event.reason) : null;
    return [this.#completion([{ index, text: echoed + answer, logprobs, finish_reason }])];
  }

  end(tokens: Tokens): Completion[] {
    return this.#options.includeUsage ? [{ ...this.#completion([]), usage: toUsage(tokens) }] : [];
  }

  #completion(choices: Choice[]): Completion {
    const { id, created, model } = this.#head;
    const usage = this.#options.includeUsage ? { usage: null } : {};
    return { id: `cmpl-${id}`, object: 'text_completion', created, model, choices, ...usage };
  }
}

const toReason = (reason: FinishReason) => (reason === 'tool_calls' ? 'stop' : reason);

/** @param from characters before the first of these tokens */
function toScores(scores: readonly TokenScore[], from: number): NonNullable<Choice['logprobs']> {
  let offset = from;
  const text_offset = scores.map(({ token }) => {
    const start = offset;
    offset += token.length;
    return start;
  });
  return {
    tokens: scores.map(({ token }) => token),
    token_logprobs: scores.map(({ logprob }) => logprob),
    top_logprobs: scores.map(({ top }) => Object.fromEntries(top.map((each) => [each.token, each.logprob]))),
    text_offset,
  };
}

/** The pieces of a stream as one answer. */
async function joined(pieces: AsyncIterable<Completion>): Promise<Completion> {
  const choices: Choice[] = [];
  let last: Completion | undefined;
  for await (const piece of pieces) {
    last = piece;
    for (const part of piece.choices) {
      choices[part.index] ??= { ...part, text: '', logprobs: null };
      const choice = choices[part.index]!;
      choice.text += part.text;
      choice.finish_reason = part.finish_reason;
      if (part.logprobs) choice.logprobs = joinScores(choice.logprobs, part.logprobs);
    }
  }
  return { ...last!, choices };
}

function joinScores(first: Choice['logprobs'], second: NonNullable<Choice['logprobs']>) {
  if (!first) return second;
  return {
    tokens: [...first.tokens, ...second.tokens],
    token_logprobs: [...first.token_logprobs, ...second.token_logprobs],
    top_logprobs: [...first.top_logprobs, ...second.top_logprobs],
    text_offset: [...first.text_offset, ...second.text_offset],
  };
}
