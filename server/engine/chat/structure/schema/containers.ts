/** Assertions on objects and arrays. Each follows the value it belongs to and hands the events inside to its parts. */
import type { Automaton, StateSet } from '../regex/automaton.ts';
import type { Assertion, Event, Formula, Hints, Pool } from './formula.ts';
import { addAll } from './scalars.ts';

/** A part of a schema, made into a formula when a value begins: recursion unfolds as deep as the text does. */
export type Start = () => Formula;

export interface ObjectRules {
  name: string;
  properties: ReadonlyMap<string, Start>;
  patterns: readonly { automaton: Automaton; start: Start }[];
  /** For keys that neither name; null: not allowed. */
  additional: Start | null;
  /** What keys must be, as string values. */
  propertyNames: Start | null;
}

interface ObjectState {
  used: readonly string[];
  /** The key under way. */
  key: string | null;
  patterns: readonly (StateSet | null)[];
  keyFormula: Formula | null;
  /** The value under way and how deep inside it we are. */
  child: Formula | null;
  depth: number;
}

export function objectAssertion(rules: ObjectRules): Assertion {
  return {
    key: `object ${rules.name}`,
    step(event, pool) {
      if (event.type !== 'open') return this;
      if (event.kind !== 'object') return pool.always;
      return new ObjectSoFar(rules, {
        used: [],
        key: null,
        patterns: [],
        keyFormula: null,
        child: null,
        depth: 0,
      });
    },
    hint: () => {},
    stringRoom: () => Number.POSITIVE_INFINITY,
    canTake: () => true,
  };
}

/** Stands for every key that no property begins with: which one it is no longer matters. */
const unnamed = '\uffff';

class ObjectSoFar implements Assertion {
  readonly key: string;
  private readonly rules: ObjectRules;
  private readonly state: ObjectState;

  constructor(rules: ObjectRules, state: ObjectState) {
    this.rules = rules;
    this.state = state;
    const { used, key, patterns, child, depth, keyFormula } = state;
    this.key = `object ${rules.name} at ${JSON.stringify(used)} ${JSON.stringify(key)} ${patterns.map((set) => set?.id)} ${keyFormula?.id ?? ''} ${child?.id ?? ''} ${depth}`;
  }

  step(event: Event, pool: Pool): Assertion | Formula {
    const { child, depth } = this.state;
    if (child) return this.stepChild(event, { child, depth }, pool);
    if (event.type === 'keychar') return this.stepKey(event.code, pool);
    if (event.type === 'key') return this.endKey(event.name, pool);
    return event.type === 'close' ? pool.always : this;
  }

  private stepChild(event: Event, at: { child: Formula; depth: number }, pool: Pool): Assertion | Formula {
    const next = at.child.step(event);
    if (next === pool.never) return pool.never;
    const depth = at.depth + (event.type === 'open' ? 1 : event.type === 'close' ? -1 : 0);
    if (depth === 0) return this.with({ child: null, depth: 0 });
    return next === at.child && depth === at.depth ? this : this.with({ child: next, depth });
  }

  private stepKey(code: number, pool: Pool): Assertion | Formula {
    const { rules, state } = this;
    const text = state.key === unnamed ? unnamed : (state.key ?? '') + String.fromCodePoint(code);
    const key =
      text !== unnamed && [...rules.properties.keys()].some((name) => name.startsWith(text)) ? text : unnamed;
    const before =
      state.key === null ? rules.patterns.map(({ automaton }) => automaton.start) : state.patterns;
    const patterns = before.map((states, index) =>
      states ? rules.patterns[index]!.automaton.move(states, code) : null,
    );
    const keyFormula = this.keyFormula()?.step({ type: 'char', code }) ?? null;
    if (keyFormula === pool.never) return pool.never;
    const isOpen = rules.additional !== null || patterns.some((states) => states !== null);
    if (!isOpen && !this.isPrefix(key)) return pool.never;
    return this.with({ key, patterns, keyFormula });
  }

  private keyFormula(): Formula | null {
    if (this.state.keyFormula) return this.state.keyFormula;
    return this.rules.propertyNames?.().step({ type: 'open', kind: 'string' }) ?? null;
  }

