import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { detectMedia } from '../../../server/engine/images/input/image-media.ts';
import { openPicture, type Pixels } from '../../../server/engine/images/input/picture.ts';
import { fixtureFolder, hasFixtures } from '../../support/images/shared-data.ts';

/** Red, green / blue, white quarters of 16 pixels each, so that every turn and mirror image looks different. */
const size = 32;
const quarters = Uint8Array.from({ length: size * size * 3 }, (_, at) => {
  const [x, y] = [Math.floor(at / 3) % size, Math.floor(at / 3 / size)];
  const colors = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 255],
  ];
  return colors[(y < size / 2 ? 0 : 2) + (x < size / 2 ? 0 : 1)]![at % 3]!;
});
const picture = () => sharp(quarters, { raw: { width: size, height: size, channels: 3 } });

const at = ({ data, width }: Pixels, x: number, y: number): number[] => [
  ...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
];
const close = (actual: number[], expected: number[], by: number): boolean =>
  actual.every((value, index) => Math.abs(value - expected[index]!) <= by);

async function decode(bytes: Uint8Array): Promise<Pixels> {
  const media = detectMedia(bytes);
  if (media === undefined || media === 'mp4' || media === 'webm') throw new Error('no picture');
  return (await openPicture(bytes, media)).pixels();
}

describe('pictures', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('orientation %i is turned upright', async (orientation) => {
    // Stored the way a camera would: the inverse of what the tag asks for (sharp mirrors first, then turns).
    const stored = {
      1: picture(),
      2: picture().flop(),
      3: picture().rotate(180),
      4: picture().flip(),
      5: picture().flop().rotate(270),
      6: picture().rotate(270),
      7: picture().flop().rotate(90),
      8: picture().rotate(90),
    }[orientation]!;
    const raw = await stored.png().toBuffer();
    const pixels = await decode(
      await sharp(raw).withMetadata({ orientation }).jpeg({ quality: 100 }).toBuffer(),
    );
    expect([pixels.width, pixels.height]).toEqual([size, size]);
    expect(close(at(pixels, 4, 4), [255, 0, 0], 12)).toBe(true);
    expect(close(at(pixels, 28, 4), [0, 255, 0], 12)).toBe(true);
    expect(close(at(pixels, 4, 28), [0, 0, 255], 12)).toBe(true);
    expect(close(at(pixels, 28, 28), [255, 255, 255], 12)).toBe(true);
  });

  it('every kind of pixel becomes 8-bit RGB', async () => {
    const kinds = {
      gray: picture().grayscale().png(),
      sixteen: picture().toColorspace('rgb16').png(),
      palette: picture().png({ palette: true }),
      cmyk: picture().toColorspace('cmyk').jpeg({ quality: 100 }),
      p3: picture().withIccProfile('p3').png(),
      webp: picture().webp({ lossless: true }),
      gif: picture().gif(),
    };
    for (const [kind, image] of Object.entries(kinds)) {
      const pixels = await decode(await image.toBuffer());
      expect(pixels.data.length, kind).toBe(size * size * 3);
      if (kind === 'gray') expect(new Set(at(pixels, 4, 4)).size).toBe(1);
      else expect(close(at(pixels, 4, 4), [255, 0, 0], kind === 'cmyk' ? 40 : 8), kind).toBe(true);
    }
  });

  it('transparent places are white', async () => {
    const clear = { r: 255, g: 0, b: 0, alpha: 0 };
    const bytes = await sharp({ create: { width: 4, height: 4, channels: 4, background: clear } })
      .png()
      .toBuffer();
    expect(at(await decode(bytes), 1, 1)).toEqual([255, 255, 255]);
  });

  it('too long a side is refused before anything is decoded, 4,096 is not', async () => {
    const white = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#fff' } })
        .png()
        .toBuffer();
    await expect(decode(await white(4097, 2))).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'image',
    });
    await expect(decode(await white(2, 4097))).rejects.toMatchObject({ code: 'invalid_value' });
    expect((await decode(await white(4096, 2))).width).toBe(4096);
  });

  it('a picture that ends early is refused', async () => {
    for (const image of [picture().jpeg(), picture().png(), picture().webp(), picture().gif()]) {
      const bytes = await image.toBuffer();
      await expect(decode(bytes.subarray(0, Math.floor(bytes.length * 0.6)))).rejects.toMatchObject({
        code: 'invalid_value',
      });
    }
  });

  it('names and other formats do not fool it', async () => {
    expect(detectMedia(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeUndefined();
    expect(detectMedia(await picture().tiff().toBuffer())).toBeUndefined();
    expect(detectMedia(await picture().heif({ compression: 'av1' }).toBuffer())).toBeUndefined();
    expect(detectMedia(new Uint8Array(0))).toBeUndefined();
    expect(detectMedia(await picture().gif().toBuffer())).toBe('gif');
  });

  describe.skipIf(!hasFixtures)('the shared fixtures', () => {
    const refused = new Set([
      '8bit_depth.tiff',
      'circle.svg',
      'corrupt-header.jpg',
      'vfile.v',
      'generated/bomb-30000.png',
      'generated/not-an-image.jpg',
      'generated/truncated.jpg',
      'generated/truncated.png',
      'generated/zero-bytes.png',
    ]);
    const files = hasFixtures
      ? readdirSync(fixtureFolder, { recursive: true, encoding: 'utf8' }).filter(
          (file) => /\.\w+$/.test(file) && !/\.(tsv|md)$/.test(file),
        )
      : [];

    it('are read or refused, each as it deserves', async () => {
      expect(files.length).toBe(58);
      for (const file of files) {
        const outcome = await decode(readFileSync(fixtureFolder + file)).catch((error: unknown) => error);
        expect(outcome instanceof Error, file).toBe(refused.has(file));
      }
    });

    it('show one scene whatever their orientation', async () => {
      const signature = async (file: string) => {
        const bytes = readFileSync(fixtureFolder + file);
        return (await (await openPicture(bytes, 'jpeg')).resized({ width: 6, height: 6 }, 'linear')).data;
      };
      for (const shape of ['Landscape', 'Portrait']) {
        const first = await signature(`${shape}_1.jpg`);
        for (let orientation = 2; orientation <= 8; orientation++) {
          const other = await signature(`${shape}_${orientation}.jpg`);
          const difference = first.reduce((sum, value, index) => sum + Math.abs(value - other[index]!), 0);
          expect(difference / first.length, `${shape} ${orientation}`).toBeLessThan(12);
        }
      }
    });
  });
});
