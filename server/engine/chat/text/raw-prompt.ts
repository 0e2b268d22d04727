/** Prompts without a chat format: a text to go on with, or the two sides of a gap. */
import { EngineError } from '../../engine.ts';
import type { RawPrompt } from '../types.ts';
import type { ChatTokenizer } from './tokenizer.ts';

/** Tokens before the prefix, the suffix and the middle, as models were trained to fill it in. */
const gapTokens = [
  ['<|fim_prefix|>', '<|fim_suffix|>', '<|fim_middle|>'],
  ['<fim_prefix>', '<fim_suffix>', '<fim_middle>'],
  ['<fim-prefix>', '<fim-suffix>', '<fim-middle>'],
  ['<｜fim▁begin｜>', '<｜fim▁hole｜>', '<｜fim▁end｜>'],
  ['▁<PRE>', '▁<SUF>', '▁<MID>'],
] as const;

/** @throws EngineError invalid_value for a suffix where the model has no tokens for a gap */
export function encodeRawPrompt(tokenizer: ChatTokenizer, { text, suffix }: RawPrompt): number[] {
  const start = tokenizer.bos === null ? [] : [tokenizer.bos];
  if (suffix === null) return [...start, ...tokenizer.encode(text)];
  const { vocabulary } = tokenizer;
  const ids = gapTokens.map((pieces) => pieces.map((piece) => vocabulary.addedId(piece)));
  const [before, between, middle] = ids.find((each) => !each.includes(undefined)) ?? [];
  if (before === undefined || between === undefined || middle === undefined) {
    const message = 'suffix: the model has no tokens for filling in the middle.';
    throw new EngineError('invalid_value', message, 'suffix');
  }
  return [...start, before, ...tokenizer.encode(text), between, ...tokenizer.encode(suffix), middle];
}
