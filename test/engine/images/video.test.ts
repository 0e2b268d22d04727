import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { FrameSampling } from '../../../server/engine/images/types.ts';
import { chooseFrames } from '../../../server/engine/images/video/choose-frames.ts';
import { findSceneStarts } from '../../../server/engine/images/video/scene-changes.ts';
import { VideoReader } from '../../../server/engine/images/video/video-reader.ts';
import {
  brightnessOf,
  makeHevcVideo,
  makeVideo,
  type VideoOptions,
} from '../../support/images/make-video.ts';
import { clipFolder, hasClips, readIndex } from '../../support/images/shared-data.ts';

const reader = new VideoReader();
afterAll(() => reader.close());

const never = new AbortController().signal;

interface Seen {
  timestampMs: number;
  width: number;
  height: number;
  /** Red of the pixel at these shares of the picture. */
  at: (x: number, y: number) => number;
}

async function read(
  bytes: Uint8Array,
  maxFrames = 128,
  signal = never,
  sampling: FrameSampling = 'even',
): Promise<Seen[]> {
  const seen: Seen[] = [];
  for await (const { picture, timestampMs } of reader.read(bytes, { maxFrames, sampling }, signal)) {
    const { width, height, data } = await picture.pixels();
    const at = (x: number, y: number) => data[(Math.floor(y * height) * width + Math.floor(x * width)) * 3]!;
    seen.push({ timestampMs: timestampMs ?? -1, width, height, at });
  }
  return seen;
}

/** Limited-range luma to RGB of a gray. */
const shown = (luma: number) => Math.round(((luma - 16) * 255) / 219);

describe('scene changes', () => {
  const flat = (values: number[], everyMs = 40) =>
    values.map((value, index) => ({ startMs: index * everyMs, thumbnail: [new Uint8Array(30).fill(value)] }));

  it('stand out from how much the scene moves', () => {
    expect(findSceneStarts(flat([10, 11, 10, 90, 91, 90, 91, 91, 90, 10, 10]), 9)).toEqual([0, 3, 9]);
    const restless = flat(Array.from({ length: 12 }, (_, index) => (index % 2) * 60));
    expect(findSceneStarts(restless, 9)).toEqual([0]);
    expect(findSceneStarts(flat([5]), 9)).toEqual([0]);
    // Slides that stay for a second each are scenes, every one.
    expect(findSceneStarts(flat([0, 60, 0, 60], 1000), 9)).toEqual([0, 1, 2, 3]);
  });

  it('give way to stronger ones where they are too many', () => {
    expect(findSceneStarts(flat([0, 0, 0, 40, 40, 40, 240, 240, 240], 100), 2)).toEqual([0, 6]);
  });
});

describe('chosen frames', () => {
  const even = (count: number) => Array.from({ length: count }, (_, index) => index * 40);

  it('all of them where there is room', () => {
    expect(chooseFrames(even(5), 200, 5)).toEqual([0, 1, 2, 3, 4]);
    expect(chooseFrames(even(5), 200, 128)).toEqual([0, 1, 2, 3, 4]);
  });

  it('one stands in the middle, several in the middles of equal parts', () => {
    expect(chooseFrames(even(9), 360, 1)).toEqual([4]);
    expect(chooseFrames(even(100), 4000, 4)).toEqual([12, 37, 62, 87]);
  });

  it('spread over time, not over numbers, and never twice', () => {
    const bunched = [0, 1, 2, 3, 4, 5, 6, 7, 1000, 2000];
    const chosen = chooseFrames(bunched, 3000, 6);
    expect(new Set(chosen).size).toBe(6);
    expect(chosen).toEqual([...chosen].sort((a, b) => a - b));
    expect(chosen.slice(-2)).toEqual([8, 9]);
  });
});

