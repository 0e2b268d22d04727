/** A picture in color: red, green, blue, one byte each, rows from the top. */
export interface RgbImage {
  width: number;
  height: number;
  data: Uint8Array;
}
