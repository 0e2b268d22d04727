/**
 * Pictures: images per second from a file's bytes to named boxes, against transformers.js's object-detection pipeline
 * with the same graph, files and thread count in this process, one picture after the other.
 *
 * Frames: frames per second of a video from a file's bytes to RGB pictures, at the API's usual 16 frames and at its most,
 * 128, against the decoder alone, which is given the packets and whose frames are thrown away. Both count every frame that
 * had to be decoded.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, pipeline } from '@huggingface/transformers';
import sharp from 'sharp';
import { Decoder } from '../../server/engine/images/video/decoder.ts';
import { openStream } from '../../server/engine/images/video/stream.ts';
import { VideoReader } from '../../server/engine/images/video/video-reader.ts';
import { writeDetector } from '../support/images/bench-detector.ts';
import { makeVideo } from '../support/images/make-video.ts';
import { openAnalyzer } from '../support/images/open-starter.ts';
import { clipFolder, hasClips } from '../support/images/shared-data.ts';
import { alternate, progress, rounded } from './measure.ts';

const threads = 2;
/** A phone's photo scaled for the web, a screenshot, a full one. */
const sizes = [
  { width: 1280, height: 960, format: 'jpeg' },
  { width: 1440, height: 900, format: 'png' },
  { width: 3264, height: 2448, format: 'jpeg' },
] as const;
/** Long enough that opening does not count much, of the largest pictures of the set. */
const clips = ['hero-ui.mp4', 'gallery.mp4', 'import-model.mp4'];

/** Smooth shapes with some noise: what a JPEG of a scene is like. */
async function makePicture({ width, height, format }: (typeof sizes)[number]): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
  const coarse = await sharp({ create: { width: 32, height: 24, channels: 3, background: '#888', noise } })
    .png()
    .toBuffer();
  const image = sharp(coarse).resize(width, height, { kernel: 'cubic', fit: 'fill' });
  return (format === 'jpeg' ? image.jpeg({ quality: 88 }) : image.png()).toBuffer();
}

async function comparePictures(quick: boolean) {
  const models = await mkdtemp(join(tmpdir(), 'lokal-bench-'));
  const folder = join(models, 'bench-detector');
  await writeDetector(folder);
  const manifest = { vision: { parts: [{ family: 'detr' }] } };
  const analyzer = await openAnalyzer({ folder, manifest }, threads);
  env.allowRemoteModels = false;
  env.localModelPath = `${models}/`;
  const peer = await pipeline('object-detection', 'bench-detector', {
    device: 'cpu',
    dtype: 'fp32',
    session_options: { intraOpNumThreads: threads, interOpNumThreads: 1 },
  });
  const pictures = await Promise.all(sizes.slice(0, quick ? 1 : 3).map(makePicture));
  const blobs = pictures.map((bytes) => new Blob([new Uint8Array(bytes)]));
  const rounds = quick ? 1 : 4;
  try {
    const { oursMs, peerMs } = await alternate({
      runs: quick ? 1 : 5,
      ours: async () => {
        for (let round = 0; round < rounds; round++) {
          for (const bytes of pictures) await analyzer.analyze(bytes, { tasks: ['objects'] });
        }
      },
      peer: async () => {
        for (let round = 0; round < rounds; round++) {
          for (const blob of blobs) await peer(blob as never, { threshold: 0.5 });
        }
      },
    });
    const count = pictures.length * rounds;
    return {
      ratio: rounded(peerMs / oursMs),
      images_per_s: { ours: rounded((1000 * count) / oursMs), peer: rounded((1000 * count) / peerMs) },
    };
  } finally {
    await analyzer.close();
    await peer.dispose();
    await rm(models, { recursive: true, force: true });
  }
}

interface Clip {
  bytes: Uint8Array;
  stream: Awaited<ReturnType<typeof openStream>>;
  packets: Uint8Array[];
}

async function openClip(bytes: Uint8Array): Promise<Clip> {
  const stream = await openStream(bytes);
  const packets: Uint8Array[] = [];
  for await (const data of stream.data(stream.packets[0]!)) packets.push(data);
  return { bytes, stream, packets };
}

async function decodeAlone({ stream, packets }: Clip): Promise<void> {
  const decoder = await Decoder.open(stream.facts);
  let frames = 0;
  for (const [index, data] of packets.entries()) {
    decoder.send(data, index, stream.packets[index]!.type === 'key');
    while (decoder.receive()) frames++;
  }
  decoder.drain();
  while (decoder.receive()) frames++;
  decoder.close();
  if (frames !== packets.length) throw new Error(`${frames} frames of ${packets.length} packets`);
}

async function compareFrames(quick: boolean) {
  const files = hasClips ? clips.map((name) => clipFolder + name).filter((path) => existsSync(path)) : [];
  const sources =
    files.length > 0 ? files.map((path) => readFileSync(path)) : [await makeVideo({ count: 300 })];
  const opened = await Promise.all(sources.slice(0, quick ? 1 : 3).map(openClip));
  const reader = new VideoReader();
  const never = new AbortController().signal;
  const readAll = async (maxFrames: number) => {
    for (const { bytes } of opened) {
      for await (const { picture } of reader.read(bytes, { maxFrames, sampling: 'even' }, never))
        await picture.pixels();
    }
  };
  const peer = async () => {
    for (const clip of opened) await decodeAlone(clip);
  };
  const runs = quick ? 1 : 5;
  const count = opened.reduce((sum, { packets }) => sum + packets.length, 0);
  progress(`${opened.length} clips, ${count} frames; 16 of each`);
  const usual = await alternate({ runs, ours: () => readAll(16), peer });
  progress('128 of each');
  const most = await alternate({ runs, ours: () => readAll(128), peer });
  await reader.close();
  return {
    frames_ratio: rounded(usual.peerMs / usual.oursMs),
    frames_ratio_128: rounded(most.peerMs / most.oursMs),
    frames_per_s: rounded((1000 * count) / usual.oursMs),
  };
}

export async function run({ quick }: { quick: boolean }): Promise<object> {
  return {
    ...(await comparePictures(quick)),
    ...(await compareFrames(quick)),
  };
}
