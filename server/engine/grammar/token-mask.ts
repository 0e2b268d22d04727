/**
 * A sequence's mask: which tokens may come next. It is asked at every step of a sequence, in this order:
 *
 *   run starts → `mask.allowed()` while the model runs → sample → `mask.accept(token)`
 *
 * Over an acceptor masks are cached by state: most steps only look one up.
 */

import { type Acceptor, maskIdOf } from './acceptor.ts';
import { ShortestCompletions } from './shortest-completion.ts';
import { type TokenIndex, type TokenTrie, tokenIndex } from './token-trie.ts';
import type { Vocabulary } from './vocabulary.ts';
import { WorkBudget } from './work-budget.ts';

/** One sequence's state. Everything is synchronous: it runs on a thread of its own while the model runs on others. */
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
  /** Another in the same state. */
  fork(): TokenMask;
}

const mostCached = 1024;
/** Work that each token adds to what is left, up to a bound: a schema may be costly at some places, not at all. */
const workPerToken = 25_000;
const mostWork = 1_000_000;

export interface MaskOptions {
  /** Control tokens whose spelling counts as text. */
  visible?: readonly number[];
  /** Of the acceptor's states. */
  budget?: WorkBudget;
}

/** Shared by all sequences of a request. */
export class MaskSource {
  readonly index: TokenIndex;
  readonly completions = new ShortestCompletions();
  private readonly vocabulary: Vocabulary;
  private readonly budget: WorkBudget;
  private readonly cache = new Map<string, Uint32Array>();

  constructor(vocabulary: Vocabulary, options: MaskOptions = {}) {
    const { visible = [], budget = new WorkBudget(Number.POSITIVE_INFINITY) } = options;
    this.vocabulary = vocabulary;
    this.budget = budget;
    budget.refill(mostWork, mostWork);
    this.index = tokenIndex(vocabulary, visible);
  }

  /**
   * Tokens after which the output can still be completed, as bits.
   * @throws WorkExceeded when that takes more work than the budget has left
   */
  mask(state: Acceptor): Uint32Array {
    const { id } = state;
    const key = maskIdOf(state);
    let mask = this.cache.get(key);
    if (!mask) {
      mask = this.compute(state);
      if (key !== id) for (const token of this.index.keyed) clearBit(mask, token);
      if (this.cache.size >= mostCached) this.cache.delete(this.cache.keys().next().value!);
      this.cache.set(key, mask);
    }
    return mask;
  }

  private compute(state: Acceptor): Uint32Array {
    const mask = new Uint32Array(Math.ceil(this.index.size / 32));
    const judged = new Map<Acceptor, boolean>();
    const take = (id: number, next: Acceptor) => {
      let live = judged.get(next);
      if (live === undefined) {
        live = this.completions.isLive(next);
        judged.set(next, live);
      }
      if (live) setBit(mask, id);
    };
    const room = this.roomOf(state);
    if (room === null) walk(this.index.all, state, take);
    else {
      const { plain } = this.index;
      const longest = room === Number.POSITIVE_INFINITY ? plain.length : Math.min(room + 1, plain.length - 1);
      for (let length = 1; length < longest; length += 1) merge(mask, plain[length]!);
      walk(this.index.special, state, take);
    }
    if (state.canEnd) for (const id of this.vocabulary.endIds) setBit(mask, id);
    return mask;
  }

  /** Whole classes of tokens are taken unseen where any text goes on to an end, tried with a character that no schema names. */
  private roomOf(state: Acceptor): number | null {
    const { stringRoom } = state;
    if (stringRoom === null || stringRoom < 1) return stringRoom;
    const after = unnamed.reduce<Acceptor | null>((at, byte) => at?.step(byte) ?? null, state);
    return after && this.completions.isLive(after) ? stringRoom : null;
  }

  /** A token was chosen: the next may take work of its own. */
  advance(): void {
    this.budget.refill(workPerToken, mostWork);
  }

  bytesOf(id: number): Uint8Array {
    return this.vocabulary.bytesOf(id);
  }
}

/** U+E000, of the private use area. */
const unnamed = [0xee, 0x80, 0x80];

export class AcceptorMask implements TokenMask {
  private readonly source: MaskSource;
  private state: Acceptor;

  constructor(source: MaskSource, start: Acceptor) {
    this.source = source;
    this.state = start;
  }

  allowed(): Uint32Array {
    return this.source.mask(this.state);
  }

  accept(token: number): void {
    for (const byte of this.source.bytesOf(token)) {
      const next = this.state.step(byte);
      if (!next) throw new Error('a token was taken that the mask did not allow');
      this.state = next;
    }
    this.source.advance();
  }

  get complete(): boolean {
    return this.state.canEnd;
  }

  fork(): AcceptorMask {
    return new AcceptorMask(this.source, this.state);
  }
}

/** Every token that the state can take, with the state after it. */
function walk(trie: TokenTrie, start: Acceptor, take: (id: number, next: Acceptor) => void): void {
  const { bytes, depths, sizes, tokens, twins } = trie;
  const stack: Acceptor[] = [start];
  for (let node = 0; node < bytes.length; ) {
    const depth = depths[node]!;
    const next = stack[depth - 1]!.step(bytes[node]!);
    if (!next) {
      node += sizes[node]!;
      continue;
    }
    stack[depth] = next;
    for (let id = tokens[node]!; id >= 0; id = twins[id]!) take(id, next);
    node += 1;
  }
}

function setBit(mask: Uint32Array, id: number): void {
  mask[id >>> 5]! |= 1 << (id & 31);
}

function clearBit(mask: Uint32Array, id: number): void {
  mask[id >>> 5]! &= ~(1 << (id & 31));
}

function merge(mask: Uint32Array, other: Uint32Array): void {
  for (let word = 0; word < mask.length; word += 1) mask[word]! |= other[word]!;
}
