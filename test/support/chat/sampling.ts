import type { SamplingOptions } from '../../../server/engine/chat/sampling/sampler.ts';

/** Greedy, nothing else. */
export const greedy: SamplingOptions = {
  temperature: 0,
  topK: 0,
  topP: 1,
  minP: 0,
  presencePenalty: 0,
  frequencyPenalty: 0,
  logitBias: new Map(),
  random: { seed: 1, choice: 0 },
};
