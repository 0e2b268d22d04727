/**
 * A pattern as a finite automaton over code points (Thompson's construction), run by sets of states. It answers what a
 * decoder asks at every character: may this come next, may the text end, how short and how long can it still become.
 *
 * JSON Schema patterns are unanchored: a pattern without ^ or $ at its ends allows anything before or after.
 */
import { parseRegex, type Ranges, type Tree } from './parse-regex.ts';

interface Edge {
  ranges: Ranges;
  to: number;
}

/** A set of states, the same object for the same set. */
export interface StateSet {
  readonly id: number;
  readonly states: readonly number[];
  readonly accepts: boolean;
  /** Characters still needed at least; Infinity: no way to accept (never handed out). */
  readonly shortest: number;
  /** Characters still possible at most; Infinity where there is no limit. */
  readonly longest: number;
}

const anything: Ranges = [[0, 0x10ffff]];
const mostStates = 20_000;
const someOfRange = 4;
const mostHints = 64;

export class Automaton {
  readonly start: StateSet | null;
  private readonly edges: Edge[][] = [];
  private readonly empty: number[][] = [];
  private readonly final: number;
  private readonly shortest: number[];
  private readonly longest: number[];
  private readonly sets = new Map<string, StateSet>();
  /** States gone through so far: what moves have cost. */
  work = 0;
  private readonly moves = new Map<string, StateSet | null>();

  /** @throws Error naming what of the pattern is not supported */
  constructor(pattern: string) {
    const builder = new Builder(this.edges, this.empty);
    const from = builder.state();
    this.final = builder.state();
    builder.search(parseRegex(pattern), from, this.final);
    this.shortest = this.distances();
    this.longest = this.longestDistances();
    this.start = this.toSet(this.closure([from]));
  }

  /** Number of its states. */
  get size(): number {
    return this.edges.length;
  }

  /** The states after one character; null when no continuation can match. */
  move(from: StateSet, code: number): StateSet | null {
    const key = `${from.id} ${code}`;
    let to = this.moves.get(key);
    if (to === undefined) {
      const targets = new Set<number>();
      for (const state of from.states) {
        for (const edge of this.edges[state]!) if (inRanges(edge.ranges, code)) targets.add(edge.to);
      }
      const reached = this.closure([...targets]);
      this.work += from.states.length + reached.length;
      to = this.toSet(reached);
      if (this.moves.size > 200_000) this.moves.clear();
      this.moves.set(key, to);
    }
    return to;
  }

  /** Some character of the range leads on. */
  canTake(from: StateSet, low: number, high: number): boolean {
    return from.states.some((state) =>
      this.edges[state]!.some(
        ({ ranges, to }) =>
          this.shortest[to] !== Number.POSITIVE_INFINITY &&
          ranges.some((range) => range[0] <= high && range[1] >= low),
      ),
    );
  }

  /** A character on a shortest way to a match; null where nothing more is needed. */
  hint(from: StateSet): number | null {
    if (from.shortest === 0) return null;
    for (const state of from.states) {
      for (const { ranges, to } of this.edges[state]!) {
        if (this.shortest[to] === from.shortest - 1) return printable(ranges);
      }
    }
    return null;
  }

  /** Characters that lead on, that of `hint` first: some of every range, so that two patterns find what they have in common. */
  hints(from: StateSet): number[] {
    const shortest = this.hint(from);
    const found = new Set<number>(shortest === null ? [] : [shortest]);
    for (const state of from.states) {
      for (const { ranges, to } of this.edges[state]!) {
        if (this.shortest[to] === Number.POSITIVE_INFINITY) continue;
        for (const [low, high] of ranges)
          for (let code = low; code <= Math.min(high, low + someOfRange - 1); code += 1) found.add(code);
        if (found.size >= mostHints) return [...found];
      }
    }
    return [...found];
  }

  private toSet(states: number[]): StateSet | null {
    const live = states
      .filter((state) => this.shortest[state] !== Number.POSITIVE_INFINITY)
      .sort((a, b) => a - b);
    if (live.length === 0) return null;
    const key = live.join(',');
    let set = this.sets.get(key);
    if (!set) {
      set = {
        id: this.sets.size,
        states: live,
        accepts: live.includes(this.final),
        shortest: Math.min(...live.map((state) => this.shortest[state]!)),
        longest: Math.max(...live.map((state) => this.longest[state]!)),
      };
      this.sets.set(key, set);
    }
    return set;
  }

