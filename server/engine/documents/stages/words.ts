/** Recognized lines as the words of a page; a page whose picture shows no text keeps its text layer. */

import { type Box, type Point, quadHeight, unionBox } from '../../vision/geometry.ts';
import type { RecognizedLine } from '../../vision/ocr/read-lines.ts';
import type { PageTransform } from '../../vision/page-transform.ts';
import type { Page, Word } from '../document.ts';
import { median } from '../layout/median.ts';
import type { CleanPicture } from '../pages/clean-picture.ts';
import { meanWordConfidence, sizeShare, toWords, withoutRepeats } from '../pages/scan-words.ts';
import type { PageState, Stage } from '../stage.ts';

/** Body text where the resolution is unknown, in points. */
const usualSize = 10;
/** Width of an A4 page in points, assumed where there is no text either. */
const usualWidth = 595;

type Picture = NonNullable<PageState['picture']>;

/** Points a pixel. A photographed page that was laid flat has lost what its file told. */
function scaleOf(lines: readonly RecognizedLine[], { clean, pointsPerPixel }: Picture): number {
  if (pointsPerPixel !== null && !clean.rectified) return pointsPerPixel;
  const size = median(lines.map((line) => sizeShare * quadHeight(line.quad)));
  return size > 0 ? usualSize / size : usualWidth / clean.image.width;
}

interface ViewMaps {
  toView(box: Box): Box;
  /** From 0..1 of the page as shown into its reading frame. */
  fromView(box: Box): Box;
}

/**
 * The ways between the page's frame and the page as shown. Made apart from where the picture is at hand: pages outlive
 * their pictures, and a function holds all that its neighbours hold.
 */
function viewMaps(
  frame: PageTransform,
  { toSource, fromSource }: Pick<CleanPicture, 'toSource' | 'fromSource'>,
  { scale, width, height }: { scale: number; width: number; height: number },
): ViewMaps {
  return {
    toView: (box) =>
      mapBox(box, ([x, y]) => {
        const [px, py] = toSource(frame.toPicture([x / scale, y / scale]));
        return [clampUnit(px / width), clampUnit(py / height)];
      }),
    fromView: (box) =>
      mapBox(box, ([x, y]) => {
        const [px, py] = frame.toFrame(fromSource([x * width, y * height]));
        return [px * scale, py * scale];
      }),
  };
}

const clampUnit = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;

/** The level box around a box whose corners were mapped. */
function mapBox([x0, y0, x1, y1]: Box, map: (point: Point) => Point): Box {
  const corners: Point[] = [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
  return unionBox(corners.map(map).map(([x, y]): Box => [x, y, x, y]));
}

/** The recognized words with the digital ones of the page over those that they cover. */
function withTyped(words: Word[], typed: Page, { toView, fromView }: ViewMaps): Word[] {
  const own = typed.words.map((word) => ({ word, view: typed.toView(word.box) }));
  const isCovered = (word: Word): boolean => {
    const [x0, y0, x1, y1] = toView(word.box);
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    return own.some(({ view }) => x > view[0] && x < view[2] && y > view[1] && y < view[3]);
  };
  return [
    ...words.filter((word) => !isCovered(word)),
    ...own.map(({ word, view }) => {
      const box = fromView(view);
      return { ...word, box, baseline: box[3] - 0.2 * word.size };
    }),
  ];
}

const otherText = (number: number): string =>
  `The text layer of page ${number} does not say what the page shows: its picture was read instead.`;

export const words: Stage<PageState> = {
  name: 'words',
  async run(state) {
    const { picture, orientation, lines, doubt, number, warnings } = state;
    if (!picture || !orientation || !lines) return { ...state, picture: null };
    const { transform } = orientation;
    const scale = scaleOf(lines, picture);
    const recognized = withoutRepeats(lines.flatMap((line) => toWords(line, transform, scale)));
    const isPdf = doubt !== 'none';
    if (isPdf && recognized.length === 0) return { ...state, picture: null };
    const maps = viewMaps(transform, picture.clean, { scale, width: picture.width, height: picture.height });
    const page: Page = {
      number,
      width: transform.width * scale,
      height: transform.height * scale,
      words: doubt === 'little text' ? withTyped(recognized, state.page, maps) : recognized,
      horizontal: [],
      vertical: [],
      frames: [],
      fills: [],
      slants: [],
      toView: maps.toView,
      ...(doubt === 'hidden text' ? { textDiffers: true } : {}),
    };
    return {
      ...state,
      page,
      read: { pointsPerPixel: scale, confidence: meanWordConfidence(recognized) },
      warnings: isPdf && doubt !== 'little text' ? [...warnings, otherText(number)] : warnings,
    };
  },
};
