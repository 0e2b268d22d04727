/** Takes specks out of noisy scans (fax, worn scanners): single pixels unlike all around them. */

import type { RgbImage } from './images.ts';

/** Brightness by which a speck differs from each of its four neighbours. */
const contrast = 70;
/** Share of specks from which a scan is noisy; clean print has next to none. */
const noisyShare = 0.004;
const sampleStep = 7;

/** Neighbours on the same side of the pixel and far from it, by green alone: it weighs most in brightness. */
function isSpeck({ width, data }: RgbImage, at: number): boolean {
  const own = data[3 * at + 1]!;
  const neighbours = [at - 1, at + 1, at - width, at + width];
  return (
    neighbours.every((other) => data[3 * other + 1]! - own > contrast) ||
    neighbours.every((other) => own - data[3 * other + 1]! > contrast)
  );
}

function* inner({ width, height }: RgbImage, step: number): Generator<number> {
  for (let y = 1; y < height - 1; y += step) for (let x = 1; x < width - 1; x += step) yield y * width + x;
}

/** The picture itself where it is clean. */
export function despeckle(image: RgbImage): RgbImage {
  let [sampled, specks] = [0, 0];
  for (const at of inner(image, sampleStep)) {
    sampled++;
    if (isSpeck(image, at)) specks++;
  }
  if (specks <= noisyShare * sampled) return image;
  const data = Uint8Array.from(image.data);
  for (const at of inner(image, 1))
    if (isSpeck(image, at))
      for (let channel = 0; channel < 3; channel++)
        data[3 * at + channel] = medianOfFour(image.data, 3 * at + channel, image.width);
  return { ...image, data };
}

function medianOfFour(data: Uint8Array, at: number, width: number): number {
  const values = [data[at - 3]!, data[at + 3]!, data[at - 3 * width]!, data[at + 3 * width]!].sort(
    (a, b) => a - b,
  );
  return (values[1]! + values[2]!) / 2;
}
