/** Large bodies, read in a thread of their own: parsing one takes long enough to keep every other request waiting. */
import { Worker } from 'node:worker_threads';
import { ApiError } from '../../../errors.ts';
import type { BodyChunk, BodyEnd, BodyReply, ReadBody } from './body-messages.ts';

const entry = new URL(
  import.meta.url.endsWith('.js') ? './body-worker.js' : './body-worker.ts',
  import.meta.url,
);
/** The thread's memory goes back to the system after this long without a large body. */
const idleMs = 30_000;

type Done = (error: Error | null, read?: ReadBody) => void;

/** A body on its way into the thread. */
export interface BodyInThread {
  /** Copies the bytes, which are the socket's. */
  add(chunk: Uint8Array): void;
  end(fileField: string | null, done: Done): void;
  drop(): void;
}

export class BodyThread {
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #nextId = 0;
  /** Id of each body in the thread → who waits for it, once it is whole. */
  readonly #bodies = new Map<number, Done | null>();

  open(): BodyInThread {
    const id = this.#nextId++;
    const worker = this.#start();
    this.#bodies.set(id, null);
    return {
      add: (chunk) => {
        const bytes = chunk.slice().buffer as ArrayBuffer;
        worker.postMessage({ kind: 'chunk', id, bytes } satisfies BodyChunk, [bytes]);
      },
      end: (fileField, done) => {
        if (!this.#bodies.has(id)) return done(threadEnded());
        this.#bodies.set(id, done);
        worker.postMessage({ kind: 'end', id, fileField } satisfies BodyEnd);
      },
      drop: () => {
        worker.postMessage({ kind: 'drop', id, fileField: null } satisfies BodyEnd);
        this.#finish(id);
      },
    };
  }

  close(): void {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
    for (const [id, done] of this.#bodies) {
      this.#bodies.delete(id);
      done?.(threadEnded());
    }
  }

  #start(): Worker {
    clearTimeout(this.#idleTimer);
    if (this.#worker) return this.#worker;
    const worker = new Worker(entry);
    this.#worker = worker;
    worker.unref();
    worker.on('message', (reply: BodyReply) => this.#take(reply));
    // Out of memory, or a defect: what it held is lost, the next body gets a new one.
    worker.on('error', () => this.#worker === worker && this.close());
    return worker;
  }

  #take(reply: BodyReply): void {
    const done = this.#bodies.get(reply.id);
    this.#finish(reply.id);
    if ('read' in reply) done?.(null, reply.read);
    else done?.(new ApiError(reply.refused.code, reply.refused.message));
  }

  #finish(id: number): void {
    this.#bodies.delete(id);
    if (this.#bodies.size === 0) this.#idleTimer = setTimeout(() => this.close(), idleMs).unref();
  }
}

const threadEnded = () => new ApiError('server_overloaded', 'The body could not be read; memory is short.');
