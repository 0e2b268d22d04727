/**
 * A sequence's mask: which tokens may come next. The engine asks at every step of a sequence, in this order:
 *
 *   run starts → `mask.allowed()` while the model runs → sample → `mask.accept(token)`
 */

/** One sequence's state. Everything is synchronous: it runs on the host's thread while the model runs on others. */
export interface TokenMask {
  /**
   * Tokens that may come next, as a bitset over the vocabulary: token `id` is bit `id & 31` of word `id >>> 5`. At least
   * one bit is set. End-of-text ids (`Vocabulary.endIds`) are among them exactly where the output may end. `null`: any.
   * Read before the next call of this mask only, so each may have one buffer. Called once or more for a state; must not
   * change it. How many tokens may still be generated does not matter: nothing is closed for want of them.
   * @throws EngineError invalid_value when the schema takes more work than a request may ask for
   */
  allowed(): Uint32Array | null;
  /** The sequence goes on with `token`, one of those allowed. Not called for end-of-text tokens. */
  accept(token: number): void;
  /** The output is whole: it may end here. */
  readonly complete: boolean;
}
