/** An engine's events, as one chat completion or as its chunks (contract.md "Chat"). Pure. */
import type { ChatCompletion, ChatCompletionChunk, ChatUsage, ToolCall } from '../../api/services/chat.ts';
import type { FinishReason, GenerateEvent, TokenScore } from '../../engine/chat/types.ts';
import { ApiError } from '../../errors.ts';
import type { Meter } from '../caller.ts';
import type { AnswerIdentity } from '../model-call.ts';

export interface AnswerHead extends AnswerIdentity {
  model: string;
}

/** An event of an answer itself. */
export type ChoiceEvent = Exclude<GenerateEvent, { kind: 'prompt' | 'usage' }>;
export type Tokens = Pick<Meter, 'promptTokens' | 'completionTokens'> & { reasoningTokens?: number };

/** Tells one answer in the words of a protocol, part by part. */
export interface AnswerWriter<Part> {
  /** Parts before the first event, when the prompt's length is known. */
  begin?(tokens: Tokens): Part[];
  add(event: ChoiceEvent): Part[];
  /** Thinking of a choice; a protocol without a place for it leaves it out. */
  addReasoning?(choice: number, text: string): Part[];
  /** Parts behind the last event, with all that the answer has used. */
  end(tokens: Tokens): Part[];
}

interface Choice {
  text: string;
  reasoning: string;
  scores: TokenScore[] | null;
  calls: ToolCall[];
  reason: FinishReason | null;
}

/** The whole answer, as its only part. */
export class CompletionWriter implements AnswerWriter<ChatCompletion> {
  readonly #head: AnswerHead;
  readonly #choices: Choice[] = [];

  constructor(head: AnswerHead) {
    this.#head = head;
  }

  add(event: ChoiceEvent): [] {
    collect(this.#choice(event.choice), event);
    return [];
  }

  addReasoning(choice: number, text: string): [] {
    this.#choice(choice).reasoning += text;
    return [];
  }

  #choice(index: number): Choice {
    this.#choices[index] ??= { text: '', reasoning: '', scores: null, calls: [], reason: null };
    return this.#choices[index]!;
  }

  /** @throws ApiError internal_error when a choice has no end */
  end(tokens: Tokens): ChatCompletion[] {
    const choices = this.#choices.map(toWireChoice);
    return [{ object: 'chat.completion', ...this.#head, choices, usage: toUsage(tokens) }];
  }
}

function collect(choice: Choice, event: ChoiceEvent): void {
  if (event.kind === 'text') {
    choice.text += event.text;
    if (event.scores) choice.scores = [...(choice.scores ?? []), ...event.scores];
  } else if (event.kind === 'tool') {
    choice.calls[event.call] = {
      id: event.id,
      type: 'function',
      function: { name: event.name, arguments: '' },
    };
  } else if (event.kind === 'arguments') choice.calls[event.call]!.function.arguments += event.text;
  else choice.reason = event.reason;
}

function toWireChoice(choice: Choice, index: number): ChatCompletion['choices'][0] {
  if (choice.reason === null) throw new ApiError('internal_error', 'The engine ended before its answer did.');
  const { text, reasoning, calls, scores } = choice;
  return {
    index,
    message: {
      role: 'assistant',
      content: calls.length > 0 && text === '' ? null : text,
      refusal: null,
      ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
    logprobs: scores && { content: scores.map(toWireScore), refusal: null },
    finish_reason: choice.reason,
  };
}

const toWireScore = ({ top, ...score }: TokenScore) => ({ ...score, top_logprobs: top });

/**
 * Chunks of a streamed answer: the first of each choice carries the role, the last its finish reason, and with
 * `includeUsage` one more follows with no choice and the totals.
 */
export class ChunkWriter implements AnswerWriter<ChatCompletionChunk> {
  readonly #head: AnswerHead;
  readonly #includeUsage: boolean;
  readonly #begun = new Set<number>();

  constructor(head: AnswerHead, includeUsage: boolean) {
    this.#head = head;
    this.#includeUsage = includeUsage;
  }

  add(event: ChoiceEvent): ChatCompletionChunk[] {
    // As in the whole answer: an answer that calls a tool has no content.
    const begun = this.#begin(event.choice, event.kind === 'tool' ? null : '');
    return [...begun, this.#chunk([toDelta(event)])];
  }

  addReasoning(choice: number, text: string): ChatCompletionChunk[] {
    const delta = { reasoning_content: text };
    return [...this.#begin(choice, null), this.#chunk([{ ...emptyChoice({ choice }), delta }])];
  }

  /** The role, once a choice. */
  #begin(choice: number, content: string | null): ChatCompletionChunk[] {
    if (this.#begun.has(choice)) return [];
    this.#begun.add(choice);
    return [this.#chunk([{ ...emptyChoice({ choice }), delta: { role: 'assistant', content } }])];
  }

  end(tokens: Tokens): ChatCompletionChunk[] {
    return this.#includeUsage ? [this.#chunk([], toUsage(tokens))] : [];
  }

  #chunk(choices: ChatCompletionChunk['choices'], usage: ChatUsage | null = null): ChatCompletionChunk {
    return {
      object: 'chat.completion.chunk',
      ...this.#head,
      choices,
      ...(this.#includeUsage ? { usage } : {}),
    };
  }
}

const emptyChoice = ({ choice }: Pick<ChoiceEvent, 'choice'>) => ({
  index: choice,
  delta: {},
  logprobs: null,
  finish_reason: null,
});

function toDelta(event: ChoiceEvent): ChatCompletionChunk['choices'][0] {
  const base = emptyChoice(event);
  switch (event.kind) {
    case 'text':
      return {
        ...base,
        delta: { content: event.text },
        logprobs: event.scores ? { content: event.scores.map(toWireScore), refusal: null } : null,
      };
    case 'tool':
      return {
        ...base,
        delta: {
          tool_calls: [
            {
              index: event.call,
              id: event.id,
              type: 'function',
              function: { name: event.name, arguments: '' },
            },
          ],
        },
      };
    case 'arguments':
      return { ...base, delta: { tool_calls: [{ index: event.call, function: { arguments: event.text } }] } };
    case 'finish':
      return { ...base, finish_reason: event.reason };
  }
}

export const toUsage = ({ promptTokens, completionTokens, reasoningTokens = 0 }: Tokens): ChatUsage => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  ...(reasoningTokens > 0 ? { completion_tokens_details: { reasoning_tokens: reasoningTokens } } : {}),
});
