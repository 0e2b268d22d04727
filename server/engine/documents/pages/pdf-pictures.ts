/** Pictures of a PDF's pages for recognition. The reader for text leaves images out, so this opens the file anew. */

import { maxImageAreaPx, maxPictureAreaPx, scanDotsPerInch } from '../limits.ts';
import type { PageClock } from '../page-clock.ts';
import { type OpenPdf, openPdf } from '../pdf/open.ts';
import { pagePixels, pagePng } from '../pdf/render.ts';
import type { PagePicture } from '../stage.ts';

const pointsPerInch = 72;

export class PdfPictures {
  readonly #bytes: Uint8Array;
  #open: Promise<OpenPdf> | null = null;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** @throws document_unreadable for a page that cannot be drawn, or not in the time it has left */
  async draw(number: number, clock: PageClock, dotsPerInch = scanDotsPerInch): Promise<PagePicture> {
    this.#open ??= openPdf(this.#bytes, { maxImageAreaPx });
    const { document } = await this.#open;
    const scale = dotsPerInch / pointsPerInch;
    const image = await pagePixels(document, number, {
      scale,
      maxAreaPx: maxPictureAreaPx,
      isCut: () => clock.isSpent(),
    });
    const { width } = (await document.getPage(number)).getViewport({ scale: 1 });
    return { image, pointsPerPixel: width / image.width };
  }

  /** @throws document_unreadable */
  async png(number: number, widthPx: number): Promise<Uint8Array> {
    this.#open ??= openPdf(this.#bytes, { maxImageAreaPx });
    return pagePng((await this.#open).document, number, widthPx);
  }

  async close(): Promise<void> {
    await (await this.#open?.catch(() => null))?.close();
  }
}
