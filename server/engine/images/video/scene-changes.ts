/** Beginnings of scenes in a row of frames, by how much their thumbnails differ. Pure. */
import type { Pixels } from '../input/picture.ts';
import { type Planes, sampleReader } from './yuv.ts';

/** Samples of each channel at places spread evenly over the frame. */
export type Thumbnail = Uint8Array[];

/** A frame that may open a scene. */
export interface Look {
  startMs: number;
  thumbnail: Thumbnail;
}

const [columns, rows] = [32, 18];

export function thumbnailOf({ width, height, data }: Pixels): Thumbnail {
  return [0, 1, 2].map((channel) => sample(width, height, (x, y) => data[(y * width + x) * 3 + channel]!));
}

/** The same of what a decoder gives, in its own colors. */
export function thumbnailOfPlanes(source: Planes): Thumbnail {
  const { width, height, planes, chromaShiftX, chromaShiftY } = source;
  const read = sampleReader(source);
  return planes.map(({ offset, stride }, plane) => {
    const [shiftX, shiftY] = plane === 0 ? [0, 0] : [chromaShiftX, chromaShiftY];
    return sample(width, height, (x, y) => read(offset + (y >> shiftY) * stride, x >> shiftX));
  });
}

function sample(width: number, height: number, read: (x: number, y: number) => number): Uint8Array {
  return Uint8Array.from({ length: columns * rows }, (_, at) => {
    const x = Math.floor((((at % columns) + 0.5) * width) / columns);
    return read(x, Math.floor(((Math.floor(at / columns) + 0.5) * height) / rows));
  });
}

/** Mean absolute difference of the channel that differs most, 0 to 1. */
function difference(a: Thumbnail, b: Thumbnail): number {
  const means = a.map((channel, at) => {
    const sum = channel.reduce((total, value, place) => total + Math.abs(value - b[at]![place]!), 0);
    return sum / channel.length / 255;
  });
  return Math.max(...means);
}

/** A cut differs by this much, and by so many times the changes close to it, which tell how much the scene itself moves. */
const leastDifference = 0.1;
const timesAround = 4;
const aroundMs = 250;

/**
 * Indexes of the frames that open a scene, ascending, the first frame among them; where scenes are more than `most`, the
 * ones that differ most from what came before.
 */
export function findSceneStarts(looks: readonly Look[], most: number): number[] {
  const changes = looks.slice(1).map(({ startMs, thumbnail }, index) => ({
    index: index + 1,
    startMs,
    strength: difference(looks[index]!.thumbnail, thumbnail),
  }));
  const around = (cut: (typeof changes)[number]) =>
    changes.filter((each) => each !== cut && Math.abs(each.startMs - cut.startMs) <= aroundMs);
  const strongest = changes
    .filter(({ strength }) => strength >= leastDifference)
    .filter((cut) => cut.strength >= timesAround * meanStrength(around(cut)))
    .sort((a, b) => b.strength - a.strength)
    .slice(0, most - 1);
  return [0, ...strongest.map(({ index }) => index)].sort((a, b) => a - b);
}

const meanStrength = (changes: readonly { strength: number }[]): number =>
  changes.reduce((sum, { strength }) => sum + strength, 0) / Math.max(1, changes.length);
