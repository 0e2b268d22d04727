/** A bound on the work of one request's grammar, counted in steps so that it does not depend on the machine. */

/** More work than a schema is worth. */
export class WorkExceeded extends Error {
  constructor() {
    super('the schema takes more work than a request may ask for');
    this.name = 'WorkExceeded';
  }
}

export class WorkBudget {
  #left: number;

  /** @param units steps of schema states, or as much of other work; about a microsecond each */
  constructor(units: number) {
    this.#left = units;
  }

  /** @throws WorkExceeded when more was spent than there was */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new WorkExceeded();
  }

  get left(): number {
    return this.#left;
  }

  /** Adds `units`, up to `most` in all. */
  refill(units: number, most: number): void {
    this.#left = Math.min(Math.max(this.#left, 0) + units, Math.max(most, this.#left));
  }
}
