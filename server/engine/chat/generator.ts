/**
 * The engine's loop: `step()` is schedule, run, sample, settle, for as long as there is somebody to serve.
 *
 * Work that can wait until the model is busy again does: a token's text, its stop strings and its events are made while the
 * next step runs (`#deliver`), and so are the masks that step's tokens must keep to. A stop string is therefore noticed
 * one step late, and what that step computed for its sequence is dropped.
 */
import { EngineError } from '../engine.ts';
import type { Vocabulary } from '../grammar/vocabulary.ts';
import type { ModelRun, ModelRunner, RunRow } from './model-runner.ts';
import { type LogProbabilities, logProbabilities } from './sampling/log-probabilities.ts';
import { draftTokens } from './sampling/prompt-lookup.ts';
import { sample } from './sampling/sampler.ts';
import type { KvCache } from './schedule/kv-cache.ts';
import type { Chunk, Scheduler, Step } from './schedule/scheduler.ts';
import type { Sequence } from './schedule/sequence.ts';

type Delivery =
  | { sequence: Sequence; token: number; probabilities: LogProbabilities | null }
  | { sequence: Sequence; reason: 'stop' | 'length' };

export interface GeneratorParts {
  runner: Pick<ModelRunner, 'run' | 'vocabulary'>;
  scheduler: Scheduler;
  cache: KvCache;
  vocabulary: Vocabulary;
  /** Draft by prompt look-up when one sequence runs. */
  speculate: boolean;
}

export class Generator {
  readonly #parts: GeneratorParts;
  /** Waiting and running. */
  readonly #sequences = new Set<Sequence>();
  #deliveries: Delivery[] = [];
  /** Masks of the step that runs, made meanwhile. */
  readonly #masks = new Map<Sequence, Uint32Array | null>();
  #run: { sequences: readonly Sequence[]; controller: AbortController } | null = null;
  #looping: Promise<void> | null = null;
  #closed = false;

  constructor(parts: GeneratorParts) {
    this.#parts = parts;
  }

  add(sequence: Sequence): void {
    if (this.#closed) {
      this.#fail(sequence, closing());
      return;
    }
    this.#sequences.add(sequence);
    this.#parts.scheduler.add(sequence);
    this.#looping ??= this.#loop();
  }

  /** Nobody wants it any more. Its slot is free at the next step; a run that serves nobody else stops where it is. */
  cancel(sequence: Sequence): void {
    sequence.ended = true;
    sequence.closed = true;
    if (this.#run?.sequences.every(({ ended }) => ended)) this.#run.controller.abort();
  }

  /** Resolves when nothing runs any more; what was under way fails. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const sequence of this.#sequences) {
      this.#fail(sequence, closing());
      this.cancel(sequence);
    }
    await this.#looping;
  }

  async #loop(): Promise<void> {
    // Requests that arrive together start together.
    await null;
    for (;;) {
      this.#sweep();
      const step = this.#parts.scheduler.schedule();
      if (step) await this.#step(step);
      else if (this.#deliveries.length > 0) this.#deliver();
      else break;
    }
    this.#looping = null;
  }

  /** Takes out what has ended. */
  #sweep(): void {
    for (const sequence of this.#sequences) {
      if (!sequence.ended) continue;
      this.#sequences.delete(sequence);
      this.#parts.scheduler.remove(sequence);
    }
  }

