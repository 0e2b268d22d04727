import type { Random } from './random.ts';

/** Working-day times in order: each call is a little later, unevenly, as people and jobs are. */
export class Clock {
  #ms = Date.UTC(2025, 2, 4, 8, 0, 0);
  readonly #random: Random;
  constructor(random: Random) {
    this.#random = random;
  }

  #tick(): Date {
    this.#ms += this.#random.int(400, 95_000);
    return new Date(this.#ms);
  }

  iso = () => this.#tick().toISOString();

  sysmon = () => this.#tick().toISOString().replace('T', ' ').replace('Z', '');

  bsd(): string {
    const date = this.#tick();
    return `${date.toUTCString().slice(8, 11)} ${String(date.getUTCDate()).padStart(2)} ${date.toISOString().slice(11, 19)}`;
  }

  clf(): string {
    const date = this.#tick();
    const [, day, month, year] = date.toUTCString().split(' ');
    return `${day}/${month}/${year}:${date.toISOString().slice(11, 19)} +0000`;
  }

  epoch = () => (this.#tick().getTime() / 1000).toFixed(6);
}