  /** Some property that is not there yet begins so. */
  private isPrefix(key: string): boolean {
    for (const name of this.rules.properties.keys()) {
      if (name.startsWith(key) && !this.state.used.includes(name)) return true;
    }
    return false;
  }

  private endKey(name: string, pool: Pool): Assertion | Formula {
    const { rules, state } = this;
    const keyFormula = this.keyFormula();
    if (keyFormula && keyFormula.step({ type: 'close' }) === pool.never) return pool.never;
    const parts: Formula[] = [];
    const own = rules.properties.get(name);
    if (own) parts.push(own());
    const patterns =
      state.key === null ? rules.patterns.map(({ automaton }) => automaton.start) : state.patterns;
    for (const [index, states] of patterns.entries())
      if (states?.accepts) parts.push(rules.patterns[index]!.start());
    if (parts.length === 0) {
      if (!rules.additional) return pool.never;
      parts.push(rules.additional());
    }
    const child = pool.and(parts);
    if (child === pool.never) return pool.never;
    // Only names that could come up again matter later.
    const used = rules.properties.has(name) ? [...state.used, name].sort() : state.used;
    return this.with({ used, key: null, patterns: [], keyFormula: null, child, depth: 0 });
  }

  hint(hints: Hints): void {
    const { child, used } = this.state;
    if (child) {
      child.hint(hints);
      return;
    }
    for (const name of this.rules.properties.keys()) if (!used.includes(name)) hints.keys.add(name);
    for (const { automaton } of this.rules.patterns) {
      const example = shortestMatch(automaton);
      if (example !== null) hints.keys.add(example);
    }
  }

  stringRoom(): number | null {
    if (this.state.child) return this.state.child.stringRoom();
    return this.rules.additional !== null && !this.rules.propertyNames ? Number.POSITIVE_INFINITY : null;
  }

  canTake(low: number, high: number): boolean {
    const { child, key, patterns } = this.state;
    if (child) return child.canTake(low, high);
    if (!(this.keyFormula()?.canTake(low, high) ?? true)) return false;
    if (this.rules.additional !== null) return true;
    const states = key === null ? this.rules.patterns.map(({ automaton }) => automaton.start) : patterns;
    if (states.some((set, index) => set && this.rules.patterns[index]!.automaton.canTake(set, low, high)))
      return true;
    const at = key ?? '';
    return [...this.rules.properties.keys()].some((name) => {
      const code =
        name.startsWith(at) && !this.state.used.includes(name) ? name.codePointAt(at.length) : undefined;
      return code !== undefined && code >= low && code <= high;
    });
  }

  private with(change: Partial<ObjectState>): ObjectSoFar {
    return new ObjectSoFar(this.rules, { ...this.state, ...change });
  }
}

function shortestMatch(automaton: Automaton): string | null {
  let states = automaton.start;
  let text = '';
  while (states && states.shortest > 0 && text.length < 200) {
    const code = automaton.hint(states);
    if (code === null) return null;
    text += String.fromCodePoint(code);
    states = automaton.move(states, code);
  }
  return states ? text : null;
}

export interface KeyRules {
  required: readonly string[];
  least: number;
  most: number;
}

/** required, minProperties and maxProperties: decided true as soon as they hold and cannot be broken. */
export function keysAssertion(rules: KeyRules): Assertion {
  const name = JSON.stringify(rules);
  return {
    key: `keys ${name}`,
    step(event, pool) {
      if (event.type !== 'open') return this;
      return event.kind === 'object'
        ? new KeysSoFar(rules, name, { missing: rules.required, count: 0, depth: 1 })
        : pool.always;
    },
    hint: () => {},
    stringRoom: () => Number.POSITIVE_INFINITY,
    canTake: () => true,
  };
}

interface KeysState {
  missing: readonly string[];
  count: number;
  depth: number;
}

class KeysSoFar implements Assertion {
  readonly key: string;
  private readonly rules: KeyRules;
  private readonly name: string;
  private readonly state: KeysState;

  constructor(rules: KeyRules, name: string, state: KeysState) {
    this.rules = rules;
    this.name = name;
    this.state = state;
    this.key = `keys ${name} at ${JSON.stringify(state.missing)} ${state.count} ${state.depth}`;
  }

