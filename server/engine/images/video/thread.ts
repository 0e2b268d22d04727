/** Entry of the decoding thread: the only place where video files are taken apart and decoded. */
import { parentPort } from 'node:worker_threads';
import { EngineError } from '../../engine.ts';
import { refuseDamaged } from '../input/refusals.ts';
import type { FrameChoice } from '../types.ts';
import type { FromVideoThread, ToVideoThread } from './messages.ts';
import { readFrames } from './read-frames.ts';
import { openStream } from './stream.ts';

const port = parentPort!;
/** Frames decoded ahead of the host's work, so that decoding and analysis overlap. */
const framesAhead = 6;
let credit = framesAhead;
let wake = () => {};

/** Packets come by the thousand; the host wants to know that they do, not each. */
const progressEveryMs = 250;
let told = 0;
function tellProgress(): void {
  const now = performance.now();
  if (now - told < progressEveryMs) return;
  told = now;
  reply({ kind: 'progress' });
}

async function run(bytes: Uint8Array, choice: FrameChoice): Promise<void> {
  credit = framesAhead;
  const stream = await openStream(bytes, tellProgress);
  const turn = { rotation: stream.rotation, flip: stream.flip };
  for await (const { planes, ...frame } of readFrames(stream, choice, tellProgress)) {
    reply({ kind: 'frame', planes, turn, ...frame }, [planes.memory.buffer as ArrayBuffer]);
    credit--;
    while (credit <= 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  reply({ kind: 'end' });
}

const reply = (message: FromVideoThread, transfer: ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer);

port.on('message', (message: ToVideoThread) => {
  if (message.kind === 'more') {
    credit++;
    wake();
    return;
  }
  // Demuxers and decoders throw whatever they like at damaged files; all of it means the same to the caller.
  run(message.bytes, message.choice).catch((error: unknown) => {
    const { code, message: text, param } = error instanceof EngineError ? error : refuseDamaged('video');
    reply({ kind: 'error', code, message: text, param });
  });
});
