/**
 * The host's side of video decoding. A damaged file can keep a demuxer or a decoder busy, or growing, for ever; so they
 * run in a thread that is ended when it gets stuck, needs too much memory or its caller has gone. A thread that came to
 * its end well serves the next video too, which saves it the loading of the decoders, and ends when none comes.
 */
import { Worker } from 'node:worker_threads';
import { EngineError } from '../../engine.ts';
import type { Frame } from '../input/frames.ts';
import { type Picture, type Pixels, resizePixels } from '../input/picture.ts';
import { refuseDamaged, refuseLarge, refuseSlow } from '../input/refusals.ts';
import { maxVideoHeapMb, maxVideoResidentBytes, stallTimeoutMs } from '../limits.ts';
import type { FrameChoice } from '../types.ts';
import type { FromThread, ToThread } from './messages.ts';
import { orient, type Planes, type Turn, toRgb } from './yuv.ts';

const checkEveryMs = 100;
const idleMs = 15_000;
const entry = new URL(`./thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

export interface VideoLimits {
  stallTimeoutMs: number;
  maxResidentBytes: number;
}

export class VideoReader {
  readonly #limits: VideoLimits;
  /** Busy or waiting for the next video; undefined where there is none. */
  #thread: Worker | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Videos wait for each other: one at a time keeps the memory promise. */
  #turn: Promise<void> = Promise.resolve();

  constructor(limits: VideoLimits = { stallTimeoutMs, maxResidentBytes: maxVideoResidentBytes }) {
    this.#limits = limits;
  }

  /** The chosen frames, upright, in the order in which they show. @throws EngineError */
  async *read(bytes: Uint8Array, choice: FrameChoice, signal: AbortSignal): AsyncGenerator<Frame> {
    const previous = this.#turn;
    let release = () => {};
    this.#turn = new Promise((resolve) => {
      release = resolve;
    });
    try {
      await previous;
      signal.throwIfAborted();
      yield* this.#run(bytes, choice, signal);
    } finally {
      release();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  async *#run(bytes: Uint8Array, choice: FrameChoice, signal: AbortSignal): AsyncGenerator<Frame> {
    clearTimeout(this.#idleTimer);
    this.#thread ??= startThread();
    const thread = this.#thread;
    thread.ref();
    const inbox = new Inbox(thread, this.#limits, signal);
    let done = false;
    try {
      post(thread, { kind: 'open', bytes, choice });
      while (!done) {
        const message = await inbox.next();
        if (message.kind === 'error') throw new EngineError(message.code, message.message, message.param);
        if (message.kind === 'end') done = true;
        else {
          yield { picture: toPicture(message.planes, message.turn), timestampMs: message.timestampMs };
          post(thread, { kind: 'more' });
        }
      }
    } finally {
      inbox.close();
      // After anything but a good end its decoders may be in any state.
      if (done) this.#rest(thread);
      else await this.close();
    }
  }

  #rest(thread: Worker): void {
    thread.unref();
    this.#idleTimer = setTimeout(() => void this.close(), idleMs).unref();
  }
}

function startThread(): Worker {
  const thread = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: maxVideoHeapMb } });
  // An error between two videos is met by the next one; without a listener it would end the host.
  return thread.on('error', () => {});
}

/** Colors are worked out on the host's side, while the thread decodes what follows. */
function toPicture(planes: Planes, turn: Turn): Picture {
  const turned = turn.rotation === 90 || turn.rotation === 270;
  const { width, height } = planes;
  let converted: Promise<Pixels> | undefined;
  const pixels = () => {
    converted ??= Promise.resolve(orient(toRgb(planes), turn));
    return converted;
  };
  return {
    ...(turned ? { width: height, height: width } : { width, height }),
    pixels,
    resized: async (size, kernel) => resizePixels(await pixels(), size, kernel),
  };
}

const post = (thread: Worker, message: ToThread): void => thread.postMessage(message);

/** Messages of the thread, in order; its failures, and the limits it runs into, are thrown to whoever waits. */
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
    const onMessage = (message: FromThread) => {
      this.#waitedMs = 0;
      if (message.kind === 'progress') return;
      this.#messages.push(message);
      this.#wake();
    };
    const onError = (error: Error & { code?: string }) =>
      this.#fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? refuseLarge() : refuseDamaged('video'));
    const onExit = () => this.#fail(refuseDamaged('video'));
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    signal.addEventListener('abort', onAbort);
    this.#timer = setInterval(() => this.#check(limits), checkEveryMs);
    this.#stop = () => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
    };
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
