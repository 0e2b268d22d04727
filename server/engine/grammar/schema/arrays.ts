/** Assertions on arrays. Each follows the value it belongs to and hands the events inside to its items. */

import type { Start } from './objects.ts';
import { addAll } from './scalars.ts';
import type { Assertion, Event, Hints, SchemaState, StateInterner } from './schema-state.ts';

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
  child: SchemaState | null;
  inside: SchemaState | null;
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

  step(event: Event, pool: StateInterner): Assertion | SchemaState {
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

  private begin(event: Event, pool: StateInterner): Assertion | SchemaState {
    const { rules, state } = this;
    if (state.count >= rules.most) return pool.never;
    const child = this.item(pool).step(event);
    if (child === pool.never) return pool.never;
    const inside = rules.contains?.().step(event) ?? null;
    return this.with({ child, inside, depth: 1, log: rules.unique ? [event] : [] });
  }

  /** What the next item must be. */
  private item(pool: StateInterner): SchemaState {
    const { rules, state } = this;
    const start = rules.prefix[state.count] ?? rules.items;
    if (!start) return pool.never;
    if (!rules.choices || rules.prefix[state.count]) return start();
    // A choice that was made before cannot be begun again: it could only be ended the same.
    const left = [...rules.choices].filter(([text]) => !state.seen.includes(text));
    return pool.or(left.map(([, choice]) => choice()));
  }

  private endItem(isMatch: boolean, log: readonly Event[], pool: StateInterner): Assertion | SchemaState {
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

  private end(pool: StateInterner): SchemaState {
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
