/** The chunks of a streamed completion put together: one or several choices, and the figures a person looks at. */

import type { ErrorEnvelope } from '../../../../../server/api/common.ts';
import type { ChatCompletionChunk, ToolCall } from '../../../../../server/api/services/chat.ts';
import { repeatedTail } from './repetition.ts';
import type { Figures, Message, TokenScore } from './tree.ts';

export type StreamEvent = ChatCompletionChunk | ErrorEnvelope;
type Delta = ChatCompletionChunk['choices'][number]['delta'];

interface Choice {
  content: string;
  calls: ToolCall[];
  tokens: TokenScore[];
  finishReason: string | null;
}

/** Below this, tokens came in one piece and the time between them says nothing. */
const shortestMs = 100;

export class ChatAnswer {
  readonly choices: Choice[] = [];
  readonly #startedMs: number;
  readonly #pack: string | null;
  #firstMs: number | null = null;
  #lastMs: number;
  #promptTokens: number | null = null;
  #completionTokens: number | null = null;

  constructor(startedMs: number, pack: string | null) {
    this.#startedMs = startedMs;
    this.#lastMs = startedMs;
    this.#pack = pack;
  }

  add(chunk: ChatCompletionChunk, nowMs: number): void {
    for (const { index, delta, logprobs, finish_reason: reason } of chunk.choices) {
      this.choices[index] ??= { content: '', calls: [], tokens: [], finishReason: null };
      const choice = this.choices[index];
      if (takeDelta(choice, delta)) {
        this.#firstMs ??= nowMs;
        this.#lastMs = nowMs;
      }
      if (logprobs?.content) choice.tokens.push(...logprobs.content);
      choice.finishReason = reason ?? choice.finishReason;
    }
    this.#promptTokens = chunk.usage?.prompt_tokens ?? this.#promptTokens;
    this.#completionTokens = chunk.usage?.completion_tokens ?? this.#completionTokens;
  }

  /** An answer that has begun to repeat itself, in its words or in the arguments of a call. */
  isLooping(): boolean {
    return this.choices.some(
      ({ content, calls }) =>
        repeatedTail(content) > 0 || calls.some((call) => repeatedTail(call.function.arguments) > 0),
    );
  }

  /** One message a choice, as they stand. `stopped`: why it was ended from here. */
  toMessages(stopped: 'stopped' | 'repetition' | null): Message[] {
    return this.choices.map(({ content, calls, tokens, finishReason }) => ({
      role: 'assistant',
      content,
      ...(calls.length > 0 ? { toolCalls: calls.map((call) => ({ ...call })) } : {}),
      ...(tokens.length > 0 ? { tokens: [...tokens] } : {}),
      figures: this.#figures(finishReason ?? stopped),
    }));
  }

  #figures(finishReason: string | null): Figures {
    return {
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      firstMs: this.#firstMs === null ? null : this.#firstMs - this.#startedMs,
      totalMs: this.#lastMs - this.#startedMs,
      speed: this.#speed(),
      finishReason,
      pack: this.#pack,
    };
  }

  /** Tokens a second after the first token, all choices together; null where they came too fast to tell. */
  #speed(): number | null {
    const tokens = this.#completionTokens;
    if (tokens === null || tokens < 2 || this.#firstMs === null || this.#lastMs - this.#firstMs < shortestMs)
      return null;
    return ((tokens - 1) * 1000) / (this.#lastMs - this.#firstMs);
  }
}

/** True once anything was generated. */
function takeDelta(choice: Choice, { content, tool_calls: calls = [] }: Delta): boolean {
  choice.content += content ?? '';
  for (const { index, id, function: part } of calls) {
    choice.calls[index] ??= { id: id ?? '', type: 'function', function: { name: '', arguments: '' } };
    const call = choice.calls[index];
    call.id = id ?? call.id;
    call.function.name += part?.name ?? '';
    call.function.arguments += part?.arguments ?? '';
  }
  return Boolean(content) || calls.length > 0;
}
