import type { SequenceMasks } from '../output/masks.ts';
import type { LogProbabilities } from '../sampling/log-probabilities.ts';
import { DraftLength } from '../sampling/prompt-lookup.ts';
import type { SamplingOptions } from '../sampling/sampler.ts';

/** Receives a sequence's tokens. Called while the model runs the next step. */
export interface TokenListener {
  /** Returns true when the sequence is to end here (a stop string). */
  token(token: number, probabilities: LogProbabilities | null): boolean;
  finish(reason: 'stop' | 'length'): void;
  fail(error: unknown): void;
}

export interface SequenceOptions {
  owner: string;
  prompt: readonly number[];
  /** Tokens to generate at most; prompt and these fit the cache. */
  maxTokens: number;
  sampling: SamplingOptions;
  masks: SequenceMasks | null;
  /** Log probabilities wanted, with so many alternatives; null: none. */
  topLogprobs: number | null;
  /** Computed the same way whatever else runs: for requests with a seed (README, "Equal numbers"). */
  batchInvariant: boolean;
  /** Another choice of the same request: this one waits for its prompt and copies it. */
  leader: Sequence | null;
  listener: TokenListener;
}

/** One choice of one request, from the queue to its last token. */
export class Sequence {
  readonly owner: string;
  /** Prompt and generated tokens. */
  readonly tokens: number[];
  readonly promptLength: number;
  readonly maxTokens: number;
  readonly sampling: SamplingOptions;
  readonly masks: SequenceMasks | null;
  readonly topLogprobs: number | null;
  readonly batchInvariant: boolean;
  readonly leader: Sequence | null;
  readonly listener: TokenListener;
  readonly draftLength = new DraftLength();
  /** Times that each token was generated. */
  readonly counts = new Map<number, number>();
  /** Leading tokens whose keys and values lie in the slot. */
  computed = 0;
  /** Row of the KV cache while running; null while waiting and afterwards. */
  slot: number | null = null;
  /** Its end is known, or nobody wants it any more: the next step leaves it out. */
  ended = false;
  /** The listener was told so. */
  closed = false;

  constructor(options: SequenceOptions) {
    this.owner = options.owner;
    this.tokens = [...options.prompt];
    this.promptLength = options.prompt.length;
    this.maxTokens = options.maxTokens;
    this.sampling = options.sampling;
    this.masks = options.masks;
    this.topLogprobs = options.topLogprobs;
    this.batchInvariant = options.batchInvariant;
    this.leader = options.leader;
    this.listener = options.listener;
  }

  get generated(): number {
    return this.tokens.length - this.promptLength;
  }

  /** Tokens the model has not seen. */
  get pending(): number {
    return this.tokens.length - this.computed;
  }

  /** Tokens that may still be generated. */
  get left(): number {
    return this.maxTokens - this.generated;
  }

  /** One token a step from here on, together with other sequences. */
  get decoding(): boolean {
    return this.pending === 1 && (this.generated > 0 || !this.batchInvariant);
  }

  append(token: number): void {
    this.tokens.push(token);
    this.counts.set(token, (this.counts.get(token) ?? 0) + 1);
  }
}
