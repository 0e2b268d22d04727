/** A pack's tokenizer: text to tokens, and the vocabulary for the way back. */
import { Tokenizer } from '@huggingface/tokenizers';
import { type PieceAlphabet, Vocabulary, type VocabularyToken } from '../../grammar/vocabulary.ts';
import type { Json } from '../../pack-files.ts';
import { type ChatPack, refuseChatPack } from '../pack.ts';

export interface ChatTokenizer {
  vocabulary: Vocabulary;
  /** The first token's leading space is none of the text. */
  stripFirstSpace: boolean;
  /** Begins a text that has no chat format; null: nothing does. */
  bos: number | null;
  /** Spellings of control tokens in `text` become those tokens; nothing is added before or after. */
  encode(text: string): number[];
}

/** Spellings of the end of a turn; each ends an answer where the template writes it. */
const turnEnds = ['<|im_end|>', '<|eot_id|>', '<|eom_id|>', '<end_of_turn>', '<|end|>', '<|end_of_turn|>'];

/** @param size width of the logits */
export function createTokenizer(pack: ChatPack, size: number): ChatTokenizer {
  const tokenizer = open(pack);
  const tokens = readTokens(tokenizer, pack.tokenizer);
  const ends = tokens.filter(({ piece }) => turnEnds.includes(piece) && pack.template?.includes(piece));
  const endIds = [...new Set([...pack.eos, ...ends.map(({ id }) => id)])];
  // End tokens are never part of a text, even where the tokenizer file forgets to say so.
  for (const token of tokens) if (endIds.includes(token.id)) token.control = true;
  const decoder = decoderFacts(pack.tokenizer.decoder);
  return {
    vocabulary: new Vocabulary({ tokens, alphabet: decoder.alphabet, size, endIds }),
    stripFirstSpace: decoder.stripFirstSpace,
    bos: pack.bos,
    encode: (text) => tokenizer.encode(text, { add_special_tokens: false }).ids,
  };
}

function open(pack: ChatPack): Tokenizer {
  try {
    return new Tokenizer(pack.tokenizer, pack.tokenizerConfig);
  } catch {
    throw refuseChatPack('tokenizer.json is of a kind that is not supported.');
  }
}

function readTokens(tokenizer: Tokenizer, definition: Json): VocabularyToken[] {
  const added = new Map<number, { content: string; special: boolean }>();
  for (const entry of Array.isArray(definition.added_tokens) ? definition.added_tokens : [])
    added.set(entry.id, { content: entry.content, special: entry.special === true });
  const tokens = new Map<number, VocabularyToken>();
  for (const [piece, id] of tokenizer.get_vocab(true)) {
    const token = added.get(id);
    tokens.set(id, { id, piece: token?.content ?? piece, added: !!token, control: token?.special ?? false });
  }
  return [...tokens.values()];
}

interface DecoderFacts {
  alphabet: PieceAlphabet;
  stripFirstSpace: boolean;
}

/** The part of a tokenizer.json decoder that is needed to turn tokens into bytes one by one. */
function decoderFacts(decoder: unknown): DecoderFacts {
  if (typeof decoder !== 'object' || decoder === null) return { alphabet: 'plain', stripFirstSpace: false };
  const { content, decoders, pattern, prepend_scheme, add_prefix_space, start, type } = decoder as Json;
  switch (type) {
    case 'ByteLevel':
      return { alphabet: 'byte-level', stripFirstSpace: false };
    case 'Metaspace':
      return {
        alphabet: 'sentencepiece',
        stripFirstSpace: prepend_scheme !== 'never' && add_prefix_space !== false,
      };
    case 'Strip':
      return { alphabet: 'plain', stripFirstSpace: content === ' ' && Number(start) > 0 };
    case 'ByteFallback':
      return { alphabet: 'sentencepiece', stripFirstSpace: false };
    case 'Replace':
      return {
        alphabet: (pattern as Json | undefined)?.String === '▁' ? 'sentencepiece' : 'plain',
        stripFirstSpace: false,
      };
    case 'Sequence': {
      const parts = Array.isArray(decoders) ? decoders.map(decoderFacts) : [];
      const alphabet = parts.map((part) => part.alphabet).find((each) => each !== 'plain') ?? 'plain';
      return { alphabet, stripFirstSpace: parts.some((part) => part.stripFirstSpace) };
    }
    default:
      return { alphabet: 'plain', stripFirstSpace: false };
  }
}
