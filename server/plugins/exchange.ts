/** One request and its answer, as the plugins follow it from arrival to the last byte. */
import type { Region } from '../api/common.ts';
import type { OperationKey, OperationSpec } from '../api/operations.ts';
import type { ApiError, ErrorCode } from '../errors.ts';
import { type Caller, emptyMeter, type Meter, type Principal } from '../services/caller.ts';
import type { Claim } from '../services/idempotency/idempotency.ts';

/** Handed the exchange, so that one function serves all requests. */
export type ClosedListener = (exchange: Exchange) => void;

const noHops: readonly string[] = [];
const noFiles: ReadonlyMap<string, Uint8Array | null> = new Map();

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
  /** Id of the console session that asks. */
  session: string | null = null;
  /** The error code that was sent, or that ended a stream. */
  code: ErrorCode | null = null;
  replayed = false;
  /** Files that were cut out of a large body, by the name they have in it; null where they are not base64. */
  files: ReadonlyMap<string, Uint8Array | null> = noFiles;
  /** Its use has been recorded. */
  metered = false;
  /** Called before the last event of a stream that is whole. */
  onComplete: () => void = () => {};
  /** Settles when a request beyond the key's concurrency may run; null where it need not wait. */
  turn: Promise<void> | null = null;
  /** The right to run under an Idempotency-Key; null without one. */
  claim: Claim | null = null;
  /** The work goes on when the connection is lost, so that its repeat finds the answer. */
  runsOn = false;
  /** The connection was lost, and the work runs on. */
  abandoned = false;
  /** Of the answer; null while there is none. */
  status: number | null = null;
  #closed = false;
  readonly #onClosed: ClosedListener[] = [];
  #cancel: AbortController | null = null;
  #reason: ApiError | null = null;
  #onCancelled: ((reason: ApiError) => void) | null = null;

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
    this.#onCancelled?.(reason);
  }

  /** One listener at a time, called once; cheaper than the signal. */
  whenCancelled(listener: ((reason: ApiError) => void) | null): void {
    this.#onCancelled = listener;
    if (this.#reason) listener?.(this.#reason);
  }

  /** Runs once the answer is out or the connection gone, in the order of registration. */
  onClosed(listener: ClosedListener): void {
    if (this.#closed) listener(this);
    else this.#onClosed.push(listener);
  }

  get closed(): boolean {
    return this.#closed;
  }

  close(status: number): void {
    if (this.#closed) return;
    this.#closed = true;
    this.status = status;
    for (const listener of this.#onClosed) listener(this);
  }

  /** Why the work was ended, or null. */
  get cancelled(): ApiError | null {
    return this.#reason;
  }
}

/** The caller behind an exchange; its signal is made when a service asks for it. */
export class KeyCaller implements Caller {
  readonly principal: Principal;
  readonly requestId: string;
  readonly meter: Meter;
  region: Region | null = null;
  pack: string | null = null;
  localOnly = false;
  session: string | null = null;
  hops: readonly string[] = noHops;
  readonly #exchange: Exchange;

  readonly deadlineMs: number;

  constructor(exchange: Exchange, principal: Principal, deadlineMs: number) {
    this.principal = principal;
    this.deadlineMs = deadlineMs;
    this.requestId = exchange.requestId;
    this.meter = exchange.meter;
    this.#exchange = exchange;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  get files(): ReadonlyMap<string, Uint8Array | null> {
    return this.#exchange.files;
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
