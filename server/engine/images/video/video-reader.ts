/**
 * The host's side of video decoding: a damaged file can keep a demuxer or a decoder busy, or growing, for ever. A thread
 * that came to its end well serves the next video too, which saves it the loading of the decoders.
 */
import { EngineError } from '../../engine.ts';
import { SupervisedWorker, type Talk } from '../../supervised-worker.ts';
import { type Frame, type Picture, type Pixels, resizePixels } from '../input/picture.ts';
import { refuseDamaged, refuseLarge, refuseSlow } from '../input/refusals.ts';
import { maxVideoHeapMb, maxVideoResidentBytes, stallTimeoutMs } from '../limits.ts';
import type { FrameChoice } from '../types.ts';
import type { FromVideoThread, ToVideoThread } from './messages.ts';
import { orientPlanes, type Planes, type Turn, toRgb } from './yuv.ts';

const idleMs = 15_000;
const entry = new URL(`./thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

export interface VideoLimits {
  stallTimeoutMs: number;
  maxResidentBytes: number;
}

export class VideoReader {
  readonly #worker: SupervisedWorker;

  constructor(
    limits: VideoLimits = {
      stallTimeoutMs,
      maxResidentBytes: maxVideoResidentBytes,
    },
  ) {
    this.#worker = new SupervisedWorker(
      {
        entry,
        maxHeapMb: maxVideoHeapMb,
        maxResidentBytes: limits.maxResidentBytes,
        idleMs,
        tooSlow: refuseSlow,
        tooLarge: refuseLarge,
        broken: () => refuseDamaged('video'),
      },
      { openMs: limits.stallTimeoutMs, stallMs: limits.stallTimeoutMs },
    );
  }

  /** The chosen frames, upright, in the order in which they show. @throws EngineError */
  read(bytes: Uint8Array, choice: FrameChoice, signal: AbortSignal): AsyncGenerator<Frame> {
    return this.#worker.exchange(signal, async function* (talk: Talk<ToVideoThread, FromVideoThread>) {
      talk.post({ kind: 'open', bytes, choice });
      for (;;) {
        const message = await talk.next();
        if (message.kind === 'error') throw new EngineError(message.code, message.message, message.param);
        if (message.kind === 'end') return;
        if (message.kind === 'progress') continue;
        const { planes, turn, timestampMs, chosen } = message;
        yield { picture: toPicture(planes, turn), timestampMs, chosen };
        talk.post({ kind: 'more' });
      }
    });
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}

/** Colors are worked out on the host's side, while the thread decodes what follows. */
function toPicture(planes: Planes, turn: Turn): Picture {
  const turned = turn.rotation === 90 || turn.rotation === 270;
  const { width, height } = planes;
  let converted: Promise<Pixels> | undefined;
  const pixels = () => {
    converted ??= Promise.resolve(orientPlanes(toRgb(planes), turn));
    return converted;
  };
  return {
    ...(turned ? { width: height, height: width } : { width, height }),
    pixels,
    resized: async (size, kernel) => resizePixels(await pixels(), size, kernel),
  };
}
