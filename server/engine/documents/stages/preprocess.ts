/** From the file to what is read of it: the text layer, or the picture made fit for reading. */

import { cleanPicture } from '../pages/clean-picture.ts';
import { probeDotsPerInch, uncoveredInkRatio } from '../pages/needs-ocr.ts';
import { textLayerMatches } from '../pages/text-layer.ts';
import type { TextLayer } from '../pdf/extract-page.ts';
import type { PagePicture, PageState, Stage, TextLayerDoubt } from '../stage.ts';

/** Pages with fewer glyphs may be scans with a line of digital text, such as a stamp of a fax or a page number. */
const fewGlyphs = 60;
/** Share of a page's pixels beside its text before they are worth reading: a line of text has more. */
const minInkToRead = 0.0015;

function doubtOf({ visible, hidden, unmapped }: TextLayer): TextLayerDoubt {
  if (unmapped > 20 && unmapped > 0.3 * (visible + hidden)) return 'unmapped text';
  if (hidden > fewGlyphs && hidden > 3 * visible) return 'hidden text';
  return visible + hidden < fewGlyphs ? 'little text' : 'none';
}

function withPicture(state: PageState, { image, pointsPerPixel }: PagePicture): PageState {
  const { width, height } = image;
  return { ...state, picture: { clean: cleanPicture(image), pointsPerPixel, width, height } };
}

/** Words, lines and form fields as the file gives them. A picture file gives none: it is read at once. */
export const extract: Stage<PageState> = {
  name: 'extract',
  async run(state, { source, clock }) {
    const extracted = await source.extract(state.number, clock);
    if (!extracted) return withPicture(state, await source.draw(state.number, clock));
    const { page, damaged, widgets, warnings, textLayer, tables = [] } = extracted;
    const doubt = damaged ? 'none' : doubtOf(textLayer);
    return { ...state, page, damaged, widgets, warnings, doubt, tables };
  },
};

/**
 * Takes the picture of a PDF page that must be read from it: one without text, one whose fonts do not tell their text, a
 * scan whose hidden text layer says something else than the picture.
 */
export const preprocess: Stage<PageState> = {
  name: 'preprocess',
  async run(state, { source, clock, models }) {
    const { doubt, number, page } = state;
    if (doubt === 'none' || state.picture) return state;
    if (doubt === 'little text') {
      const probe = await source.draw(number, clock, probeDotsPerInch);
      if (uncoveredInkRatio(page, probe.image) < minInkToRead) return state;
    }
    const networks = await models();
    const picture = await source.draw(number, clock);
    if (doubt === 'hidden text' && (await textLayerMatches(page, picture.image, networks))) return state;
    return withPicture(state, picture);
  },
};
