/** Chunks of a streamed completion put together, with the figures a person looks at. */
import type { ChatCompletionChunk } from '../../../../server/api/chat.ts';
import type { ErrorEnvelope } from '../../../../server/api/common.ts';

export type StreamEvent = ChatCompletionChunk | ErrorEnvelope;

export interface Draft {
  content: string;
  finishReason: string | null;
  promptTokens: number | null;
  completionTokens: number | null;
  startedMs: number;
  /** When the first text came. */
  firstMs: number | null;
  lastMs: number;
}

export const emptyDraft = (nowMs: number): Draft => ({
  content: '',
  finishReason: null,
  promptTokens: null,
  completionTokens: null,
  startedMs: nowMs,
  firstMs: null,
  lastMs: nowMs,
});

export function mergeChunk(draft: Draft, chunk: ChatCompletionChunk, nowMs: number): Draft {
  const [choice] = chunk.choices;
  const text = choice?.delta.content ?? '';
  return {
    ...draft,
    content: draft.content + text,
    finishReason: choice?.finish_reason ?? draft.finishReason,
    promptTokens: chunk.usage?.prompt_tokens ?? draft.promptTokens,
    completionTokens: chunk.usage?.completion_tokens ?? draft.completionTokens,
    firstMs: draft.firstMs ?? (text ? nowMs : null),
    lastMs: text ? nowMs : draft.lastMs,
  };
}

/** Tokens a second after the first token; null where there is nothing to divide. */
export function tokensPerSecond({ completionTokens, firstMs, lastMs }: Draft): number | null {
  if (completionTokens === null || completionTokens < 2 || firstMs === null || lastMs <= firstMs) return null;
  return ((completionTokens - 1) * 1000) / (lastMs - firstMs);
}
