/** The shortest way we find to a whole output, and what it costs in tokens: what lets a mask close in time. */
import type { Acceptor } from './acceptor.ts';
import { longestToken, type TokenTrie } from './token-trie.ts';

const longestEnding = 8192;
const mostTries = 20_000;
const mostKnown = 50_000;

export class ShortestCompletions {
  private readonly trie: TokenTrie;
  private readonly known = new Map<string, Uint8Array | null>();
  private readonly costs = new Map<string, number>();

  constructor(trie: TokenTrie) {
    this.trie = trie;
  }

  /** Bytes that lead from `state` to where it may end; null when none were found. */
  from(state: Acceptor): Uint8Array | null {
    let ending = this.known.get(state.id);
    if (ending === undefined) {
      if (this.known.size > mostKnown) this.known.clear();
      ending = this.search(state);
      this.known.set(state.id, ending);
    }
    return ending;
  }

  /** Tokens of that ending, taking the longest each time; Infinity when there is none. */
  cost(state: Acceptor): number {
    let cost = this.costs.get(state.id);
    if (cost === undefined) {
      cost = this.count(this.from(state));
      if (this.costs.size > mostKnown) this.costs.clear();
      this.costs.set(state.id, cost);
    }
    return cost;
  }

  /** First token of the ending. */
  next(state: Acceptor): number | null {
    const ending = this.from(state);
    return ending && ending.length > 0 ? (longestToken(this.trie, ending, 0)?.id ?? null) : null;
  }

  private count(ending: Uint8Array | null): number {
    if (!ending) return Number.POSITIVE_INFINITY;
    let count = 0;
    for (let at = 0; at < ending.length; count += 1) {
      const token = longestToken(this.trie, ending, at);
      if (!token) return Number.POSITIVE_INFINITY;
      at += token.length;
    }
    return count;
  }

  /**
   * Depth first, in the order the states recommend: their first choices close what is open. What one search has found out
   * about a state serves the next.
   */
  private search(start: Acceptor): Uint8Array | null {
    if (start.canEnd) return new Uint8Array(0);
    const path: { state: Acceptor; options: number[]; byte: number }[] = [
      { state: start, options: start.endings(), byte: -1 },
    ];
    const seen = new Set([start.id]);
    for (let tries = 0; path.length > 0; tries += 1) {
      if (tries === mostTries) return null;
      const top = path.at(-1)!;
      const byte = top.options.shift();
      if (byte === undefined || path.length > longestEnding) {
        path.pop();
        continue;
      }
      const next = top.state.step(byte);
      if (!next || seen.has(next.id)) continue;
      const rest = next.canEnd ? new Uint8Array(0) : this.known.get(next.id);
      if (rest) return Uint8Array.from([...path.slice(1).map((step) => step.byte), byte, ...rest]);
      seen.add(next.id);
      if (rest === undefined) path.push({ state: next, options: next.endings(), byte });
    }
    // Everything has been tried: none of these has an ending.
    for (const id of seen) this.known.set(id, null);
    return null;
  }
}
