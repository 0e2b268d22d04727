/**
 * Tokens to text, one at a time. A character may take several tokens (an emoji is up to four bytes, a byte-fallback token
 * one): its bytes wait until it is whole, so no text that leaves here ends inside a character. Bytes that can never become
 * one turn into U+FFFD; those that are waiting when the sequence ends are dropped.
 */
import type { Vocabulary } from '../../grammar/vocabulary.ts';

export interface DetokenizerOptions {
  /** The first token's leading space is the tokenizer's own, not the text's (SentencePiece). */
  stripFirstSpace: boolean;
  /** Control tokens whose spelling is text all the same. */
  visible: ReadonlySet<number>;
}

export class Detokenizer {
  readonly #vocabulary: Vocabulary;
  readonly #options: DetokenizerOptions;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #begun = false;

  constructor(vocabulary: Vocabulary, options: DetokenizerOptions) {
    this.#vocabulary = vocabulary;
    this.#options = options;
  }

  /** The characters that `token` completes. */
  push(token: number): string {
    if (this.#vocabulary.isControl(token) && !this.#options.visible.has(token)) return '';
    const text = this.#decoder.decode(this.#vocabulary.bytesOf(token), { stream: true });
    const first = !this.#begun;
    this.#begun = true;
    return first && this.#options.stripFirstSpace && text.startsWith(' ') ? text.slice(1) : text;
  }
}
