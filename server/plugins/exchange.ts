/** One request and its answer, as the plugins follow it from arrival to the last byte. */
import type { OperationKey, OperationSpec } from '../api/operations.ts';
import type { ApiError, ErrorCode } from '../errors.ts';
import { type Caller, emptyMeter, type Meter } from '../services/caller.ts';

export class Exchange {
  readonly requestId: string;
  /** Unix time in milliseconds at arrival. */
  readonly arrivedMs: number;
  /** Of performance.now(), for durations. */
  readonly startedAt: number;
  readonly meter: Meter = emptyMeter();
  operation: OperationKey | null = null;
  spec: OperationSpec | null = null;
  /** Set once a key has been admitted; stays null on the console and open routes. */
  caller: Caller | null = null;
  /** The error code that was sent, or that ended a stream. */
  code: ErrorCode | null = null;
  replayed = false;
  /** Of the answer; null while there is none. */
  status: number | null = null;
  #settled = false;
  readonly #onSettled: (() => void)[] = [];
  #cancel: AbortController | null = null;
  #reason: ApiError | null = null;

  constructor(requestId: string, arrivedMs: number) {
    this.requestId = requestId;
    this.arrivedMs = arrivedMs;
    this.startedAt = performance.now();
  }

  /** Made on first use: most short requests never ask for one. */
  get signal(): AbortSignal {
    if (!this.#cancel) {
      this.#cancel = new AbortController();
      if (this.#reason) this.#cancel.abort(this.#reason);
    }
    return this.#cancel.signal;
  }

  /** Ends the work at its next step; the first reason stands. */
  cancel(reason: ApiError): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#cancel?.abort(reason);
  }

  /** Runs once the answer is out or the connection gone, in the order of registration. */
  onSettled(listener: () => void): void {
    if (this.#settled) listener();
    else this.#onSettled.push(listener);
  }

  settle(status: number): void {
    if (this.#settled) return;
    this.#settled = true;
    this.status = status;
    for (const listener of this.#onSettled) listener();
  }

  /** Why the work was ended, or null. */
  get cancelled(): ApiError | null {
    return this.#reason;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange;
  }
  interface FastifyContextConfig {
    operation?: OperationKey;
  }
}
