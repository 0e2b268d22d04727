/** A PDF of pictures, one a page, and nothing else: no text, no metadata, nothing of another file. */

export interface PicturePage {
  jpeg: Uint8Array;
  /** Of the picture, in pixels. */
  widthPx: number;
  heightPx: number;
}

/** Width of a page, in points; heights follow. */
const pageWidth = 595;

/** PDF 1.4 by hand: a page, its drawing and its picture are three objects. */
export function picturePdf(pages: readonly PicturePage[]): Uint8Array {
  const parts: Buffer[] = [];
  const offsets: number[] = [];
  let length = 0;
  const write = (data: string | Uint8Array): void => {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data);
    parts.push(bytes);
    length += bytes.length;
  };
  const open = (number: number): void => {
    offsets[number] = length;
    write(`${number} 0 obj\n`);
  };
  write('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n');
  open(1);
  write('<</Type/Catalog/Pages 2 0 R>>\nendobj\n');
  open(2);
  const kids = pages.map((_, index) => `${3 + 3 * index} 0 R`).join(' ');
  write(`<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>\nendobj\n`);
  for (const [index, { jpeg, widthPx, heightPx }] of pages.entries()) {
    const [page, drawing, picture] = [3 + 3 * index, 4 + 3 * index, 5 + 3 * index];
    const height = ((pageWidth * heightPx) / widthPx).toFixed(2);
    open(page);
    write(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${pageWidth} ${height}]/Resources<</XObject<</P ${picture} 0 R>>>>/Contents ${drawing} 0 R>>\nendobj\n`,
    );
    const content = `${pageWidth} 0 0 ${height} 0 0 cm /P Do`;
    open(drawing);
    write(`<</Length ${content.length}>>\nstream\n${content}\nendstream\nendobj\n`);
    open(picture);
    write(
      `<</Type/XObject/Subtype/Image/Width ${widthPx}/Height ${heightPx}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length ${jpeg.length}>>\nstream\n`,
    );
    write(jpeg);
    write('\nendstream\nendobj\n');
  }
  const start = length;
  write(`xref\n0 ${offsets.length}\n0000000000 65535 f \n`);
  for (const offset of offsets.slice(1)) write(`${String(offset).padStart(10, '0')} 00000 n \n`);
  write(`trailer\n<</Size ${offsets.length}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat(parts);
}
