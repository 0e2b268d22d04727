/** The smoke test of an import: the pack answers a greeting. */
import { EngineError } from '../engine.ts';
import { refuseChatPack } from './pack.ts';
import { generate, type RequestParts } from './request.ts';
import type { GenerateParams } from './types.ts';

export interface ChatCheck {
  promptTokens: number;
  tokens: number;
}

/** Greedy, one choice. */
export const greeting: GenerateParams = {
  messages: [{ role: 'user', content: 'Hello! How are you?' }],
  tools: [],
  toolChoice: { mode: 'none' },
  parallelToolCalls: false,
  format: { type: 'text' },
  maxTokens: 8,
  temperature: 0,
  topP: 1,
  topK: 0,
  minP: 0,
  presencePenalty: 0,
  frequencyPenalty: 0,
  logitBias: {},
  seed: null,
  stop: [],
  choices: 1,
  topLogprobs: 0,
  owner: 'check',
};

/** Log probabilities are asked for since their sum shows logits that are not numbers. @throws EngineError that says what is wrong */
export async function checkEngine(parts: RequestParts, signal: AbortSignal): Promise<ChatCheck> {
  const result: ChatCheck = { promptTokens: 0, tokens: 0 };
  try {
    for await (const event of generate(parts, greeting, signal)) {
      if (event.kind === 'prompt') result.promptTokens = event.tokens;
      if (event.kind === 'finish') result.tokens = event.tokens;
      const scores = event.kind === 'text' ? (event.scores ?? []) : [];
      if (scores.some(({ logprob }) => !Number.isFinite(logprob)))
        throw refuseChatPack('its logits are not numbers.');
    }
  } catch (error) {
    if (error instanceof EngineError || signal.aborted) throw error;
    throw refuseChatPack('it fails on a greeting.');
  }
  return result;
}
