/** Assertions on arrays. Each follows the value it belongs to and hands the events inside to its items. */
import { randomInt } from 'node:crypto';
import type {
  Assertion,
  Event,
  Hints,
  Likeness,
  SchemaState,
  StateInterner,
  ValueKind,
} from '../schema-state.ts';
import { type EnumValue, enumAssertion } from './enums.ts';
import type { Start } from './objects.ts';
import { addAll } from './scalars.ts';

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
  /** The scalars that items may be, where a list names them and they must differ. */
  choices: readonly EnumValue[] | null;
}

interface ArrayState {
  count: number;
  matches: number;
  child: SchemaState | null;
  inside: SchemaState | null;
  depth: number;
  /** Canonical texts of the items so far, and what was written of the one under way, where they must differ. */
  seen: Seen;
  log: Log;
}

export function arrayAssertion(rules: ArrayRules): Assertion {
  return {
    key: `array ${rules.name}`,
    step(event, pool) {
      if (event.type !== 'open') return this;
      if (event.kind !== 'array') return pool.always;
      const { contains, containsLeast, containsMost, most } = rules;
      const isHopeless =
        contains && (containsLeast > Math.min(containsMost, most) || contains() === pool.never);
      if (isHopeless && containsLeast > 0) return pool.never;
      return new ArraySoFar(rules, {
        count: 0,
        matches: 0,
        child: null,
        inside: null,
        depth: 0,
        seen: nothingSeen,
        log: emptyLog,
      });
    },
    hint: () => {},
    stringRoom: () => Number.POSITIVE_INFINITY,
    canTake: () => true,
  };
}

/** The next item's state by what was written before: each kind of value that may open asks for it. */
const itemsAfter = new WeakMap<ArrayRules, WeakMap<ArrayState['seen'], SchemaState>>();

const endless = new WeakMap<ArrayRules, boolean>();

/** Items beyond the prefix may be texts without a limit: there is always one more. */
function isEndless(rules: ArrayRules): boolean {
  let known = endless.get(rules);
  if (known === undefined) {
    const opened = rules.items?.().step({ type: 'open', kind: 'string' });
    known = opened?.stringRoom() === Number.POSITIVE_INFINITY && rules.prefix.length === 0;
    endless.set(rules, known);
  }
  return known;
}

class ArraySoFar implements Assertion {
  readonly key: string;
  private readonly rules: ArrayRules;
  private readonly state: ArrayState;

  constructor(rules: ArrayRules, state: ArrayState) {
    this.rules = rules;
    this.state = state;
    this.key = this.keyWith(state.child?.id ?? '', `${state.seen.hash} ${state.log.hash}`);
  }

  private keyWith(child: number | string, written: string): string {
    const { rules } = this;
    const { count, matches, inside, depth } = this.state;
    // Far beyond every limit the count does not matter.
    const limit =
      Math.max(rules.least, rules.prefix.length, rules.most === Number.POSITIVE_INFINITY ? 0 : rules.most) +
      1;
    return `array ${rules.name} at ${Math.min(count, limit)} ${matches} ${child} ${inside?.id ?? ''} ${depth} ${written}`;
  }

  /** Items that can be any text are alike but for one that begins as another was written. */
  likeKey(how: Likeness): string | null {
    const { child, inside, log, seen } = this.state;
    // `contains` is another judge of the same item.
    if (inside && how === 'live') return null;
    const like = child?.likeId(how) ?? '';
    const isFree = this.rules.unique && isEndless(this.rules) && (child ? this.isFresh() : how === 'live');
    if (!isFree && like === (child?.id ?? '')) return null;
    return this.keyWith(like, isFree ? 'fresh' : `${seen.hash} ${log.hash}`);
  }

  /** In a text without a limit that no item before begins like. */
  private isFresh(): boolean {
    const { child, depth, log, seen } = this.state;
    if (depth !== 1 || !log.text.startsWith('"') || child?.stringRoom() !== Number.POSITIVE_INFINITY)
      return false;
    const begun = JSON.stringify(log.text.slice(1).replaceAll(/c(\p{Any})/gu, '$1')).slice(0, -1);
    for (const text of seen.texts) if (text.startsWith(begun)) return false;
    return true;
  }

  step(event: Event, pool: StateInterner): Assertion | SchemaState {
    const { child, depth } = this.state;
    if (!child && event.type === 'close') return this.end(pool);
    if (!child && event.type === 'open') return this.begin(event, pool);
    if (!child) return this;
    const next = child.step(event);
    if (next === pool.never) return pool.never;
    const inside = this.state.inside?.step(event) ?? null;
    const log = this.rules.unique ? logged(this.state.log, event) : this.state.log;
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
    return this.with({ child, inside, depth: 1, log: rules.unique ? logged(emptyLog, event) : emptyLog });
  }

  /** The state of the next item. */
  private item(pool: StateInterner): SchemaState {
    const { rules, state } = this;
    const start = rules.prefix[state.count] ?? rules.items;
    if (!start) return pool.never;
    if (!rules.choices || rules.prefix[state.count]) return start();
    // A choice that was made before cannot be begun again: it could only be ended the same.
    let item = itemsAfter.get(rules)?.get(state.seen);
    if (item === undefined) {
      pool.budget.spend(1 + (rules.choices.length >> 1));
      const left = rules.choices.filter((choice) => !state.seen.texts.has(JSON.stringify(choice)));
      const choice = enumAssertion(left, `${rules.name} without ${state.seen.hash}`);
      item = pool.and([start(), pool.assertion(choice)]);
      if (!itemsAfter.has(rules)) itemsAfter.set(rules, new WeakMap());
      itemsAfter.get(rules)?.set(state.seen, item);
    }
    return item;
  }

