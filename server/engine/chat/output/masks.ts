/** Masks of sequences as the generator asks for them: made elsewhere, beside the model's runs. */

/** One sequence's masks. */
export interface SequenceMasks {
  /**
   * Bits of the tokens that may come next (grammar/token-mask.ts), and of those behind each token of `draft` for as long as the
   * draft keeps to them; null: any.
   * @throws EngineError invalid_value when the schema takes more work than a request may ask for
   */
  next(draft: readonly number[]): Promise<readonly (Uint32Array | null)[]>;
  /** The sequence goes on with `token`, one of those allowed. Not called for end-of-text tokens. */
  accept(token: number): void;
}

/** Masks of one request, until it is closed. */
export interface RequestMasks {
  /** Of one more choice, from its first token. */
  open(): SequenceMasks;
  close(): void;
}
