/**
 * The engine's loop: `step()` is schedule, run, sample, settle, for as long as there is somebody to serve.
 *
 * Work that can wait until the model is busy again does: a token's text, its stop strings and its events are made while the
 * next step runs (`#deliver`), and so are the masks that step's tokens must keep to. A stop string is therefore noticed
 * one step late, and what that step computed for its sequence is dropped.
 */
import { EngineError } from '../engine.ts';
import type { Vocabulary } from '../grammar/vocabulary.ts';
import type { ModelRun, ModelRunner, RunRow } from './runners/model-runner.ts';
import { type LogProbabilities, logProbabilities } from './sampling/log-probabilities.ts';
import { draftTokens } from './sampling/prompt-lookup.ts';
import { sample } from './sampling/sampler.ts';
import type { KvCache } from './schedule/kv-cache.ts';
import type { Chunk, Scheduler } from './schedule/scheduler.ts';
import type { Sequence } from './schedule/sequence.ts';

type Delivery =
  | { sequence: Sequence; token: number; probabilities: LogProbabilities | null }
  | { sequence: Sequence; reason: 'stop' | 'length' };

/** One run of the model, and whose tokens it computes. */
interface Run {
  model: ModelRun;
  feeds: Feed[];
}

interface Feed {
  sequence: Sequence;
  /** Tokens of it that are computed. */
  tokens: readonly number[];
  /** Row of the logits to sample from; null: the prompt goes on. */
  row: number | null;
  isPrompt?: boolean;
  /** All but the first of `tokens` are a guess, with a row of logits each. */
  isDraft?: boolean;
}

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
  #running: { sequences: readonly Sequence[]; controller: AbortController } | null = null;
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
    if (this.#running?.sequences.every(({ ended }) => ended)) this.#running.controller.abort();
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
    while (await this.step());
    this.#looping = null;
  }

  /** One turn of the model for everybody who is due. False: there is nothing left to do. */
  async step(): Promise<boolean> {
    const schedule = this.#schedule();
    if (!schedule && this.#deliveries.length === 0) return false;
    if (!schedule) this.#deliver();
    for (const due of schedule ?? []) {
      if (due.feeds.every(({ sequence }) => sequence.ended)) continue;
      try {
        const logits = await this.#run(due);
        if (logits) for (const feed of due.feeds) this.#sampleAll(feed, logits);
      } catch (error) {
        // A failed run ends the sequences it was for, and no others.
        for (const { sequence } of due.feeds) this.#fail(sequence, error);
      }
    }
    return true;
  }

  /** The runs that are due: decoding sequences together, or one with its draft; then parts of prompts, one by one. */
  #schedule(): Run[] | null {
    this.#sweep();
    const step = this.#parts.scheduler.schedule();
    if (!step) return null;
    const { decode, prefill } = step;
    const runs = prefill.map((chunk) => this.#prefill(chunk));
    if (decode.length === 0) return runs;
    const draft = this.#draft(decode, prefill);
    return [draft.length > 0 ? this.#verify(decode[0]!, draft) : this.#decode(decode), ...runs];
  }

  /** Takes out what has ended. */
  #sweep(): void {
    for (const sequence of this.#sequences) {
      if (!sequence.ended) continue;
      this.#sequences.delete(sequence);
      this.#parts.scheduler.remove(sequence);
    }
  }

  #prefill({ count, sequence }: Chunk): Run {
    const { computed } = sequence;
    const tokens = sequence.tokens.slice(computed, computed + count);
    // An odd row would go through another kernel (README, "Equal numbers"); what the extra one writes is overwritten.
    const padded = count % 2 === 1 ? [...tokens, 0] : tokens;
    return {
      model: { slot: sequence.slot!, rows: [{ tokens: padded, past: computed }], wanted: [count - 1] },
      feeds: [{ sequence, tokens, row: count === sequence.pending ? 0 : null, isPrompt: true }],
    };
  }

  /** One token for each; rows between them that are not theirs are computed with them and forgotten. */
  #decode(sequences: readonly Sequence[]): Run {
    const { first, count } = this.#rowsFor(sequences);
    const bySlot = new Map(sequences.map((sequence) => [sequence.slot!, sequence]));
    const rows: RunRow[] = [];
    for (let slot = first; slot < first + count; slot += 1) {
      const token = bySlot.get(slot)?.tokens.at(-1) ?? 0;
      rows.push({ tokens: [token], past: this.#parts.cache.lengthOf(slot) });
    }
    const wanted = sequences.map((sequence) => sequence.slot! - first);
    if (isPaired(sequences) && wanted.length % 2 === 1) wanted.push(wanted[0]!);
    return {
      model: { slot: first, rows, wanted },
      feeds: sequences.map((sequence, row) => ({ sequence, tokens: sequence.tokens.slice(-1), row })),
    };
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

  /** A draft behind the last token: what would have been sampled without it is kept. */
  #verify(sequence: Sequence, draft: readonly number[]): Run {
    const tokens = [sequence.tokens.at(-1)!, ...draft];
    const wanted = tokens.map((_, place) => place);
    return {
      model: { slot: sequence.slot!, rows: [{ tokens, past: sequence.computed }], wanted },
      feeds: [{ sequence, tokens, row: 0, isDraft: true }],
    };
  }

  /** Runs the model, and the previous step's deliveries and this one's masks beside it; null when it was cancelled. */
  async #run({ feeds, model }: Run): Promise<Float32Array | null> {
    const controller = new AbortController();
    const sequences = feeds.map(({ sequence }) => sequence);
    this.#running = { sequences, controller };
    const running = this.#parts.runner.run(model, controller.signal);
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
      this.#running = null;
    }
  }

  /** Takes note of what was computed, then samples: once, or as long as a draft says what is sampled anyway. */
  #sampleAll({ isDraft = false, isPrompt = false, row, sequence, tokens }: Feed, logits: Float32Array): void {
    if (!isDraft) {
      this.#computed(sequence, tokens, isPrompt);
      if (row !== null) this.#sample(sequence, logits, row);
      return;
    }
    let accepted = 0;
    for (;;) {
      this.#computed(sequence, [tokens[accepted]!], false);
      const token = this.#sample(sequence, logits, accepted);
      if (sequence.ended || token !== tokens[accepted + 1]) break;
      accepted += 1;
    }
    sequence.draftLength.report(tokens.length - 1, accepted);
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
    if (this.#running?.sequences.every(({ ended }) => ended)) this.#running.controller.abort();
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
