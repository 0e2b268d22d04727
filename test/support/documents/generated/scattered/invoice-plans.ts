/**
 * Places of the blocks of an invoice's head: anywhere, or as letters have them: the addressee behind a window and the
 * sender beside or below, both in a grid, the address over the name, the sender in the foot alone.
 */

import type { Chance } from '../../specimens/chance.ts';
import {
  buyerBlock,
  type Draw,
  maybe,
  metaBlock,
  otherBlock,
  sellerBlock,
  signBlock,
} from './invoice-blocks.ts';
import { addressLines, type BlockLine, type Cell, drawCells, loosened, widthOfCell } from './party-blocks.ts';

/** Blocks in rows of one to three cells; those that would run into each other stand below each other. */
export function drawRows(blocks: BlockLine[][], { sheet, chance }: Draw): void {
  const rest = [...blocks];
  while (rest.length > 0) {
    const count = Math.min(rest.length, chance.pick([1, 1, 2, 2, 2, 3]));
    const row = rest.splice(0, count);
    const step = (sheet.width - 2 * sheet.margin) / count;
    const fits = row.every((lines) => widthOfCell(lines, sheet.size) < step - 10);
    if (count === 1 || !fits)
      for (const lines of row) {
        const align = chance.pick(['left', 'left', 'left', 'center', 'right'] as const);
        const place = lines.some(({ beside }) => beside !== undefined) ? 'left' : align;
        const x = { left: sheet.margin, center: sheet.width / 2, right: sheet.width - sheet.margin }[place];
        const aside =
          place === 'left' &&
          chance.happens(0.15) &&
          widthOfCell(lines, sheet.size) < sheet.width / 2 - sheet.margin;
        drawCells(sheet, [{ x: aside ? sheet.width / 2 : x, align: place, lines }]);
        sheet.down(chance.between(0.3, 1.2));
      }
    else {
      const cells = row.map((lines, at): Cell => {
        const isRight =
          at === count - 1 && chance.happens(0.2) && lines.every(({ beside }) => beside === undefined);
        return isRight
          ? { x: sheet.width - sheet.margin, align: 'right', lines }
          : { x: sheet.margin + at * step, align: 'left', lines };
      });
      drawCells(sheet, loosened(cells, chance));
      sheet.down(chance.between(0.3, 1.2));
    }
  }
}

/** Blocks beside each other where they fit, else below each other. */
function drawBeside(blocks: BlockLine[][], draw: Draw): void {
  const { sheet, chance } = draw;
  const step = (sheet.width - 2 * sheet.margin) / blocks.length;
  const fits = blocks.every((lines) => widthOfCell(lines, sheet.size) < step - 0.6 * sheet.size);
  const cells = blocks.map(
    (lines, at): Cell => ({ x: sheet.margin + (fits ? at * step : 0), align: 'left', lines }),
  );
  if (fits) drawCells(sheet, loosened(cells, chance));
  else
    for (const cell of cells) {
      drawCells(sheet, [cell]);
      sheet.down(chance.between(0.2, 1));
    }
  sheet.down(chance.between(0.3, 1.4));
}

function drawTitle({ sheet, title, chance }: Draw): void {
  const size = chance.pick([1, 1.3, 1.8, 2.4]) * sheet.size;
  sheet.line(title, chance.pick(['left', 'left', 'center', 'right'] as const), {
    size,
    bold: chance.happens(0.7),
  });
  sheet.down(chance.between(0, 0.8));
}

/** Labels in one line, what they tell in the next. */
function drawMetaGrid({ sheet, pairs, chance }: Draw): void {
  const step = (sheet.width - 2 * sheet.margin) / pairs.length;
  for (const part of [0, 1]) {
    for (const [at, pair] of pairs.entries())
      sheet.at(pair[part]!, sheet.margin + at * step, { bold: part === 0 && chance.happens(0.4) });
    sheet.down();
  }
  sheet.down(chance.between(0.3, 1));
}

