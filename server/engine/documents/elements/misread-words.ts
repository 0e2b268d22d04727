/** Words of a scan that took in what is no letter: borders of cells read as brackets, lone zeros as circles, straight quotes. */

import type { Component } from '../../vision/components.ts';
import { type Box, centreY, contains, heightOf, type Ruling } from '../../vision/geometry.ts';
import type { Word } from '../document.ts';
import { withOneScript } from './one-script.ts';

/** Greatest distance of a border from the edge of its word, in font sizes. */
const maxBorderDistanceEm = 0.5;
const opening = /^[[|(｜]/u;
const closing = /[\]|)｜]$/u;

const crosses = (ruling: Ruling, { box }: Word): boolean =>
  ruling.from <= centreY(box) && ruling.to >= centreY(box);

function withoutBorders(word: Word, vertical: Ruling[]): Word[] {
  const near = (x: number): Ruling | undefined =>
    vertical.find(
      (ruling) => crosses(ruling, word) && Math.abs(ruling.at - x) < maxBorderDistanceEm * word.size,
    );
  let { text, box } = word;
  const left = opening.test(text) && !text.includes(')') ? near(box[0]) : undefined;
  if (left) [text, box] = [text.slice(1), [Math.max(box[0], left.at + 0.5), box[1], box[2], box[3]]];
  const right = closing.test(text) && !text.includes('(') ? near(box[2]) : undefined;
  if (right) [text, box] = [text.slice(0, -1), [box[0], box[1], Math.min(box[2], right.at - 0.5), box[3]]];
  if (text === word.text) return [word];
  return text === '' ? [] : [{ ...word, text, box }];
}

/** A lone circle as high as a digit is one; a small o is lower. */
function isZero(word: Word, components: Component[], scale: number): boolean {
  if (!/^[°。○〇oO]$/u.test(word.text)) return false;
  const pieces = components.filter(({ box }) =>
    contains(word.box, box.map((value) => value / scale) as Box, 1),
  );
  return pieces.some(({ box }) => heightOf(box) / scale > (/[oO]/.test(word.text) ? 0.6 : 0.42) * word.size);
}

/** A page sets its quotation marks in one way: where most that open words are curly, the straight ones are misread. */
function withPairedQuotes(words: Word[]): Word[] {
  const opening = words.filter(({ text }) => /^[([]?[“"]\p{L}/u.test(text));
  const curly = opening.filter(({ text }) => text.includes('“'));
  if (curly.length === 0 || 2 * curly.length < opening.length) return words;
  return words.map((word) => {
    const text = word.text
      .replace(/^([([]?)"(?=\p{L})/u, '$1“')
      .replace(/(?<=[\p{L}.,!?])"(?=\P{L}*$)/u, '”');
    return text === word.text ? word : { ...word, text };
  });
}

/** `scale`: pixels of the components a point. */
export function correctMisread(
  words: Word[],
  marks: { vertical: Ruling[]; components: Component[]; scale: number },
): Word[] {
  return withOneScript(withPairedQuotes(words))
    .flatMap((word) => withoutBorders(word, marks.vertical))
    .map((word) => (isZero(word, marks.components, marks.scale) ? { ...word, text: '0' } : word));
}
