/**
 * Waiting sequences, fair between owners: next is the owner who has the fewest running, of those the one served least
 * recently; within an owner, first come first served.
 */
import type { Sequence } from './sequence.ts';

interface Owner {
  waiting: Sequence[];
  running: number;
  /** Turn of the last admission. */
  served: number;
}

export class FairQueue {
  readonly #owners = new Map<string, Owner>();
  #turn = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(sequence: Sequence): void {
    this.#owner(sequence.owner).waiting.push(sequence);
    this.#length += 1;
  }

  /** The sequence whose turn it is, of those that are `ready`; it counts as running until `finished`. */
  next(ready: (sequence: Sequence) => boolean): Sequence | null {
    let chosen: Owner | null = null;
    for (const owner of this.#owners.values()) {
      if (!owner.waiting.some(ready)) continue;
      if (!chosen || isBefore(owner, chosen)) chosen = owner;
    }
    if (!chosen) return null;
    const [sequence] = chosen.waiting.splice(chosen.waiting.findIndex(ready), 1);
    chosen.running += 1;
    chosen.served = ++this.#turn;
    this.#length -= 1;
    return sequence!;
  }

  /** A sequence given out by `next` ran to its end. */
  finished(sequence: Sequence): void {
    this.#owner(sequence.owner).running -= 1;
    this.#forget(sequence.owner);
  }

  /** Takes a waiting sequence out. */
  remove(sequence: Sequence): void {
    const { waiting } = this.#owner(sequence.owner);
    const at = waiting.indexOf(sequence);
    if (at >= 0) {
      waiting.splice(at, 1);
      this.#length -= 1;
    }
    this.#forget(sequence.owner);
  }

  #owner(name: string): Owner {
    let owner = this.#owners.get(name);
    if (!owner) {
      owner = { waiting: [], running: 0, served: 0 };
      this.#owners.set(name, owner);
    }
    return owner;
  }

  #forget(name: string): void {
    const owner = this.#owners.get(name);
    if (owner && owner.running === 0 && owner.waiting.length === 0) this.#owners.delete(name);
  }
}

const isBefore = (one: Owner, other: Owner): boolean =>
  one.running < other.running || (one.running === other.running && one.served < other.served);
