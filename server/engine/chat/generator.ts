/**
 * The engine's loop: `step()` is schedule, run, sample, settle, for as long as there is somebody to serve.
 *
 * Work that can wait until the model is busy again does: a token's text, its stop strings and its events are made while the
 * next step runs (`#deliver`), and so are the masks that step's tokens must keep to, on threads of their own. A stop string is
 * therefore noticed one step late, and what that step computed for its sequence is dropped; a sequence whose mask takes longer
 * than the step sits out until it is made.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../engine.ts';
import type { Vocabulary } from '../grammar/vocabulary.ts';
import type { ModelRun, ModelRunner, RunRow } from './runners/model-runner.ts';
import { type LogProbabilities, logProbabilities } from './sampling/log-probabilities.ts';
import { draftTokens } from './sampling/prompt-lookup.ts';
import { sample } from './sampling/sampler.ts';
import type { KvCache } from './schedule/kv-cache.ts';
import type { Chunk, Scheduler } from './schedule/scheduler.ts';
import type { Sequence } from './schedule/sequence.ts';

/** Longest wait of a step for a mask. */
const graceMs = 2;

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

interface PendingMasks {
  settled: Promise<void>;
  /** Of the next token, and behind each token of the draft as far as it keeps to them; undefined until they are made. */
  values?: readonly (Uint32Array | null)[];
}

/** The row of logits that a sequence's next token is sampled from, and behind it those of its draft. */
interface Row {
  sequence: Sequence;
  logits: Float32Array;
  draft: readonly number[];
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
  /** Of the tokens that are sampled next, asked for while the model runs. */
  readonly #masks = new Map<Sequence, PendingMasks>();
  /** Rows whose masks are not made yet. */
  readonly #held = new Map<Sequence, Row>();
  #wake = () => {};
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
    this.#wake();
  }

  /** Nobody wants it any more. Its slot is free at the next step; a run that serves nobody else stops where it is. */
  cancel(sequence: Sequence): void {
    sequence.ended = true;
    sequence.closed = true;
    if (this.#running?.sequences.every(({ ended }) => ended)) this.#running.controller.abort();
    this.#wake();
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
    this.#sampleHeld();
    const schedule = this.#schedule();
    if (!schedule && this.#deliveries.length === 0) {
      if (this.#held.size === 0) return false;
      await this.#masksOrWork();
    }
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
      this.#masks.delete(sequence);
      this.#held.delete(sequence);
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
    for (const feed of feeds) this.#askMasks(feed);
    try {
      const logits = await running;
      await this.#almostMade(feeds);
      return logits;
    } catch (error) {
      if (controller.signal.aborted) return null;
      throw error;
    } finally {
      this.#running = null;
    }
  }

  #askMasks({ isDraft = false, sequence, tokens }: Feed): void {
    const { masks } = sequence;
    if (!masks || sequence.ended || this.#masks.has(sequence)) return;
    const made = masks.next(isDraft ? tokens.slice(1) : []);
    const pending: PendingMasks = {
      settled: made.then(
        (values) => {
          pending.values = values;
        },
        (error) => this.#fail(sequence, error),
      ),
    };
    this.#masks.set(sequence, pending);
  }

  /** A moment for masks that are nearly there: a sequence whose mask is late leaves its company for a step. */
  async #almostMade(feeds: readonly Feed[]): Promise<void> {
    const late = feeds.flatMap(({ row, sequence }) => {
      const pending = row === null || sequence.ended ? undefined : this.#masks.get(sequence);
      return pending && !pending.values ? [pending.settled] : [];
    });
    if (late.length > 0) await Promise.race([Promise.all(late), sleep(graceMs)]);
  }

  /** Until a held row's mask is made, or there is a sequence more or less. */
  #masksOrWork(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    for (const sequence of this.#held.keys()) void this.#masks.get(sequence)?.settled.then(resolve);
    return promise;
  }

  #sampleHeld(): void {
    for (const [sequence, row] of this.#held) {
      if (!sequence.ended && !this.#masks.get(sequence)?.values) continue;
      this.#held.delete(sequence);
      this.#sampleRows(row);
    }
  }

  /** Takes note of what was computed, then samples, now or once the mask is made. */
  #sampleAll({ isDraft = false, isPrompt = false, row, sequence, tokens }: Feed, logits: Float32Array): void {
    this.#computed(sequence, isDraft ? tokens.slice(0, 1) : tokens, isPrompt);
    if (row === null || sequence.ended) return;
    const { vocabulary: width } = this.#parts.runner;
    const draft = isDraft ? tokens.slice(1) : [];
    const own = logits.subarray(row * width, (row + 1 + draft.length) * width);
    const isMade = !sequence.masks || this.#masks.get(sequence)?.values !== undefined;
    if (isMade) this.#sampleRows({ sequence, logits: own, draft });
    else this.#held.set(sequence, { sequence, logits: own.slice(), draft });
  }

  /** Once, or as long as a draft says what is sampled anyway. */
  #sampleRows({ draft, logits, sequence }: Row): void {
    const masks = this.#masks.get(sequence)?.values;
    this.#masks.delete(sequence);
    const { vocabulary: width } = this.#parts.runner;
    let accepted = 0;
    for (;;) {
      const own = logits.subarray(accepted * width, (accepted + 1) * width);
      const token = this.#sample(sequence, own, masks?.[accepted] ?? null);
      const isGuessed = !sequence.ended && accepted < draft.length && token === draft[accepted];
      if (!isGuessed || (masks && accepted + 1 >= masks.length)) break;
      accepted += 1;
      this.#computed(sequence, [token], false);
    }
    if (draft.length > 0) sequence.draftLength.report(draft.length, accepted);
  }

  #computed(sequence: Sequence, tokens: readonly number[], batchInvariant: boolean): void {
    sequence.computed += tokens.length;
    this.#parts.cache.extend(sequence.slot!, tokens, batchInvariant);
  }

  /** The sequence's next token, from its row of the logits; -1 when it has ended meanwhile. */
  #sample(sequence: Sequence, logits: Float32Array, mask: Uint32Array | null): number {
    if (sequence.ended) return -1;
    try {
      const { counts, sampling, topLogprobs } = sequence;
      if (mask?.every((word) => word === 0)) {
        // No token spells what the grammar wants: the answer is cut off here.
        this.#end(sequence, 'length');
        return -1;
      }
      const token = sample(logits, sampling, { counts, position: sequence.tokens.length, mask });
      const probabilities = topLogprobs === null ? null : logProbabilities(logits, token, topLogprobs);
      this.#settle(sequence, token, probabilities);
      return token;
    } catch (error) {
      this.#fail(sequence, error);
      return -1;
    }
  }

  #settle(sequence: Sequence, token: number, probabilities: LogProbabilities | null): void {
    if (this.#parts.vocabulary.isEnd(token)) {
      this.#end(sequence, 'stop');
      return;
    }
    sequence.append(token);
    sequence.masks?.accept(token);
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
