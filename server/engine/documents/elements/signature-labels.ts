/** Places where a page asks for a signature: its words for it, in three languages. */

import type { Segment, Word } from '../document.ts';
import { toRows, toSegments } from '../layout/segments.ts';

const label =
  /\b(?:signature|signed(?:\s+by)?|sign\s+here|authori[sz]ed\s+signator(?:y|ies)|signatory|tanda\s?tangan|ditanda\s?tangani|t\/tangan)\b|签名|签字|签署|签章|簽名|簽字|簽署|簽章|盖章|蓋章/iu;
/** Some word of every label has one of these. */
const stem = /sign|tangan|[签簽盖蓋]/i;
/** A sentence about signatures is not a place to sign. */
const maxLength = 60;

export const asksToSign = ({ text }: Segment): boolean => text.length <= maxLength && label.test(text);

export function signatureLabels(words: Word[]): Segment[] {
  if (!words.some(({ text }) => stem.test(text))) return [];
  return toRows(words.filter((word) => !word.turned))
    .flatMap((row) => toSegments(row, 1.4))
    .filter(asksToSign);
}