  step(event: Event, pool: Pool): Assertion | Formula {
    const { missing, count, depth } = this.state;
    if (event.type === 'open') return this.with({ depth: depth + 1 });
    if (event.type === 'close') {
      if (depth > 1) return this.with({ depth: depth - 1 });
      return missing.length === 0 && count >= this.rules.least ? pool.always : pool.never;
    }
    if (event.type !== 'key' || depth !== 1) return this;
    const left = missing.filter((name) => name !== event.name);
    const { least, most } = this.rules;
    if (count + 1 + left.length > most) return pool.never;
    if (left.length === 0 && count + 1 >= least && most === Number.POSITIVE_INFINITY) return pool.always;
    const counted = most === Number.POSITIVE_INFINITY ? Math.min(count + 1, least) : count + 1;
    return this.with({ missing: left, count: counted });
  }

  hint({ keys }: Hints): void {
    if (this.state.depth !== 1) return;
    const known = [...keys];
    keys.clear();
    addAll(keys, this.state.missing);
    addAll(keys, known);
    if (this.state.count < this.rules.least)
      addAll(
        keys,
        ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((letter) => `${letter}${this.state.count}`),
      );
  }

  stringRoom(): number | null {
    return Number.POSITIVE_INFINITY;
  }

  /** Between keys and inside one: whether there may be one more. */
  canTake(): boolean {
    return this.state.depth > 1 || this.state.count < this.rules.most;
  }

  private with(change: Partial<KeysState>): KeysSoFar {
    return new KeysSoFar(this.rules, this.name, { ...this.state, ...change });
  }
}

export interface ArrayRules {
  name: string;
  prefix: readonly Start[];
  /** For items beyond the prefix; null: not allowed. */
  items: Start | null;
  contains: Start | null;
  containsLeast: number;
  containsMost: number;
  least: number;
  most: number;
  unique: boolean;
  /** The values that items may have, by canonical text, where they are few and must differ. */
  choices: ReadonlyMap<string, Start> | null;
}

interface ArrayState {
  count: number;
  matches: number;
  child: Formula | null;
  inside: Formula | null;
  depth: number;
  /** Canonical texts of the items so far, and the events of the one under way, where they must differ. */
  seen: readonly string[];
  log: readonly Event[];
}

export function arrayAssertion(rules: ArrayRules): Assertion {
  return {
    key: `array ${rules.name}`,
    step(event, pool) {
      if (event.type !== 'open') return this;
      if (event.kind !== 'array') return pool.always;
      return new ArraySoFar(rules, {
        count: 0,
        matches: 0,
        child: null,
        inside: null,
        depth: 0,
        seen: [],
        log: [],
      });
    },
    hint: () => {},
    stringRoom: () => Number.POSITIVE_INFINITY,
    canTake: () => true,
  };
}

class ArraySoFar implements Assertion {
  readonly key: string;
  private readonly rules: ArrayRules;
  private readonly state: ArrayState;

  constructor(rules: ArrayRules, state: ArrayState) {
    this.rules = rules;
    this.state = state;
    const { count, matches, child, inside, depth, seen, log } = state;
    // Far beyond every limit the count does not matter.
    const limit =
      Math.max(rules.least, rules.prefix.length, rules.most === Number.POSITIVE_INFINITY ? 0 : rules.most) +
      1;
    this.key = `array ${rules.name} at ${Math.min(count, limit)} ${matches} ${child?.id ?? ''} ${inside?.id ?? ''} ${depth} ${JSON.stringify(seen)} ${JSON.stringify(log)}`;
  }

  step(event: Event, pool: Pool): Assertion | Formula {
    const { child, depth } = this.state;
    if (!child && event.type === 'close') return this.end(pool);
    if (!child && event.type === 'open') return this.begin(event, pool);
    if (!child) return this;
    const next = child.step(event);
    if (next === pool.never) return pool.never;
    const inside = this.state.inside?.step(event) ?? null;
    const log = this.rules.unique ? [...this.state.log, event] : this.state.log;
    const after = depth + (event.type === 'open' ? 1 : event.type === 'close' ? -1 : 0);
    if (after === 0) return this.endItem(inside === pool.always, log, pool);
    return next === child && inside === this.state.inside && after === depth && log === this.state.log
      ? this
      : this.with({ child: next, inside, depth: after, log });
  }

