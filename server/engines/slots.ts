/**
 * Places at engines: no engine gets more requests at once than its record says, and requests that find all their engines full wait
 * for the first place that comes free, first come first served, no more and no longer than they may.
 */
import type { EngineTarget } from './target.ts';

type Place = Pick<EngineTarget, 'name' | 'concurrency'>;

interface Waiting {
  names: ReadonlySet<string>;
  give: (name: string) => void;
}

export interface WaitOptions {
  signal: AbortSignal;
  ms: number;
}

/** Of all services together. */
export const mostWaiting = 1_000;

export class EngineSlots {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  get waiting(): number {
    return this.#waiting.size;
  }

  /** The first that has a place free, now taken; undefined where all are full. */
  take<T extends Place>(targets: readonly T[]): T | undefined {
    const free = targets.find(({ name, concurrency }) => (this.#taken.get(name) ?? 0) < concurrency);
    if (free) this.#taken.set(free.name, (this.#taken.get(free.name) ?? 0) + 1);
    return free;
  }

  /** The target whose place came free, now taken; undefined after `ms`, or where too many wait. @throws the signal's reason */
  async wait<T extends Place>(targets: readonly T[], { signal, ms }: WaitOptions): Promise<T | undefined> {
    signal.throwIfAborted();
    if (ms <= 0 || this.#waiting.size >= mostWaiting) return undefined;
    const given = Promise.withResolvers<string | undefined>();
    const waiting: Waiting = { names: new Set(targets.map(({ name }) => name)), give: given.resolve };
    // Out of the queue at once: a place given to who has gone would be lost.
    const leave = () => {
      this.#waiting.delete(waiting);
      given.reject(signal.reason);
    };
    const timer = setTimeout(() => {
      this.#waiting.delete(waiting);
      given.resolve(undefined);
    }, ms);
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.add(waiting);
    try {
      const name = await given.promise;
      return targets.find((target) => target.name === name);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
  }

  /** Gives a place back, to the one who has waited for it the longest. */
  leave(name: string): void {
    for (const waiting of this.#waiting) {
      if (!waiting.names.has(name)) continue;
      this.#waiting.delete(waiting);
      waiting.give(name);
      return;
    }
    const left = (this.#taken.get(name) ?? 1) - 1;
    if (left > 0) this.#taken.set(name, left);
    else this.#taken.delete(name);
  }
}
