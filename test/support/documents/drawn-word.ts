import type { Word } from '../../../server/engine/documents/document.ts';
import type { Box } from '../../../server/engine/vision/geometry.ts';

/** A word of a scanned page, in print of one size. */
export const drawnWord = (text: string, box: Box): Word => ({
  text,
  box,
  baseline: box[3] - 2,
  size: 10,
  bold: false,
  turned: false,
  source: 'recognition',
});
