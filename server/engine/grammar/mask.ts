/** A sequence's token mask over an acceptor (token-mask.ts). Masks are cached by state: most steps only look one up. */

import { type Acceptor, maskIdOf } from './acceptor.ts';
import { ShortestCompletions } from './shortest-completion.ts';
import type { TokenMask } from './token-mask.ts';
import { type TokenIndex, type TokenTrie, tokenIndex } from './token-trie.ts';
import type { Vocabulary } from './vocabulary.ts';

const mostCached = 1024;
/** So many tokens before the last chance to close, tokens are checked for what they open. */
const watch = 256;
const mostWatched = 4096;
/** Distinct states a careful mask looks into. */
const mostChecked = 500;
/** So many tokens before it, the shortest ending is all that may follow. */
const slack = 12;

/** Shared by all sequences of a request. */
export class MaskSource {
  readonly index: TokenIndex;
  readonly endings: ShortestCompletions;
  private readonly vocabulary: Vocabulary;
  private readonly cache = new Map<string, Uint32Array>();

  /** Whether the schema has alternatives that can rule each other out late: then every opening is checked for an ending. */
  readonly careful: boolean;

  constructor(vocabulary: Vocabulary, options: { visible?: readonly number[]; careful?: boolean } = {}) {
    const { visible = [], careful = false } = options;
    this.careful = careful;
    this.vocabulary = vocabulary;
    this.index = tokenIndex(vocabulary, visible);
    this.endings = new ShortestCompletions(this.index.all);
  }

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
    const room = state.stringRoom;
    if (room === null) walk(this.index.all, state, (id) => setBit(mask, id));
    else {
      const { plain } = this.index;
      const longest = room === Number.POSITIVE_INFINITY ? plain.length : Math.min(room + 1, plain.length - 1);
      for (let length = 1; length < longest; length += 1) merge(mask, plain[length]!);
      walk(this.index.special, state, (id) => setBit(mask, id));
    }
    if (state.canEnd) for (const id of this.vocabulary.endIds) setBit(mask, id);
    return mask;
  }

  /** `mask` without the tokens after which the output could no longer be closed within `left` tokens. */
  affordable(state: Acceptor, mask: Uint32Array, left: number): Uint32Array {
    const kept = mask.slice();
    const fits = new Map<Acceptor, boolean>();
    walk(state.stringRoom === null ? this.index.all : this.index.special, state, (id, next) => {
      // What stays inside a text is paid for by the slack; leaving it, even for the next text, may open much.
      const stays = next.insideText && this.index.isPlain(id);
      if (stays && (!this.careful || fits.size > mostChecked)) return;
      let fit = fits.get(next);
      if (fit === undefined) {
        fit = this.endings.cost(next) <= left - 1;
        fits.set(next, fit);
      }
      if (!fit) clearBit(kept, id);
    });
    return kept;
  }

  only(id: number): Uint32Array {
    const mask = new Uint32Array(Math.ceil(this.index.size / 32));
    setBit(mask, id);
    return mask;
  }

  bytesOf(id: number): Uint8Array {
    return this.vocabulary.bytesOf(id);
  }
}

export class AcceptorMask implements TokenMask {
  private readonly source: MaskSource;
  private state: Acceptor;

  constructor(source: MaskSource, start: Acceptor) {
    this.source = source;
    this.state = start;
  }

  allowed(left: number): Uint32Array {
    const { endings } = this.source;
    const whole = this.source.mask(this.state);
    const { careful } = this.source;
    if (left > mostWatched && !careful) return whole;
    const cost = endings.cost(this.state);
    // Too late, or no ending is known: go on as the schema allows; the finish reason will be `length`.
    if (cost > left || (left > cost + watch && !careful)) return whole;
    const next = left <= cost + slack ? endings.next(this.state) : null;
    if (next !== null) return this.source.only(next);
    const affordable = this.source.affordable(this.state, whole, left);
    return affordable.some((word) => word !== 0) ? affordable : whole;
  }

  accept(token: number): void {
    for (const byte of this.source.bytesOf(token)) {
      const next = this.state.step(byte);
      if (!next) throw new Error('a token was taken that the mask did not allow');
      this.state = next;
    }
  }

  get complete(): boolean {
    return this.state.canEnd;
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
