/** Pictures as pixels, row by row. */

/** A picture as brightness, one byte a pixel (0 black, 255 white), rows from the top. */
export interface GrayImage {
  width: number;
  height: number;
  data: Uint8Array;
}

/** A picture in color: red, green, blue, one byte each, rows from the top. */
export interface RgbImage {
  width: number;
  height: number;
  data: Uint8Array;
}
