/** Barcodes and QR codes. */

import { type Barcode, findBarcodes } from '../../vision/barcodes.ts';
import { type Box, quadBox } from '../../vision/geometry.ts';
import type { PageState, Stage } from '../stage.ts';

const toPoints = (corners: Barcode['corners'], scale: number): Box =>
  quadBox(corners).map((value) => value / scale) as Box;

export const codes: Stage<PageState> = {
  name: 'codes',
  async run(state) {
    const { raster } = state;
    if (!raster?.mayBearCodes) return state;
    const found = await findBarcodes(raster.gray);
    const barcodes = found.map(({ corners, ...code }) => ({ ...code, box: toPoints(corners, raster.scale) }));
    return { ...state, barcodes };
  },
};
