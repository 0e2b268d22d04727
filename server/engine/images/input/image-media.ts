/** Decides what a file is from its first bytes; names and declared types are never trusted. */

export type StillMedia = 'jpeg' | 'png' | 'gif' | 'webp';
export type VideoMedia = 'mp4' | 'webm';
export type ImageMediaType = StillMedia | VideoMedia;

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, to);

/** Brands of ISO base media files that hold still pictures (HEIF, AVIF), which are not read. */
const stillBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'avif', 'avis']);
/** First boxes of a QuickTime or MP4 file that has no `ftyp`. */
const leadingBoxes = new Set(['moov', 'mdat', 'wide', 'free', 'skip']);

/** Undefined for anything that is not read. */
export function detectMedia(bytes: Uint8Array): ImageMediaType | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg';
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp';
  if (ascii(bytes, 0, 4) === '\x1a\x45\xdf\xa3') return 'webm';
  const box = ascii(bytes, 4, 8);
  if (box === 'ftyp') return stillBrands.has(ascii(bytes, 8, 12)) ? undefined : 'mp4';
  return leadingBoxes.has(box) ? 'mp4' : undefined;
}
