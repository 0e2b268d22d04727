/** Everything found in the pixels of a page that is not text, given to the page and told to the document. */

import { type Barcode, findBarcodes } from '../../vision/barcodes.ts';
import { binarize } from '../../vision/binarize.ts';
import { findComponents, type InkImage } from '../../vision/components.ts';
import { toGray } from '../../vision/deskew.ts';
import { type Box, contains, overlap, widthOf } from '../../vision/geometry.ts';
import type { GrayImage } from '../../vision/gray-image.ts';
import { detectStrokes, type Strokes } from '../../vision/line-detection.ts';
import { toTint } from '../../vision/tint.ts';
import type { Page } from '../layout/page.ts';
import { mergeRulings } from '../layout/rulings.ts';
import type { PagePicture, ScannedPage as Scan } from '../pages/scan.ts';
import type { Located } from '../types.ts';
import { findRasterCheckboxes } from './checkboxes-raster.ts';
import type { CheckboxElement } from './checkboxes-vector.ts';
import { findColons } from './colons.ts';
import { findDashes } from './dashes.ts';
import { findDrawings } from './drawings.ts';
import { findInkSignatures } from './ink-signatures.ts';
import { withoutLetters } from './letter-strokes.ts';
import { correctMisread } from './misread-words.ts';
import { missedText } from './missed-text.ts';
import { signatureLabels } from './signature-labels.ts';
import { findStamps, type Stamp } from './stamps.ts';

/** Something at a place of a page, in its reading frame. */
export interface PageElement {
  page: Page;
  box: Box;
  confidence: number;
}

export interface CodeElement extends PageElement {
  format: string;
  text: string;
}

export interface SignatureElement extends PageElement {
  kind: 'ink' | 'stamp';
  label: string;
}

export interface PageElements {
  boxes: CheckboxElement[];
  barcodes: CodeElement[];
  signatures: SignatureElement[];
  stamps: PageElement[];
}

function boxAround(corners: Barcode['corners'], scale: number): Box {
  const xs = corners.map(([x]) => x / scale);
  const ys = corners.map(([, y]) => y / scale);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** `scale`: pixels a point. */
async function findCodes(page: Page, image: GrayImage, scale: number): Promise<CodeElement[]> {
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
): SignatureElement[] {
  const inked = findInkSignatures({ ...pixels, words: page.words }).map((signature): SignatureElement => {
    const stamp = stamps.find(
      ({ box }) => contains(box, signature.box) && widthOf(signature.box) > 0.6 * widthOf(box),
    );
    return stamp
      ? { ...stamp, page, kind: 'stamp', label: signature.label }
      : { ...signature, page, kind: 'ink' };
  });
  const stamped = signatureLabels(page.words).flatMap((place): SignatureElement[] => {
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
export async function findPageElements(scan: Scan): Promise<PageElements> {
  const { page } = scan;
  const { image, scale } = scan.deskewed();
  const strokes = withoutLetters(detectStrokes(image, scale), page.words);
  const ink = binarize(image);
  const components = findComponents(ink);
  const { boxes, words } = findRasterCheckboxes({
    image,
    ink,
    strokes,
    components,
    words: page.words,
    scale,
  });
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
  const stamps = findStamps(scan.deskewedTint(), scale);
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
export function mayBearElements(page: Page): boolean {
  return signatureLabels(page.words).length > 0 || page.words.some(({ text }) => asksForCodes.test(text));
}

/** Signatures, stamps and codes on a page whose text and boxes are digital. Turned pages are left alone. */
export async function findDrawnElements(
  page: Page,
  { image }: PagePicture,
): Promise<Omit<PageElements, 'boxes'>> {
  const scale = image.width / page.width;
  const turned = Math.abs(image.height / page.height - scale) > 0.02 * scale;
  if (turned) return { barcodes: [], signatures: [], stamps: [] };
  const gray = toGray(image);
  const strokes = detectStrokes(gray, scale);
  const stamps = findStamps(toGray(toTint(image)), scale);
  return {
    barcodes: await findCodes(page, gray, scale),
    signatures: findSignatures(page, stamps, { ink: binarize(gray), strokes, scale }),
    stamps: stamps.map((stamp) => ({ ...stamp, page })),
  };
}

/** How a mark leaves in the answer. */
export const toLocated = ({ page, box, confidence }: PageElement): Located => ({
  confidence,
  page: page.number,
  bbox: page.toView(box),
});
