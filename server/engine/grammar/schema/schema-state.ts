/**
 * A schema at work on one value: a formula over assertions that know what they have seen so far.
 *
 * Every event of the value (it opens, a character, a key, it closes) turns a formula into the formula that is left to
 * hold, as Brzozowski's derivatives do for regular expressions. Assertions are three-valued: decided true, decided false, or
 * open. `never` means that no continuation can satisfy the schema, so a character that leads there is not allowed;
 * when the value closes, every assertion decides. anyOf, oneOf, not and if run side by side and fold as they are decided.
 *
 * Formulas are interned: equal ones are one object, so states can be compared and masks cached by identity.
 */

import type { Automaton } from '../regex/automaton.ts';
import { WorkBudget } from '../work-budget.ts';

export type ValueKind = 'object' | 'array' | 'string' | 'number' | 'true' | 'false' | 'null';

export type Event =
  | { type: 'open'; kind: ValueKind }
  /** A character of a string value, as a code point. */
  | { type: 'char'; code: number }
  /** A character of a number. */
  | { type: 'digit'; char: string }
  | { type: 'close' }
  /** A character of an object's key, and its end. */
  | { type: 'keychar'; code: number }
  | { type: 'key'; name: string };

/** Advice of a state on a value under way, for the shortest completion and for fast masks. */
export interface Hints {
  /** Keys worth trying next, required ones first. */
  keys: Set<string>;
  /** Characters worth trying next inside a string or a number. */
  chars: Set<string>;
  /** Kinds of values worth trying. */
  kinds: Set<ValueKind>;
  /** States that were asked already: one can be part of several. */
  asked: Set<SchemaState>;
}

/** States that are alike in one respect, though they differ. */
export type Likeness = 'mask' | 'live';

export interface SchemaState {
  readonly id: number;
  /**
   * Equal for states that allow the same tokens but for those that write a whole value or key, or that can both be satisfied or
   * both not; the `id` where nothing is alike.
   */
  likeId(how: Likeness): number | string;
  step(event: Event): SchemaState;
  hint(hints: Hints): void;
  /** Characters a string may still take; null where characters matter, or more than their number does. */
  stringRoom(): number | null;
  /** Some character of the range may come next in the string or key: a character begins with its first byte. */
  canTake(low: number, high: number): boolean;
}

/** One keyword (or several that belong together) of a schema, as far as it has seen the value. */
export interface Assertion {
  /** The state in words: assertions with equal keys behave alike. */
  readonly key: string;
  /** A key that is equal for states that are alike; null: `key` tells. */
  likeKey?(how: Likeness): string | null;
  /** The next state, or its decision. */
  step(event: Event, pool: StateInterner): Assertion | SchemaState;
  hint(hints: Hints): void;
  stringRoom(): number | null;
  canTake(low: number, high: number): boolean;
}

const unbounded = Number.POSITIVE_INFINITY;

/** States can be made again, as other objects: what is forgotten costs a look-up that finds nothing, no more. */
const mostInterned = 200_000;

export class StateInterner {
  /** Keys that some assertion waits for by name, without being told of their letters. */
  readonly names = new Set<string>();
  /** All keys that some assertion names. */
  readonly known = new Set<string>();
  /** Some object takes only keys of which there may be few: those that are used matter. */
  fewKeys = false;
  readonly budget: WorkBudget;
  /** By pattern: their states are told apart by number, so each is made once. */
  readonly automata = new Map<string, Automaton>();
  private readonly interned = new Map<string, SchemaState>();
  private nextId = 2;

  /** @param budget spent by every state that is made or stepped */
  constructor(budget = new WorkBudget(Number.POSITIVE_INFINITY)) {
    this.budget = budget;
  }

  readonly always: SchemaState = decided(0, Number.POSITIVE_INFINITY);
  readonly never: SchemaState = decided(1, null);

  assertion(assertion: Assertion): SchemaState {
    return this.intern(`a${assertion.key}`, (id) => new AssertionFormula(id, assertion, this));
  }

