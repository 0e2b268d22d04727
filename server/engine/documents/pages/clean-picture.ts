/** A picture made fit for reading: a photographed page laid flat, the specks of a noisy scan taken out. */

import { despeckle } from '../../vision/despeckle.ts';
import type { Point } from '../../vision/geometry.ts';
import type { RgbImage } from '../../vision/images.ts';
import { findPageContour } from '../../vision/page-contour.ts';
import { rectifyPage } from '../../vision/rectify.ts';
import { maxPictureAreaPx } from '../limits.ts';

export interface CleanPicture {
  image: RgbImage;
  /** Between pixels of `image` and pixels of the picture as it came. */
  toSource(point: Point): Point;
  fromSource(point: Point): Point;
  /** True if a photographed page was laid flat, which changes its scale. */
  rectified: boolean;
}

const same = (point: Point): Point => point;

export function cleanPicture(source: RgbImage): CleanPicture {
  const contour = findPageContour(source);
  const flat = contour
    ? rectifyPage(source, contour, maxPictureAreaPx)
    : { image: source, toSource: same, fromSource: same };
  return { ...flat, image: despeckle(flat.image), rectified: contour !== null };
}