  async #step({ decode, prefill }: Step): Promise<void> {
    if (decode.length > 0) {
      const draft = this.#draft(decode, prefill);
      await this.#attempt(decode, () =>
        draft.length > 0 ? this.#verify(decode[0]!, draft) : this.#decode(decode),
      );
    }
    for (const chunk of prefill) {
      if (!chunk.sequence.ended) await this.#attempt([chunk.sequence], () => this.#prefill(chunk));
    }
  }

  /** A failed run ends the sequences it was for, and no others. */
  async #attempt(sequences: readonly Sequence[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      for (const sequence of sequences) this.#fail(sequence, error);
    }
  }

  async #prefill({ count, sequence }: Chunk): Promise<void> {
    const { computed } = sequence;
    const tokens = sequence.tokens.slice(computed, computed + count);
    const last = count === sequence.pending;
    // An odd row would go through another kernel (README, "Equal numbers"); what the extra one writes is overwritten.
    const padded = count % 2 === 1 ? [...tokens, 0] : tokens;
    const run = { slot: sequence.slot!, rows: [{ tokens: padded, past: computed }], wanted: [count - 1] };
    const logits = await this.#execute(run, [sequence]);
    if (!logits) return;
    this.#computed(sequence, tokens, true);
    if (last) this.#sample(sequence, logits, 0);
  }

  /** One token for each; rows between them that are not theirs are computed with them and forgotten. */
  async #decode(sequences: readonly Sequence[]): Promise<void> {
    const { first, count } = this.#rowsFor(sequences);
    const bySlot = new Map(sequences.map((sequence) => [sequence.slot!, sequence]));
    const rows: RunRow[] = [];
    for (let slot = first; slot < first + count; slot += 1) {
      const token = bySlot.get(slot)?.tokens.at(-1) ?? 0;
      rows.push({ tokens: [token], past: this.#parts.cache.lengthOf(slot) });
    }
    const wanted = sequences.map((sequence) => sequence.slot! - first);
    if (isPaired(sequences) && wanted.length % 2 === 1) wanted.push(wanted[0]!);
    const logits = await this.#execute({ slot: first, rows, wanted }, sequences);
    if (!logits) return;
    for (const [index, sequence] of sequences.entries()) {
      this.#computed(sequence, [sequence.tokens.at(-1)!], false);
      this.#sample(sequence, logits, index);
    }
  }

  #rowsFor(sequences: readonly Sequence[]): { first: number; count: number } {
    const slots = sequences.map((sequence) => sequence.slot!);
    const first = Math.min(...slots);
    const count = Math.max(...slots) - first + 1;
    if (!isPaired(sequences) || count % 2 === 0) return { first, count };
    const behind = first + count < this.#parts.cache.size;
    return { first: behind ? first : first - 1, count: count + 1 };
  }

  #draft(decode: readonly Sequence[], prefill: readonly Chunk[]): number[] {
    const [sequence] = decode;
    const alone = decode.length === 1 && prefill.length === 0;
    if (!this.#parts.speculate || !sequence || !alone || sequence.batchInvariant) return [];
    const most = Math.min(sequence.draftLength.next(), sequence.left - 1);
    return most > 0 ? draftTokens(sequence.tokens, most) : [];
  }

  /** Runs a draft behind the last token and keeps what would have been sampled without it. */
  async #verify(sequence: Sequence, draft: readonly number[]): Promise<void> {
    const tokens = [sequence.tokens.at(-1)!, ...draft];
    const run = {
      slot: sequence.slot!,
      rows: [{ tokens, past: sequence.computed }],
      wanted: tokens.map((_, place) => place),
    };
    const logits = await this.#execute(run, [sequence]);
    if (!logits) return;
    let accepted = 0;
    for (;;) {
      this.#computed(sequence, [tokens[accepted]!], false);
      const token = this.#sample(sequence, logits, accepted);
      if (sequence.ended || accepted === draft.length || token !== draft[accepted]) break;
      accepted += 1;
    }
    sequence.draftLength.report(draft.length, accepted);
  }

  /** Runs the model, and the previous step's deliveries and this one's masks beside it; null when it was cancelled. */
  async #execute(run: ModelRun, sequences: readonly Sequence[]): Promise<Float32Array | null> {
    const controller = new AbortController();
    this.#run = { sequences, controller };
    const running = this.#parts.runner.run(run, controller.signal);
    running.catch(() => {}); // heard below, after the work beside it
    this.#deliver();
    this.#masks.clear();
    for (const sequence of sequences) this.#prepareMask(sequence);
    try {
      return await running;
    } catch (error) {
      if (controller.signal.aborted) return null;
      throw error;
    } finally {
      this.#run = null;
    }
  }

  #prepareMask(sequence: Sequence): void {
    if (!sequence.mask || sequence.ended) return;
    try {
      this.#masks.set(sequence, sequence.mask.allowed());
    } catch (error) {
      this.#fail(sequence, error);
    }
  }

  #computed(sequence: Sequence, tokens: readonly number[], batchInvariant: boolean): void {
    sequence.computed += tokens.length;
    this.#parts.cache.extend(sequence.slot!, tokens, batchInvariant);
  }

  /** The sequence's next token, from one row of the logits; -1 when it has ended meanwhile. */
  #sample(sequence: Sequence, logits: Float32Array, row: number): number {
    if (sequence.ended) return -1;
    const { vocabulary: width } = this.#parts.runner;
    const own = logits.subarray(row * width, (row + 1) * width);
    try {
      const { counts, sampling, topLogprobs } = sequence;
      const mask = this.#masks.get(sequence) ?? sequence.mask?.allowed() ?? null;
      if (mask?.every((word) => word === 0)) {
        // No token spells what the grammar wants: the answer is cut off here.
        this.#end(sequence, 'length');
        return -1;
      }
      const token = sample(own, sampling, { counts, position: sequence.tokens.length, mask });
      const probabilities = topLogprobs === null ? null : logProbabilities(own, token, topLogprobs);
      this.#settle(sequence, token, probabilities);
      return token;
    } catch (error) {
      this.#fail(sequence, error);
      return -1;
    }
  }

  #settle(sequence: Sequence, token: number, probabilities: LogProbabilities | null): void {
    this.#masks.delete(sequence);
    if (this.#parts.vocabulary.isEnd(token)) {
      this.#end(sequence, 'stop');
      return;
    }
    sequence.append(token);
    sequence.mask?.accept(token);
    this.#deliveries.push({ sequence, token, probabilities });
    if (sequence.left === 0) this.#end(sequence, 'length');
  }

  #end(sequence: Sequence, reason: 'stop' | 'length'): void {
    sequence.ended = true;
    this.#deliveries.push({ sequence, reason });
  }

  #fail(sequence: Sequence, error: unknown): void {
    sequence.ended = true;
    if (sequence.closed) return;
    sequence.closed = true;
    sequence.listener.fail(error);
  }

  /** Hands out what the last step brought. */
  #deliver(): void {
    const deliveries = this.#deliveries;
    this.#deliveries = [];
    for (const delivery of deliveries) {
      const { sequence } = delivery;
      if (sequence.closed) continue;
      try {
        this.#hand(delivery);
      } catch (error) {
        this.#fail(sequence, error);
      }
    }
    if (this.#run?.sequences.every(({ ended }) => ended)) this.#run.controller.abort();
  }

  #hand(delivery: Delivery): void {
    const { sequence } = delivery;
    if ('reason' in delivery) {
      sequence.closed = true;
      sequence.listener.finish(delivery.reason);
    } else if (sequence.listener.token(delivery.token, delivery.probabilities)) {
      sequence.ended = true;
      sequence.closed = true;
      sequence.listener.finish('stop');
    }
  }
}

const closing = () => new EngineError('shutting_down', 'The engine is closing. Try again.');

/** Rows must be even in number, so that each goes through the same kernel with any company. */
const isPaired = (sequences: readonly Sequence[]): boolean =>
  sequences.some((sequence) => sequence.batchInvariant);