  private endItem(isMatch: boolean, log: Log, pool: StateInterner): Assertion | SchemaState {
    const { rules, state } = this;
    const matches = state.matches + (isMatch ? 1 : 0);
    if (rules.contains && matches > rules.containsMost) return pool.never;
    if (rules.contains && rules.containsLeast - matches > rules.most - state.count - 1) return pool.never;
    const text = rules.unique ? canonicalText(log.text) : '';
    if (rules.unique && state.seen.texts.has(text)) return pool.never;
    pool.budget.spend(rules.unique ? 1 + ((text.length + state.seen.texts.size) >> 3) : 0);
    const seen = rules.unique ? seenToo(state.seen, text) : state.seen;
    const counted =
      rules.containsMost === Number.POSITIVE_INFINITY ? Math.min(matches, rules.containsLeast) : matches;
    return this.with({
      count: state.count + 1,
      matches: rules.contains ? counted : 0,
      child: null,
      inside: null,
      depth: 0,
      seen,
      log: emptyLog,
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
    const { contains, containsLeast, items, prefix } = this.rules;
    if (this.state.matches < containsLeast) contains?.().hint(hints);
    (prefix[count] ?? items)?.().hint(hints);
  }

  stringRoom(): number | null {
    const { child, inside } = this.state;
    if (inside) return null;
    const room = child?.stringRoom() ?? null;
    // Without a limit there is always another text; with one, the last of them may have been taken.
    return this.rules.unique && room !== Number.POSITIVE_INFINITY ? null : room;
  }

  canTake(low: number, high: number): boolean {
    return this.state.child?.canTake(low, high) ?? true;
  }

  private with(change: Partial<ArrayState>): ArraySoFar {
    return new ArraySoFar(this.rules, { ...this.state, ...change });
  }
}

/** An item as it was written: a letter for each event, then its character or key. Grown by adding, told apart by hash. */
interface Log {
  text: string;
  hash: string;
}

interface Seen {
  texts: ReadonlySet<string>;
  /** The same for the same texts in any order. */
  hash: string;
}

const emptyLog: Log = { text: '', hash: '' };
const nothingSeen: Seen = { texts: new Set(), hash: '' };

function logged(log: Log, event: Event): Log {
  const added = toLog(event);
  return { text: log.text + added, hash: hashOf(added, log.hash) };
}

const letters: Record<ValueKind, string> = {
  object: '{',
  array: '[',
  string: '"',
  number: '0',
  true: 't',
  false: 'f',
  null: 'n',
};

function toLog(event: Event): string {
  switch (event.type) {
    case 'open':
      return letters[event.kind];
    case 'close':
      return '.';
    case 'char':
      return `c${String.fromCodePoint(event.code)}`;
    case 'digit':
      return `c${event.char}`;
    case 'key':
      return `k${JSON.stringify(event.name)}`;
    default:
      return '';
  }
}

const salt = randomInt(2 ** 31);

/** 106 bits of a text behind what was hashed before; salted, so that nobody can look for two that are alike. */
function hashOf(text: string, before: string): string {
  let [one = salt, two = salt ^ 0x9e3779b9, three = ~salt, four = salt >>> 3] = before
    .split('.')
    .filter(Boolean)
    .map(Number);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ (code + at), 0x85ebca6b) ^ (one >>> 15);
    three = Math.imul(three + code, 0xc2b2ae35) ^ (two >>> 13);
    four = Math.imul(four ^ three, 0x27d4eb2f) + code;
  }
  return `${one}.${two}.${three}.${four}`;
}

function seenToo({ texts, hash }: Seen, text: string): Seen {
  const [before, own] = [hash, hashOf(text, '')].map((each) => each.split('.').map(Number));
  const sum = own!.map((part, index) => (part + (before![index] ?? 0)) | 0);
  return { texts: new Set(texts).add(text), hash: sum.join('.') };
}

/** The value that a log tells, so that equal values have equal text: sorted keys, numbers by value. */
function canonicalText(log: string): string {
  const events = log.matchAll(/c(\p{Any})|k("(?:[^"\\]|\\.)*")|[[{"0tfn.]/gu);
  const next = (): RegExpExecArray | undefined => events.next().value;
  const value = (opened: string): string => {
    if (opened === '{' || opened === '[') return container(opened);
    let text = '';
    for (let event = next(); event && event[0] !== '.'; event = next()) text += event[1] ?? '';
    if (opened === '"') return JSON.stringify(text);
    return opened === '0' ? String(Number(text)) : words[opened]!;
  };
  const container = (opened: string): string => {
    const parts: string[] = [];
    let key = '';
    for (let event = next(); event && event[0] !== '.'; event = next()) {
      if (event[2] === undefined) parts.push(key + value(event[0]));
      else key = `${event[2]}:`;
    }
    return opened === '{' ? `{${parts.sort().join(',')}}` : `[${parts.join(',')}]`;
  };
  return value(next()?.[0] ?? 'n');
}

const words: Record<string, string> = { t: 'true', f: 'false', n: 'null' };
