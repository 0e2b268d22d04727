/** Boxes to tick: on a scan from its pixels, else from what the operators drew and from box characters. */

import type { Box } from '../../vision/geometry.ts';
import { contains } from '../../vision/geometry.ts';
import { findRasterCheckboxes } from '../elements/checkboxes-raster.ts';
import { findVectorCheckboxes } from '../elements/checkboxes-vector.ts';
import type { PageState, Stage } from '../stage.ts';

/** Also takes what was read for a letter and is a box out of the page's words. */
export const rasterCheckboxes: Stage<PageState> = {
  name: 'checkboxes of a scan',
  async run(state) {
    const { page, read, raster, components, widgets } = state;
    if (!read || !raster?.strokes) return state;
    const { gray: image, ink, strokes, scale } = raster;
    const found = findRasterCheckboxes({
      image,
      ink,
      strokes,
      components: [...components],
      words: page.words,
      scale,
    });
    // Fields of a form are known exactly.
    const isWidget = (view: Box): boolean => widgets.some(({ bbox }) => contains(bbox, view, 0.004));
    return {
      ...state,
      page: { ...page, words: found.words },
      contours: found.boxes.map(({ box }) => box),
      checkboxes: found.boxes.filter(({ box }) => !isWidget(page.toView(box))),
    };
  },
};

export const vectorCheckboxes: Stage<PageState> = {
  name: 'checkboxes as drawn',
  async run(state) {
    const drawn = findVectorCheckboxes(state.page, state.widgets);
    return { ...state, checkboxes: [...state.checkboxes, ...drawn] };
  },
};
