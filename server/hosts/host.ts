/** One generation of one pack's host process: opens the engine, carries calls, fails them all when the process ends. */
import type {
  CallMethod,
  HostKind,
  ItemOf,
  MethodOf,
  ParamsOf,
  ResultOf,
  StreamMethod,
} from '../engine/contract.ts';
import type { EngineInfo, EngineOptions, EnginePack } from '../engine/engine.ts';
import { grantOf } from '../engine/host-grant.ts';
import type { Failure, FromHost } from '../engine/protocol.ts';
import { ApiError, isErrorCode } from '../errors.ts';
import type { EngineFailure } from './engine-failure.ts';
import type { EngineCall } from './engines.ts';
import type { Port, SpawnHost } from './port.ts';

export interface HostEvents {
  onExit(reason: string): void;
  /** Another call did not hear its cancel, or harmed the process: it is about to be ended. */
  onEnd(why: 'stuck' | 'harmed'): void;
  /** An error that the engine did not mean to tell. */
  onFailure(failure: Pick<EngineFailure, 'kind' | 'method' | 'requestId' | 'trace'>): void;
}

/** Ended for what another call did: a call that has had no answer yet may be asked again. */
export class HostStopped extends ApiError {
  readonly why: 'stuck' | 'harmed';
  constructor(why: 'stuck' | 'harmed') {
    super('engine_crashed', 'The engine was ended for what another request did.');
    this.why = why;
  }
}

/** Methods, not properties: a call of one method waits here among those of others, and its id brings it its own answers. */
interface Pending<Kind extends HostKind, Method extends MethodOf<Kind>> {
  item(value: ItemOf<Kind, Method>): void;
  done(value: ResultOf<Kind, Method> | null): void;
  fail(error: Error): void;
  readonly method: string;
  readonly requestId: string | null;
  readonly infer: EngineCall['infer'];
}

const closeGraceMs = 5_000;
/** A host that does not hear a cancel so long is stuck, and holds up all other calls. */
const hearingMs = 2_000;
const readingMs = 100;

export class Host<Kind extends HostKind> {
  info: EngineInfo = {};
  private readonly port: Port<Kind>;
  private readonly events: HostEvents;
  private readonly pending = new Map<number, Pending<Kind, MethodOf<Kind>>>();
  private readonly exited: Promise<void>;
  private readonly opened: PromiseWithResolvers<void> = Promise.withResolvers();
  /** Calls that were cancelled and not heard of since. */
  private readonly unheard = new Map<number, NodeJS.Timeout>();
  private nextId = 1;
  /** Why no call can run any more. */
  private gone: ApiError | null = null;

  constructor(
    spawn: SpawnHost,
    engine: Kind,
    { pack, options, events }: { pack: EnginePack; options: EngineOptions; events: HostEvents },
  ) {
    this.events = events;
    this.port = spawn(grantOf(pack, options));
    this.opened.promise.catch(() => {}); // start() is where the failure is heard
    this.exited = new Promise((resolve) => {
      this.port.onExit((reason) => {
        this.handleExit(reason);
        resolve();
      });
    });
    this.port.onMessage((message) => this.handleMessage(message));
    this.port.send({ type: 'open', engine, pack, options });
  }

  /** Some ports know it only once the process has started. */
  get pid(): number | undefined {
    return this.port.pid;
  }

  get running(): number {
    return this.pending.size;
  }

