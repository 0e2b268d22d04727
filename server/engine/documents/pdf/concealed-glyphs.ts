/**
 * Text of a PDF's page that nobody sees: drawn in no ink, in white on nothing, too small to read, beyond the page's edges, or
 * painted over afterwards. What is drawn over a scan for searching is none of it, nor white print on a filled area.
 */

import { type Box, heightOf, intersectBoxes, unionBox, widthOf } from '../../vision/geometry.ts';
import type { ConcealedWord, Concealment } from '../office/flow.ts';
import type { Cover, Glyph, PageContent } from './page-content.ts';

/** Points: print of this size is a line to the eye. */
const tinySize = 1.5;
/** Glyphs of a run, below which it is a mark or a stray blank. */
const leastGlyphs = 8;
const maxRuns = 50;

type DrawnContent = Pick<PageContent, 'glyphs' | 'shapes' | 'covers' | 'backdrops'>;
type Run = { how: Concealment; glyphs: Glyph[] };

/** @param under the glyphs under pictures, as `glyphsUnderPictures` gives them */
export function concealedGlyphs(
  content: DrawnContent,
  { width, height }: { width: number; height: number },
  under: ReadonlySet<Glyph> = glyphsUnderPictures(content),
): ConcealedWord[] {
  const { glyphs, shapes, covers } = content;
  const isScan = isMostlyHidden(glyphs, under);
  const fills = shapes.filter(({ kind }) => kind === 'fill');
  const onFill = ({ x, y }: Glyph): boolean =>
    fills.some(({ box }) => x >= box[0] - 1 && x <= box[2] + 1 && y >= box[1] - 1 && y <= box[3] + 1);
  const covered = coveredGlyphs(glyphs, covers);
  const howOf = (glyph: Glyph): Concealment | null => {
    if (glyph.x < -1 || glyph.y < -1 || glyph.x > width + 1 || glyph.y > height + 1) return 'off_page';
    if (glyph.hidden) return isScan ? null : 'hidden';
    if (glyph.size < tinySize) return 'tiny';
    if (covered.has(glyph)) return isScan && under.has(glyph) ? null : 'covered';
    return glyph.white && !onFill(glyph) ? 'white' : null;
  };
  const found = runsOf(glyphs, howOf)
    .filter((run) => run.glyphs.filter((glyph) => !glyph.blank).length >= leastGlyphs)
    .flatMap(blocksOf)
    .slice(0, maxRuns);
  const unseen = new Set(found.flatMap((run) => run.glyphs));
  return found.map((run): ConcealedWord => {
    const box = unionBox(run.glyphs.filter(({ blank }) => !blank).map((glyph) => glyph.box));
    return { how: run.how, text: textOf(run), box, isSure: isSure(run.how, box, { content, unseen }) };
  });
}

function isMostlyHidden(glyphs: readonly Glyph[], under: ReadonlySet<Glyph>): boolean {
  let [drawn, hidden] = [0, 0];
  for (const glyph of glyphs)
    if (!glyph.blank) {
      drawn++;
      if (glyph.hidden || under.has(glyph)) hidden++;
    }
  return hidden > 0.5 * drawn;
}

function runsOf(glyphs: readonly Glyph[], howOf: (glyph: Glyph) => Concealment | null): Run[] {
  const runs: Run[] = [];
  let how: Concealment | null = null;
  for (const glyph of glyphs) {
    const before: Concealment | null = how;
    if (!glyph.blank) how = howOf(glyph);
    if (how === null) continue;
    if (how === before) runs.at(-1)!.glyphs.push(glyph);
    else runs.push({ how, glyphs: [glyph] });
  }
  return runs;
}

/** Lines between two glyphs of a run, from which they stand in different blocks. */
const blockGap = 2;

/** Parts a run where it jumps or turns: a box around what stands at two ends of a page would hold all between them. */
function blocksOf({ how, glyphs }: Run): Run[] {
  const blocks: Run[] = [];
  let before: Glyph | null = null;
  for (const glyph of glyphs) {
    const near: boolean =
      before !== null &&
      (glyph.blank || (glyph.turn === before.turn && linesApart(glyph, before) <= blockGap));
    if (near) blocks.at(-1)!.glyphs.push(glyph);
    else if (!glyph.blank) blocks.push({ how, glyphs: [glyph] });
    if (!glyph.blank) before = glyph;
  }
  return blocks;
}

const linesApart = (a: Glyph, b: Glyph): number =>
  Math.abs(a.turn & 1 ? a.x - b.x : a.y - b.y) / Math.max(a.size, b.size);

const textOf = ({ glyphs }: Run): string =>
  glyphs
    .map(({ text, blank }) => (blank ? ' ' : text))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

/** Beyond the edge and too small to read are sure anyway; what was painted over may show through a clip or a mask. */
function isSure(
  how: Concealment,
  box: Box,
  { content: { glyphs, backdrops }, unseen }: { content: DrawnContent; unseen: ReadonlySet<Glyph> },
): boolean {
  if (how === 'off_page' || how === 'tiny') return true;
  if (how === 'covered') return false;
  const isThere = (other: Box): boolean => intersectBoxes(box, other) !== null;
  return (
    !backdrops.some(isThere) &&
    !glyphs.some((glyph) => !glyph.blank && !unseen.has(glyph) && isThere(glyph.box))
  );
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
  let lastAt: Map<string, number> | null = null;
  const isRepeated = (glyph: Glyph, from: number): boolean => {
    lastAt ??= new Map(glyphs.map((own, index) => [placeKey(own, 0, 0), index]));
    return steps.some((dx) => steps.some((dy) => (lastAt!.get(placeKey(glyph, dx, dy)) ?? -1) >= from));
  };
  const stretches = stretchesOf(glyphs);
  for (const { box, glyphsBefore } of covers)
    for (const { from, area } of stretches) {
      if (from >= glyphsBefore) break;
      if (!intersectBoxes(area, box)) continue;
      for (let index = from; index < Math.min(glyphsBefore, from + stretchLength); index++) {
        const glyph = glyphs[index]!;
        if (liesWithin(glyph.box, box) && !isRepeated(glyph, glyphsBefore)) covered.add(glyph);
      }
    }
  return covered;
}

/** Glyphs that are drawn behind each other mostly stand beside each other: an area of them is compared before they are. */
const stretchLength = 64;

const stretchesOf = (glyphs: readonly Glyph[]): { from: number; area: Box }[] =>
  Array.from({ length: Math.ceil(glyphs.length / stretchLength) }, (_, index) => {
    const from = index * stretchLength;
    return { from, area: unionBox(glyphs.slice(from, from + stretchLength).map(({ box }) => box)) };
  });

/** Points to either side, within which the same character is drawn again. */
const steps = [-1, 0, 1];
const placeKey = ({ text, x, y }: Glyph, dx: number, dy: number): string =>
  `${Math.round(x) + dx} ${Math.round(y) + dy} ${text}`;

/** Areas end at the capitals' height or the base line at times. */
function liesWithin(box: Box, area: Box): boolean {
  const dx = 0.2 * widthOf(box);
  const dy = 0.25 * heightOf(box);
  return box[0] + dx >= area[0] && box[2] - dx <= area[2] && box[1] + dy >= area[1] && box[3] - dy <= area[3];
}