const placeLine = (draw: Draw): BlockLine[] => {
  const { chance, words, buyer } = draw;
  return chance.happens(0.4)
    ? [{ text: `${chance.pick(words.delivery)} : ${buyer.address[0]}` }]
    : [{ text: chance.pick(words.subjects) }];
};

type Plan = (draw: Draw) => void;

/** The addressee at the left, the sender at the right: nothing but what stands around them tells who is who. */
const windowBeside: Plan = (draw) => {
  const { chance } = draw;
  const blocks = [buyerBlock(draw, 0.15), sellerBlock(draw, 0.1)];
  if (chance.happens(0.35)) blocks.splice(1, 0, metaBlock(draw));
  if (chance.happens(0.6)) drawTitle(draw);
  drawBeside(blocks, draw);
};

/** The addressee first, the sender at the right below it with its numbers. */
const windowAbove: Plan = (draw) => {
  const { sheet, chance } = draw;
  drawCells(sheet, [{ x: sheet.margin, align: 'left', lines: buyerBlock(draw, 0.15) }]);
  sheet.down(chance.between(0.4, 1.5));
  const own = [...sellerBlock(draw, 0.05), ...maybe(chance, 0.7, () => metaBlock(draw)).flat()];
  const x = Math.max(
    sheet.margin,
    Math.min(0.58 * sheet.width, sheet.width - sheet.margin - widthOfCell(own, sheet.size)),
  );
  drawCells(sheet, [{ x, align: 'left', lines: own }]);
  sheet.down(chance.between(0.5, 1.5));
  drawTitle(draw);
};

/** The letterhead over the whole width or at the right, the addressee below, its numbers beside it. */
const letterhead: Plan = (draw) => {
  const { sheet, chance } = draw;
  const align = chance.pick(['left', 'center', 'right'] as const);
  const x = { left: sheet.margin, center: sheet.width / 2, right: sheet.width - sheet.margin }[align];
  const lines = sellerBlock(draw, 0).map(({ text, beside, ...print }) => ({
    ...print,
    text: beside === undefined ? text : `${text} ${beside}`,
  }));
  drawCells(sheet, [{ x, align, lines }]);
  sheet.down(chance.between(0.3, 1.2));
  if (chance.happens(0.6)) drawTitle(draw);
  const below = [buyerBlock(draw, 0.4), metaBlock(draw)];
  if (chance.happens(0.25)) below.splice(1, 0, otherBlock(draw));
  if (chance.happens(0.15)) below.reverse();
  drawBeside(below, draw);
};

/** Both parties with labels in columns, each line with one of its own, or below each other. */
const grid: Plan = (draw) => {
  const { sheet, chance } = draw;
  drawTitle(draw);
  const parties = [sellerBlock(draw, 0.95), buyerBlock(draw, 0.95)];
  if (chance.happens(0.4)) parties.reverse();
  if (chance.happens(0.25))
    for (const lines of parties) {
      drawCells(sheet, [{ x: sheet.margin, align: 'left', lines }]);
      sheet.down(chance.between(0.3, 1));
    }
  else drawBeside(parties, draw);
  if (chance.happens(0.5)) drawMetaGrid(draw);
  else drawBeside([metaBlock(draw)], draw);
};

/** The address and telephone over the name, or beside it at the right. */
const addressOver: Plan = (draw) => {
  const { sheet, firm, words, chance } = draw;
  const lines: BlockLine[] = [...addressLines(firm, chance), ...maybe(chance, 0.8, () => firm.phone)].map(
    (text) => ({ text }),
  );
  const name = {
    text: chance.happens(0.4) ? firm.name.toUpperCase() : firm.name,
    size: chance.pick([1.2, 1.7, 2]) * sheet.size,
    bold: chance.happens(0.7),
  };
  const slogan = maybe(chance, 0.4, () => ({ text: chance.pick(words.slogans) }));
  if (chance.happens(0.5)) {
    drawBeside([lines, metaBlock(draw)], draw);
    const align = chance.pick(['left', 'center'] as const);
    const x = align === 'left' ? sheet.margin : sheet.width / 2;
    drawCells(sheet, [{ x, align, lines: [name, ...slogan] }]);
  } else {
    const x = sheet.width - sheet.margin;
    const fits = widthOfCell([name], sheet.size) + widthOfCell(lines, sheet.size) < x - sheet.margin - 20;
    const contact: Cell = { x: fits ? x : sheet.margin, align: fits ? 'right' : 'left', lines };
    const sign: Cell = { x: sheet.margin, align: 'left', lines: [name, ...slogan] };
    if (fits) drawCells(sheet, loosened([sign, contact], chance));
    else for (const cell of [sign, contact]) drawCells(sheet, [cell]);
  }
  sheet.down(chance.between(0.5, 1.4));
  if (chance.happens(0.5)) drawTitle(draw);
  drawBeside([buyerBlock(draw, 0.4), ...maybe(chance, 0.4, () => metaBlock(draw))], draw);
};

