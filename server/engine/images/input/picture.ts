/** A picture as models see it: upright, opaque, sRGB; resized as often as asked, decoded at most once. */
import sharp from 'sharp';
import { decodeTimeoutSeconds, maxSidePx } from '../limits.ts';
import type { StillMedia } from './image-media.ts';
import { refuseDamaged, refuseSize, refuseSlow } from './refusals.ts';

// Of the library's readers only those of the formats that `detectMedia` names; no cache keeps payloads.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});
sharp.cache(false);

/** 8-bit RGB, row by row without padding. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

export interface Size {
  width: number;
  height: number;
}

/** `linear` and `cubic` average over what they shrink, as Pillow does; `nearest` picks. */
export type Kernel = 'nearest' | 'linear' | 'cubic' | 'lanczos3';

export interface Picture extends Size {
  pixels(): Promise<Pixels>;
  /** Stretched to exactly this size. */
  resized(size: Size, kernel: Kernel): Promise<Pixels>;
}

export interface Frame {
  picture: Picture;
  /** Absent for a still picture. */
  timestampMs?: number;
  /** Frames chosen in all; absent for a still picture. */
  chosen?: number;
}

/** Transparent places become white, as on paper and in viewers. */
const background = '#ffffff';

const open = (bytes: Uint8Array, page?: number) =>
  sharp(bytes, {
    failOn: 'truncated',
    limitInputPixels: maxSidePx * maxSidePx,
    ...(page === undefined ? {} : { page }),
  }).timeout({ seconds: decodeTimeoutSeconds });

/** A decoder's complaint, which may quote the file, becomes words of ours. */
export function toRefusal(error: unknown): Error {
  const message = error instanceof Error ? error.message : '';
  return /timeout/i.test(message) ? refuseSlow() : refuseDamaged('picture');
}

/** The header's facts. @throws EngineError when there are none, or the picture is too large */
export async function readImageHeader(bytes: Uint8Array) {
  let header: Awaited<ReturnType<ReturnType<typeof sharp>['metadata']>>;
  try {
    header = await sharp(bytes, { failOn: 'truncated', limitInputPixels: false }).metadata();
  } catch (error) {
    throw toRefusal(error);
  }
  const height = header.pageHeight ?? header.height;
  if (Math.max(header.width, height) > maxSidePx) throw refuseSize(header.width, height, maxSidePx);
  const turned = (header.orientation ?? 1) >= 5;
  return {
    ...(turned ? { width: height, height: header.width } : { width: header.width, height }),
    pages: header.pages ?? 1,
    delays: header.delay ?? [],
  };
}

async function toPixels(image: ReturnType<typeof sharp>): Promise<Pixels> {
  try {
    const { data, info } = await image
      .flatten({ background })
      .toColorspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data: info.channels === 3 ? data : toRgb(data, info) };
  } catch (error) {
    throw toRefusal(error);
  }
}

/** Gray, gray with alpha or color with alpha to RGB. */
function toRgb(data: Uint8Array, { width, height, channels }: Size & { channels: number }): Uint8Array {
  const rgb = new Uint8Array(width * height * 3);
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2];
  for (let from = 0, to = 0; to < rgb.length; from += channels, to += 3) {
    rgb[to] = data[from]!;
    rgb[to + 1] = data[from + green]!;
    rgb[to + 2] = data[from + blue]!;
  }
  return rgb;
}

/** A picture file, or one page of an animation. @throws EngineError when it is damaged or too large */
export async function openPicture(bytes: Uint8Array, media: StillMedia, page?: number): Promise<Picture> {
  const { width, height } = await readImageHeader(bytes);
  let decoded: Promise<Pixels> | undefined;
  const pixels = () => {
    decoded ??= toPixels(open(bytes, page).autoOrient());
    return decoded;
  };
  return {
    width,
    height,
    pixels,
    // A JPEG that nobody wants whole is read at the reduced scale, which its format makes several times faster.
    resized: async (size, kernel) =>
      media === 'jpeg' && decoded === undefined
        ? toPixels(
            open(bytes, page)
              .autoOrient()
              .resize({ ...size, fit: 'fill', kernel }),
          )
        : resizePixels(await pixels(), size, kernel),
  };
}

export async function resizePixels(pixels: Pixels, size: Size, kernel: Kernel): Promise<Pixels> {
  if (pixels.width === size.width && pixels.height === size.height) return pixels;
  const { width, height } = pixels;
  const image = sharp(pixels.data, { raw: { width, height, channels: 3 } });
  return toPixels(image.resize({ ...size, fit: 'fill', kernel }));
}

/** A picture that is decoded already. */
export const pictureOf = (pixels: Pixels): Picture => ({
  width: pixels.width,
  height: pixels.height,
  pixels: async () => pixels,
  resized: (size, kernel) => resizePixels(pixels, size, kernel),
});

/** All pages of an animation in one pass. @throws EngineError when it is damaged */
export async function readAnimation(
  bytes: Uint8Array,
  { width, height, pages }: Size & { pages: number },
): Promise<Picture[]> {
  const image = sharp(bytes, { failOn: 'truncated', limitInputPixels: false, animated: true });
  const strip = await toPixels(image.timeout({ seconds: decodeTimeoutSeconds }));
  const size = width * height * 3;
  if (strip.data.length !== size * pages) throw refuseDamaged('animation');
  return Array.from({ length: pages }, (_, page) =>
    pictureOf({ width, height, data: strip.data.subarray(page * size, (page + 1) * size) }),
  );
}
