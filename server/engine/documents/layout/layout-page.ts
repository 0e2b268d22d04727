/** From glyphs and shapes to a Page: finds the reading direction, turns everything upright, joins and merges. */

import { type Box, type Ruling, unionBox } from '../../vision/geometry.ts';
import type { Page, Word } from '../document.ts';
import type { Glyph, PageContent } from '../pdf/page-content.ts';

import { mergeRulings } from './rulings.ts';
import { uprightWords } from './words.ts';

export interface PageSize {
  number: number;
  width: number;
  height: number;
}

/** Quarter turn that most text has; vertical CJK columns are read upright all the same. */
function mainTurn(glyphs: Glyph[]): { turn: Glyph['turn']; isOnly: boolean } {
  const counts = [0, 0, 0, 0];
  for (const glyph of glyphs) counts[glyph.turn]!++;
  const most = Math.max(...counts);
  return { turn: counts.indexOf(most) as Glyph['turn'], isOnly: most === glyphs.length };
}

/** Turns a box counter-clockwise by quarter turns, so that text of that turn becomes upright. */
function turnBox(box: Box, turn: number, { width, height }: PageSize): Box {
  const [x0, y0, x1, y1] = box;
  if (turn === 1) return [y0, width - x1, y1, width - x0];
  if (turn === 2) return [width - x1, height - y1, width - x0, height - y0];
  if (turn === 3) return [height - y1, x0, height - y0, x1];
  return box;
}

function turnGlyph(glyph: Glyph, turn: number, size: PageSize): Glyph {
  const box = turnBox(glyph.box, turn, size);
  const [x, y] = turnBox([glyph.x, glyph.y, glyph.x, glyph.y], turn, size);
  return { ...glyph, box, x, y, turn: ((glyph.turn - turn) & 3) as Glyph['turn'] };
}

/** Words at an angle keep their own run of text and lie in the page as one box each. */
function turnedWords(glyphs: Glyph[], size: PageSize): Word[] {
  const words: Word[] = [];
  for (const turn of [1, 2, 3]) {
    const own = glyphs.filter((glyph) => glyph.turn === turn);
    const frame = turn & 1 ? { ...size, width: size.height, height: size.width } : size;
    for (const word of uprightWords(own.map((glyph) => turnGlyph(glyph, turn, size)))) {
      const box = turnBox(word.box, (4 - turn) & 3, frame);
      words.push({ ...word, box, baseline: box[3], turned: true });
    }
  }
  return joinTurned(words);
}

/** Neighbouring turned words of one run become one word, so that a turned header cell stays together. */
function joinTurned(words: Word[]): Word[] {
  const joined: Word[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    const near =
      last &&
      Math.abs(last.box[0] - word.box[0]) < 0.3 * word.size &&
      Math.min(Math.abs(last.box[1] - word.box[3]), Math.abs(word.box[1] - last.box[3])) < 0.6 * word.size;
    if (near) {
      last.text += ` ${word.text}`;
      last.box = unionBox([last.box, word.box]);
      last.baseline = last.box[3];
    } else joined.push({ ...word });
  }
  return joined;
}

const insidePage = (box: Box, width: number, height: number): boolean =>
  box[2] > 0 && box[3] > 0 && box[0] < width && box[1] < height;

export function layoutPage(content: PageContent, size: PageSize): Page {
  const { turn, isOnly } = mainTurn(content.glyphs);
  const glyphs = turn === 0 ? content.glyphs : content.glyphs.map((glyph) => turnGlyph(glyph, turn, size));
  const [width, height] = turn & 1 ? [size.height, size.width] : [size.width, size.height];
  const frame = { number: size.number, width, height };
  const words = isOnly
    ? uprightWords(glyphs)
    : [...uprightWords(glyphs.filter((glyph) => glyph.turn === 0)), ...turnedWords(glyphs, frame)];
  const shapes = content.shapes.map(({ kind, box }) => ({ kind, box: turnBox(box, turn, size) }));
  const boxes = (kind: string): Box[] =>
    shapes
      .filter((shape) => shape.kind === kind && insidePage(shape.box, width, height))
      .map((shape) => shape.box);
  const lines = boxes('line');
  return {
    ...frame,
    words: words.filter((word) => word.text !== '' && insidePage(word.box, width, height)),
    horizontal: mergeRulings(lines.flatMap((box) => asRuling(box, 'horizontal'))),
    vertical: mergeRulings(lines.flatMap((box) => asRuling(box, 'vertical'))),
    frames: boxes('frame'),
    fills: boxes('fill'),
    slants: boxes('slant'),
    toView: (box) => toUnit(turnBox(box, (4 - turn) & 3, frame), size),
  };
}

function asRuling([x0, y0, x1, y1]: Box, direction: 'horizontal' | 'vertical'): Ruling[] {
  const flat = y1 - y0 <= x1 - x0;
  if (flat !== (direction === 'horizontal')) return [];
  return flat ? [{ at: (y0 + y1) / 2, from: x0, to: x1 }] : [{ at: (x0 + x1) / 2, from: y0, to: y1 }];
}

function toUnit(box: Box, { width, height }: PageSize): Box {
  const unit = (value: number, length: number): number =>
    Math.round(Math.min(1, Math.max(0, value / length)) * 10_000) / 10_000;
  return [unit(box[0], width), unit(box[1], height), unit(box[2], width), unit(box[3], height)];
}
