/** Scalars of `enum` and `const` as one assertion: a sorted list, narrowed by what has been written. */
import type {
  Assertion,
  Event,
  Hints,
  Likeness,
  SchemaState,
  StateInterner,
  ValueKind,
} from '../schema-state.ts';

export type EnumValue = string | number | boolean | null;

export const isScalar = (value: unknown): value is EnumValue => value === null || typeof value !== 'object';

/** Characters offered as ways on, where there are many. */
const mostHints = 64;

/** @param name tells this list from others; equal names mean equal lists */
export function enumAssertion(values: readonly EnumValue[], name: string): Assertion {
  const texts: Partial<Record<ValueKind, string[]>> = {};
  for (const value of new Set(values)) {
    const kind = kindOf(value);
    texts[kind] ??= [];
    texts[kind].push(typeof value === 'string' ? value : JSON.stringify(value));
  }
  for (const list of Object.values(texts)) list.sort();
  return {
    key: `enum ${name}`,
    step(event, pool) {
      if (event.type !== 'open') return this;
      const list = texts[event.kind];
      if (!list) return pool.never;
      if (event.kind !== 'string' && event.kind !== 'number') return pool.always;
      return new EnumSoFar({ name: `${name} ${event.kind}`, texts: list }, '', [0, list.length]);
    },
    hint(hints) {
      for (const kind of Object.keys(texts)) hints.kinds.add(kind as ValueKind);
    },
    stringRoom: () => null,
    canTake: () => true,
  };
}

function kindOf(value: EnumValue): ValueKind {
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' ? 'number' : (String(value) as ValueKind);
}

interface Listed {
  name: string;
  /** Sorted by UTF-16 units: those that begin alike stand together. */
  texts: readonly string[];
}

class EnumSoFar implements Assertion {
  readonly key: string;
  private readonly listed: Listed;
  private readonly text: string;
  /** Those that begin with `text`: from, and before. */
  private readonly range: readonly [from: number, to: number];

  constructor(listed: Listed, text: string, range: readonly [number, number]) {
    this.listed = listed;
    this.text = text;
    this.range = range;
    this.key = `enum ${listed.name} at ${JSON.stringify(text)}`;
  }

  /** A beginning of one of the list can become that one. */
  likeKey(how: Likeness): string | null {
    return how === 'live' ? `enum ${this.listed.name} within` : null;
  }

  step(event: Event, pool: StateInterner): Assertion | SchemaState {
    if (event.type === 'char') return this.narrow(String.fromCodePoint(event.code), pool);
    if (event.type === 'digit') return this.narrow(event.char, pool);
    if (event.type !== 'close') return this;
    return this.listed.texts[this.range[0]] === this.text ? pool.always : pool.never;
  }

  private narrow(char: string, pool: StateInterner): Assertion | SchemaState {
    const text = this.text + char;
    const range = this.beginningWith(text);
    return range[0] === range[1] ? pool.never : new EnumSoFar(this.listed, text, range);
  }

  private beginningWith(text: string): [from: number, to: number] {
    const from = this.search((each) => each < text);
    return [from, this.search((each) => each < text || each.startsWith(text))];
  }

  /** First place of the range that is not `before`. */
  private search(before: (text: string) => boolean): number {
    let [low, high] = this.range;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (before(this.listed.texts[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Each character that goes on, once. */
  private *next(): Generator<string> {
    let [at] = this.range;
    if (this.listed.texts[at] === this.text) at += 1;
    while (at < this.range[1]) {
      const char = String.fromCodePoint(this.listed.texts[at]!.codePointAt(this.text.length)!);
      yield char;
      [, at] = this.beginningWith(this.text + char);
    }
  }

  hint({ chars }: Hints): void {
    for (const char of this.next()) {
      if (chars.size >= mostHints) return;
      chars.add(char);
    }
  }

  stringRoom(): null {
    return null;
  }

  canTake(low: number, high: number): boolean {
    for (const char of this.next()) {
      const code = char.codePointAt(0)!;
      if (code >= low && code <= high) return true;
    }
    return false;
  }
}
