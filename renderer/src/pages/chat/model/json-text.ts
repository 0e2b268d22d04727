/** JSON as a person types it: the line and column of a mistake, and the line of every value for mistakes found later. */

export interface TextProblem {
  /** From 1. */
  line: number;
  column: number;
  message: string;
}

export interface JsonDocument {
  value: unknown;
  /** JSON pointer (RFC 6901) → where its value, or the key before it, begins. */
  places: Map<string, Omit<TextProblem, 'message'>>;
}

export type JsonReading = { document: JsonDocument } | { problem: TextProblem };

export const toPointer = (path: readonly (string | number)[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const mostDepth = 200;

/** @returns the value and its places, or the first mistake */
export function readJsonText(text: string): JsonReading {
  const reader = new Reader(text);
  try {
    return { document: { value: reader.readDocument(), places: reader.places } };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    return { problem: { ...reader.placeOf(error.at), message: error.message } };
  }
}

class Mistake extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const scalar = /"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

class Reader {
  readonly places: JsonDocument['places'] = new Map();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  placeOf(at: number): Omit<TextProblem, 'message'> {
    const before = this.#text.slice(0, at).split('\n');
    return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }

  readDocument(): unknown {
    const value = this.#readValue([]);
    if (this.#peek() !== '') this.#fail('Nothing may follow the value');
    return value;
  }

  #readValue(path: (string | number)[]): unknown {
    const next = this.#peek();
    if (path.length > mostDepth) this.#fail('It is nested too deeply');
    if (!this.places.has(toPointer(path))) this.places.set(toPointer(path), this.placeOf(this.#at));
    if (next === '{') return this.#readObject(path);
    if (next === '[') return this.#readArray(path);
    return this.#readScalar(next === '' ? 'The text ends too early' : 'A value is expected here');
  }

  #readObject(path: (string | number)[]): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    this.#take('{');
    while (this.#peek() !== '}') {
      if (entries.size > 0) this.#take(',');
      const at = this.#skip();
      if (this.#peek() !== '"') this.#fail('A key in double quotes is expected here');
      const key = this.#readScalar('The key is not complete') as string;
      if (entries.has(key)) throw new Mistake(`The key ${JSON.stringify(key)} appears twice`, at);
      this.places.set(toPointer([...path, key]), this.placeOf(at));
      this.#take(':');
      entries.set(key, this.#readValue([...path, key]));
    }
    this.#take('}');
    return Object.fromEntries(entries);
  }

  #readArray(path: (string | number)[]): unknown[] {
    const items: unknown[] = [];
    this.#take('[');
    while (this.#peek() !== ']') {
      if (items.length > 0) this.#take(',');
      items.push(this.#readValue([...path, items.length]));
    }
    this.#take(']');
    return items;
  }

  #readScalar(otherwise: string): unknown {
    scalar.lastIndex = this.#skip();
    const found = scalar.exec(this.#text)?.[0];
    if (found === undefined) return this.#fail(otherwise);
    const at = this.#at;
    this.#at += found.length;
    try {
      return JSON.parse(found);
    } catch {
      throw new Mistake('A character or escape in this text is not allowed', at);
    }
  }

  #skip(): number {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
    return this.#at;
  }

  #peek(): string {
    return this.#text[this.#skip()] ?? '';
  }

  #take(sign: string): void {
    if (this.#peek() !== sign) this.#fail(`“${sign}” is expected here`);
    this.#at += 1;
  }

  #fail(message: string): never {
    throw new Mistake(message, this.#skip());
  }
}
