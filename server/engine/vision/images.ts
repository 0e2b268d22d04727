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

/** @param area of whole pixels, within the picture: left, top, right, bottom */
export function cropGray(
  image: GrayImage,
  [left, top, right, bottom]: readonly [number, number, number, number],
): GrayImage {
  const [width, height] = [right - left, bottom - top];
  if (width === image.width && height === image.height) return image;
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = (top + y) * image.width + left;
    data.set(image.data.subarray(from, from + width), y * width);
  }
  return { width, height, data };
}
