/** Assertions on values without parts: type, strings, numbers. Each is decided at once on a value of another kind. */
import type { Automaton, StateSet } from '../regex/automaton.ts';
import type { Assertion, Event, Hints, SchemaState, StateInterner, ValueKind } from './schema-state.ts';

/** `type`: decided when the value opens, but for numbers that must be whole. */
export function typeAssertion(kinds: ReadonlySet<ValueKind>, wholeOnly: boolean): Assertion {
  return {
    key: `type ${[...kinds].sort()} ${wholeOnly}`,
    step(event, pool) {
      if (event.type !== 'open') return this;
      if (!kinds.has(event.kind)) return pool.never;
      return event.kind === 'number' && wholeOnly ? wholeNumber : pool.always;
    },
    hint: (hints) => addAll(hints.kinds, kinds),
    stringRoom: () => Number.POSITIVE_INFINITY,
    canTake: () => true,
  };
}

/** 1.0 and 1e2 are whole too, but only plain digits are let through: nobody misses the others. */
const wholeNumber: Assertion = {
  key: 'whole',
  step(event, pool): Assertion | SchemaState {
    if (event.type === 'digit') return /[.eE]/.test(event.char) ? pool.never : this;
    return event.type === 'close' ? pool.always : this;
  },
  hint: () => {},
  stringRoom: () => null,
  canTake: () => true,
};

export interface StringLimits {
  least: number;
  most: number;
  automaton: Automaton | null;
  /** Names the automaton in state keys. */
  name: string;
}

/** minLength, maxLength, pattern and format of one schema, together: their combination can be a dead end. */
export function stringAssertion(limits: StringLimits): Assertion {
  return {
    key: `string ${limits.least} ${limits.most} ${limits.name}`,
    step(event, pool) {
      if (event.type !== 'open') return this;
      if (event.kind !== 'string') return pool.always;
      return stringAt(limits, { length: 0, states: limits.automaton?.start ?? null }, pool);
    },
    hint: () => {},
    stringRoom: () => null,
    canTake: () => true,
  };
}

interface StringState {
  length: number;
  states: StateSet | null;
}

function stringAt(limits: StringLimits, state: StringState, pool: StateInterner): Assertion | SchemaState {
  const { least, most, automaton } = limits;
  const needed = state.states?.shortest ?? 0;
  const possible = state.states?.longest ?? Number.POSITIVE_INFINITY;
  if (automaton && !state.states) return pool.never;
  if (state.length + needed > most || state.length + possible < least) return pool.never;
  if (!automaton && state.length >= least && most === Number.POSITIVE_INFINITY) return pool.always;
  // Beyond the minimum, and without a maximum, the length no longer matters.
  const length = most === Number.POSITIVE_INFINITY ? Math.min(state.length, least) : state.length;
  return new StringSoFar(limits, { length, states: state.states });
}

class StringSoFar implements Assertion {
  readonly key: string;
  private readonly limits: StringLimits;
  private readonly state: StringState;

  constructor(limits: StringLimits, state: StringState) {
    this.limits = limits;
    this.state = state;
    this.key = `string ${limits.least} ${limits.most} ${limits.name} at ${state.length} ${state.states?.id ?? ''}`;
  }

  step(event: Event, pool: StateInterner): Assertion | SchemaState {
    const { automaton, least } = this.limits;
    if (event.type === 'char') {
      const states = automaton && this.state.states ? automaton.move(this.state.states, event.code) : null;
      return stringAt(this.limits, { length: this.state.length + 1, states }, pool);
    }
    if (event.type !== 'close') return this;
    return this.state.length >= least && (this.state.states?.accepts ?? true) ? pool.always : pool.never;
  }

  hint({ chars }: Hints): void {
    const { automaton, least } = this.limits;
    const code = automaton && this.state.states ? automaton.hint(this.state.states) : null;
    if (code !== null) chars.add(String.fromCodePoint(code));
    else if (this.state.length < least) for (const char of 'a0A- ') chars.add(char);
  }

  stringRoom(): number | null {
    // Below a minimum the closing quote is what matters, and that is always tried by itself.
    return this.limits.automaton ? null : this.limits.most - this.state.length;
  }

  canTake(low: number, high: number): boolean {
    const { automaton, most } = this.limits;
    if (this.state.length >= most) return false;
    return !automaton || !this.state.states || automaton.canTake(this.state.states, low, high);
  }
}

export interface NumberLimits {
  least: number;
  most: number;
  leastExclusive: boolean;
  mostExclusive: boolean;
  multipleOf: number | null;
}

export function numberAssertion(limits: NumberLimits): Assertion {
  return {
    key: `number ${JSON.stringify(Object.values(limits).map(String))}`,
    step(event, pool) {
      if (event.type !== 'open') return this;
      return event.kind === 'number' ? new NumberSoFar(limits, '') : pool.always;
    },
    hint: () => {},
    stringRoom: () => Number.POSITIVE_INFINITY,
    canTake: () => true,
  };
}

