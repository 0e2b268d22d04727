/** The shortest way we find to a whole output, and so whether there is one: what keeps a mask out of dead ends. */
import type { Acceptor } from './acceptor.ts';

const mostKnown = 50_000;

export class ShortestCompletions {
  /** By `liveId`: whether states with it can be completed. */
  private readonly known = new Map<string, boolean>();

  /**
   * Bytes that lead from `state` to where it may end; null when there are none.
   * @throws WorkExceeded when the search takes more than the budget of the schema
   */
  from(state: Acceptor): Uint8Array | null {
    return this.search(state, false);
  }

  /**
   * Some text leads from `state` to where it may end.
   * @throws WorkExceeded when the search takes more than the budget of the schema
   */
  isLive(state: Acceptor): boolean {
    const { undecided } = state;
    if (!undecided || undecided.canEnd) return true;
    return this.known.get(liveIdOf(undecided)) ?? this.search(undecided, true) !== null;
  }

  /**
   * Depth first, in the order the states recommend: their first choices close what is open. What one search has found out
   * about a state serves the next: `short` of the end where a state is known to have one.
   */
  private search(start: Acceptor, short: boolean): Uint8Array | null {
    const path: { state: Acceptor; options: number[]; byte: number }[] = [
      { state: start, options: start.canEnd ? [] : start.endings(), byte: -1 },
    ];
    const seen = new Map([[searchIdOf(start), start]]);
    let end = start.canEnd;
    while (path.length > 0 && !end) {
      const top = path.at(-1)!;
      const byte = top.options.shift();
      if (byte === undefined) {
        path.pop();
        continue;
      }
      const next = top.state.step(byte);
      if (!next) continue;
      const id = searchIdOf(next);
      if (seen.has(id)) continue;
      const live = this.known.get(liveIdOf(next));
      if (live === false) continue;
      seen.set(id, next);
      end = next.canEnd || (short && live === true);
      path.push({ state: next, options: end ? [] : next.endings(), byte });
    }
    if (this.known.size > mostKnown) this.known.clear();
    // With nothing found everything has been tried: none of these has an end.
    if (end) for (const { state } of path) this.known.set(liveIdOf(state), true);
    else for (const state of seen.values()) this.known.set(liveIdOf(state), false);
    return end ? Uint8Array.from(path.slice(1), ({ byte }) => byte) : null;
  }
}

const liveIdOf = (state: Acceptor): string => state.liveId ?? state.id;
const searchIdOf = (state: Acceptor): string => state.searchId ?? state.id;
