/** Barcodes and QR codes. */

import { type Barcode, findBarcodes } from '../../vision/barcodes.ts';
import { type Box, type Point, type Quad, quadBox } from '../../vision/geometry.ts';
import { cropGray } from '../../vision/images.ts';
import type { PageState, Stage } from '../stage.ts';

const toPoints = (corners: Barcode['corners'], scale: number): Box =>
  quadBox(corners).map((value) => value / scale) as Box;

export const codes: Stage<PageState> = {
  name: 'codes',
  async run(state) {
    const { raster } = state;
    if (!raster?.codeArea) return state;
    const { gray, codeArea, scale } = raster;
    const [left, top] = codeArea;
    const found = await findBarcodes(cropGray(gray, codeArea));
    const barcodes = found.map(({ corners, ...code }) => ({
      ...code,
      box: toPoints(corners.map(([x, y]): Point => [x + left, y + top]) as unknown as Quad, scale),
    }));
    return { ...state, barcodes };
  },
};
