/** The chosen frames of a stream, each group of pictures decoded only where a frame of it was chosen. */
import type { EncodedPacket } from 'mediabunny';
import { refuseDamaged, refuseSize } from '../input/refusals.ts';
import { maxSidePx } from '../limits.ts';
import { chooseFrames } from './choose-frames.ts';
import { Decoder } from './decoder.ts';
import type { VideoStream } from './stream.ts';
import { copyPlanes, type Planes } from './yuv.ts';

export interface TimedPlanes {
  planes: Planes;
  timestampMs: number;
}

/** A stretch to decode: packets from a key frame on, until all its wanted frames are out. */
interface Stretch {
  first: number;
  /** Indexes into the packets. */
  wanted: Set<number>;
}

/** @param onProgress hears of every packet decoded */
export async function* readFrames(
  stream: VideoStream,
  maxFrames: number,
  onProgress = () => {},
): AsyncGenerator<TimedPlanes> {
  const { packets } = stream;
  const wanted = chooseShown(packets, maxFrames);
  let count = 0;
  for (const stretch of toStretches(packets, wanted)) {
    for await (const { index, planes } of decodeStretch(stream, stretch, onProgress)) {
      count++;
      yield { planes, timestampMs: Math.max(0, Math.round(packets[index]!.timestamp * 1000)) };
    }
  }
  if (count === 0) throw refuseDamaged('video');
}

/** Indexes of the packets whose frames were chosen. Frames that end before time zero are cut off by an edit list. */
function chooseShown(packets: readonly EncodedPacket[], maxFrames: number): number[] {
  const shown = packets.map((_, index) => index).filter((index) => endOf(packets[index]!) > 0);
  const inOrder = (shown.length > 0 ? shown : packets.map((_, index) => index)).sort(
    (a, b) => packets[a]!.timestamp - packets[b]!.timestamp,
  );
  const starts = inOrder.map((index) => packets[index]!.timestamp);
  const end = endOf(packets[inOrder.at(-1)!]!);
  return chooseFrames(starts, end, maxFrames).map((at) => inOrder[at]!);
}

const endOf = ({ timestamp, duration }: EncodedPacket): number => timestamp + Math.max(duration, 1e-6);

/** Consecutive wanted frames that share a key frame are decoded in one go. */
function toStretches(packets: readonly EncodedPacket[], wanted: readonly number[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const index of wanted) {
    const first = keyBefore(packets, index);
    const last = stretches.at(-1);
    if (last?.first === first) last.wanted.add(index);
    else stretches.push({ first, wanted: new Set([index]) });
  }
  return stretches;
}

/** Frames that are shown before the key frame they follow in the file need the one before it as well. */
function keyBefore(packets: readonly EncodedPacket[], index: number): number {
  for (let at = index; at > 0; at--) {
    const packet = packets[at]!;
    if (packet.type === 'key' && packet.timestamp <= packets[index]!.timestamp) return at;
  }
  return 0;
}

async function* decodeStretch(
  stream: VideoStream,
  { first, wanted }: Stretch,
  onProgress: () => void,
): AsyncGenerator<{ index: number; planes: Planes }> {
  const decoder = await Decoder.open(stream.facts);
  try {
    const left = new Set(wanted);
    const finished = function* () {
      for (let frame = decoder.receive(); frame; frame = decoder.receive()) {
        if (left.delete(frame.index)) yield { index: frame.index, planes: take(frame.planes()) };
      }
    };
    let index = first;
    for await (const data of stream.data(stream.packets[first]!)) {
      decoder.send(data, index, stream.packets[index]?.type === 'key');
      index++;
      onProgress();
      yield* finished();
      if (left.size === 0) return;
    }
    decoder.drain();
    yield* finished();
  } finally {
    decoder.close();
  }
}

function take(planes: Planes): Planes {
  // The container may say less than the stream holds.
  if (Math.max(planes.width, planes.height) > maxSidePx) {
    throw refuseSize(planes.width, planes.height, maxSidePx);
  }
  return copyPlanes(planes);
}
