/** The video track of a file: its packets in decoding order, when each frame shows, and how it is turned. */
import {
  BufferSource,
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  QTFF,
  WEBM,
} from 'mediabunny';
import { refuseDamaged, refuseKind, refuseLarge, refuseSize } from '../input/refusals.ts';
import { maxIndexedFrames, maxSidePx } from '../limits.ts';
import { isCodec, type StreamFacts } from './decoder.ts';
import type { Planes } from './yuv.ts';

export interface VideoStream {
  facts: StreamFacts;
  /** Clockwise degrees. */
  rotation: number;
  flip: boolean;
  /** In decoding order, times in seconds, without their data. */
  packets: EncodedPacket[];
  /** Data of the packets from one on, in decoding order. */
  data(first: EncodedPacket): AsyncGenerator<Uint8Array>;
}

const codecNames: Record<string, string> = {
  hevc: 'H.265 (HEVC)',
  mpeg4: 'MPEG-4 part 2',
  prores: 'ProRes',
};

/** @param onProgress hears of every packet indexed
 * @throws EngineError for files without a video track that can be read */
export async function openStream(bytes: Uint8Array, onProgress = () => {}): Promise<VideoStream> {
  const input = new Input({ formats: [MP4, QTFF, WEBM, MATROSKA], source: new BufferSource(bytes) });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw refuseKind('The file has no video track.');
  const codec = await track.getCodec();
  if (!isCodec(codec)) {
    const name = codecNames[codec ?? ''] ?? codec ?? 'an unknown codec';
    throw refuseKind(`The video is in ${name}; H.264, VP8, VP9 and AV1 are read.`);
  }
  const [width, height] = [await track.getCodedWidth(), await track.getCodedHeight()];
  if (Math.max(width, height) > maxSidePx) throw refuseSize(width, height, maxSidePx);
  const description = (await track.getDecoderConfig())?.description;
  const sink = new EncodedPacketSink(track);
  return {
    facts: { codec, description: toBytes(description), width, height, ...(await readColor(track, height)) },
    rotation: await track.getRotation(),
    flip: await track.getFlip(),
    packets: await indexPackets(sink, onProgress),
    data: (first) => readData(sink, first),
  };
}

type Description = NonNullable<Awaited<ReturnType<InputVideoTrack['getDecoderConfig']>>>['description'];

const toBytes = (source: Description): Uint8Array | undefined => {
  if (source === undefined) return undefined;
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
};

/** Streams that do not say are taken as players take them: BT.709 from 720 lines on, BT.601 below, limited range. */
async function readColor(
  track: InputVideoTrack,
  height: number,
): Promise<{ matrix: Planes['matrix']; fullRange: boolean }> {
  const { matrix, fullRange } = await track.getColorSpace();
  const usual = height >= 720 ? 'bt709' : 'bt601';
  const named = matrix === 'bt709' ? 'bt709' : matrix === 'bt2020-ncl' ? 'bt2020' : matrix ? 'bt601' : usual;
  return { matrix: named, fullRange: fullRange === true };
}

async function indexPackets(sink: EncodedPacketSink, onProgress: () => void): Promise<EncodedPacket[]> {
  const packets: EncodedPacket[] = [];
  for await (const packet of sink.packets(undefined, undefined, { metadataOnly: true })) {
    packets.push(packet);
    onProgress();
    if (packets.length > maxIndexedFrames) throw refuseLarge();
  }
  if (packets.length === 0) throw refuseDamaged('video');
  return packets;
}

async function* readData(sink: EncodedPacketSink, first: EncodedPacket): AsyncGenerator<Uint8Array> {
  let packet = await sink.getPacket(first.timestamp);
  while (packet) {
    yield packet.data;
    packet = await sink.getNextPacket(packet);
  }
}
