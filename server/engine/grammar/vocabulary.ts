/** Tokens as bytes. Built once for a pack; the detokenizer, log probabilities and masks read it. */

export interface VocabularyToken {
  id: number;
  /** As the tokenizer file spells it. */
  piece: string;
  /** Added tokens are spelled as they read; those of the model in the decoder's alphabet. */
  added: boolean;
  /** Control tokens: no part of the text. */
  control: boolean;
}

/** Spelling of the model's own pieces. */
export type PieceAlphabet = 'byte-level' | 'sentencepiece' | 'plain';

export interface VocabularyOptions {
  tokens: Iterable<VocabularyToken>;
  alphabet: PieceAlphabet;
  /** Width of the logits: ids beyond the tokenizer's are padding. */
  size: number;
  endIds: readonly number[];
}

const nothing = new Uint8Array(0);
const encoder = new TextEncoder();

export class Vocabulary {
  /** Width of the logits. */
  readonly size: number;
  /** Tokens that end a text: the model's own and those of its chat format. */
  readonly endIds: readonly number[];
  /** Bytes of the longest token. */
  readonly longest: number;
  readonly #bytes: Uint8Array[];
  readonly #control: Uint8Array;
  readonly #added = new Map<string, number>();

  constructor({ tokens, alphabet, size, endIds }: VocabularyOptions) {
    this.size = size;
    this.endIds = endIds;
    this.#bytes = new Array<Uint8Array>(size).fill(nothing);
    // Ids the tokenizer does not know say nothing, as control tokens do.
    this.#control = new Uint8Array(size).fill(1);
    for (const { id, piece, added, control } of tokens) {
      if (id >= size) continue;
      this.#bytes[id] = added ? encoder.encode(piece) : toBytes(piece, alphabet);
      this.#control[id] = control ? 1 : 0;
      if (added) this.#added.set(piece, id);
    }
    this.longest = this.#bytes.reduce((most, { length }) => Math.max(most, length), 1);
  }

  /** Bytes that a token adds to the text, which need not be whole characters; a control token's own spelling. */
  bytesOf(id: number): Uint8Array {
    return this.#bytes[id] ?? nothing;
  }

  /** Control tokens and padding: never part of the text. */
  isControl(id: number): boolean {
    return this.#control[id] !== 0;
  }

  isEnd(id: number): boolean {
    return this.endIds.includes(id);
  }

  /** An added token by its spelling, such as `<|im_end|>`. */
  addedId(piece: string): number | undefined {
    return this.#added.get(piece);
  }

  /** Spellings of control tokens that a text must not smuggle in. */
  controlPieces(): string[] {
    return [...this.#added].filter(([, id]) => this.isControl(id)).map(([piece]) => piece);
  }
}

function toBytes(piece: string, alphabet: PieceAlphabet): Uint8Array {
  if (alphabet === 'byte-level') return fromByteLevel(piece);
  if (alphabet === 'plain') return encoder.encode(piece);
  const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(piece);
  if (byte) return Uint8Array.of(Number.parseInt(byte[1]!, 16));
  return encoder.encode(piece.replaceAll('▁', ' '));
}

/**
 * GPT-2's alphabet: printable Latin-1 characters stand for themselves, the other bytes follow from U+0100 on.
 * https://github.com/openai/gpt-2/blob/master/src/encoder.py, bytes_to_unicode
 */
const byteOfCharacter = new Map<string, number>();
let next = 256;
for (let byte = 0; byte < 256; byte += 1) {
  const printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  byteOfCharacter.set(String.fromCharCode(printable ? byte : next++), byte);
}

function fromByteLevel(piece: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of piece) {
    const byte = byteOfCharacter.get(character);
    // A piece outside the alphabet is spelled as it reads.
    if (byte === undefined) return encoder.encode(piece);
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