/** Digits after the point that a constrained number may have. */
const mostDecimals = 15;

class NumberSoFar implements Assertion {
  readonly key: string;
  private readonly limits: NumberLimits;
  private readonly text: string;

  constructor(limits: NumberLimits, text: string) {
    this.limits = limits;
    this.text = text;
    this.key = `number ${JSON.stringify(Object.values(limits).map(String))} at ${text}`;
  }

  step(event: Event, pool: StateInterner): Assertion | SchemaState {
    if (event.type === 'digit') {
      const text = this.text + event.char;
      return canBecome(text, this.limits) ? new NumberSoFar(this.limits, text) : pool.never;
    }
    if (event.type !== 'close') return this;
    return satisfies(Number(this.text), this.limits) ? pool.always : pool.never;
  }

  hint({ chars }: Hints): void {
    const { least, most, multipleOf } = this.limits;
    const target = nearestAllowed(least, most, multipleOf);
    const text = target === null ? '' : plain(target);
    if (text.startsWith(this.text) && text.length > this.text.length) chars.add(text[this.text.length]!);
    for (const char of '0123456789.-') chars.add(char);
  }

  stringRoom(): number | null {
    return null;
  }

  canTake(): boolean {
    return true;
  }
}

const plain = (value: number): string =>
  value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: mostDecimals });

function nearestAllowed(least: number, most: number, multipleOf: number | null): number | null {
  const start = least > 0 ? least : Math.min(most, 0);
  if (!Number.isFinite(start)) return null;
  if (multipleOf === null) return start;
  return (start < 0 ? Math.floor(start / multipleOf) : Math.ceil(start / multipleOf)) * multipleOf;
}

export function satisfies(value: number, limits: NumberLimits): boolean {
  const { least, most, leastExclusive, mostExclusive, multipleOf } = limits;
  if (!Number.isFinite(value)) return false;
  if (leastExclusive ? value <= least : value < least) return false;
  if (mostExclusive ? value >= most : value > most) return false;
  return multipleOf === null || isMultiple(value, multipleOf);
}

/** In decimal, as people write both: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, unit: number): boolean {
  const quotient = value / unit;
  return (
    Number.isInteger(quotient) ||
    Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient))
  );
}

/** Whether digits can still be added to satisfy the limits. Exponents are left to numbers without any. */
function canBecome(text: string, limits: NumberLimits): boolean {
  if (/[eE]/.test(text)) return false;
  const negative = text.startsWith('-');
  const digits = negative ? text.slice(1) : text;
  const [low, high] = negative ? [-limits.most, -limits.least] : [limits.least, limits.most];
  const exclusive = negative
    ? { low: limits.mostExclusive, high: limits.leastExclusive }
    : { low: limits.leastExclusive, high: limits.mostExclusive };
  const range = {
    low: Math.max(low, 0),
    high,
    lowExclusive: exclusive.low && low >= 0,
    highExclusive: exclusive.high,
  };
  if (high < 0) return false;
  if (digits === '') return true;
  const [whole = '', fraction] = digits.split('.');
  const unit = limits.multipleOf;
  if (fraction !== undefined) {
    if (fraction.length > mostDecimals) return false;
    const width = 10 ** -fraction.length;
    return holds(Number(digits), Number(digits) + width, range, unit);
  }
  // The number itself with any decimals, then one, two, … digits more before the point.
  const value = Number(whole);
  if (holds(value, value + 1, range, unit)) return true;
  if (whole === '0') return false;
  for (let scale = 10; scale <= 1e15; scale *= 10)
    if (holds(value * scale, (value + 1) * scale, range, unit)) return true;
  return false;
}

interface Range {
  low: number;
  high: number;
  lowExclusive: boolean;
  highExclusive: boolean;
}

/** Whether [from, to) and the range share a number that is a multiple of `unit`. */
function holds(from: number, to: number, range: Range, unit: number | null): boolean {
  const start = Math.max(from, range.low);
  if (unit === null) {
    if (start > range.high || start >= to) return start === range.high && start < to && !range.highExclusive;
    return start < range.high || !range.highExclusive;
  }
  let candidate = Math.ceil(start / unit - 1e-9) * unit;
  if (candidate <= start && range.lowExclusive && start === range.low) candidate += unit;
  const beyond = candidate >= to - 1e-12 * Math.max(1, to);
  return (
    !beyond && (range.highExclusive ? candidate < range.high : candidate <= range.high * (1 + 1e-12) + 1e-12)
  );
}

export function addAll<T>(target: Set<T>, values: Iterable<T>): void {
  for (const value of values) target.add(value);
}
