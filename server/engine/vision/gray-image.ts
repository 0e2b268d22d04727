/** A picture as brightness, one byte a pixel (0 black, 255 white), rows from the top. */
export interface GrayImage {
  width: number;
  height: number;
  data: Uint8Array;
}