  /** Resolves when the engine is open. @throws ApiError what the engine refused, model_loading after `timeoutMs` */
  async start(timeoutMs: number): Promise<void> {
    const timer = setTimeout(() => {
      this.opened.reject(new ApiError('model_loading', 'The model took too long to load.'));
      this.kill();
    }, timeoutMs);
    try {
      await this.opened.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  call<Method extends CallMethod<Kind>>(
    method: Method,
    params: ParamsOf<Kind, Method>,
    options: EngineCall,
  ): Promise<ResultOf<Kind, Method>> {
    return new Promise((resolve, reject) => {
      const done = (value: ResultOf<Kind, Method> | null) =>
        value === null
          ? reject(new ApiError('internal_error', 'The engine gave no answer.'))
          : resolve(value);
      const caller = { item: () => {}, done, fail: reject, method };
      this.begin(caller, options, (id) => this.send(id, method, params, options));
    });
  }

  /** The smoke test of an import. @throws ApiError what is wrong with the pack */
  check(options: EngineCall): Promise<void> {
    return new Promise((resolve, reject) => {
      const caller = { item: () => {}, done: () => resolve(), fail: reject, method: 'check' };
      this.begin(caller, options, (id) => this.port.send({ type: 'check', id }));
    });
  }

  /** Items in order; leaving the loop early cancels the call in the host. */
  async *stream<Method extends StreamMethod<Kind>>(
    method: Method,
    params: ParamsOf<Kind, Method>,
    options: EngineCall,
  ): AsyncGenerator<ItemOf<Kind, Method>> {
    const queue: ItemOf<Kind, Method>[] = [];
    const end: { reached: boolean; error?: Error } = { reached: false };
    let wake = () => {};
    const finish = (error?: Error) => {
      Object.assign(end, { reached: true, error });
      wake();
    };
    const item = (value: ItemOf<Kind, Method>) => {
      queue.push(value);
      wake();
    };
    const caller = { item, done: () => finish(), fail: finish, method };
    const cancel = this.begin(caller, options, (id) => this.send(id, method, params, options));
    try {
      for (;;) {
        yield* queue.splice(0);
        if (queue.length > 0) continue;
        if (end.error) throw end.error;
        if (end.reached) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      cancel();
    }
  }

  /** Lets the engine close, then kills what is left after a grace. */
  async close(graceMs = closeGraceMs): Promise<void> {
    this.port.send({ type: 'close' });
    const timer = setTimeout(() => this.port.kill(), graceMs);
    await this.exited;
    clearTimeout(timer);
  }

  /** Ends the process now; calls under way fail with `reason`. */
  kill(reason: ApiError = crashed()): void {
    this.fail(reason);
    this.port.kill();
  }

  private send<Method extends MethodOf<Kind>>(
    id: number,
    method: Method,
    params: ParamsOf<Kind, Method>,
    { infer, again }: EngineCall,
  ): void {
    const how = { ...(infer && { elsewhere: true }), ...(again && { again }) };
    this.port.send({ type: 'call', id, method, params, ...how });
  }

  /** Starts a call; the returned function cancels it in the host when it is still under way. */
  private begin<Method extends MethodOf<Kind>>(
    caller: Omit<Pending<Kind, Method>, 'requestId' | 'infer'>,
    { signal, deadlineMs, requestId, infer }: EngineCall,
    send: (id: number) => void,
  ): () => void {
    const id = this.nextId++;
    const refusal = signal.aborted ? signal.reason : this.gone;
    if (refusal) {
      caller.fail(refusal);
      return () => {};
    }
    const timer = setTimeout(() => {
      cancel();
      caller.fail(tooLong(deadlineMs));
    }, deadlineMs);
    const finish = () => {
      this.pending.delete(id);
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const cancel = () => {
      if (!this.pending.has(id)) return;
      finish();
      this.port.send({ type: 'cancel', id });
      const wait = (ms: number, then: () => void) => this.unheard.set(id, setTimeout(then, ms));
      // After the server itself was busy, the host's word may lie in the channel: one more turn reads it.
      wait(hearingMs, () => wait(readingMs, () => this.end('stuck')));
    };
    const onAbort = () => {
      cancel();
      caller.fail(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const waiting: Pending<Kind, Method> = {
      method: caller.method,
      requestId: requestId ?? null,
      infer,
      item: caller.item,
      done: (value) => {
        finish();
        caller.done(value);
      },
      fail: (error) => {
        finish();
        caller.fail(error);
      },
    };
    this.pending.set(id, waiting);
    send(id);
    return cancel;
  }

  private handleMessage(message: FromHost<Kind>): void {
    switch (message.type) {
      case 'opened':
        this.info = message.info;
        this.opened.resolve();
        break;
      case 'refused':
        this.report(message.failure, { kind: 'open', method: null, requestId: null });
        this.opened.reject(toError(message.failure));
        break;
      case 'infer':
        void this.infer(message);
        break;
      case 'heard':
        clearTimeout(this.unheard.get(message.id));
        this.unheard.delete(message.id);
        break;
      case 'replace':
        this.end('harmed');
        break;
      case 'item':
        this.pending.get(message.id)?.item(message.value);
        break;
      case 'done':
        this.pending.get(message.id)?.done(message.value);
        break;
      case 'failed': {
        const pending = this.pending.get(message.id);
        if (!pending) break;
        this.report(message.failure, {
          kind: 'engine',
          method: pending.method,
          requestId: pending.requestId,
        });
        pending.fail(toError(message.failure));
        break;
      }
    }
  }

  /** Has a graph of a call run elsewhere; of a call that has ended, nothing. */
  private async infer({ id, call, request }: Extract<FromHost<Kind>, { type: 'infer' }>): Promise<void> {
    const outputs = await this.pending
      .get(call)
      ?.infer?.(request)
      .catch(() => null);
    this.port.send({ type: 'inferred', id, outputs: outputs ?? null });
  }

  private report({ trace }: Failure, where: Pick<EngineFailure, 'kind' | 'method' | 'requestId'>): void {
    if (trace) this.events.onFailure({ ...where, trace });
  }

  private end(why: 'stuck' | 'harmed'): void {
    this.events.onEnd(why);
    this.kill(new HostStopped(why));
  }

  private handleExit(reason: string): void {
    this.fail(crashed());
    this.events.onExit(reason);
  }

  private fail(reason: ApiError): void {
    this.gone ??= reason;
    this.opened.reject(reason);
    for (const timer of this.unheard.values()) clearTimeout(timer);
    this.unheard.clear();
    for (const pending of [...this.pending.values()]) pending.fail(reason);
  }
}

const crashed = () =>
  new ApiError('engine_crashed', 'The engine process ended while it worked on the request.');

const tooLong = (deadlineMs: number) =>
  new ApiError('server_overloaded', `The request took longer than the ${deadlineMs / 1000} s it may take.`);

function toError(failure: Failure): ApiError {
  const code = isErrorCode(failure.code) ? failure.code : 'internal_error';
  return new ApiError(code, failure.message, { param: failure.param });
}
