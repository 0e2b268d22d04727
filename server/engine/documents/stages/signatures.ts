/** Rubber stamps, and what was signed by hand or by a stamp beside a label that asks for it, or not. */

import { type Box, contains, overlap, widthOf } from '../../vision/geometry.ts';
import type { SignatureElement, Unplaced, Word } from '../document.ts';
import { findInkSignatures, hasInk } from '../elements/ink-signatures.ts';
import { signatureLabels } from '../elements/signature-labels.ts';
import { unsignedLines } from '../elements/signature-lines.ts';
import { findStamps, type Stamp } from '../elements/stamps.ts';
import type { PageState, RasterPage, Stage } from '../stage.ts';

/** A stamp that stands for a signature is at most this far from its label, in points. */
const maxStampDistance = 60;

const meet = (a: Box, b: Box): boolean =>
  overlap(a[0], a[2], b[0], b[2]) > 0 && overlap(a[1], a[3], b[1], b[3]) > 0;

type Signature = Unplaced<SignatureElement>;

/** Ink beside the labels; what a stamp left there is a stamped signature. */
function findSignatures(words: Word[], stamps: Stamp[], { ink, rulings, scale }: RasterPage): Signature[] {
  const inked = findInkSignatures({ ink, rulings, scale, words }).map((signature): Signature => {
    const stamp = stamps.find(
      ({ box }) => contains(box, signature.box) && widthOf(signature.box) > 0.6 * widthOf(box),
    );
    return stamp
      ? { ...stamp, kind: 'stamp', label: signature.label, signed: true }
      : { ...signature, kind: 'ink', signed: true };
  });
  const stamped = signatureLabels(words).flatMap((place): Signature[] => {
    const near = stamps.find(
      ({ box }) =>
        overlap(box[0], box[2], place.box[0], place.box[2]) > -maxStampDistance &&
        overlap(box[1], box[3], place.box[1], place.box[3]) > -maxStampDistance,
    );
    const signed = inked.some(({ label }) => place.text.startsWith(label));
    return near && !signed ? [{ ...near, kind: 'stamp', label: place.text, signed: true }] : [];
  });
  return [...inked, ...stamped];
}

export const signatures: Stage<PageState> = {
  name: 'signatures',
  async run(state) {
    const { raster, page, widgets } = state;
    const tint = raster?.tint();
    const stamps = raster && tint ? findStamps(tint, raster.scale) : [];
    const signed = raster ? findSignatures(page.words, stamps, raster) : [];
    const isTaken = (place: Box): boolean =>
      [...signed, ...stamps].some(({ box }) => meet(box, place)) ||
      widgets.some(({ bbox }) => meet(bbox, page.toView(place))) ||
      (raster !== null && hasInk(place, { ...raster, words: page.words }));
    const unsigned = unsignedLines(page, isTaken).map(
      (line): Signature => ({ ...line, kind: 'ink', signed: false }),
    );
    return { ...state, stamps, signatures: [...signed, ...unsigned] };
  },
};
