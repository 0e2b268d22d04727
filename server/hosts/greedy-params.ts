import type { GenerateParams } from '../engine/chat/types.ts';

/** One plain answer, the likeliest token each time: what the server's own questions to a chat model have in common. */
export const greedyParams = {
  tools: [],
  toolChoice: { mode: 'none' },
  parallelToolCalls: false,
  temperature: 0,
  topP: 1,
  topK: 0,
  minP: 0,
  presencePenalty: 0,
  frequencyPenalty: 0,
  logitBias: {},
  stop: [],
  choices: 1,
  topLogprobs: null,
} satisfies Partial<GenerateParams>;
