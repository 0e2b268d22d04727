/** A remote engine's failure, as routing judges it: is another one asked, and what the caller hears when none is left. */
import { ApiError, type ErrorCode } from '../errors.ts';

/**
 * connect: no connection; timeout; cut: the answer broke off; failed: it answered 5xx; busy: 429 or 503 with a time;
 * denied: it refuses our secret; rejected: it refuses the request; invalid: its answer is not what was asked for.
 */
export type FaultKind = 'connect' | 'timeout' | 'cut' | 'failed' | 'busy' | 'denied' | 'rejected' | 'invalid';

export interface FaultDetails {
  status?: number;
  retryAfterMs?: number;
  /** For the caller, in place of the kind's own error. */
  answer?: ApiError;
}

/** Its message is for people and holds neither secrets nor payloads. */
export class EngineFault extends Error {
  readonly kind: FaultKind;
  readonly status: number | null;
  readonly retryAfterMs: number | undefined;
  readonly #answer: ApiError | undefined;

  constructor(kind: FaultKind, message: string, details: FaultDetails = {}) {
    super(message);
    this.name = 'EngineFault';
    this.kind = kind;
    this.status = details.status ?? null;
    this.retryAfterMs = details.retryAfterMs;
    this.#answer = details.answer;
  }

  /** Another engine may do better: the request itself is not at fault. */
  get movesOn(): boolean {
    return this.kind !== 'rejected';
  }

  toApiError(engine: string): ApiError {
    if (this.#answer) return this.#answer;
    const message = `The remote engine ${engine}: ${this.message}.`;
    return new ApiError(codes[this.kind], message, { param: null });
  }
}

const codes: Record<FaultKind, ErrorCode> = {
  connect: 'upstream_unavailable',
  timeout: 'upstream_timeout',
  cut: 'upstream_error',
  failed: 'upstream_error',
  busy: 'upstream_unavailable',
  denied: 'upstream_error',
  rejected: 'upstream_error',
  invalid: 'upstream_invalid_output',
};

const longestPauseMs = 300_000;

/** The header's time, capped; undefined where there is none that can be read. */
export function readRetryAfter(value: string | undefined, nowMs = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestPauseMs) : undefined;
}
