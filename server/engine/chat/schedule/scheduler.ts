/** Decides who runs next and with how many tokens. Owns the queues and the slots' bookkeeping, and no tensors. */
import { FairQueue } from './fair-queue.ts';
import type { KvCache } from './kv-cache.ts';
import type { Sequence } from './sequence.ts';

export interface Chunk {
  sequence: Sequence;
  /** Tokens of it to compute, from `computed` on. */
  count: number;
}

/** The work of one step. */
export interface Step {
  /** One token each, in one run. */
  decode: Sequence[];
  /** Parts of prompts, a run each: the attention operator takes several new tokens of one row only. */
  prefill: Chunk[];
}

export interface SchedulerOptions {
  /** Prompt tokens a step computes when no sequence waits for its next token, and when some do. Even numbers. */
  stepTokens: number;
  sharedStepTokens: number;
}

export class Scheduler {
  readonly #cache: KvCache;
  readonly #options: SchedulerOptions;
  readonly #waiting = new FairQueue();
  /** In order of admission. */
  readonly #running: Sequence[] = [];

  constructor(cache: KvCache, options: SchedulerOptions) {
    this.#cache = cache;
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get running(): number {
    return this.#running.length;
  }

  add(sequence: Sequence): void {
    this.#waiting.add(sequence);
  }

  /** Takes a sequence out, wherever it is; its slot keeps what it holds. */
  remove(sequence: Sequence): void {
    const at = this.#running.indexOf(sequence);
    if (at < 0) {
      this.#waiting.remove(sequence);
      return;
    }
    this.#running.splice(at, 1);
    this.#cache.release(sequence.slot!);
    sequence.slot = null;
    this.#waiting.finished(sequence);
  }

  /**
   * Admits what fits, then gives every decoding sequence its one token and what is left of the budget to prompts, the
   * longest admitted first. Decodes never wait: a long prompt costs the others a chunk's time a step, not a prompt's.
   * Chunks are even (the kernels take rows in pairs) except a prompt's last.
   */
  schedule(): Step | null {
    this.#admit();
    const decode = this.#running.filter((sequence) => sequence.decoding);
    this.#closeGaps(decode);
    let budget = decode.length > 0 ? this.#options.sharedStepTokens : this.#options.stepTokens;
    const prefill: Chunk[] = [];
    for (const sequence of this.#running) {
      // Nothing is pending while a sampled row waits for its mask.
      if (sequence.decoding || sequence.pending === 0 || budget <= 0) continue;
      const count = Math.min(sequence.pending, budget);
      prefill.push({ sequence, count });
      budget -= count + (count % 2);
    }
    return decode.length + prefill.length > 0 ? { decode, prefill } : null;
  }

  #admit(): void {
    while (this.#cache.hasFree) {
      const sequence = this.#waiting.next(isReady);
      if (!sequence) return;
      const acquired = this.#cache.acquire(sequence.tokens, sequence.batchInvariant)!;
      sequence.slot = acquired.slot;
      sequence.computed = acquired.computed;
      this.#running.push(sequence);
    }
  }

  /**
   * Decoding sequences are one tensor over neighbouring slots, and an idle slot between them would be computed for
   * nothing at every step: the highest moves into it, once.
   */
  #closeGaps(decode: readonly Sequence[]): void {
    if (decode.length < 2) return;
    const slots = () => decode.map((sequence) => sequence.slot!);
    for (;;) {
      const highest = Math.max(...slots());
      let gap = Math.min(...slots());
      while (gap < highest && this.#cache.isBusy(gap)) gap += 1;
      if (gap >= highest) return;
      this.#cache.swap(highest, gap);
      decode.find((sequence) => sequence.slot === highest)!.slot = gap;
    }
  }
}

/** A further choice waits until the first has computed the prompt they share. */
function isReady({ leader }: Sequence): boolean {
  return leader === null || leader.ended || leader.computed >= leader.promptLength;
}
