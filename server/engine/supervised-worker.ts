/**
 * A thread that its host can end at any moment without ending itself: when it gets stuck, when the memory of the host
 * nears its ceiling, or when the caller has gone. For work that cannot be interrupted otherwise: a hostile file can keep a
 * reader busy, or growing, for ever. The next exchange starts a new thread.
 */
import { type Transferable, Worker } from 'node:worker_threads';

const checkEveryMs = 100;

export interface WorkerRules {
  entry: URL;
  /** Given to the thread when it starts. */
  workerData?: unknown;
  /** V8's heap of the thread. */
  maxHeapMb: number;
  /** Of the whole host. */
  maxResidentBytes: number;
  /** Ends a thread that has rested so long; it stays where absent. */
  idleMs?: number;
  tooSlow: () => Error;
  tooLarge: () => Error;
  /** It ended, or threw what nobody caught. */
  broken: (error?: Error) => Error;
  /** Asks a thread to leave its work when the caller has gone; without it the thread is ended. */
  leave?: { message: unknown; isLeft: (message: unknown) => boolean };
  /** Called in place of ending a thread in the midst of its work; true when the process ends with it. */
  endsProcess?: () => boolean;
}

/** Longer than the work between two looks at the caller's signal takes. */
const leaveMs = 2_000;

export interface Timeouts {
  /** To the first message of an exchange. */
  openMs: number;
  /** From one message to the next, while the host waits for it. */
  stallMs: number;
}

export interface Talk<Out, In> {
  post(message: Out, transfer?: Transferable[]): void;
  /** The next message. @throws Error of the rules, or the reason of the signal */
  next(): Promise<In>;
}

export class SupervisedWorker {
  readonly #rules: WorkerRules;
  readonly #timeouts: Timeouts;
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Exchanges wait for each other: one at a time keeps the memory promise. */
  #turn: Promise<void> = Promise.resolve();

  constructor(rules: WorkerRules, timeouts: Timeouts) {
    this.#rules = rules;
    this.#timeouts = timeouts;
  }

  /** Items of one exchange. A thread whose exchange was left early may still be busy: it leaves its work, or is ended. */
  async *exchange<Out, In, Item>(
    signal: AbortSignal,
    talk: (talk: Talk<Out, In>) => AsyncGenerator<Item>,
  ): AsyncGenerator<Item> {
    const previous = this.#turn;
    let release = () => {};
    this.#turn = new Promise((resolve) => {
      release = resolve;
    });
    try {
      await previous;
      signal.throwIfAborted();
      yield* this.#run(signal, talk);
    } finally {
      release();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async *#run<Out, In, Item>(
    signal: AbortSignal,
    talk: (talk: Talk<Out, In>) => AsyncGenerator<Item>,
  ): AsyncGenerator<Item> {
    clearTimeout(this.#idleTimer);
    const worker = this.#start();
    worker.ref();
    const inbox = new Inbox<In>(worker, { ...this.#rules, ...this.#timeouts }, signal);
    let done = false;
    try {
      yield* talk({
        post: (message, transfer = []) => worker.postMessage(message, transfer),
        next: () => inbox.next(),
      });
      done = true;
    } finally {
      const { leave, endsProcess } = this.#rules;
      if (!done && leave) {
        worker.postMessage(leave.message);
        done = await inbox.left(leave.isLeft);
      }
      inbox.close();
      if (done) this.#rest(worker);
      else if (endsProcess?.()) this.#worker = null;
      else await this.close();
    }
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const { entry, workerData, maxHeapMb } = this.#rules;
    const worker = new Worker(entry, { workerData, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    // An error between two exchanges is met by the next one; without a listener it would end the host.
    worker.on('error', () => {});
    this.#worker = worker;
    return worker;
  }

  #rest(worker: Worker): void {
    worker.unref();
    const { idleMs } = this.#rules;
    if (idleMs !== undefined) this.#idleTimer = setTimeout(() => void this.close(), idleMs).unref();
  }
}

/** Messages of the thread, in order; its failures, and the limits it runs into, are thrown to whoever waits. */
class Inbox<In> {
  readonly #messages: In[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #stop: () => void;
  #limitMs: number;
  #failure: Error | undefined;
  #wake = () => {};
  /** Counted in checks, so that a machine that slept does not look like a slow file. */
  #waitedMs = 0;
  #waiting = false;
  readonly #signal: AbortSignal;
  #leaving = false;

  constructor(worker: Worker, rules: WorkerRules & Timeouts, signal: AbortSignal) {
    this.#signal = signal;
    this.#limitMs = rules.openMs;
    const onMessage = (message: In) => {
      if (!this.#leaving) {
        this.#waitedMs = 0;
        this.#limitMs = rules.stallMs;
      }
      this.#messages.push(message);
      this.#wake();
    };
    const onError = (error: Error & { code?: string }) =>
      this.#fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? rules.tooLarge() : rules.broken(error));
    const onExit = () => this.#fail(rules.broken());
    const onAbort = () => this.#fail(signal.reason);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    signal.addEventListener('abort', onAbort);
    this.#timer = setInterval(() => this.#check(rules), checkEveryMs);
    this.#stop = () => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
    };
  }

  async next(): Promise<In> {
    if (!this.#leaving) this.#waitedMs = 0;
    this.#waiting = true;
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) {
        this.#waiting = false;
        return message;
      }
      if (this.#failure) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** True once the thread has left its work; false when it has failed, or does not hear. */
  async left(isLeft: (message: unknown) => boolean): Promise<boolean> {
    if (this.#failure && this.#failure !== this.#signal.reason) return false;
    this.#failure = undefined;
    this.#leaving = true;
    this.#waitedMs = 0;
    this.#limitMs = leaveMs;
    try {
      while (!isLeft(await this.next()));
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#stop();
  }

  #check(rules: WorkerRules): void {
    if (this.#waiting) this.#waitedMs += checkEveryMs;
    if (this.#waitedMs > this.#limitMs) this.#fail(rules.tooSlow());
    else if (process.memoryUsage.rss() > rules.maxResidentBytes) this.#fail(rules.tooLarge());
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }
}
