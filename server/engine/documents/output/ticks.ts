/** Boxes to tick as signs in the text: `☑` or `☐` where each stands, in place of the glyphs that draw it. Pure. */

import { type Box, centreX, contains, overlap } from '../../vision/geometry.ts';
import type { Document, Page, PageTable, Word } from '../document.ts';
import { checkboxCharacters } from '../elements/checkbox-labels.ts';

interface Tick {
  box: Box;
  checked: boolean;
}

/** In points. */
const tolerance = 2;
/** From a box to its label, in sizes of its letters. */
const farthestLabel = 2.5;

const ticksOf = ({ widgets, checkboxes }: Document, page: Page): Tick[] => [
  ...widgets.filter(
    ({ kind, page: number }) => (kind === 'checkbox' || kind === 'radio') && number === page.number,
  ),
  ...checkboxes.filter((found) => found.page === page),
];

const isInside = ([x0, y0, x1, y1]: Box, [left, top, right, bottom]: Box): boolean => {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x >= left && x <= right && y >= top && y <= bottom;
};

/** The box itself, or the stroke in it, as text. */
const drawsTick = (word: Word, { box }: Tick): boolean =>
  (word.text.length <= 2 && contains(box, word.box, tolerance)) ||
  (checkboxCharacters.test(word.text) && (isInside(box, word.box) || isInside(word.box, box)));

/** The word of its line that is nearest to a box, to the right if one is. */
function neighbour(words: readonly Word[], { box: [x0, y0, x1, y1] }: Tick): Word | undefined {
  const distance = ({ box }: Word): number => (centreX(box) > x1 ? box[0] - x1 : 2 * Math.abs(x0 - box[2]));
  return words
    .filter(({ box, turned }) => !turned && overlap(y0, y1, box[1], box[3]) > 0.3 * (y1 - y0))
    .toSorted((a, b) => distance(a) - distance(b))[0];
}

function toWord(tick: Tick, words: readonly Word[]): Word {
  const text = tick.checked ? '☑' : '☐';
  const [x0, y0, x1, y1] = tick.box;
  const near = neighbour(words, tick);
  const size = near?.size ?? y1 - y0;
  // A wide gap would part it from its label.
  const gap = near ? near.box[0] - x1 : Number.POSITIVE_INFINITY;
  const right = gap > 0 && gap < farthestLabel * size ? Math.max(x1, near!.box[0] - 0.25 * size) : x1;
  return {
    text,
    box: near ? [x0, near.box[1], right, near.box[3]] : [x0, y0, right, y1],
    baseline: near?.baseline ?? y1,
    size,
    bold: near?.bold ?? false,
    turned: false,
    source: near?.source ?? 'text_layer',
  };
}

function withTicks(words: readonly Word[], ticks: readonly Tick[]): Word[] {
  const rest = words.filter((word) => !ticks.some((tick) => drawsTick(word, tick)));
  return [...rest, ...ticks.map((tick) => toWord(tick, rest))];
}

function tickedTable(table: PageTable, ticks: readonly Tick[]): PageTable {
  const cells = table.cells.map((cell) => {
    const own = ticks.filter(({ box }) => isInside(box, cell.box));
    return own.length > 0 && cell.text === undefined ? { ...cell, words: withTicks(cell.words, own) } : cell;
  });
  return { ...table, cells };
}

/** Pages and tables with their ticks; a page that tells its own blocks has them in its text. */
export function tickedDocument(document: Document): Pick<Document, 'pages' | 'tables'> {
  const byPage = new Map(
    document.pages
      .filter((page) => !page.blocks)
      .map((page) => [page, ticksOf(document, page)] as const)
      .filter(([, ticks]) => ticks.length > 0),
  );
  if (byPage.size === 0) return document;
  return {
    pages: document.pages.map((page) => {
      const ticks = byPage.get(page);
      return ticks ? { ...page, words: withTicks(page.words, ticks) } : page;
    }),
    tables: document.tables.map((table) => {
      const ticks = byPage.get(table.page);
      return ticks ? tickedTable(table, ticks) : table;
    }),
  };
}
