/** Small sound files of every kind that is read, made on the spot. */
import sharp from 'sharp';
import { makeVideo } from './make-video.ts';

export async function sampleFiles(): Promise<Uint8Array[]> {
  const noise = (options: object = {}) =>
    sharp({
      create: {
        width: 120,
        height: 90,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
      ...options,
    });
  const page = await noise().png().toBuffer();
  const animated = () => sharp([page, page, page], { join: { animated: true } });
  return Promise.all([
    noise().jpeg().toBuffer(),
    noise().jpeg({ progressive: true }).withMetadata({ orientation: 6 }).toBuffer(),
    noise().toColorspace('cmyk').jpeg().toBuffer(),
    noise().png().toBuffer(),
    noise().png({ palette: true, progressive: true }).toBuffer(),
    noise().toColorspace('rgb16').png().toBuffer(),
    noise().webp().toBuffer(),
    noise().webp({ lossless: true }).toBuffer(),
    noise().withIccProfile('p3').jpeg().toBuffer(),
    animated().gif().toBuffer(),
    animated().webp().toBuffer(),
    makeVideo({ count: 4 }),
    makeVideo({ codec: 'vp8', count: 4 }),
    makeVideo({ codec: 'vp9', count: 4 }),
  ]);
}
