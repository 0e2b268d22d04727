/** One generation of one pack's host process: opens the engine, carries calls, fails them all when the process ends. */
import type { EngineOptions, EnginePack } from '../engine/engine.ts';
import type { Failure, FromHost, HostKind } from '../engine/protocol.ts';
import { ApiError, isErrorCode } from '../errors.ts';
import type { EngineCall } from './engines.ts';
import type { Port, SpawnHost } from './port.ts';

export interface HostEvents {
  onExit(reason: string): void;
  onMemory(residentMb: number): void;
}

interface Pending {
  item(value: unknown): void;
  done(value: unknown): void;
  fail(error: Error): void;
}

const closeGraceMs = 5_000;

export class Host {
  info: Record<string, unknown> = {};
  private readonly port: Port;
  private readonly events: HostEvents;
  private readonly pending = new Map<number, Pending>();
  private readonly exited: Promise<void>;
  private readonly opened: Promise<void>;
  private settleOpen!: { resolve: () => void; reject: (error: Error) => void };
  private nextId = 1;
  private gone = false;

  constructor(
    spawn: SpawnHost,
    engine: HostKind,
    pack: EnginePack,
    options: EngineOptions,
    events: HostEvents,
  ) {
    this.events = events;
    this.port = spawn();
    this.opened = new Promise((resolve, reject) => {
      this.settleOpen = { resolve, reject };
    });
    this.opened.catch(() => {}); // start() is where the failure is heard
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
      this.settleOpen.reject(new ApiError('model_loading', 'The model took too long to load.'));
      this.kill();
    }, timeoutMs);
    try {
      await this.opened;
    } finally {
      clearTimeout(timer);
    }
  }

  async call(method: string, params: unknown, options: EngineCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.begin(method, params, options, { item: () => {}, done: resolve, fail: reject });
    });
  }

  /** Items in order; leaving the loop early cancels the call in the host. */
  async *stream(method: string, params: unknown, options: EngineCall): AsyncGenerator<unknown> {
    const queue: unknown[] = [];
    let ended: { error: Error | null } | null = null;
    let wake = () => {};
    const cancel = this.begin(method, params, options, {
      item: (value) => {
        queue.push(value);
        wake();
      },
      done: () => {
        ended = { error: null };
        wake();
      },
      fail: (error) => {
        ended = { error };
        wake();
      },
    });
    try {
      for (;;) {
        while (queue.length > 0) yield queue.shift();
        const end = ended as { error: Error | null } | null;
        if (end?.error) throw end.error;
        if (end) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      cancel();
    }
  }

  /** Lets the engine close, then kills what is left after a grace. */
  async close(): Promise<void> {
    this.port.send({ type: 'close' });
    const timer = setTimeout(() => this.port.kill(), closeGraceMs);
    await this.exited;
    clearTimeout(timer);
  }

  kill(): void {
    this.port.kill();
  }

  /** Starts a call; the returned function cancels it in the host when it is still under way. */
  private begin(method: string, params: unknown, options: EngineCall, caller: Pending): () => void {
    const id = this.nextId++;
    const { signal, deadlineMs } = options;
    if (signal.aborted) {
      caller.fail(signal.reason);
      return () => {};
    }
    if (this.gone) {
      caller.fail(crashed());
      return () => {};
    }
    const timer = deadlineMs === undefined ? undefined : setTimeout(() => this.kill(), deadlineMs);
    const settle = () => {
      this.pending.delete(id);
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const cancel = () => {
      if (!this.pending.has(id)) return;
      settle();
      this.port.send({ type: 'cancel', id });
    };
    const onAbort = () => {
      cancel();
      caller.fail(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.pending.set(id, {
      item: caller.item,
      done: (value) => {
        settle();
        caller.done(value);
      },
      fail: (error) => {
        settle();
        caller.fail(error);
      },
    });
    this.port.send({ type: 'call', id, method, params });
    return cancel;
  }

  private handleMessage(message: FromHost): void {
    switch (message.type) {
      case 'opened':
        this.info = message.info;
        this.settleOpen.resolve();
        break;
      case 'refused':
        this.settleOpen.reject(toError(message.failure));
        break;
      case 'memory':
        this.events.onMemory(message.residentMb);
        break;
      case 'item':
        this.pending.get(message.id)?.item(message.value);
        break;
      case 'done':
        this.pending.get(message.id)?.done(message.value);
        break;
      case 'failed':
        this.pending.get(message.id)?.fail(toError(message.failure));
        break;
    }
  }

  private handleExit(reason: string): void {
    this.gone = true;
    this.settleOpen.reject(crashed());
    for (const pending of [...this.pending.values()]) pending.fail(crashed());
    this.events.onExit(reason);
  }
}

const crashed = () =>
  new ApiError('engine_crashed', 'The engine process ended while it worked on the request.');

function toError(failure: Failure): ApiError {
  const code = isErrorCode(failure.code) ? failure.code : 'internal_error';
  return new ApiError(code, failure.message, { param: failure.param });
}
