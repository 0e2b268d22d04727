/** Videos for tests, made on the spot: frames of flat color whose value tells their number. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny';
import { writeH264, type YuvFrame } from './h264-writer.ts';

export type TestCodec = 'avc' | 'vp8' | 'vp9' | 'av1';

export interface VideoOptions {
  codec?: TestCodec;
  count?: number;
  framesPerSecond?: number;
  width?: number;
  height?: number;
  keyEvery?: number;
  /** Luma of a frame. */
  brightness?: (index: number) => number;
  rotation?: 0 | 90 | 180 | 270;
}

/** Brightness of frame `index`: told apart by any codec. The upper left quarter is dark, to show what is up. */
export const brightnessOf = (index: number): number => 60 + (index % 20) * 9;

function frameAt(brightness: number, width: number, height: number): YuvFrame {
  const y = new Uint8Array(width * height).fill(brightness);
  for (let row = 0; row < height / 2; row++) y.fill(16, row * width, row * width + width / 2);
  const chroma = () => new Uint8Array((width * height) / 4).fill(128);
  return { width, height, y, u: chroma(), v: chroma() };
}

interface Stream {
  codec: string;
  description?: Uint8Array;
  packets: { data: Uint8Array; key: boolean }[];
}

const codecStrings: Record<TestCodec, string> = {
  avc: 'avc1.42c028',
  vp8: 'vp8',
  vp9: 'vp09.00.10.08',
  av1: 'av01.0.04M.08',
};

/** The header (hvcC, ISO/IEC 14496-15 8.3.3) and one packet of noise: enough to tell the codec, nothing to decode. */
const hevc: Stream = {
  codec: 'hvc1.1.6.L93.B0',
  description: Uint8Array.from([
    1, 1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 93, 0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, 0,
  ]),
  packets: [{ data: Uint8Array.from([0, 0, 0, 4, 0x26, 1, 0xaf, 0x08]), key: true }],
};

/** An MP4 whose video nothing here can decode. */
export const makeHevcVideo = (): Promise<Uint8Array> => mux(hevc, 'hevc', {});

export async function makeVideo(options: VideoOptions = {}): Promise<Uint8Array> {
  const { codec = 'avc', count = 10, width = 64, height = 48, keyEvery = 5 } = options;
  const { brightness = brightnessOf } = options;
  const frames = Array.from({ length: count }, (_, index) => frameAt(brightness(index), width, height));
  const stream: Stream =
    codec === 'avc'
      ? { codec: codecStrings.avc, ...writeH264(frames, keyEvery) }
      : { codec: codecStrings[codec], packets: await encode(codec, frames, keyEvery) };
  return mux(stream, codec, options);
}

async function mux(stream: Stream, codec: TestCodec | 'hevc', options: VideoOptions): Promise<Uint8Array> {
  const { framesPerSecond = 10, width = 64, height = 48 } = options;
  const target = new BufferTarget();
  const format = codec === 'avc' || codec === 'hevc' ? new Mp4OutputFormat() : new WebMOutputFormat();
  const output = new Output({ format, target });
  const source = new EncodedVideoPacketSource(codec);
  output.addVideoTrack(source, { rotation: options.rotation ?? 0 });
  await output.start();
  const decoderConfig = {
    codec: stream.codec,
    codedWidth: width,
    codedHeight: height,
    ...(stream.description ? { description: stream.description } : {}),
  };
  for (const [index, { data, key }] of stream.packets.entries()) {
    const packet = new EncodedPacket(
      data,
      key ? 'key' : 'delta',
      index / framesPerSecond,
      1 / framesPerSecond,
    );
    await source.add(packet, { decoderConfig });
  }
  await output.finalize();
  return new Uint8Array(target.buffer!);
}

/** What is used of libav.js's encoders. */
interface Encoders {
  ff_init_encoder(name: string, options: object): [number, number, number, number];
  ff_encode_multi(
    context: number,
    frame: number,
    packet: number,
    frames: object[],
    finish: boolean,
  ): { data: Uint8Array; flags: number }[];
}

const encoders = {
  vp8: { variant: 'webm-vp9', name: 'libvpx' },
  vp9: { variant: 'webm-vp9', name: 'libvpx-vp9' },
  av1: { variant: 'av1-opus', name: 'libaom-av1' },
} as const;

async function encode(codec: 'vp8' | 'vp9' | 'av1', frames: YuvFrame[], keyEvery: number) {
  const { variant, name } = encoders[codec];
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve(`@libav.js/variant-${variant}`));
  const loader = `libav-6.10.9.0-${variant}.wasm`;
  const factory = require(join(folder, `${loader}.js`)) as {
    default: (options: object) => Promise<Encoders>;
  };
  const silent = () => {};
  const wasmBinary = readFileSync(join(folder, `${loader}.wasm`));
  const library = await factory.default({ wasmBinary, print: silent, printErr: silent });
  const { width, height } = frames[0]!;
  const options = {
    'cpu-used': codec === 'av1' ? '8' : '5',
    g: String(keyEvery),
    'lag-in-frames': '0',
    crf: '4',
  };
  const [, context, frame, packet] = library.ff_init_encoder(name, {
    ctx: { width, height, pix_fmt: 0, bit_rate: 2_000_000, gop_size: keyEvery },
    time_base: [1, 10],
    options,
  });
  const area = width * height;
  const layout = [
    { offset: 0, stride: width },
    { offset: area, stride: width / 2 },
    { offset: area * 1.25, stride: width / 2 },
  ];
  const pictures = frames.map(({ y, u, v }, index) => {
    const data = new Uint8Array(area * 1.5);
    data.set(y);
    data.set(u, area);
    data.set(v, area * 1.25);
    return { data, layout, format: 0, width, height, pts: index, ptshi: 0 };
  });
  const packets = library.ff_encode_multi(context, frame, packet, pictures, true);
  return packets.map(({ data, flags }) => ({ data: Uint8Array.from(data), key: (flags & 1) === 1 }));
}
