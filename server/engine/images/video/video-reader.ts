/**
 * The host's side of video decoding. A damaged file can keep a demuxer or a decoder busy, or growing, for ever; so each
 * video gets a thread of its own, ended when it gets stuck, needs too much memory or its caller has gone.
 */
import { Worker } from 'node:worker_threads';
import { EngineError } from '../../engine.ts';
import type { Frame } from '../input/frames.ts';
import { pictureOf } from '../input/picture.ts';
import { refuseDamaged, refuseLarge, refuseSlow } from '../input/refusals.ts';
import { maxHeapMb, maxResidentBytes, stallTimeoutMs } from '../limits.ts';
import type { FromThread, ToThread } from './messages.ts';

const checkEveryMs = 100;
const entry = new URL(`./thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

export interface VideoLimits {
  stallTimeoutMs: number;
  maxResidentBytes: number;
}

export class VideoReader {
  readonly #limits: VideoLimits;
  readonly #threads = new Set<Worker>();
  /** Videos wait for each other: one at a time keeps the memory promise. */
  #turn: Promise<void> = Promise.resolve();

  constructor(limits: VideoLimits = { stallTimeoutMs, maxResidentBytes }) {
    this.#limits = limits;
  }

  /** The chosen frames, upright, in the order in which they show. @throws EngineError */
  async *read(bytes: Uint8Array, maxFrames: number, signal: AbortSignal): AsyncGenerator<Frame> {
    const previous = this.#turn;
    let release = () => {};
    this.#turn = new Promise((resolve) => {
      release = resolve;
    });
    try {
      await previous;
      signal.throwIfAborted();
      yield* this.#run(bytes, maxFrames, signal);
    } finally {
      release();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  async *#run(bytes: Uint8Array, maxFrames: number, signal: AbortSignal): AsyncGenerator<Frame> {
    const thread = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
    this.#threads.add(thread);
    const inbox = new Inbox(thread, this.#limits, signal);
    try {
      post(thread, { kind: 'open', bytes, maxFrames });
      for (;;) {
        const message = await inbox.next();
        if (message.kind === 'end') return;
        if (message.kind === 'error') throw new EngineError(message.code, message.message, message.param);
        const { width, height, data, timestampMs } = message;
        yield { picture: pictureOf({ width, height, data }), timestampMs };
        post(thread, { kind: 'more' });
      }
    } finally {
      inbox.close();
      this.#threads.delete(thread);
      await thread.terminate();
    }
  }
}

const post = (thread: Worker, message: ToThread): void => thread.postMessage(message);

/** What the thread says, in order; its failures, and the limits it runs into, are thrown to whoever waits. */
class Inbox {
  readonly #messages: Exclude<FromThread, { kind: 'progress' }>[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #stop: () => void;
  #failure: unknown;
  #wake = () => {};
  /** Counted in checks, so that a machine that slept does not look like a slow file. */
  #waitedMs = 0;
  #waiting = false;

  constructor(thread: Worker, limits: VideoLimits, signal: AbortSignal) {
    const onAbort = () => this.#fail(signal.reason);
    thread.on('message', (message: FromThread) => {
      this.#waitedMs = 0;
      if (message.kind === 'progress') return;
      this.#messages.push(message);
      this.#wake();
    });
    thread.on('error', (error: Error & { code?: string }) =>
      this.#fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? refuseLarge() : refuseDamaged('video')),
    );
    thread.on('exit', () => this.#fail(refuseDamaged('video')));
    signal.addEventListener('abort', onAbort);
    this.#timer = setInterval(() => this.#check(limits), checkEveryMs);
    this.#stop = () => signal.removeEventListener('abort', onAbort);
  }

  async next(): Promise<Exclude<FromThread, { kind: 'progress' }>> {
    this.#waitedMs = 0;
    this.#waiting = true;
    for (;;) {
      const message = this.#messages.shift();
      if (message) {
        this.#waiting = false;
        return message;
      }
      if (this.#failure) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#stop();
  }

  #check(limits: VideoLimits): void {
    if (this.#waiting) this.#waitedMs += checkEveryMs;
    if (this.#waitedMs > limits.stallTimeoutMs) this.#fail(refuseSlow());
    else if (process.memoryUsage.rss() > limits.maxResidentBytes) this.#fail(refuseLarge());
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#wake();
  }
}
