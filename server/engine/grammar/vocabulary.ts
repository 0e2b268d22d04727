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

/** A vocabulary as plain data, for another thread. */
export interface VocabularyData {
  size: number;
  endIds: readonly number[];
  /** Bytes of all tokens, one behind the other; where each ends. */
  bytes: Uint8Array;
  ends: Uint32Array;
  /** 1 for control tokens and padding. */
  control: Uint8Array;
  added: ReadonlyMap<string, number>;
}

export class Vocabulary {
  /** Width of the logits. */
  readonly size: number;
  /** Tokens that end a text: the model's own and those of its chat format. */
  readonly endIds: readonly number[];
  /** Bytes of the longest token. */
  readonly longest: number;
  readonly #bytes: Uint8Array[];
  readonly #control: Uint8Array;
  readonly #added: ReadonlyMap<string, number>;

  constructor(from: VocabularyOptions | VocabularyData) {
    this.size = from.size;
    this.endIds = from.endIds;
    const { added, bytes, control } = 'tokens' in from ? readTokens(from) : { ...from, bytes: split(from) };
    this.#bytes = bytes;
    this.#control = control;
    this.#added = added;
    this.longest = this.#bytes.reduce((most, { length }) => Math.max(most, length), 1);
  }

  toData(): VocabularyData {
    let end = 0;
    return {
      size: this.size,
      endIds: this.endIds,
      bytes: Buffer.concat(this.#bytes),
      ends: Uint32Array.from(this.#bytes, ({ length }) => (end += length)),
      control: this.#control,
      added: this.#added,
    };
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

function readTokens({ tokens, alphabet, size }: VocabularyOptions) {
  const bytes = new Array<Uint8Array>(size).fill(nothing);
  // Ids the tokenizer does not know say nothing, as control tokens do.
  const control = new Uint8Array(size).fill(1);
  const spelled = new Map<string, number>();
  for (const { id, piece, added, control: isControl } of tokens) {
    if (id >= size) continue;
    bytes[id] = added ? encoder.encode(piece) : toBytes(piece, alphabet);
    control[id] = isControl ? 1 : 0;
    if (added) spelled.set(piece, id);
  }
  return { bytes, control, added: spelled };
}

const split = ({ bytes, ends }: VocabularyData): Uint8Array[] =>
  Array.from(ends, (end, id) => bytes.subarray(ends[id - 1] ?? 0, end));

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
