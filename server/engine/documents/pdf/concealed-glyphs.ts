/**
 * Text of a PDF's page that nobody sees: drawn in no ink, in white on nothing, too small to read, or beyond the page's edges.
 * What is drawn over a scan for searching is none of it, nor white print on a filled area. It is told of, not taken out.
 */

import { unionBox } from '../../vision/geometry.ts';
import type { ConcealedWord, Concealment } from '../office/flow.ts';
import type { Glyph, PageContent } from './page-content.ts';

/** Points: print of this size is a line to the eye. */
const tinySize = 1.5;
/** Glyphs of a run, below which it is a mark or a stray blank. */
const leastGlyphs = 8;
const maxRuns = 50;

export function concealedGlyphs(
  { glyphs, shapes }: Pick<PageContent, 'glyphs' | 'shapes'>,
  { width, height }: { width: number; height: number },
): ConcealedWord[] {
  const drawn = glyphs.filter((glyph) => !glyph.blank);
  const isScan = drawn.filter((glyph) => glyph.hidden).length > 0.5 * drawn.length;
  const fills = shapes.filter(({ kind }) => kind === 'fill');
  const onFill = ({ x, y }: Glyph): boolean =>
    fills.some(({ box }) => x >= box[0] - 1 && x <= box[2] + 1 && y >= box[1] - 1 && y <= box[3] + 1);
  const howOf = (glyph: Glyph): Concealment | null => {
    if (glyph.x < -1 || glyph.y < -1 || glyph.x > width + 1 || glyph.y > height + 1) return 'off_page';
    if (glyph.hidden) return isScan ? null : 'hidden';
    if (glyph.size < tinySize) return 'tiny';
    return glyph.white && !onFill(glyph) ? 'white' : null;
  };
  const runs: { how: Concealment; glyphs: Glyph[] }[] = [];
  for (const glyph of glyphs) {
    const last = runs.at(-1);
    const how = glyph.blank ? (last?.how ?? null) : howOf(glyph);
    if (how === null) runs.push({ how: 'hidden', glyphs: [] });
    else if (last && last.how === how && last.glyphs.length > 0) last.glyphs.push(glyph);
    else runs.push({ how, glyphs: [glyph] });
  }
  return runs
    .filter((run) => run.glyphs.filter((glyph) => !glyph.blank).length >= leastGlyphs)
    .slice(0, maxRuns)
    .map(({ how, glyphs: own }) => ({
      how,
      text: own
        .map(({ text, blank }) => (blank ? ' ' : text))
        .join('')
        .replace(/\s+/g, ' ')
        .trim(),
      box: unionBox(own.map(({ box }) => box)),
    }));
}
