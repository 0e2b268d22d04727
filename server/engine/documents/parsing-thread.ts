/**
 * The host's side of the parsing thread.
 *
 * pdf.js cannot be interrupted: a hostile page can keep it busy, or growing, for ever. So it runs in a thread that the
 * host can end at any moment without ending itself: when a page takes too long, when the memory of the host nears its
 * ceiling, or when the caller has gone. The next request starts a new thread (about a third of a second).
 */

import { Worker } from 'node:worker_threads';
import { EngineError } from '../engine.ts';
import { answerModelRequest } from '../vision/ocr/models/remote-models.ts';
import type { TextModels } from '../vision/ocr/models/text-models.ts';
import { maxHostResidentBytes, maxThreadHeapMb, openTimeoutMs, pageTimeoutMs } from './limits.ts';
import type { FromThread, ThreadReply, ThreadRequest, ToThread } from './thread-messages.ts';

const memoryCheckMs = 100;

type Request = ThreadRequest extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never;

/** Answers of one request, pushed by the thread and pulled by the caller. */
class ReplyQueue {
  #replies: ThreadReply[] = [];
  #wake: (() => void) | null = null;
  #failure: Error | null = null;

  push(reply: ThreadReply): void {
    this.#replies.push(reply);
    this.#wake?.();
  }

  fail(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }

  async next(): Promise<ThreadReply> {
    while (true) {
      const reply = this.#replies.shift();
      if (reply) return reply;
      if (this.#failure) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

const tooSlow = (): EngineError =>
  new EngineError('document_unreadable', 'the document takes too long to read', 'file');
const tooLarge = (): EngineError =>
  new EngineError('document_unreadable', 'the document needs more memory than can be given to it', 'file');

export interface Timeouts {
  /** For opening the document and reading its first page. */
  openMs: number;
  /** For each page after that. */
  pageMs: number;
}

export class ParsingThread {
  readonly #patience: Timeouts;
  readonly #models: () => Promise<TextModels>;
  #worker: Worker | null = null;
  #nextId = 1;
  #turn: Promise<void> = Promise.resolve();

  /** `models` are asked for when the thread meets a page that must be recognized. */
  constructor(
    models: () => Promise<TextModels>,
    patience: Timeouts = { openMs: openTimeoutMs, pageMs: pageTimeoutMs },
  ) {
    this.#models = models;
    this.#patience = patience;
  }

  /** Items of one request. Requests wait for each other: one document at a time keeps the memory promise. */
  async *call(request: Request, signal: AbortSignal): AsyncGenerator<unknown> {
    const previous = this.#turn;
    let release = (): void => undefined;
    this.#turn = new Promise((resolve) => {
      release = resolve;
    });
    try {
      await previous;
      signal.throwIfAborted();
      yield* this.#run(request, signal);
    } finally {
      release();
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async *#run(request: Request, signal: AbortSignal): AsyncGenerator<unknown> {
    const worker = this.#start();
    const queue = new ReplyQueue();
    const id = this.#nextId++;
    const watch = this.#watch(worker, queue, signal);
    let done = false;
    try {
      watch.expect(this.#patience.openMs);
      worker.postMessage({ kind: 'request', request: { ...request, id } } satisfies ToThread);
      while (!done) {
        const reply = await queue.next();
        if (reply.kind === 'item') {
          watch.expect(this.#patience.pageMs);
          yield reply.item;
        } else {
          done = true;
          if (reply.kind === 'error') throw new EngineError(reply.code, reply.message, reply.param);
        }
      }
    } finally {
      watch.stop();
      // Left early (abort, time, memory, a caller that stopped reading): the thread may still be busy.
      if (!done) await this.close();
    }
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const entry = import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js';
    const worker = new Worker(new URL(entry, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: maxThreadHeapMb },
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  async #answer(worker: Worker, { request }: Extract<FromThread, { kind: 'model' }>): Promise<void> {
    const { reply, transfer } = await answerModelRequest(request, this.#models);
    worker.postMessage({ kind: 'model', reply } satisfies ToThread, transfer);
  }

  #watch(worker: Worker, queue: ReplyQueue, signal: AbortSignal) {
    let deadline = Number.POSITIVE_INFINITY;
    const onMessage = (message: FromThread): void => {
      if (message.kind === 'reply') queue.push(message.reply);
      else {
        // A page being recognized is alive; the networks themselves always end.
        deadline = performance.now() + this.#patience.pageMs;
        void this.#answer(worker, message);
      }
    };
    const onError = (error: Error & { code?: string }): void =>
      queue.fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error);
    const onExit = (): void => queue.fail(new Error('the parsing thread ended'));
    const onAbort = (): void => queue.fail(signal.reason);
    const timer = setInterval(() => {
      if (performance.now() > deadline) queue.fail(tooSlow());
      else if (process.memoryUsage.rss() > maxHostResidentBytes) queue.fail(tooLarge());
    }, memoryCheckMs);
    worker.ref();
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    signal.addEventListener('abort', onAbort);
    return {
      expect: (ms: number): void => {
        deadline = performance.now() + ms;
      },
      stop: (): void => {
        clearInterval(timer);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        worker.unref();
        signal.removeEventListener('abort', onAbort);
      },
    };
  }
}
