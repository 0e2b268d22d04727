/** Text of a scan that recognition overlooked or misread; it needs the words and the boxes to tick. */

import type { Box, Point, Quad } from '../../vision/geometry.ts';
import { readLines } from '../../vision/ocr/read-lines.ts';
import type { Word } from '../document.ts';
import { findColons } from '../elements/colons.ts';
import { correctDashes, findDashes } from '../elements/dashes.ts';
import { findDrawings } from '../elements/drawings.ts';
import { correctMisread } from '../elements/misread-words.ts';
import { missedText } from '../elements/missed-text.ts';
import { toWords } from '../pages/scan-words.ts';
import type { PageState, Stage, StageTools } from '../stage.ts';

/** A lone digit in the cell of a table is read less surely than a line is. */
const minMissedConfidence = 0.5;

const cornerQuad = ([x0, y0, x1, y1]: Box, map: (point: Point) => Point): Quad => [
  map([x0, y0]),
  map([x1, y0]),
  map([x1, y1]),
  map([x0, y1]),
];

/** Reads places of the reading frame, each one line high; what cannot be read is left out. */
async function readPlaces(
  boxes: Box[],
  { picture, orientation, read }: PageState,
  { models }: StageTools,
): Promise<Word[]> {
  if (!picture || !orientation || !read) return [];
  const { transform } = orientation;
  const scale = read.pointsPerPixel;
  const quads = boxes.map((box) => cornerQuad(box, ([x, y]) => transform.toPicture([x / scale, y / scale])));
  const lines = await readLines(picture.clean.image, quads, await models());
  return lines
    .filter(({ confidence }) => confidence >= minMissedConfidence)
    .flatMap((line) => toWords({ ...line, source: 'second_reading' }, transform, scale));
}

export const ocrRepair: Stage<PageState> = {
  name: 'ocr-repair',
  async run(state, tools) {
    const { page, read, raster, contours } = state;
    if (!read || !raster?.strokes) return state;
    const components = [...state.components];
    const { words, vertical } = page;
    const { gray, ink, strokes, scale } = raster;
    const missed = await readPlaces(
      missedText({ components, words, frames: [...contours], scale }),
      state,
      tools,
    );
    const repaired = [
      ...correctDashes(correctMisread([...words, ...missed], { vertical, components, scale }), {
        ink,
        components,
        scale,
      }),
      ...findDashes({ ink, components, words, scale }),
      ...findColons({ components, words, scale }),
    ];
    const canvas = { width: gray.width, height: gray.height, scale };
    const slants = findDrawings(strokes, { words, components }, canvas);
    return { ...state, page: { ...page, words: repaired, slants } };
  },
};
