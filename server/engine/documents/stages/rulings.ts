/** Ink and straight lines of a page: of a scan from its picture, else as the operators drew them. */

import { binarize } from '../../vision/binarize.ts';
import { findComponents, type InkImage } from '../../vision/components.ts';
import { deskewGray, toGray } from '../../vision/deskew.ts';
import type { Box } from '../../vision/geometry.ts';
import type { GrayImage } from '../../vision/images.ts';
import { detectStrokes } from '../../vision/lines/line-detection.ts';
import { hasColor, toTint } from '../../vision/tint.ts';
import type { Page } from '../document.ts';
import { signedBand } from '../elements/ink-signatures.ts';
import { signatureLabels } from '../elements/signature-labels.ts';
import { withoutLetters } from '../layout/letter-strokes.ts';
import { mergeRulings } from '../layout/rulings.ts';
import { inkEvidence, probeDotsPerInch } from '../pages/needs-ocr.ts';
import type { PageState, Stage } from '../stage.ts';

/** Deskews the picture of a page that was read from it, and finds its rulings there. */
export const rasterRulings: Stage<PageState> = {
  name: 'rulings of a scan',
  async run(state) {
    const { picture, orientation, read, page } = state;
    if (!picture || !orientation || !read) return state;
    const { image } = picture.clean;
    const { transform, angle } = orientation;
    const scale = 1 / read.pointsPerPixel;
    const gray = deskewGray(toGray(image), transform, angle);
    const strokes = withoutLetters(detectStrokes(gray, scale), page.words);
    const ink = binarize(gray);
    const tint = (): GrayImage | null => {
      const upright = toTint(image);
      return hasColor(upright) ? deskewGray(upright, transform, angle) : null;
    };
    return {
      ...state,
      page: {
        ...page,
        horizontal: mergeRulings(strokes.horizontal),
        vertical: mergeRulings(strokes.vertical),
      },
      raster: {
        gray,
        ink,
        rulings: strokes,
        strokes,
        scale,
        codeArea: [0, 0, gray.width, gray.height],
        tint,
      },
      components: findComponents(ink),
    };
  },
};

/** Enough for signatures and codes. */
const elementsDotsPerInch = 150;
/** Share of a page's pixels beside its text that the thinnest signature has. */
const minElementInkRatio = 0.000_03;
/** Words of a text that tell of codes on its page; drawing every page to look for them would take longer than all else. */
const asksForCodes =
  /\bqr\b|bar\s?code|e-?invoi[cs]|kod\s?(?:qr|bar)|scan\s+(?:this|to|me|here)|imbas|扫码|扫描|二维码|条码/iu;

/** The ink that signatures may be of. */
function signedInk({ words }: Page, gray: GrayImage, scale: number): InkImage {
  const labels = signatureLabels(words);
  if (labels.length === 0) return { ...gray, data: new Uint8Array(gray.data.length) };
  const [top, bottom] = signedBand(labels);
  return binarize(gray, [
    Math.max(0, Math.floor(top * scale)),
    Math.min(gray.height, Math.ceil(bottom * scale)),
  ]);
}

/** Codes need paper around them. */
const codeMargin = 0.03;

const areaAround = ([x0, y0, x1, y1]: Box, { width, height }: GrayImage): Box => [
  Math.max(0, Math.floor((x0 - codeMargin) * width)),
  Math.max(0, Math.floor((y0 - codeMargin) * height)),
  Math.min(width, Math.ceil((x1 + codeMargin) * width)),
  Math.min(height, Math.ceil((y1 + codeMargin) * height)),
];

const mayBearElements = ({ words, isDrawing = false }: Page): boolean =>
  isDrawing && (signatureLabels(words).length > 0 || words.some(({ text }) => asksForCodes.test(text)));

/**
 * Draws a page whose text is digital where it may carry a signature, a stamp or a code as a picture; its rulings are
 * known. Turned pages are left alone, and one that cannot be drawn keeps what its text says.
 */
export const drawnInk: Stage<PageState> = {
  name: 'ink of a drawn page',
  async run(state, { source, clock }) {
    const { page, read, number } = state;
    if (read || !mayBearElements(page)) return state;
    const probe = await source.draw(number, clock, probeDotsPerInch).catch(() => null);
    const evidence = probe && inkEvidence(page, probe.image);
    if (!evidence || evidence.ratio < minElementInkRatio) return state;
    const { image } = await source.draw(number, clock, elementsDotsPerInch);
    const scale = image.width / page.width;
    if (Math.abs(image.height / page.height - scale) > 0.02 * scale) return state;
    const gray = toGray(image);
    const tint = () => (evidence.isColored ? toTint(image) : null);
    const codeArea = evidence.dense && areaAround(evidence.dense, gray);
    const raster = { gray, ink: signedInk(page, gray, scale), rulings: page, strokes: null, scale };
    return { ...state, raster: { ...raster, codeArea, tint } };
  },
};
