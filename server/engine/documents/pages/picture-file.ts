/** Picture files as pages: PNG, JPEG, TIFF of many pages. Pixels come upright by their EXIF turn, on white, in sRGB. */

import type { Sharp, SharpOptions } from 'sharp';
import { EngineError } from '../../engine.ts';
import type { RgbImage } from '../../vision/images.ts';
import { maxPictureAreaPx, maxPictureFileAreaPx } from '../limits.ts';

const unreadable = (): EngineError =>
  new EngineError('document_unreadable', 'the picture is damaged or incomplete', 'file');

/** Loaded on first use: born-digital documents never need the native decoder. */
async function open(bytes: Uint8Array, options: SharpOptions = {}): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(bytes, { failOn: 'truncated', limitInputPixels: maxPictureFileAreaPx, ...options });
}

/** @throws document_unreadable. */
export async function picturePageCount(bytes: Uint8Array): Promise<number> {
  const metadata = await (await open(bytes)).metadata().catch(() => null);
  if (!metadata) throw unreadable();
  return Math.max(1, metadata.pages ?? 1);
}

/**
 * One page (from 1) as pixels, made smaller where it has more than the limit. @throws document_unreadable, which a
 * picture of too many pixels is as well.
 */
export async function readPicturePage(bytes: Uint8Array, page: number): Promise<RgbImage> {
  try {
    const options = page > 1 ? { page: page - 1 } : {};
    const { autoOrient } = await (await open(bytes, options)).metadata();
    const shrink = Math.sqrt(maxPictureAreaPx / (autoOrient.width * autoOrient.height));
    let pipeline = (await open(bytes, options)).autoOrient();
    if (shrink < 1) pipeline = pipeline.resize({ width: Math.max(1, Math.round(autoOrient.width * shrink)) });
    const { data, info } = await pipeline
      .flatten({ background: 'white' })
      .toColorspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data: toRgb(data, info.channels) };
  } catch {
    throw unreadable();
  }
}

function toRgb(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data;
  const pixels = data.length / channels;
  const rgb = new Uint8Array(3 * pixels);
  for (let index = 0; index < pixels; index++)
    for (let channel = 0; channel < 3; channel++)
      rgb[3 * index + channel] = data[channels * index + (channels > 3 ? channel : 0)]!;
  return rgb;
}

/** One page as PNG of at most this width, for the person who looks at the result. @throws document_unreadable. */
export async function picturePagePng(bytes: Uint8Array, page: number, widthPx: number): Promise<Uint8Array> {
  try {
    return await (await open(bytes, page > 1 ? { page: page - 1 } : {}))
      .autoOrient()
      .resize({ width: widthPx, height: 2 * widthPx * 4, fit: 'inside' })
      .flatten({ background: 'white' })
      .toColorspace('srgb')
      .png({ compressionLevel: 6 })
      .toBuffer();
  } catch {
    throw unreadable();
  }
}