describe('videos', () => {
  it.each(['avc', 'vp8', 'vp9', 'av1'] as const)(
    '%s: every frame, at its time, in its colors',
    async (codec) => {
      const frames = await read(await makeVideo({ codec, count: 12 }));
      expect(frames.map(({ timestampMs }) => timestampMs)).toEqual(
        Array.from({ length: 12 }, (_, index) => index * 100),
      );
      const tolerance = codec === 'avc' ? 1 : 14;
      for (const [index, frame] of frames.entries()) {
        expect([frame.width, frame.height]).toEqual([64, 48]);
        expect(
          Math.abs(frame.at(0.9, 0.9) - shown(brightnessOf(index))),
          `frame ${index}`,
        ).toBeLessThanOrEqual(tolerance);
        expect(frame.at(0.1, 0.1)).toBeLessThan(30);
      }
    },
  );

  it('chosen frames are the right ones, wherever key frames lie', async () => {
    for (const keyEvery of [1, 4, 40]) {
      const frames = await read(await makeVideo({ count: 40, keyEvery }), 4);
      expect(frames.map(({ timestampMs }) => timestampMs)).toEqual([500, 1500, 2500, 3500]);
      for (const frame of frames) {
        expect(
          Math.abs(frame.at(0.9, 0.9) - shown(brightnessOf(frame.timestampMs / 100))),
        ).toBeLessThanOrEqual(1);
      }
    }
  });

  // Where the dark quarter, upper left in the file, comes to lie.
  it.each([
    [90, 0.9, 0.1],
    [180, 0.9, 0.9],
    [270, 0.1, 0.9],
  ] as const)('rotation by %i° turns the frames', async (rotation, x, y) => {
    const [frame] = await read(await makeVideo({ count: 2, rotation }), 1);
    expect([frame!.width, frame!.height]).toEqual(rotation === 180 ? [64, 48] : [48, 64]);
    expect(frame!.at(x, y)).toBeLessThan(30);
    expect(frame!.at(0.1, 0.1)).toBeGreaterThan(30);
  });

  it('at scene changes: the frames that open a scene, wherever key frames lie', async () => {
    // Cuts at 0.7, 1.5 and 2.6 s; within the scenes it grows lighter a little.
    const cuts = [7, 15, 26];
    const brightness = (index: number) => 60 + cuts.filter((cut) => cut <= index).length * 50 + (index % 3);
    const bytes = await makeVideo({ count: 40, keyEvery: 10, brightness });
    const scenes = await read(bytes, 16, never, 'scene_changes');
    expect(scenes.map(({ timestampMs }) => timestampMs)).toEqual([0, 700, 1500, 2600]);
    expect(Math.abs(scenes[2]!.at(0.9, 0.9) - shown(brightness(15)))).toBeLessThan(6);
    expect((await read(bytes, 3, never, 'scene_changes')).length).toBe(3);
    expect((await read(bytes, 1, never, 'scene_changes')).map(({ timestampMs }) => timestampMs)).toEqual([0]);
    const still = await makeVideo({ count: 12, brightness: () => 90 });
    expect((await read(still, 16, never, 'scene_changes')).length).toBe(1);
  });

  it('what cannot be read is refused with a code of the contract', async () => {
    const whole = await makeVideo();
    const noFrames = whole.slice();
    noFrames.fill(0xff, 40, 4000);
    await expect(read(whole.subarray(0, 200))).rejects.toMatchObject({
      code: 'unsupported_media',
      param: 'image',
    });
    await expect(read(noFrames)).rejects.toMatchObject({ param: 'image' });
    const large: VideoOptions = { width: 4112, height: 16, count: 1 };
    await expect(read(await makeVideo(large))).rejects.toMatchObject({ code: 'invalid_value' });
  });

  it('H.265 is refused by its name, and the next video is read', async () => {
    const refused = read(await makeHevcVideo());
    await expect(refused).rejects.toMatchObject({
      code: 'unsupported_media',
      param: 'image',
      message: 'The video is in H.265 (HEVC); H.264, VP8, VP9 and AV1 are read.',
    });
    expect((await read(await makeVideo({ count: 2 }))).length).toBe(2);
  });

  it('ends with its caller, and with its patience', async () => {
    const bytes = await makeVideo({ count: 40 });
    const controller = new AbortController();
    const reading = read(bytes, 40, controller.signal);
    controller.abort(new Error('gone'));
    await expect(reading).rejects.toThrow('gone');
    const hasty = new VideoReader({ stallTimeoutMs: 0, maxResidentBytes: Number.POSITIVE_INFINITY });
    const first = hasty.read(bytes, { maxFrames: 40, sampling: 'even' }, new AbortController().signal).next();
    await expect(first).rejects.toMatchObject({ code: 'invalid_value' });
    expect((await read(bytes, 3)).length).toBe(3);
  });

  describe.skipIf(!hasClips)('the shared clips', () => {
    it('have all their frames, to the millisecond', async () => {
      for (const row of readIndex(clipFolder)
        .filter(({ frames }) => Number(frames) <= 128)
        .slice(0, 1)) {
        const frames = await read(readFileSync(clipFolder + row.file));
        expect(frames.map(({ timestampMs }) => timestampMs)).toEqual(
          Array.from({ length: Number(row.frames) }, (_, index) =>
            Math.round((index * 1000) / Number(row.fps)),
          ),
        );
        expect([frames[0]!.width, frames[0]!.height]).toEqual([Number(row.width), Number(row.height)]);
      }
    });
  });
});

describe('animations', () => {
  const colors = ['#ff0000', '#00ff00', '#0000ff'] as const;

  it.each(['gif', 'webp'] as const)('%s frames come with their times', async (format) => {
    const { openFrames } = await import('../../../server/engine/images/input/frames.ts');
    const pages = await Promise.all(
      colors.map((background) =>
        sharp({ create: { width: 20, height: 10, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const joined = sharp(pages, { join: { animated: true } });
    const delay = [100, 300, 200];
    const bytes = await (format === 'gif'
      ? joined.gif({ delay })
      : joined.webp({ delay, lossless: true })
    ).toBuffer();
    const source = await openFrames(
      bytes,
      { maxFrames: 16, sampling: 'even' },
      { videos: reader, signal: new AbortController().signal },
    );
    expect(source.still).toBe(false);
    const seen: [number | undefined, number[]][] = [];
    for await (const { picture, timestampMs } of source.frames) {
      seen.push([timestampMs, [...(await picture.pixels()).data.subarray(0, 3)]]);
    }
    const scenes = await openFrames(
      bytes,
      { maxFrames: 2, sampling: 'scene_changes' },
      { videos: reader, signal: never },
    );
    const times = [];
    for await (const { timestampMs } of scenes.frames) times.push(timestampMs);
    expect(times).toEqual([0, 100]);
    expect(seen).toEqual([
      [0, [255, 0, 0]],
      [100, [0, 255, 0]],
      [400, [0, 0, 255]],
    ]);
  });
});
