/**
 * One engine's health as requests and checks find it: healthy → ailing → out. Out, it is asked again after a pause that doubles,
 * by one request or check at a time; a verdict that nothing has renewed is stale and asked for again.
 */
import type { EngineHealth, EngineState } from '../api/console/engines.ts';
import type { EngineFault } from './fault.ts';

export interface HealthOptions {
  /** Unix milliseconds. */
  now: () => number;
  /** 0 to 1; spreads the trials of many servers. */
  random?: () => number;
  onState: (state: EngineState, reason: string | null) => void;
}

const firstPauseMs = 500;
const longestPauseMs = 60_000;
/** Of failures in a row that put an engine out; one that nothing listens at counts double. */
const outAt = 3;
const staleMs = 60_000;
const keptTimes = 101;

type Verdict = Extract<EngineState, 'untried' | 'healthy' | 'ailing' | 'out' | 'misconfigured'>;

export class HealthTracker {
  running = 0;
  requests = 0;
  errors = 0;
  #verdict: Verdict = 'untried';
  #reason: string | null = null;
  #sinceMs: number;
  #failures = 0;
  #pauseMs = firstPauseMs;
  #nextTrialMs = 0;
  #busyUntilMs = 0;
  #renewedMs = 0;
  /** A trial of an engine that is out is under way. */
  #onTrial = false;
  #lastError: { text: string; timeMs: number } | null = null;
  readonly #firstBytes: number[] = [];
  readonly #added: number[] = [];
  readonly #options: HealthOptions;

  constructor(options: HealthOptions) {
    this.#options = options;
    this.#sinceMs = options.now();
  }

  get verdict(): Verdict {
    return this.#verdict;
  }

  get reason(): string | null {
    return this.#reason;
  }

  /** Unix milliseconds of the next time it may be asked. */
  get askableFromMs(): number {
    return Math.max(this.#busyUntilMs, this.#verdict === 'out' ? this.#nextTrialMs : 0);
  }

  /** May be asked now; `probation`: by one at a time, to see if it is back. */
  get standing(): 'open' | 'probation' | 'closed' {
    if (this.#verdict === 'untried' || this.#verdict === 'misconfigured') return 'closed';
    if (this.askableFromMs > this.#options.now()) return 'closed';
    if (this.#verdict !== 'out') return 'open';
    return this.#onTrial ? 'closed' : 'probation';
  }

  /** Nothing has been heard of it for long, or it is time to see if it is back. */
  get wantsCheck(): boolean {
    const now = this.#options.now();
    if (this.#verdict === 'untried') return false;
    if (this.#verdict === 'out') return !this.#onTrial && now >= this.#nextTrialMs;
    return now - this.#renewedMs > staleMs && this.#busyUntilMs <= now;
  }

  begin(): void {
    this.running += 1;
    this.requests += 1;
    if (this.#verdict === 'out') this.#onTrial = true;
  }

  end(): void {
    this.running -= 1;
    this.#onTrial = false;
  }

  /** A trial or check begins; ended by `passed` or `failed`. */
  beginCheck(): void {
    if (this.#verdict === 'out') this.#onTrial = true;
  }

  passed(): void {
    this.#renewedMs = this.#options.now();
    this.#failures = 0;
    this.#pauseMs = firstPauseMs;
    this.#onTrial = false;
    this.#become('healthy', null);
  }

  /** The first byte of an answer, after `ms`. */
  answered(ms: number): void {
    keep(this.#firstBytes, ms);
    this.passed();
  }

  /** Our own share of a request's time. */
  noteAdded(ms: number): void {
    keep(this.#added, ms);
  }

  failed(fault: EngineFault): void {
    if (fault.kind === 'rejected') {
      this.passed();
      return;
    }
    const now = this.#options.now();
    this.#onTrial = false;
    this.errors += 1;
    this.#renewedMs = now;
    this.#lastError = { text: fault.message, timeMs: now };
    if (fault.kind === 'busy') {
      this.#busyUntilMs = now + (fault.retryAfterMs ?? firstPauseMs);
      if (this.#verdict === 'out') this.#become('ailing', fault.message);
    } else if (fault.kind === 'denied') this.#become('misconfigured', fault.message);
    // A wrong answer is a model's doing; the engine stands.
    else if (fault.kind === 'invalid') this.#become('ailing', fault.message);
    else this.#weigh(fault);
  }

  #weigh({ kind, message }: EngineFault): void {
    this.#failures += kind === 'connect' ? 2 : 1;
    if (this.#failures < outAt && this.#verdict !== 'out') {
      this.#become('ailing', message);
      return;
    }
    const jitter = 0.8 + 0.4 * (this.#options.random ?? Math.random)();
    this.#nextTrialMs = this.#options.now() + this.#pauseMs * jitter;
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
    this.#become('out', message);
  }

  /** Its address, secret or models have changed: nothing is known of it. */
  forget(): void {
    this.#failures = 0;
    this.#pauseMs = firstPauseMs;
    this.#busyUntilMs = 0;
    this.#become('untried', null);
  }

  /** No trial has passed, and it says why. */
  refuse(reason: string): void {
    this.#become(this.#verdict === 'misconfigured' ? 'misconfigured' : 'untried', reason);
  }

  view({ enabled, draining }: { enabled: boolean; draining: boolean }): EngineHealth {
    const seconds = (ms: number) => Math.floor(ms / 1000);
    const state = !enabled ? 'off' : draining ? 'draining' : this.#verdict;
    const from = this.askableFromMs;
    return {
      state,
      reason: this.#reason,
      since: seconds(this.#sinceMs),
      next_trial: from > this.#options.now() ? Math.ceil(from / 1000) : null,
      running: this.running,
      requests: this.requests,
      errors: this.errors,
      first_byte_ms: median(this.#firstBytes),
      added_ms: median(this.#added),
      last_error: this.#lastError?.text ?? null,
      last_error_time: this.#lastError && seconds(this.#lastError.timeMs),
    };
  }

  #become(verdict: Verdict, reason: string | null): void {
    const changed = verdict !== this.#verdict;
    this.#reason = reason;
    if (!changed) return;
    this.#verdict = verdict;
    this.#sinceMs = this.#options.now();
    this.#options.onState(verdict, reason);
  }
}

function keep(times: number[], ms: number): void {
  times.push(ms);
  if (times.length > keptTimes) times.shift();
}

function median(times: readonly number[]): number | null {
  if (times.length === 0) return null;
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round(sorted[sorted.length >> 1]! * 100) / 100;
}
