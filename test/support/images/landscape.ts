import sharp from 'sharp';
import { randomNumbers } from '../onnx/random.ts';

/** Sky over a meadow, more or less, with noise. */
export async function landscape(): Promise<Buffer> {
  const random = randomNumbers(7);
  // The same picture each time: twelve numbers in [0, 1) add up to nearly normal ones.
  const normal = () => Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6);
  const half = (background: string, sigma: number) => {
    const noise = Uint8Array.from({ length: 40 * 15 * 3 }, () =>
      Math.min(255, Math.max(0, 128 + sigma * normal())),
    );
    const coarse = sharp(noise, { raw: { width: 40, height: 15, channels: 3 } });
    return coarse.tint(background).resize(640, 240, { kernel: 'cubic', fit: 'fill' }).png().toBuffer();
  };
  const [sky, meadow] = [await half('#88bbee', 20), await half('#448833', 60)];
  return sharp({ create: { width: 640, height: 480, channels: 3, background: '#99ccff' } })
    .composite([
      { input: sky, left: 0, top: 0 },
      { input: meadow, left: 0, top: 240 },
    ])
    .jpeg()
    .toBuffer();
}
