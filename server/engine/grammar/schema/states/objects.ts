/** Assertions on objects. Each follows the value it belongs to and hands the events inside to its parts. */
import type { Automaton, StateSet } from '../../regex/automaton.ts';
import type { Assertion, Event, Hints, Likeness, SchemaState, StateInterner } from '../schema-state.ts';
import { addAll } from './scalars.ts';

/**
 * A part of a schema, made into a state when a value begins: recursion unfolds as deep as the text does. `never` where no
 * value at all can satisfy it.
 */
export type Start = () => SchemaState;

export interface ObjectRules {
  name: string;
  properties: ReadonlyMap<string, Start>;
  patterns: readonly { automaton: Automaton; start: Start }[];
  /** For keys that neither name; null: not allowed. */
  additional: Start | null;
  /** Keys that the same schema requires. */
  required: readonly string[];
  /** The schema of keys, as string values. */
  propertyNames: Start | null;
}

interface ObjectState {
  used: readonly string[];
  /** The key under way. */
  key: string | null;
  patterns: readonly (StateSet | null)[];
  keyFormula: SchemaState | null;
  /** The value under way and how deep inside it we are. */
  child: SchemaState | null;
  depth: number;
}

export function objectAssertion(rules: ObjectRules): Assertion {
  return {
    key: `object ${rules.name}`,
    step(event, pool) {
      if (event.type !== 'open') return this;
      if (event.kind !== 'object') return pool.always;
      const { names } = findLive(rules, pool);
      const isDead = (name: string) => rules.properties.has(name) && !names.includes(name);
      if (rules.required.some(isDead)) return pool.never;
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

/** The rules without what can never be: a property whose value cannot be written is not one to begin. */
interface LiveRules {
  names: readonly string[];
  additional: Start | null;
}

const liveRules = new WeakMap<ObjectRules, LiveRules>();

/** Found out when an object begins: the schema is compiled whole by then. Objects inside may ask for their own meanwhile. */
function findLive(rules: ObjectRules, pool: StateInterner): LiveRules {
  const known = liveRules.get(rules);
  if (known) return known;
  const { additional } = rules;
  const found: LiveRules = {
    names: [...rules.properties].filter(([, start]) => start() !== pool.never).map(([name]) => name),
    additional: additional && additional() !== pool.never ? additional : null,
  };
  liveRules.set(rules, found);
  return found;
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
    this.key = this.keyWith(state.child?.id ?? '');
  }

  private keyWith(child: number | string): string {
    const { used, key, patterns, depth, keyFormula } = this.state;
    return `object ${this.rules.name} at ${JSON.stringify(used)} ${JSON.stringify(key)} ${patterns.map((set) => set?.id)} ${keyFormula?.id ?? ''} ${child} ${depth}`;
  }

  likeKey(how: Likeness): string | null {
    const { child } = this.state;
    const like = child?.likeId(how);
    return like === undefined || like === child!.id ? null : this.keyWith(like);
  }

  private get live(): LiveRules {
    return liveRules.get(this.rules)!;
  }

  step(event: Event, pool: StateInterner): Assertion | SchemaState {
    const { child, depth } = this.state;
    if (child) return this.stepChild(event, { child, depth }, pool);
    if (event.type === 'keychar') return this.stepKey(event.code, pool);
    if (event.type === 'key') return this.endKey(event.name, pool);
    return event.type === 'close' ? pool.always : this;
  }

  private stepChild(
    event: Event,
    at: { child: SchemaState; depth: number },
    pool: StateInterner,
  ): Assertion | SchemaState {
    const next = at.child.step(event);
    if (next === pool.never) return pool.never;
    const depth = at.depth + (event.type === 'open' ? 1 : event.type === 'close' ? -1 : 0);
    if (depth === 0) return this.with({ child: null, depth: 0 });
    return next === at.child && depth === at.depth ? this : this.with({ child: next, depth });
  }

  private stepKey(code: number, pool: StateInterner): Assertion | SchemaState {
    const { rules, state } = this;
    const text = state.key === unnamed ? unnamed : (state.key ?? '') + String.fromCodePoint(code);
    const key = text !== unnamed && this.live.names.some((name) => name.startsWith(text)) ? text : unnamed;
    const before =
      state.key === null ? rules.patterns.map(({ automaton }) => automaton.start) : state.patterns;
    const patterns = before.map((states, index) =>
      states ? rules.patterns[index]!.automaton.move(states, code) : null,
    );
    const keyFormula = this.keyFormula()?.step({ type: 'char', code }) ?? null;
    if (keyFormula === pool.never) return pool.never;
    const isOpen = this.live.additional !== null || patterns.some((states) => states !== null);
    if (!isOpen && !this.isPrefix(key)) return pool.never;
    return this.with({ key, patterns, keyFormula });
  }

  private keyFormula(): SchemaState | null {
    if (this.state.keyFormula) return this.state.keyFormula;
    return this.rules.propertyNames?.().step({ type: 'open', kind: 'string' }) ?? null;
  }

  /** Some property that is not there yet begins so. */
  private isPrefix(key: string): boolean {
    for (const name of this.live.names) {
      if (name.startsWith(key) && !this.state.used.includes(name)) return true;
    }
    return false;
  }

  private endKey(name: string, pool: StateInterner): Assertion | SchemaState {
    const { rules, state } = this;
    const keyFormula = this.keyFormula();
    if (keyFormula && keyFormula.step({ type: 'close' }) === pool.never) return pool.never;
    const parts: SchemaState[] = [];
    const own = rules.properties.get(name);
    if (own) parts.push(own());
    const patterns =
      state.key === null ? rules.patterns.map(({ automaton }) => automaton.start) : state.patterns;
    for (const [index, states] of patterns.entries())
      if (states?.accepts) parts.push(rules.patterns[index]!.start());
    if (parts.length === 0) {
      if (!this.live.additional) return pool.never;
      parts.push(this.live.additional());
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
    for (const name of this.live.names) if (!used.includes(name)) hints.keys.add(name);
    this.keyFormula()?.hint(hints);
    for (const { automaton } of this.rules.patterns) {
      const example = shortestMatch(automaton);
      if (example !== null) hints.keys.add(example);
    }
  }

  stringRoom(): number | null {
    if (this.state.child) return this.state.child.stringRoom();
    const { patterns, propertyNames } = this.rules;
    const isFree = this.live.additional !== null && !propertyNames && patterns.length === 0;
    return isFree ? Number.POSITIVE_INFINITY : null;
  }

  canTake(low: number, high: number): boolean {
    const { child, key, patterns } = this.state;
    if (child) return child.canTake(low, high);
    if (!(this.keyFormula()?.canTake(low, high) ?? true)) return false;
    if (this.live.additional !== null) return true;
    const states = key === null ? this.rules.patterns.map(({ automaton }) => automaton.start) : patterns;
    if (states.some((set, index) => set && this.rules.patterns[index]!.automaton.canTake(set, low, high)))
      return true;
    const at = key ?? '';
    return this.live.names.some((name) => {
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

  step(event: Event, pool: StateInterner): Assertion | SchemaState {
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