  private closure(states: number[]): number[] {
    const seen = new Set(states);
    const pending = [...states];
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      for (const to of this.empty[state]!) {
        if (!seen.has(to)) {
          seen.add(to);
          pending.push(to);
        }
      }
    }
    return [...seen];
  }

  /** Characters from each state to a match, breadth first from the end: empty moves cost nothing. */
  private distances(): number[] {
    const { empty, edges } = this.reversed();
    const distance = this.edges.map(() => Number.POSITIVE_INFINITY);
    for (let [level, next] = [[this.final], [] as number[]], cost = 0; level.length > 0; cost += 1) {
      for (let state = level.pop(); state !== undefined; state = level.pop()) {
        if (distance[state]! <= cost) continue;
        distance[state] = cost;
        level.push(...empty[state]!);
        next.push(...edges[state]!);
      }
      [level, next] = [next, level];
    }
    return distance;
  }

  /** Peels off states whose ways are all known, from the end; what stays leads into a cycle, which has no limit. */
  private longestDistances(): number[] {
    const { empty, edges } = this.reversed();
    const isLive = (state: number) => this.shortest[state] !== Number.POSITIVE_INFINITY;
    const open = this.edges.map(
      (own, state) =>
        own.filter(({ to }) => isLive(to)).length + this.empty[state]!.filter((to) => isLive(to)).length,
    );
    const distance = this.edges.map((_, state) => (state === this.final ? 0 : Number.NEGATIVE_INFINITY));
    const done = open.flatMap((count, state) => (count === 0 && isLive(state) ? [state] : []));
    const known = new Set<number>();
    for (let state = done.pop(); state !== undefined; state = done.pop()) {
      known.add(state);
      const reach = (from: number, cost: number) => {
        distance[from] = Math.max(distance[from]!, distance[state!]! + cost);
        open[from]! -= 1;
        if (open[from] === 0) done.push(from);
      };
      for (const from of empty[state]!) if (isLive(from)) reach(from, 0);
      for (const from of edges[state]!) if (isLive(from)) reach(from, 1);
    }
    return distance.map((found, state) =>
      !isLive(state) || known.has(state) ? found : Number.POSITIVE_INFINITY,
    );
  }

  /** By state: those that lead to it. */
  private reversed(): { empty: number[][]; edges: number[][] } {
    const [empty, edges] = [this.edges.map((): number[] => []), this.edges.map((): number[] => [])];
    for (const [from, targets] of this.empty.entries()) for (const to of targets) empty[to]!.push(from);
    for (const [from, own] of this.edges.entries()) for (const { to } of own) edges[to]!.push(from);
    return { empty, edges };
  }
}

class Builder {
  private readonly edges: Edge[][];
  private readonly empty: number[][];

  constructor(edges: Edge[][], empty: number[][]) {
    this.edges = edges;
    this.empty = empty;
  }

  state(): number {
    if (this.edges.length >= mostStates) throw new Error('the pattern is too large');
    this.edges.push([]);
    this.empty.push([]);
    return this.edges.length - 1;
  }

  /** The pattern found anywhere: alternatives are anchored each for itself. */
  search(tree: Tree, from: number, to: number): void {
    if (tree.kind === 'choice') {
      for (const part of tree.parts) this.search(part, from, to);
      return;
    }
    const parts = tree.kind === 'sequence' ? [...tree.parts] : [tree];
    const anchoredStart = parts[0]?.kind === 'start';
    const anchoredEnd = parts.at(-1)?.kind === 'end';
    const inner = parts.slice(anchoredStart ? 1 : 0, anchoredEnd ? -1 : undefined);
    const begin = anchoredStart ? from : this.loop(from);
    const end = this.state();
    this.add({ kind: 'sequence', parts: inner }, begin, end);
    this.empty[anchoredEnd ? end : this.loop(end)]!.push(to);
  }

  /** A state after `from` that takes anything, any number of times. */
  private loop(from: number): number {
    const state = this.state();
    this.empty[from]!.push(state);
    this.edges[state]!.push({ ranges: anything, to: state });
    return state;
  }

  private add(tree: Tree, from: number, to: number): void {
    switch (tree.kind) {
      case 'set':
        this.edges[from]!.push({ ranges: tree.ranges, to });
        break;
      case 'sequence':
        this.sequence(tree.parts, from, to);
        break;
      case 'choice':
        for (const part of tree.parts) this.add(part, from, to);
        break;
      case 'repeat':
        this.repeat(tree, from, to);
        break;
      default:
        throw new Error('an anchor inside a pattern is not supported');
    }
  }

  private sequence(parts: Tree[], from: number, to: number): void {
    let at = from;
    for (const [index, part] of parts.entries()) {
      const next = index === parts.length - 1 ? to : this.state();
      this.add(part, at, next);
      at = next;
    }
    if (parts.length === 0) this.empty[from]!.push(to);
  }

  private repeat({ part, least, most }: Extract<Tree, { kind: 'repeat' }>, from: number, to: number): void {
    let at = from;
    for (let copy = 0; copy < least; copy += 1) {
      const next = this.state();
      this.add(part, at, next);
      at = next;
    }
    if (most === null) {
      const hub = this.state();
      this.empty[at]!.push(hub);
      const back = this.state();
      this.add(part, hub, back);
      this.empty[back]!.push(hub);
      this.empty[hub]!.push(to);
      return;
    }
    for (let copy = least; copy < most; copy += 1) {
      this.empty[at]!.push(to);
      const next = this.state();
      this.add(part, at, next);
      at = next;
    }
    this.empty[at]!.push(to);
  }
}

function inRanges(ranges: Ranges, code: number): boolean {
  for (const [low, high] of ranges) if (code >= low && code <= high) return true;
  return false;
}

/** A readable character of the ranges, where they have one. */
function printable(ranges: Ranges): number {
  for (const [low, high] of [
    [97, 122],
    [48, 57],
    [65, 90],
    [32, 33],
    [35, 91],
    [93, 126],
  ] as Ranges) {
    const found = ranges.find((range) => range[0] <= high && range[1] >= low);
    if (found) return Math.max(found[0], low);
  }
  return ranges[0]![0];
}
