/** Assertions on values without parts: type and strings. Each is decided at once on a value of another kind. */
import type { Automaton, StateSet } from '../../regex/automaton.ts';
import type {
  Assertion,
  Event,
  Hints,
  Likeness,
  SchemaState,
  StateInterner,
  ValueKind,
} from '../schema-state.ts';

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

  /** A pattern alone always has a way to its end, and so have limits alone. */
  likeKey(how: Likeness): string | null {
    const { automaton, least, most, name } = this.limits;
    const isLimited = most !== Number.POSITIVE_INFINITY || this.state.length < least;
    return how === 'mask' || (automaton && isLimited) ? null : `string ${least} ${most} ${name} within`;
  }

  step(event: Event, pool: StateInterner): Assertion | SchemaState {
    const { automaton, least } = this.limits;
    if (event.type === 'char') {
      const before = automaton?.work ?? 0;
      const states = automaton && this.state.states ? automaton.move(this.state.states, event.code) : null;
      pool.budget.spend((automaton?.work ?? 0) - before);
      return stringAt(this.limits, { length: this.state.length + 1, states }, pool);
    }
    if (event.type !== 'close') return this;
    return this.state.length >= least && (this.state.states?.accepts ?? true) ? pool.always : pool.never;
  }

  hint({ chars }: Hints): void {
    const { automaton, least } = this.limits;
    const codes = automaton && this.state.states ? automaton.hints(this.state.states) : [];
    for (const code of codes) chars.add(String.fromCodePoint(code));
    if (this.state.length < least) for (const char of 'a0A- ') chars.add(char);
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

export function addAll<T>(target: Set<T>, values: Iterable<T>): void {
  for (const value of values) target.add(value);
}
