/** The chosen frames of a stream, each group of pictures decoded only where a frame of it was chosen. */
import type { EncodedPacket } from 'mediabunny';
import { refuseDamaged, refuseSize } from '../input/refusals.ts';
import { maxSidePx, maxWatchedFrames } from '../limits.ts';
import type { FrameChoice } from '../types.ts';
import { chooseFrames } from './choose-frames.ts';
import { Decoder } from './decoder.ts';
import { findSceneStarts, type Look, thumbnailOfPlanes } from './scene-changes.ts';
import type { VideoStream } from './stream.ts';
import { copyPlanes, type Planes } from './yuv.ts';

export interface TimedPlanes {
  planes: Planes;
  timestampMs: number;
  /** Frames chosen in all. */
  chosen: number;
}

/** A stretch to decode: packets from a key frame on, until all its wanted frames are out. */
interface Stretch {
  first: number;
  /** Indexes into the packets. */
  wanted: Set<number>;
}

/**
 * @param onProgress hears of every packet decoded
 * @throws EngineError invalid_value when no frame can be decoded, or one is too large
 */
export async function* readFrames(
  stream: VideoStream,
  { maxFrames, sampling }: FrameChoice,
  onProgress = () => {},
): AsyncGenerator<TimedPlanes> {
  const { packets } = stream;
  const shown = inOrderOfShowing(packets);
  const wanted =
    sampling === 'scene_changes'
      ? await chooseSceneStarts(stream, { shown, maxFrames, onProgress })
      : chooseEvenly(packets, shown, maxFrames);
  let count = 0;
  for await (const { index, taken } of decode(stream, wanted, { take: copyPlanes, onProgress })) {
    count++;
    const timestampMs = Math.max(0, Math.round(packets[index]!.timestamp * 1000));
    yield { planes: taken, timestampMs, chosen: wanted.length };
  }
  if (count === 0) throw refuseDamaged('video');
}

/** Indexes of the packets. Frames that end before time zero are cut off by an edit list. */
function inOrderOfShowing(packets: readonly EncodedPacket[]): number[] {
  const shown = packets.map((_, index) => index).filter((index) => endOf(packets[index]!) > 0);
  return (shown.length > 0 ? shown : packets.map((_, index) => index)).sort(
    (a, b) => packets[a]!.timestamp - packets[b]!.timestamp,
  );
}

function chooseEvenly(
  packets: readonly EncodedPacket[],
  shown: readonly number[],
  maxFrames: number,
): number[] {
  const starts = shown.map((index) => packets[index]!.timestamp);
  const end = endOf(packets[shown.at(-1)!]!);
  return chooseFrames(starts, end, maxFrames).map((at) => shown[at]!);
}

/** Decodes once to look for cuts: all frames, of long videos the key frames, which encoders like to put there. */
async function chooseSceneStarts(
  stream: VideoStream,
  { shown, maxFrames, onProgress }: { shown: number[]; maxFrames: number; onProgress: () => void },
): Promise<number[]> {
  const { packets } = stream;
  const looked =
    shown.length <= maxWatchedFrames ? shown : shown.filter((index) => packets[index]!.type === 'key');
  const seen: number[] = [];
  const looks: Look[] = [];
  for await (const { index, taken } of decode(stream, looked, { take: thumbnailOfPlanes, onProgress })) {
    seen.push(index);
    looks.push({ startMs: packets[index]!.timestamp * 1000, thumbnail: taken });
  }
  if (seen.length === 0) throw refuseDamaged('video');
  return findSceneStarts(looks, maxFrames).map((at) => seen[at]!);
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

interface Decoding<T> {
  /** Kept of a frame: its planes are the decoder's and overwritten by the next. */
  take(planes: Planes): T;
  onProgress(): void;
}

/** The frames of these packets, which are in the order of showing. */
async function* decode<T>(
  stream: VideoStream,
  wanted: readonly number[],
  decoding: Decoding<T>,
): AsyncGenerator<{ index: number; taken: T }> {
  for (const stretch of toStretches(stream.packets, wanted)) yield* decodeStretch(stream, stretch, decoding);
}

async function* decodeStretch<T>(
  stream: VideoStream,
  { first, wanted }: Stretch,
  { take, onProgress }: Decoding<T>,
): AsyncGenerator<{ index: number; taken: T }> {
  const decoder = await Decoder.open(stream.facts);
  try {
    const left = new Set(wanted);
    const finished = function* () {
      for (let frame = decoder.receive(); frame; frame = decoder.receive()) {
        if (left.delete(frame.index)) yield { index: frame.index, taken: take(checkSize(frame.planes())) };
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

function checkSize(planes: Planes): Planes {
  // The container may say less than the stream holds.
  if (Math.max(planes.width, planes.height) > maxSidePx) {
    throw refuseSize(planes.width, planes.height, maxSidePx);
  }
  return planes;
}
