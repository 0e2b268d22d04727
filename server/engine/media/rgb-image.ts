/** A picture in colour: red, green, blue, one byte each, rows from the top. */
export interface RgbImage {
  width: number;
  height: number;
  data: Uint8Array;
}