/** A sign, or nothing, over the addressee; the foot tells whose letter it is. */
const silent: Plan = (draw) => {
  const { sheet, words, chance, pairs, colon } = draw;
  const places = [buyerBlock(draw, 0.2), [...placeLine(draw), ...metaBlock(draw).slice(0, 2)]];
  if (chance.happens(0.7))
    drawCells(sheet, [
      { x: chance.happens(0.6) ? sheet.margin : 0.6 * sheet.width, align: 'left', lines: signBlock(draw) },
    ]);
  sheet.down(chance.between(0.4, 1.4));
  if (chance.happens(0.4)) drawBeside(chance.happens(0.5) ? places.reverse() : places, draw);
  else drawBeside([places[0]!], draw);
  drawTitle(draw);
  sheet.line(pairs.map(([label, value]) => `${label}${colon || ':'} ${value}`).join('   '), 'left');
  if (chance.happens(0.5)) sheet.down(0.5).line(chance.pick(words.subjects), 'left');
};

const notices: Plan = ({ sheet, words, chance }) => {
  if (chance.happens(0.25)) sheet.line(chance.pick(words.subjects), 'left').down(0.4);
  if (chance.happens(0.2)) sheet.line(chance.pick(words.greetings), 'left').down(0.4);
};

/** Blocks in any order, anywhere. */
const anywhere: Plan = (draw) => {
  const { chance, telling, title, sheet } = draw;
  const heading: BlockLine[] = [
    { text: title, size: chance.pick([1, 1.3, 1.8, 2.2]) * sheet.size, bold: chance.happens(0.7) },
    ...maybe(chance, 0.1, () => ({ text: chance.pick(['ORIGINAL', 'COPY', 'Duplicate', 'Page 1 of 1']) })),
  ];
  const seller = telling === 'block' || telling === 'apart' ? sellerBlock(draw) : signBlock(draw);
  const signed = telling === 'block' && chance.happens(0.3) ? [signBlock(draw)] : [];
  const isSilent = (telling === 'foot' || telling === 'sender') && chance.happens(0.25);
  const own = isSilent ? [] : [...signed, seller];
  const others = [buyerBlock(draw), metaBlock(draw), ...maybe(chance, 0.25, () => otherBlock(draw))];
  if (chance.happens(0.5)) others.reverse();
  if (chance.happens(0.3)) others.push(...others.splice(0, 1));
  const blocks = chance.happens(0.65) ? [...own, ...others] : [others[0]!, ...own, ...others.slice(1)];
  blocks.splice(chance.below(blocks.length + 1), 0, heading);
  drawRows(blocks, draw);
};

const inHead: readonly Plan[] = [
  ...[anywhere, anywhere, anywhere, anywhere],
  ...[windowBeside, windowBeside, windowAbove, letterhead, letterhead, grid, grid, addressOver],
];
const inFoot: readonly Plan[] = [anywhere, anywhere, silent, silent];

/** Draws the head of an invoice; the foot has to tell the seller where the head does not. */
export function drawHead(draw: Draw, chance: Chance): void {
  chance.pick(draw.telling === 'block' ? inHead : inFoot)(draw);
  notices(draw);
}