  and(parts: SchemaState[]): SchemaState {
    if (parts.includes(this.never)) return this.never;
    const open = distinct(
      parts.flatMap((part) => (part instanceof And ? part.parts : [part])),
      this.always,
    );
    if (open.length === 0) return this.always;
    if (hasOpposites(open)) return this.never;
    return open.length === 1 ? open[0]! : this.intern(`&${ids(open)}`, (id) => new And(id, open, this));
  }

  or(parts: SchemaState[]): SchemaState {
    if (parts.includes(this.always)) return this.always;
    const open = distinct(
      parts.flatMap((part) => (part instanceof Or ? part.parts : [part])),
      this.never,
    );
    if (open.length === 0) return this.never;
    if (hasOpposites(open)) return this.always;
    return open.length === 1 ? open[0]! : this.intern(`|${ids(open)}`, (id) => new Or(id, open, this));
  }

  /** Exactly one holds. Equal branches count as often as they stand there. */
  one(parts: SchemaState[]): SchemaState {
    const held = parts.filter((part) => part === this.always).length;
    const open = parts.filter((part) => part !== this.always && part !== this.never);
    if (held > 1) return this.never;
    if (held === 1) return this.and(open.map((part) => this.not(part)));
    if (open.length === 0) return this.never;
    if (open.length === 1) return open[0]!;
    const sorted = [...open].sort((a, b) => a.id - b.id);
    return this.intern(`1${ids(sorted)}`, (id) => new One(id, sorted, this));
  }

  not(part: SchemaState): SchemaState {
    if (part === this.always) return this.never;
    if (part === this.never) return this.always;
    return part instanceof Not ? part.part : this.intern(`!${part.id}`, (id) => new Not(id, [part], this));
  }

  private intern(key: string, make: (id: number) => SchemaState): SchemaState {
    this.budget.spend(1 + (key.length >> 6));
    let formula = this.interned.get(key);
    if (!formula) {
      if (this.interned.size >= mostInterned) this.interned.clear();
      formula = make(this.nextId++);
      this.interned.set(key, formula);
    }
    return formula;
  }
}

const decided = (id: number, room: number | null): SchemaState => {
  const formula: SchemaState = {
    id,
    likeId: () => id,
    step: () => formula,
    hint: () => {},
    stringRoom: () => room,
    canTake: () => room !== null,
  };
  return formula;
};

function distinct(parts: SchemaState[], neutral: SchemaState): SchemaState[] {
  return [...new Set(parts)].filter((part) => part !== neutral).sort((a, b) => a.id - b.id);
}

/** One and its negation: what is left of `if` where neither `then` nor `else` can hold any more. */
function hasOpposites(parts: SchemaState[]): boolean {
  const all = new Set(parts);
  return parts.some((part) => part instanceof Not && all.has(part.part));
}

const ids = (parts: SchemaState[]): string => parts.map((part) => part.id).join(',');

class AssertionFormula implements SchemaState {
  readonly id: number;
  private readonly likeIds: Partial<Record<Likeness, number | string>> = {};
  private readonly assertion: Assertion;
  private readonly pool: StateInterner;

  constructor(id: number, assertion: Assertion, pool: StateInterner) {
    this.id = id;
    this.assertion = assertion;
    this.pool = pool;
  }

  likeId(how: Likeness): number | string {
    this.likeIds[how] ??= this.assertion.likeKey?.(how) ?? this.id;
    return this.likeIds[how];
  }

  step(event: Event): SchemaState {
    this.pool.budget.spend(1);
    const next = this.assertion.step(event, this.pool);
    if (next === this.assertion) return this;
    return 'key' in next ? this.pool.assertion(next) : next;
  }

  hint(hints: Hints): void {
    this.assertion.hint(hints);
  }

  stringRoom(): number | null {
    return this.assertion.stringRoom();
  }

  canTake(low: number, high: number): boolean {
    return this.assertion.canTake(low, high);
  }
}

/**
 * States of several parts. What one tells is kept until it is asked of something else: where branches share parts, as `$ref`s
 * let them, an event would otherwise be taken twice as often at every level.
 */
abstract class Composite implements SchemaState {
  readonly id: number;
  readonly parts: SchemaState[];
  protected readonly pool: StateInterner;
  private readonly likeIds: Partial<Record<Likeness, number | string>> = {};
  private lastEvent: Event | null = null;
  private lastNext: SchemaState | null = null;
  private lastRange: [low: number, high: number, can: boolean] | null = null;
  private room: number | null | undefined;

