/**
 * All literals of all rules in one pass over the text (Aho & Corasick 1975). Transitions lie in one open-addressing hash
 * table of (state, character class) → state, so memory follows the number of literals, not the alphabet. Characters that no
 * literal holds share class 0 and lead back to the start.
 */
const CLASSES = 256;

export class AhoCorasick {
  readonly #classOf = new Uint8Array(65_536);
  readonly #keys: Int32Array;
  readonly #targets: Int32Array;
  readonly #mask: number;
  readonly #fail: Int32Array;
  /** The nearest state on the failure chain, itself included, that ends a literal; 0 when none. */
  readonly #output: Int32Array;
  readonly #literalOf: Int32Array;
  readonly #rootNext = new Int32Array(CLASSES);
  /** Literals that share all their classes with another one, by the state both end in. */
  readonly #twins = new Map<number, number[]>();

  constructor(literals: readonly string[]) {
    const states = literals.reduce((sum, literal) => sum + literal.length, 1);
    let size = 1024;
    while (size < states * 2) size *= 2;
    this.#keys = new Int32Array(size).fill(-1);
    this.#targets = new Int32Array(size);
    this.#mask = size - 1;
    const literalOf = new Int32Array(states).fill(-1);
    const count = this.#insertAll(literals, literalOf);
    this.#literalOf = literalOf.slice(0, count);
    this.#fail = new Int32Array(count);
    this.#output = new Int32Array(count);
    this.#link(count);
  }

  #slot(key: number): number {
    let slot = Math.imul(key, 0x9e3779b1) >>> 0;
    slot = (slot ^ (slot >>> 15)) & this.#mask;
    while (this.#keys[slot] !== -1 && this.#keys[slot] !== key) slot = (slot + 1) & this.#mask;
    return slot;
  }

  /** Past 255 different characters the rest share the last class: more candidates, never a missed one. */
  #classFor(code: number, used: { classes: number }): number {
    if (this.#classOf[code] === 0) {
      if (used.classes < CLASSES - 1) used.classes += 1;
      this.#classOf[code] = used.classes;
    }
    return this.#classOf[code] as number;
  }

  #insertAll(literals: readonly string[], literalOf: Int32Array): number {
    const used = { classes: 0 };
    let count = 1;
    for (const [id, literal] of literals.entries()) {
      let state = 0;
      for (let i = 0; i < literal.length; i += 1) {
        const key = state * CLASSES + this.#classFor(literal.charCodeAt(i), used);
        const slot = this.#slot(key);
        if (this.#keys[slot] === -1) {
          this.#keys[slot] = key;
          this.#targets[slot] = count;
          count += 1;
        }
        state = this.#targets[slot] as number;
      }
      if (literalOf[state] === -1) literalOf[state] = id;
      else this.#twins.set(state, [...(this.#twins.get(state) ?? []), id]);
    }
    return count;
  }

  /** Failure links, breadth first; edges are bucketed by the state they leave. */
  #link(count: number): void {
    const children: [symbol: number, state: number][][] = Array.from({ length: count }, () => []);
    for (let slot = 0; slot < this.#keys.length; slot += 1) {
      const key = this.#keys[slot] as number;
      if (key >= 0) children[Math.floor(key / CLASSES)]?.push([key % CLASSES, this.#targets[slot] as number]);
    }
    const queue: number[] = [];
    for (const [symbol, child] of children[0] ?? []) {
      this.#rootNext[symbol] = child;
      queue.push(child);
    }
    for (let head = 0; head < queue.length; head += 1) {
      const state = queue[head] as number;
      const fail = this.#fail[state] as number;
      this.#output[state] = this.#literalOf[state] === -1 ? (this.#output[fail] as number) : state;
      for (const [symbol, child] of children[state] ?? []) {
        this.#fail[child] = this.#step(fail, symbol);
        queue.push(child);
      }
    }
  }

  #step(from: number, symbol: number): number {
    let state = from;
    while (state !== 0) {
      const slot = this.#slot(state * CLASSES + symbol);
      if (this.#keys[slot] !== -1) return this.#targets[slot] as number;
      state = this.#fail[state] as number;
    }
    return this.#rootNext[symbol] as number;
  }

  /** Calls `found` with the number of each literal at each place it ends. */
  search(text: string, found: (literal: number) => void): void {
    let state = 0;
    for (let i = 0; i < text.length; i += 1) {
      const symbol = this.#classOf[text.charCodeAt(i)] as number;
      state = symbol === 0 ? 0 : this.#step(state, symbol);
      let output = this.#output[state] as number;
      while (output !== 0) {
        found(this.#literalOf[output] as number);
        if (this.#twins.size > 0) this.#twins.get(output)?.forEach(found);
        output = this.#output[this.#fail[output] as number] as number;
      }
    }
  }
}
