/**
 * Keeps account of the tokens whose keys and values lie in each slot, and of who uses it. The numbers themselves are a KvStore's.
 *
 * A slot keeps its tokens when its sequence ends. A new sequence takes over the longest common prefix it finds in any
 * slot, busy ones included: in place where the rest of an idle slot is worth little, by copying otherwise. So a chat turn
 * computes its new text only, and the choices of a request or clients with one system prompt compute that once.
 */
export interface KvStore {
  /** The first `length` positions of one slot become those of another. */
  copy(from: number, to: number, length: number): void;
  /** Exchanges two slots' first positions. */
  swap(one: number, other: number, lengths: { one: number; other: number }): void;
}

interface Slot {
  tokens: number[];
  /** Leading tokens that were computed by prefill, not by decoding: README, "Equal numbers". */
  batchInvariant: number;
  busy: boolean;
  /** Turn of the last use. */
  used: number;
}

export interface Acquired {
  slot: number;
  /** Leading tokens that need not be computed. */
  computed: number;
}

/** Below this a copy costs more thought than it saves work. */
const worthCopying = 16;

export class KvCache {
  readonly #slots: Slot[];
  readonly #store: KvStore;
  #turn = 0;

  constructor(slots: number, store: KvStore) {
    this.#slots = Array.from({ length: slots }, () => ({
      tokens: [],
      batchInvariant: 0,
      busy: false,
      used: 0,
    }));
    this.#store = store;
  }

  get size(): number {
    return this.#slots.length;
  }

  /** Positions of a slot that hold something. */
  lengthOf(slot: number): number {
    return this.#slots[slot]!.tokens.length;
  }

  isBusy(slot: number): boolean {
    return this.#slots[slot]!.busy;
  }

  get hasFree(): boolean {
    return this.#slots.some((slot) => !slot.busy);
  }

  /** A slot for `tokens`, with as long a prefix of them as is known; the last token is always left to compute. */
  acquire(tokens: readonly number[], batchInvariant: boolean): Acquired | null {
    const free = this.#slots.flatMap((slot, index) => (slot.busy ? [] : [index]));
    if (free.length === 0) return null;
    const common = this.#slots.map((slot) => {
      const known = batchInvariant ? slot.batchInvariant : slot.tokens.length;
      return commonPrefix(slot.tokens, tokens, Math.min(known, tokens.length - 1));
    });
    const longest = common.indexOf(Math.max(...common));
    const slot = this.#choose(free, longest, common);
    let computed = common[slot]!;
    if (slot !== longest && common[longest]! >= computed + worthCopying) {
      computed = common[longest]!;
      this.#store.copy(longest, slot, computed);
      const source = this.#slots[longest]!;
      this.#slots[slot]!.tokens = source.tokens.slice(0, computed);
      this.#slots[slot]!.batchInvariant = Math.min(source.batchInvariant, computed);
    }
    this.truncate(slot, computed);
    this.#slots[slot]!.busy = true;
    this.#touch(slot);
    return { slot, computed };
  }

  /** `tokens` were computed behind what the slot holds. */
  extend(slot: number, tokens: readonly number[], batchInvariant: boolean): void {
    const { tokens: held, batchInvariant: known } = this.#slots[slot]!;
    const wasInvariant = known === held.length;
    for (const token of tokens) held.push(token);
    if (batchInvariant && wasInvariant) this.#slots[slot]!.batchInvariant = held.length;
  }

  /** Forgets what lies behind `length`. */
  truncate(slot: number, length: number): void {
    const held = this.#slots[slot]!;
    if (held.tokens.length > length) held.tokens.length = length;
    held.batchInvariant = Math.min(held.batchInvariant, length);
  }

  /** The sequence is gone; its tokens stay for the next. */
  release(slot: number): void {
    this.#slots[slot]!.busy = false;
    this.#touch(slot);
  }

  swap(one: number, other: number): void {
    const lengths = { one: this.lengthOf(one), other: this.lengthOf(other) };
    this.#store.swap(one, other, lengths);
    const held = this.#slots[one]!;
    this.#slots[one] = this.#slots[other]!;
    this.#slots[other] = held;
  }

  /** The slot of the longest prefix when little else would be lost, else an empty one, else the one unused for longest. */
  #choose(free: number[], longest: number, common: readonly number[]): number {
    const { busy, tokens } = this.#slots[longest]!;
    if (!busy && common[longest]! > 0 && common[longest]! * 2 >= tokens.length) return longest;
    const empty = free.find((index) => this.#slots[index]!.tokens.length === 0);
    return empty ?? free.reduce((a, b) => (this.#slots[b]!.used < this.#slots[a]!.used ? b : a));
  }

  #touch(slot: number): void {
    this.#slots[slot]!.used = ++this.#turn;
  }
}

function commonPrefix(one: readonly number[], other: readonly number[], limit: number): number {
  let length = 0;
  while (length < limit && one[length] === other[length]) length += 1;
  return length;
}
