/** A query and a document as one row of tokens, the way a cross-encoder was trained: [CLS] query [SEP] document [SEP], with segment ids. */
import { Tokenizer } from '@huggingface/tokenizers';
import { EngineError } from '../../engine.ts';
import type { EncoderConfig } from '../encoder/encoder-config.ts';
import { type Json, readJson, refusePack } from '../encoder-pack-files.ts';

/** Characters that a token stands for at most, on average. */
const longestToken = 32;

export interface PairRow {
  ids: readonly number[];
  /** 0 or 1 a token. */
  segments: readonly number[];
}

interface Frame {
  before: PairRow;
  between: PairRow;
  after: PairRow;
  querySegment: number;
  documentSegment: number;
}

export class PairTokenizer {
  readonly #tokenizer: Tokenizer;
  readonly #frame: Frame;
  readonly #maxTokens: number;

  constructor(tokenizer: Tokenizer, maxTokens: number) {
    this.#tokenizer = tokenizer;
    this.#maxTokens = maxTokens;
    this.#frame = frameOf(tokenizer);
  }

  #ids(text: string): number[] {
    const { ids } = this.#tokenizer.encode(text, { add_special_tokens: false });
    return ids.filter((id: number) => Number.isInteger(id));
  }

  /** Tokens that a document may have behind the query. @throws EngineError input_too_long naming `query` */
  openQuery(query: string): { ids: readonly number[]; room: number } {
    const tooLong = (length: string) =>
      new EngineError(
        'input_too_long',
        `query has ${length}; with a document the model reads at most ${this.#maxTokens} tokens.`,
        'query',
      );
    if (query.length > this.#maxTokens * longestToken) throw tooLong(`${query.length} characters`);
    const ids = this.#ids(query);
    const { before, between, after } = this.#frame;
    const frame = before.ids.length + between.ids.length + after.ids.length;
    const room = this.#maxTokens - frame - ids.length;
    if (room < 1) throw tooLong(`${ids.length} tokens`);
    return { ids, room };
  }

  /** A document that is too long loses its end; the query never does. */
  pair({ ids: query, room }: { ids: readonly number[]; room: number }, document: string): PairRow {
    const { before, between, after, querySegment, documentSegment } = this.#frame;
    const text = this.#ids(document.slice(0, room * longestToken)).slice(0, room);
    return {
      ids: [...before.ids, ...query, ...between.ids, ...text, ...after.ids],
      segments: [
        ...before.segments,
        ...query.map(() => querySegment),
        ...between.segments,
        ...text.map(() => documentSegment),
        ...after.segments,
      ],
    };
  }
}

/** Tokens that the tokenizer's post-processor puts around a pair, told from two words. @throws EngineError where it makes no pairs */
function frameOf(tokenizer: Tokenizer): Frame {
  const plain = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  const [first, second] = [plain('a'), plain('b')];
  const whole = tokenizer.encode('a', { text_pair: 'b', return_token_type_ids: true });
  const { ids, token_type_ids: segments } = whole;
  const query = indexOf(ids, first, 0);
  const document = query < 0 ? -1 : indexOf(ids, second, query + first.length);
  if (document < 0) throw refusePack('its tokenizer makes no pairs of texts.');
  const cut = (from: number, to: number): PairRow => ({
    ids: ids.slice(from, to),
    segments: segments.slice(from, to),
  });
  return {
    before: cut(0, query),
    between: cut(query + first.length, document),
    after: cut(document + second.length, ids.length),
    querySegment: segments[query]!,
    documentSegment: segments[document]!,
  };
}

function indexOf(ids: readonly number[], part: readonly number[], from: number): number {
  for (let at = from; at + part.length <= ids.length; at += 1)
    if (part.every((id, index) => ids[at + index] === id)) return at;
  return -1;
}

/** @throws EngineError internal_error when the pack has no tokenizer, or one of a kind that is not supported */
export async function loadPairTokenizer(folder: string, config: EncoderConfig): Promise<PairTokenizer> {
  const definition = await readJson<Json>(folder, config.tokenizer);
  if (!definition) throw refusePack(`it has no ${config.tokenizer}.`);
  const settings = (await readJson<Json>(folder, 'tokenizer_config.json')) ?? {};
  let tokenizer: Tokenizer;
  try {
    tokenizer = new Tokenizer(definition, settings);
  } catch {
    throw refusePack(`${config.tokenizer} is of a kind that is not supported.`);
  }
  return new PairTokenizer(tokenizer, config.maxTokens);
}
