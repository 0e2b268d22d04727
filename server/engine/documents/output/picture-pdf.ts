/** A PDF of pictures, one a page, and at most their text unseen over them: no metadata, nothing of another file. */

import type { Box } from '../../vision/geometry.ts';
import { InvisibleFonts } from './invisible-fonts.ts';
import { PdfObjects } from './pdf-objects.ts';

export interface PicturePage {
  jpeg: Uint8Array;
  /** Of the picture, in pixels. */
  widthPx: number;
  heightPx: number;
  /** To be found and marked where they stand; boxes are 0 to 1 of the page. */
  words?: readonly { text: string; bbox: Box }[];
}

/** Width of a page, in points; heights follow. */
const pageWidth = 595;
const root = 1;
const tree = 2;

export function picturePdf(pages: readonly PicturePage[]): Uint8Array {
  const objects = new PdfObjects(2);
  objects.write(root, `<</Type/Catalog/Pages ${tree} 0 R>>`);
  const fonts = new InvisibleFonts();
  const drawn = pages.map((page) => {
    const height = (pageWidth * page.heightPx) / page.widthPx;
    const text = (page.words ?? []).map((word) => fonts.draw(word, { width: pageWidth, height }));
    const content = `q ${pageWidth} 0 0 ${height.toFixed(2)} 0 0 cm /P Do Q\n${text.join('')}`;
    return { page, height, content };
  });
  const fontResources = fonts.write(objects);
  const kids = drawn.map(({ page: { jpeg, widthPx, heightPx }, height, content }) => {
    const picture = objects.add(
      `<</Type/XObject/Subtype/Image/Width ${widthPx}/Height ${heightPx}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode`,
      jpeg,
    );
    const drawing = objects.add('<<', Buffer.from(content, 'latin1'));
    return objects.add(
      `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 ${pageWidth} ${height.toFixed(2)}]/Resources<</XObject<</P ${picture} 0 R>>${fontResources}>>/Contents ${drawing} 0 R>>`,
    );
  });
  const references = kids.map((kid) => `${kid} 0 R`).join(' ');
  objects.write(tree, `<</Type/Pages/Kids[${references}]/Count ${kids.length}>>`);
  return objects.finish(root);
}
