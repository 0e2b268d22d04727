/** Logits to a token. Pure: what a sequence has said comes in, and the logits leave as they came. */
import { argmax, draw } from './candidates.ts';
import { type RandomStream, randomAt } from './random.ts';

export interface SamplingOptions {
  /** 0: the likeliest token. */
  temperature: number;
  /** 0: off. */
  topK: number;
  topP: number;
  minP: number;
  presencePenalty: number;
  frequencyPenalty: number;
  logitBias: ReadonlyMap<number, number>;
  random: RandomStream;
}

export interface SamplingState {
  /** Times that each token was generated. */
  counts: ReadonlyMap<number, number>;
  /** Place of the token in the sequence. */
  position: number;
  mask: Uint32Array | null;
}

/** @throws Error when no allowed logit is a number: the weights or the mask are broken */
export function sample(logits: Float32Array, options: SamplingOptions, state: SamplingState): number {
  const restore = adjust(logits, options, state.counts);
  const token =
    options.temperature === 0
      ? argmax(logits, state.mask)
      : draw(logits, { ...options, mask: state.mask }, randomAt(options.random, state.position));
  restore();
  if (token < 0) throw new Error('the model gave no usable logits');
  return token;
}

const nothingToRestore = () => {};

/**
 * Adds biases and takes penalties off, of the few tokens that have any; the returned function puts them back.
 * OpenAI's formula: `logit − count · frequency − (count > 0) · presence`, over generated tokens.
 */
function adjust(
  logits: Float32Array,
  options: SamplingOptions,
  counts: ReadonlyMap<number, number>,
): () => void {
  const { frequencyPenalty, logitBias, presencePenalty } = options;
  const penalized = frequencyPenalty !== 0 || presencePenalty !== 0;
  if (!penalized && logitBias.size === 0) return nothingToRestore;
  const before: [number, number][] = [];
  const add = (id: number, amount: number) => {
    if (id >= logits.length) return;
    before.push([id, logits[id]!]);
    logits[id]! += amount;
  };
  for (const [id, bias] of logitBias) add(id, bias);
  if (penalized) for (const [id, count] of counts) add(id, -count * frequencyPenalty - presencePenalty);
  return () => {
    for (const [id, value] of before.reverse()) logits[id] = value;
  };
}
