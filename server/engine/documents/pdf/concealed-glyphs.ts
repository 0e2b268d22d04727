/**
 * Text of a PDF's page that nobody sees: drawn in no ink, in white on nothing, too small to read, beyond the page's edges, or
 * painted over afterwards. What is drawn over a scan for searching is none of it, nor white print on a filled area.
 */

import { unionBox } from '../../vision/geometry.ts';
import type { ConcealedWord, Concealment } from '../office/flow.ts';
import type { Cover, Glyph, PageContent } from './page-content.ts';

/** Points: print of this size is a line to the eye. */
const tinySize = 1.5;
/** Glyphs of a run, below which it is a mark or a stray blank. */
const leastGlyphs = 8;
const maxRuns = 50;

export function concealedGlyphs(
  { glyphs, shapes, covers }: Pick<PageContent, 'glyphs' | 'shapes' | 'covers'>,
  { width, height }: { width: number; height: number },
): ConcealedWord[] {
  const drawn = glyphs.filter((glyph) => !glyph.blank);
  const underPicture = glyphsUnderPictures({ glyphs, covers });
  const isScan = drawn.filter((glyph) => glyph.hidden || underPicture.has(glyph)).length > 0.5 * drawn.length;
  const fills = shapes.filter(({ kind }) => kind === 'fill');
  const onFill = ({ x, y }: Glyph): boolean =>
    fills.some(({ box }) => x >= box[0] - 1 && x <= box[2] + 1 && y >= box[1] - 1 && y <= box[3] + 1);
  const covered = coveredGlyphs(glyphs, covers);
  const howOf = (glyph: Glyph): Concealment | null => {
    if (glyph.x < -1 || glyph.y < -1 || glyph.x > width + 1 || glyph.y > height + 1) return 'off_page';
    if (glyph.hidden) return isScan ? null : 'hidden';
    if (glyph.size < tinySize) return 'tiny';
    if (covered.has(glyph)) return isScan && underPicture.has(glyph) ? null : 'covered';
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

/** Glyphs under pictures that were drawn later: these may let them through, or show something else. */
export const glyphsUnderPictures = ({
  glyphs,
  covers,
}: Pick<PageContent, 'glyphs' | 'covers'>): ReadonlySet<Glyph> =>
  coveredGlyphs(
    glyphs,
    covers.filter(({ isPicture }) => isPicture),
  );

/** Glyphs under an area that was painted later, but for those drawn again over it. */
function coveredGlyphs(glyphs: readonly Glyph[], covers: readonly Cover[]): Set<Glyph> {
  const covered = new Set<Glyph>();
  if (covers.length === 0) return covered;
  const lastAt = new Map(glyphs.map((glyph, index) => [placeKey(glyph, 0, 0), index]));
  const isRepeated = (glyph: Glyph, from: number): boolean =>
    steps.some((dx) => steps.some((dy) => (lastAt.get(placeKey(glyph, dx, dy)) ?? -1) >= from));
  for (const { box, glyphsBefore } of covers)
    for (let index = 0; index < glyphsBefore; index++) {
      const glyph = glyphs[index]!;
      if (liesWithin(glyph.box, box) && !isRepeated(glyph, glyphsBefore)) covered.add(glyph);
    }
  return covered;
}

/** Points to either side, within which the same character is drawn again. */
const steps = [-1, 0, 1];
const placeKey = ({ text, x, y }: Glyph, dx: number, dy: number): string =>
  `${Math.round(x) + dx} ${Math.round(y) + dy} ${text}`;

/** Areas end at the capitals' height or the base line at times. */
function liesWithin([x0, y0, x1, y1]: Glyph['box'], [left, top, right, bottom]: Cover['box']): boolean {
  const [dx, dy] = [0.2 * (x1 - x0), 0.25 * (y1 - y0)];
  return x0 + dx >= left && x1 - dx <= right && y0 + dy >= top && y1 - dy <= bottom;
}
