import { Tokenizer } from '@huggingface/tokenizers';
import { EngineError } from '../engine.ts';
import type { EncoderConfig } from './encoder/encoder-config.ts';
import { type Json, readJson, refusePack } from './encoder-pack-files.ts';
import type { EmbeddingTask } from './types.ts';

/** Characters that a token stands for at most, on average: beyond it a text is refused before it is tokenized, which takes long. */
const longestToken = 32;

/** Texts to token ids, with the refusals a caller must hear: nothing to read, or more than the window. */
export class TextTokenizer {
  readonly #tokenizer: Tokenizer;
  readonly #config: EncoderConfig;

  constructor(tokenizer: Tokenizer, config: EncoderConfig) {
    this.#tokenizer = tokenizer;
    this.#config = config;
  }

  /** Token ids of a text behind its task's prefix, however many. */
  ids(text: string, task: EmbeddingTask): number[] {
    const prefix = this.#config.prefixes[task] ?? '';
    const { ids } = this.#tokenizer.encode(prefix + text, { add_special_tokens: this.#config.specialTokens });
    return ids.filter((id: number) => Number.isInteger(id));
  }

  /** As `ids`, for a caller's text. @throws EngineError with `input[index]` as its param */
  encode(text: string, task: EmbeddingTask, index: number): number[] {
    const param = `input[${index}]`;
    if (text === '') throw new EngineError('invalid_value', `${param} is an empty string.`, param);
    if (text.length > this.#config.maxTokens * longestToken) {
      const limit = `the model reads at most ${this.#config.maxTokens} tokens`;
      throw new EngineError('input_too_long', `${param} has ${text.length} characters; ${limit}.`, param);
    }
    const ids = this.ids(text, task);
    if (ids.length === 0) {
      throw new EngineError('invalid_value', `${param} holds nothing that the model can read.`, param);
    }
    if (ids.length > this.#config.maxTokens) {
      const limit = `the model reads at most ${this.#config.maxTokens}`;
      throw new EngineError('input_too_long', `${param} has ${ids.length} tokens; ${limit}.`, param);
    }
    return ids;
  }
}

/** @throws EngineError internal_error when the pack has no tokenizer, or one of a kind that is not supported */
export async function loadTokenizer(folder: string, config: EncoderConfig): Promise<TextTokenizer> {
  const definition = await readJson<Json>(folder, config.tokenizer);
  if (!definition) throw refusePack(`it has no ${config.tokenizer}.`);
  const settings = (await readJson<Json>(folder, 'tokenizer_config.json')) ?? {};
  try {
    return new TextTokenizer(new Tokenizer(definition, settings), config);
  } catch {
    throw refusePack(`${config.tokenizer} is of a kind that is not supported.`);
  }
}
