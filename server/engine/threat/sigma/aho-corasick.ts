/**
 * All literals of all rules in one pass over the text (Aho & Corasick 1975). Transitions lie in one open-addressing hash
 * table of (state, character) → state, so memory follows the number of literals, not the alphabet.
 */
export class AhoCorasick {
  readonly #keys: Float64Array;
  readonly #targets: Int32Array;
  readonly #mask: number;
  readonly #fail: Int32Array;
  /** Next state on the failure chain (itself included) that ends a literal; 0 when none. */
  readonly #output: Int32Array;
  readonly #literalOf: Int32Array;
  readonly #rootNext: Int32Array;

  constructor(literals: readonly string[]) {
    const characters = literals.reduce((sum, literal) => sum + literal.length, 0);
    const states = characters + 1;
    let size = 1024;
    while (size < states * 2) size *= 2;
    this.#keys = new Float64Array(size).fill(-1);
    this.#targets = new Int32Array(size);
    this.#mask = size - 1;
    const literalOf = new Int32Array(states).fill(-1);
    const count = this.#insertAll(literals, literalOf);
    this.#literalOf = literalOf.slice(0, count);
    this.#fail = new Int32Array(count);
    this.#output = new Int32Array(count);
    this.#rootNext = new Int32Array(65_536);
    this.#link(count);
  }

  #slot(state: number, code: number): number {
    const key = state * 65_536 + code;
    let slot = (Math.imul(state, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & this.#mask;
    while (this.#keys[slot] !== -1 && this.#keys[slot] !== key) slot = (slot + 1) & this.#mask;
    return slot;
  }

  #insertAll(literals: readonly string[], literalOf: Int32Array): number {
    let count = 1;
    literals.forEach((literal, id) => {
      let state = 0;
      for (let i = 0; i < literal.length; i += 1) {
        const code = literal.charCodeAt(i);
        const slot = this.#slot(state, code);
        if (this.#keys[slot] === -1) {
          this.#keys[slot] = state * 65_536 + code;
          this.#targets[slot] = count;
          count += 1;
        }
        state = this.#targets[slot] as number;
      }
      literalOf[state] = id;
    });
    return count;
  }

  /** Breadth first: a state's parent is numbered before it, but not in level order, so edges are bucketed by state. */
  #link(count: number): void {
    const children: [number, number][][] = Array.from({ length: count }, () => []);
    for (let slot = 0; slot < this.#keys.length; slot += 1) {
      const key = this.#keys[slot] as number;
      if (key >= 0) children[Math.floor(key / 65_536)]?.push([key % 65_536, this.#targets[slot] as number]);
    }
    const queue: number[] = [];
    for (const [code, child] of children[0] ?? []) {
      this.#rootNext[code] = child;
      queue.push(child);
    }
    for (let head = 0; head < queue.length; head += 1) {
      const state = queue[head] as number;
      const fail = this.#fail[state] as number;
      this.#output[state] = this.#literalOf[state] === -1 ? (this.#output[fail] as number) : state;
      for (const [code, child] of children[state] ?? []) {
        this.#fail[child] = this.#step(fail, code);
        queue.push(child);
      }
    }
  }

  #step(from: number, code: number): number {
    let state = from;
    while (state !== 0) {
      const slot = this.#slot(state, code);
      if (this.#keys[slot] !== -1) return this.#targets[slot] as number;
      state = this.#fail[state] as number;
    }
    return this.#rootNext[code] as number;
  }

  /** Calls `found` with the number of each literal at each place it ends. */
  search(text: string, found: (literal: number) => void): void {
    let state = 0;
    for (let i = 0; i < text.length; i += 1) {
      state = this.#step(state, text.charCodeAt(i));
      let output = this.#output[state] as number;
      while (output !== 0) {
        found(this.#literalOf[output] as number);
        output = this.#output[this.#fail[output] as number] as number;
      }
    }
  }
}