  private begin(event: Event, pool: Pool): Assertion | Formula {
    const { rules, state } = this;
    if (state.count >= rules.most) return pool.never;
    const child = this.item(pool).step(event);
    if (child === pool.never) return pool.never;
    const inside = rules.contains?.().step(event) ?? null;
    return this.with({ child, inside, depth: 1, log: rules.unique ? [event] : [] });
  }

  /** What the next item must be. */
  private item(pool: Pool): Formula {
    const { rules, state } = this;
    const start = rules.prefix[state.count] ?? rules.items;
    if (!start) return pool.never;
    if (!rules.choices || rules.prefix[state.count]) return start();
    // A choice that was made before cannot be begun again: it could only be ended the same.
    const left = [...rules.choices].filter(([text]) => !state.seen.includes(text));
    return pool.or(left.map(([, choice]) => choice()));
  }

  private endItem(isMatch: boolean, log: readonly Event[], pool: Pool): Assertion | Formula {
    const { rules, state } = this;
    const matches = state.matches + (isMatch ? 1 : 0);
    if (rules.contains && matches > rules.containsMost) return pool.never;
    const text = rules.unique ? canonicalText(log) : '';
    if (rules.unique && state.seen.includes(text)) return pool.never;
    const seen = rules.unique ? [...state.seen, text].sort() : state.seen;
    const counted =
      rules.containsMost === Number.POSITIVE_INFINITY ? Math.min(matches, rules.containsLeast) : matches;
    return this.with({
      count: state.count + 1,
      matches: rules.contains ? counted : 0,
      child: null,
      inside: null,
      depth: 0,
      seen,
      log: [],
    });
  }

  private end(pool: Pool): Formula {
    const { rules, state } = this;
    const enough = state.count >= rules.least && (!rules.contains || state.matches >= rules.containsLeast);
    return enough ? pool.always : pool.never;
  }

  hint(hints: Hints): void {
    const { child, inside, count } = this.state;
    if (child) {
      child.hint(hints);
      inside?.hint(hints);
      // Items must differ: letters and digits make them so.
      if (this.rules.unique) addAll(hints.chars, `${count}abcdefghij123456789`);
      return;
    }
    (this.rules.prefix[count] ?? this.rules.items)?.().hint(hints);
  }

  stringRoom(): number | null {
    const { child, inside } = this.state;
    if (this.rules.unique || inside) return null;
    return child?.stringRoom() ?? null;
  }

  canTake(low: number, high: number): boolean {
    return this.state.child?.canTake(low, high) ?? true;
  }

  private with(change: Partial<ArrayState>): ArraySoFar {
    return new ArraySoFar(this.rules, { ...this.state, ...change });
  }
}

/** The value that the events tell, so that equal values have equal text: sorted keys, numbers by value. */
function canonicalText(events: readonly Event[]): string {
  let at = 0;
  const value = (): string => {
    const opened = events[at++];
    const kind = opened?.type === 'open' ? opened.kind : 'null';
    if (kind === 'object' || kind === 'array') return container(kind);
    let text = '';
    for (let event = events[at++]; event && event.type !== 'close'; event = events[at++]) {
      if (event.type === 'char') text += String.fromCodePoint(event.code);
      else if (event.type === 'digit') text += event.char;
    }
    return kind === 'string' ? JSON.stringify(text) : kind === 'number' ? String(Number(text)) : kind;
  };
  const container = (kind: 'object' | 'array'): string => {
    const parts: string[] = [];
    let key = '';
    for (let event = events[at]; event && event.type !== 'close'; event = events[at]) {
      if (event.type === 'open') parts.push(key + value());
      else {
        if (event.type === 'key') key = `${JSON.stringify(event.name)}:`;
        at += 1;
      }
    }
    at += 1;
    return kind === 'object' ? `{${parts.sort().join(',')}}` : `[${parts.join(',')}]`;
  };
  return value();
}
