/** Text lines of a page's picture and the way they run: quarter turns by how well they read, skew by their angle. */

import { skewOf } from '../../vision/deskew.ts';
import { type Quad, quadHeight, quadWidth } from '../../vision/geometry.ts';
import { detectTextLines } from '../../vision/ocr/recognize.ts';
import { turnedTransform, turnQuad } from '../../vision/page-transform.ts';
import { detectQuarterTurns } from '../pages/orientation.ts';
import type { PageState, Stage } from '../stage.ts';

/** A level frame is kept where the lines lie this level, in radians: turning costs sharpness and gains nothing. */
const levelAngle = 0.002;
/** A line this much longer across the page's direction than along it is turned text; a lone digit is not. */
const minTurnedAspect = 2.2;

/** Quarter turns of one line: the page's, unless it clearly runs across the others. */
function ownTurns(quad: Quad, quarters: 0 | 1 | 2 | 3): number {
  const [width, height] = [quadWidth(quad), quadHeight(quad)];
  const across = quarters & 1 ? width > minTurnedAspect * height : height > minTurnedAspect * width;
  return across ? quarters ^ 1 : quarters;
}

export const orient: Stage<PageState> = {
  name: 'orient',
  async run(state, { models }) {
    if (!state.picture) return state;
    const networks = await models();
    const { image } = state.picture.clean;
    const found = await detectTextLines(image, networks);
    const { quarters, lines } = await detectQuarterTurns(image, found, networks);
    const turns = found.map((quad) => ownTurns(quad, quarters));
    const quads = found.map((quad, index) => turnQuad(quad, turns[index]!));
    const skew = skewOf(quads.filter((_, index) => turns[index] === quarters));
    const angle = (quarters * Math.PI) / 2 + (Math.abs(skew) < levelAngle ? 0 : skew);
    return { ...state, orientation: { quads, lines, angle, transform: turnedTransform(image, angle) } };
  },
};
