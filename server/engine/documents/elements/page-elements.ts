/** Everything found in the pixels of a page that is not text, given to the page and told to the document. */

import { type Barcode, findBarcodes } from '../../vision/barcodes.ts';
import { findComponents, type InkImage } from '../../vision/components.ts';
import { toGray } from '../../vision/deskew.ts';
import type { GrayImage } from '../../vision/gray-image.ts';
import { findInk } from '../../vision/ink.ts';
import { findLines, type Strokes, withoutLetters } from '../../vision/line-detection.ts';
import { toTint } from '../../vision/tint.ts';
import { contains, overlap, type Page, widthOf } from '../layout/page.ts';
import { mergeRulings } from '../layout/rulings.ts';
import type { PagePicture, ScannedPage as Scan } from '../pages/scan.ts';
import type { Box, Place } from '../types.ts';
import { findPixelBoxes } from './checkboxes-raster.ts';
import type { DrawnBox } from './checkboxes-vector.ts';
import { findColons } from './colons.ts';
import { findDashes } from './dashes.ts';
import { findDrawings } from './drawings.ts';
import { findInkSignatures } from './ink-signatures.ts';
import { correctMisread } from './misread-words.ts';
import { missedText } from './missed-text.ts';
import { signatureLabels } from './signature-labels.ts';
import { findStamps, type Stamp } from './stamps.ts';

/** Something at a place of a page, in its reading frame. */
export interface Mark {
  page: Page;
  box: Box;
  confidence: number;
}

export interface CodeMark extends Mark {
  format: string;
  text: string;
}

export interface SignatureMark extends Mark {
  kind: 'ink' | 'stamp';
  label: string;
}

export interface PageMarks {
  boxes: DrawnBox[];
  barcodes: CodeMark[];
  signatures: SignatureMark[];
  stamps: Mark[];
}

function boxAround(corners: Barcode['corners'], scale: number): Box {
  const xs = corners.map(([x]) => x / scale);
  const ys = corners.map(([, y]) => y / scale);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** `scale`: pixels a point. */
async function findCodes(page: Page, image: GrayImage, scale: number): Promise<CodeMark[]> {
  const codes = await findBarcodes(image);
  return codes.map(({ corners, ...code }) => ({ ...code, page, box: boxAround(corners, scale) }));
}

/** How far a stamp that stands for a signature may be from its label, in points. */
const stampReach = 60;

/** Ink beside the labels; what a stamp left there is a stamped signature. */
function findSignatures(
  page: Page,
  stamps: Stamp[],
  pixels: { ink: InkImage; strokes: Strokes; scale: number },
): SignatureMark[] {
  const inked = findInkSignatures({ ...pixels, words: page.words }).map((signature): SignatureMark => {
    const stamp = stamps.find(
      ({ box }) => contains(box, signature.box) && widthOf(signature.box) > 0.6 * widthOf(box),
    );
    return stamp
      ? { ...stamp, page, kind: 'stamp', label: signature.label }
      : { ...signature, page, kind: 'ink' };
  });
  const stamped = signatureLabels(page.words).flatMap((place): SignatureMark[] => {
    const near = stamps.find(
      ({ box }) =>
        overlap(box[0], box[2], place.box[0], place.box[2]) > -stampReach &&
        overlap(box[1], box[3], place.box[1], place.box[3]) > -stampReach,
    );
    const signed = inked.some(({ label }) => place.text.startsWith(label));
    return near && !signed ? [{ ...near, page, kind: 'stamp', label: place.text }] : [];
  });
  return [...inked, ...stamped];
}

/** Gives a scanned page its rulings and drawings, takes boxes to tick out of its words, and returns its marks. */
export async function findPageMarks(scan: Scan): Promise<PageMarks> {
  const { page } = scan;
  const { image, scale } = scan.upright();
  const strokes = withoutLetters(findLines(image, scale), page.words);
  const ink = findInk(image);
  const components = findComponents(ink);
  const { boxes, words } = findPixelBoxes({ image, ink, strokes, components, words: page.words, scale });
  page.horizontal = mergeRulings(strokes.horizontal);
  page.vertical = mergeRulings(strokes.vertical);
  const dashes = findDashes({ ink, components, words, scale });
  const frames = boxes.map(({ box }) => box);
  const missed = await scan.read(missedText({ components, words, frames, scale }));
  page.words = [
    ...correctMisread([...words, ...missed], { vertical: page.vertical, components, scale }),
    ...dashes,
    ...findColons({ components, words, scale }),
  ];
  page.slants = findDrawings(
    strokes,
    { words, components },
    { width: image.width, height: image.height, scale },
  );
  const stamps = findStamps(scan.uprightTint(), scale);
  return {
    boxes: boxes.map((box) => ({ ...box, page })),
    barcodes: await findCodes(page, image, scale),
    signatures: findSignatures(page, stamps, { ink, strokes, scale }),
    stamps: stamps.map((stamp) => ({ ...stamp, page })),
  };
}

/** What a text says about codes on its page; drawing every page to look for them would take longer than all else. */
const asksForCodes =
  /\bqr\b|bar\s?code|e-?invoi[cs]|kod\s?(?:qr|bar)|scan\s+(?:this|to|me|here)|imbas|扫码|扫描|二维码|条码/iu;

/** Whether a page with digital text should be drawn, as it may carry a signature or a code as a picture. */
export function mayBearMarks(page: Page): boolean {
  return signatureLabels(page.words).length > 0 || page.words.some(({ text }) => asksForCodes.test(text));
}

/** Signatures, stamps and codes on a page whose text and boxes are digital. Turned pages are left alone. */
export async function findDrawnMarks(page: Page, { image }: PagePicture): Promise<Omit<PageMarks, 'boxes'>> {
  const scale = image.width / page.width;
  const turned = Math.abs(image.height / page.height - scale) > 0.02 * scale;
  if (turned) return { barcodes: [], signatures: [], stamps: [] };
  const gray = toGray(image);
  const strokes = findLines(gray, scale);
  const stamps = findStamps(toGray(toTint(image)), scale);
  return {
    barcodes: await findCodes(page, gray, scale),
    signatures: findSignatures(page, stamps, { ink: findInk(gray), strokes, scale }),
    stamps: stamps.map((stamp) => ({ ...stamp, page })),
  };
}

/** How a mark leaves in the answer. */
export const toPlace = ({ page, box, confidence }: Mark): Place => ({
  confidence,
  page: page.number,
  bbox: page.toView(box),
});