  constructor(id: number, parts: SchemaState[], pool: StateInterner) {
    this.id = id;
    this.parts = parts;
    this.pool = pool;
  }

  likeId(how: Likeness): number | string {
    this.likeIds[how] ??= this.findLike(how);
    return this.likeIds[how];
  }

  private findLike(how: Likeness): number | string {
    const own = this.parts.map((part) => part.likeId(how));
    const alike = own.filter((id, index) => id !== this.parts[index]!.id).length;
    // Parts that each have an end need not have one in common, nor does one that must not hold: the others must not care.
    const isTold =
      how === 'mask' ||
      (alike === 1 &&
        this.isJoint &&
        this.parts.every((part, index) => own[index] !== part.id || part.stringRoom() === unbounded));
    if (alike === 0 || !isTold) return this.id;
    const like = `${this.constructor.name}(${own.join(',')})`;
    this.pool.budget.spend(1 + (like.length >> 6));
    return like;
  }

  /** All parts must hold. */
  protected readonly isJoint: boolean = false;

  protected abstract after(event: Event): SchemaState;
  protected abstract findRoom(): number | null;
  protected abstract takes(low: number, high: number): boolean;

  step(event: Event): SchemaState {
    if (this.lastEvent !== event || !this.lastNext) {
      this.pool.budget.spend(this.parts.length);
      this.lastNext = this.after(event);
      this.lastEvent = event;
    }
    return this.lastNext;
  }

  hint(hints: Hints): void {
    if (hints.asked.has(this)) return;
    hints.asked.add(this);
    for (const part of this.parts) part.hint(hints);
  }

  stringRoom(): number | null {
    if (this.room === undefined) this.room = this.findRoom();
    return this.room;
  }

  canTake(low: number, high: number): boolean {
    if (this.lastRange?.[0] !== low || this.lastRange[1] !== high) {
      this.pool.budget.spend(this.parts.length);
      this.lastRange = [low, high, this.takes(low, high)];
    }
    return this.lastRange[2];
  }
}

class And extends Composite {
  protected override readonly isJoint = true;

  protected override after(event: Event): SchemaState {
    const next: SchemaState[] = [];
    let changed = false;
    for (const part of this.parts) {
      const after = part.step(event);
      if (after === this.pool.never) return after;
      changed ||= after !== part;
      next.push(after);
    }
    return changed ? this.pool.and(next) : this;
  }

  protected override findRoom(): number | null {
    let least: number | null = Number.POSITIVE_INFINITY;
    for (const part of this.parts) {
      const room = part.stringRoom();
      if (room === null) return null;
      least = Math.min(least, room);
    }
    return least;
  }

  protected override takes(low: number, high: number): boolean {
    return this.parts.every((part) => part.canTake(low, high));
  }
}

/** Branches that run side by side; how they join is the subclass's. */
abstract class Branches extends Composite {
  protected abstract join(parts: SchemaState[]): SchemaState;

  protected override after(event: Event): SchemaState {
    const next = this.parts.map((part) => part.step(event));
    return next.every((after, index) => after === this.parts[index]) ? this : this.join(next);
  }

  protected override findRoom(): null {
    return null;
  }

  protected override takes(low: number, high: number): boolean {
    return this.parts.some((part) => part.canTake(low, high));
  }
}

class Or extends Branches {
  protected override join(parts: SchemaState[]): SchemaState {
    return this.pool.or(parts);
  }
}

class One extends Branches {
  protected override join(parts: SchemaState[]): SchemaState {
    return this.pool.one(parts);
  }
}

class Not extends Composite {
  get part(): SchemaState {
    return this.parts[0]!;
  }

  protected override after(event: Event): SchemaState {
    const next = this.part.step(event);
    return next === this.part ? this : this.pool.not(next);
  }

  /** Nothing: what a branch that must not hold would like to see is no good advice. */
  override hint(): void {}

  protected override findRoom(): null {
    return null;
  }

  protected override takes(): boolean {
    return true;
  }
}
