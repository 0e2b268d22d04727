/** A token bucket that refills continuously. Time comes in as Unix milliseconds, so tests hold the clock. */
export class TokenBucket {
  #level: number;
  #filledAt: number;
  #capacity: number;

  constructor(perMinute: number, nowMs: number) {
    this.#capacity = perMinute;
    this.#level = perMinute;
    this.#filledAt = nowMs;
  }

  /** Brings the level up to date; a changed limit keeps what was used. */
  refill(perMinute: number, nowMs: number): void {
    // A clock that was set back refills nothing until it has caught up.
    const elapsedMs = Math.max(0, nowMs - this.#filledAt);
    const used = this.#capacity - this.#level;
    this.#capacity = perMinute;
    this.#level = Math.min(perMinute, perMinute - used + (elapsedMs * perMinute) / 60_000);
    this.#filledAt = nowMs;
  }

  /** May go below zero: what a request used is only known when it is done. */
  take(amount: number): void {
    this.#level -= amount;
  }

  get capacity(): number {
    return this.#capacity;
  }

  get remaining(): number {
    return Math.max(0, Math.floor(this.#level));
  }

  /** Milliseconds until `amount` are there. */
  waitFor(amount: number): number {
    return Math.max(0, Math.ceil(((amount - this.#level) * 60_000) / this.#capacity));
  }

  /** Milliseconds until it is full. */
  get resetMs(): number {
    return this.waitFor(this.#capacity);
  }
}
