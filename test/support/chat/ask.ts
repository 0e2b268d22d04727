/** Asks a chat engine as the chat service does. */
import { greeting } from '../../../server/engine/chat/check-decoder.ts';
import type { GenerateEvent, GenerateParams, TokenScore } from '../../../server/engine/chat/types.ts';
import type { Engine } from '../../../server/engine/engine.ts';

export interface Answer {
  promptTokens: number;
  choices: { text: string; reason: string | null; tokens: number; scores: TokenScore[] }[];
  events: GenerateEvent[];
}

/** Greedy, one choice, sixteen tokens. */
export function paramsOf(content: string, overrides: Partial<GenerateParams> = {}): GenerateParams {
  return {
    ...greeting,
    messages: [{ role: 'user', content }],
    maxTokens: 16,
    topLogprobs: null,
    ...overrides,
  };
}

export function stream(
  engine: Engine<'chat'>,
  params: GenerateParams,
  signal: AbortSignal = new AbortController().signal,
): AsyncIterable<GenerateEvent> {
  return engine.methods.generate(params, { signal });
}

export async function ask(
  engine: Engine<'chat'>,
  params: GenerateParams,
  signal?: AbortSignal,
): Promise<Answer> {
  const answer: Answer = { promptTokens: 0, choices: [], events: [] };
  for await (const event of stream(engine, params, signal)) {
    answer.events.push(event);
    if (event.kind === 'usage') continue;
    if (event.kind === 'prompt') {
      answer.promptTokens = event.tokens;
      continue;
    }
    answer.choices[event.choice] ??= { text: '', reason: null, tokens: 0, scores: [] };
    const choice = answer.choices[event.choice]!;
    if (event.kind === 'text') {
      choice.text += event.text;
      choice.scores.push(...(event.scores ?? []));
    }
    if (event.kind === 'finish') {
      choice.reason = event.reason;
      choice.tokens = event.tokens;
    }
  }
  return answer;
}
