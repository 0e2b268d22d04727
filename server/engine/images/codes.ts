/** QR codes and barcodes are decoded, not guessed: what was read is an object of its own, surer than any detector's. */

import { type Barcode, findBarcodes } from '../vision/barcodes.ts';
import type { Box, Point } from '../vision/geometry.ts';
import { toLuma } from './attributes.ts';
import type { Picture } from './input/picture.ts';
import { intersection, roundBox } from './models/detectors/boxes.ts';
import type { FoundObject } from './types.ts';

/** Codes smaller than about 20 pixels at this size are not read. */
const longestSidePx = 2000;

/** Corners in pixels of the picture. */
export async function findCodes(picture: Picture): Promise<Barcode[]> {
  const scale = Math.min(1, longestSidePx / Math.max(picture.width, picture.height));
  const pixels =
    scale === 1
      ? await picture.pixels()
      : await picture.resized(
          { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) },
          'linear',
        );
  const { width, height } = pixels;
  const found = await findBarcodes({ width, height, data: Uint8Array.from(toLuma(pixels)) });
  const toPicture = ([x, y]: Point): Point => [(x / width) * picture.width, (y / height) * picture.height];
  return found.map((code) => {
    const [a, b, c, d] = code.corners;
    return { ...code, corners: [toPicture(a), toPicture(b), toPicture(c), toPicture(d)] };
  });
}

const clip = (value: number): number => Math.min(1, Math.max(0, value));
const labels: Record<string, string> = { QRCode: 'qr_code', MicroQRCode: 'qr_code' };

function toObject(
  { corners, format, confidence }: Barcode,
  size: { width: number; height: number },
): FoundObject {
  const xs = corners.map(([x]) => clip(x / size.width));
  const ys = corners.map(([, y]) => clip(y / size.height));
  const bbox: Box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  return { label: labels[format] ?? 'barcode', confidence, bbox: roundBox(bbox) };
}

const area = ([x0, y0, x1, y1]: Box): number => (x1 - x0) * (y1 - y0);

/** Decoded codes take the place of detections of codes that they cover. Best first. */
export function mergeCodes(
  objects: readonly FoundObject[],
  codes: readonly Barcode[],
  size: { width: number; height: number },
): FoundObject[] {
  const read = codes.map((code) => toObject(code, size)).filter(({ bbox }) => area(bbox) > 0);
  const isRead = ({ label, bbox }: FoundObject) =>
    (label === 'qr_code' || label === 'barcode') &&
    read.some((code) => intersection(code.bbox, bbox) > 0.3 * Math.min(area(code.bbox), area(bbox)));
  return [...read, ...objects.filter((object) => !isRead(object))].sort(
    (a, b) => b.confidence - a.confidence,
  );
}
