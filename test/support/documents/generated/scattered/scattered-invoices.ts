/**
 * Upper parts and feet of invoices whose blocks stand anywhere: each paper draws its own places, labels and order, so that
 * nothing but what a block says and what stands around it tells whose it is.
 */

import type { Chance } from '../../specimens/chance.ts';
import type { InvoiceHead, InvoiceHeadParts } from '../invoice-heads.ts';
import { inventCorrespondent, languageOf } from '../letter-firms.ts';
import type { Sheet } from '../sheet.ts';
import {
  addressLines,
  type BlockLine,
  brokenAt,
  type Cell,
  drawCells,
  isWide,
  partyBlock,
  widthOfCell,
} from './party-blocks.ts';
import { type PartyWords, partyWords } from './scattered-words.ts';

/** The place that tells the seller's name and address. */
type Telling = 'block' | 'foot' | 'sender' | 'slip' | 'apart';
const tellings: readonly Telling[] = [
  ...(['block', 'block', 'block', 'block', 'block', 'block'] as const),
  ...(['foot', 'foot', 'sender', 'slip', 'apart'] as const),
];

interface Draw extends InvoiceHeadParts {
  sheet: Sheet;
  words: PartyWords;
  telling: Telling;
}

const maybe = <T>(chance: Chance, probability: number, make: () => T): T[] =>
  chance.happens(probability) ? [make()] : [];

function sellerBlock({ firm, sheet, words, chance, telling }: Draw): BlockLine[] {
  const big = chance.pick([1, 1, 1.2, 1.5, 2]) * sheet.size;
  const name = { text: firm.name, size: big, bold: chance.happens(0.5) };
  if (telling === 'apart') return [name, ...maybe(chance, 0.5, () => ({ text: chance.pick(words.slogans) }))];
  const label = chance.happens(0.3) ? chance.pick(words.seller) : null;
  const lines = partyBlock(firm, { words, chance, label, extras: 0.3 });
  const at = lines.findIndex(({ text }) => text === firm.name);
  if (label === null && at >= 0) lines[at] = name;
  if (label === null && chance.happens(0.12))
    lines.splice(at + 1, 0, { text: `${chance.pick(words.trading)} ${firm.sign}` });
  if (label === null && chance.happens(0.08) && firm.name.includes(' ') && at >= 0)
    lines.splice(
      at,
      1,
      ...brokenAt(firm.name, Math.ceil(firm.name.length / 2)).map((text, part) => ({
        text,
        size: part === 0 ? big * 1.3 : big,
      })),
    );
  return lines;
}

const signBlock = ({ firm, sheet, chance, words }: Draw): BlockLine[] => [
  {
    text: chance.happens(0.5) ? firm.sign.toUpperCase() : firm.sign,
    size: chance.between(1.3, 2.4) * sheet.size,
    bold: true,
  },
  ...maybe(chance, 0.3, () => ({ text: chance.pick(words.slogans), size: sheet.size - 1 })),
];

function buyerBlock({ buyer, words, chance, firm, telling }: Draw): BlockLine[] {
  const label = chance.happens(0.65) ? chance.pick(words.buyer) : null;
  const lines = partyBlock(buyer, { words, chance, label, extras: 0.1 });
  if (label !== null && chance.happens(0.2))
    lines[0]!.text = lines[0]!.text.replace(label, label.toUpperCase());
  const at = lines.findIndex(({ text }) => text === buyer.name);
  if (at >= 0 && chance.happens(0.15))
    lines.splice(at + 1, 0, { text: `Attn: ${chance.pick(words.persons)}` });
  if (telling === 'sender')
    lines.unshift({
      text: [firm.name, ...firm.address].join(chance.pick([' - ', ' · ', ', ', ' | '])),
      size: 6.5,
    });
  return lines;
}

/** Another place, of another party or of the buyer. */
const otherBlock = ({ buyer, words, chance, country }: Draw): BlockLine[] =>
  partyBlock(
    { ...inventCorrespondent(country, chance), ...(chance.happens(0.4) ? { name: buyer.name } : {}) },
    { words, chance, label: chance.pick(words.delivery), extras: 0.05 },
  );

function metaBlock({ pairs, colon, chance }: Draw): BlockLine[] {
  const extra = [
    ['Page', '1 of 1'],
    ['Terms', '30 Days'],
    ['Salesperson', 'LIM'],
    ['Customer No.', chance.digits(5)],
    ['Your ref', `PO ${chance.digits(4)}`],
  ].filter(() => chance.happens(0.2)) as [string, string][];
  const inColumns = chance.happens(0.6);
  return [...pairs, ...extra].map(([label, value]) =>
    inColumns ? { text: `${label}${colon}`, beside: value } : { text: `${label}${colon || ':'} ${value}` },
  );
}

/** Blocks in rows of one to three cells; those that would run into each other stand below each other. */
function drawRows(blocks: BlockLine[][], { sheet, chance }: Draw): void {
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
        const aside = place === 'left' && chance.happens(0.15) && widthOfCell(lines, sheet.size) < 240;
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
      drawCells(sheet, cells);
      sheet.down(chance.between(0.3, 1.2));
    }
  }
}

const rule = (sheet: Sheet): void => {
  sheet.at('- '.repeat(40).trim(), sheet.margin).down();
};

/** The seller's block again, or for the first time, on a part to send back. */
function drawSlip(draw: Draw): void {
  const { sheet, firm, buyer, words, chance, pairs, colon } = draw;
  if (chance.happens(0.6)) rule(sheet);
  sheet.at(chance.pick(words.slip), sheet.margin, { bold: true }).down();
  const own = partyBlock(firm, {
    words,
    chance,
    label: chance.happens(0.6) ? chance.pick(words.payable) : null,
    extras: 0.1,
  });
  const fits = widthOfCell(own, sheet.size) < 250;
  drawCells(sheet, [
    { x: sheet.margin, align: 'left', lines: own },
    ...(fits
      ? [
          {
            x: sheet.width / 2 + 10,
            align: 'left' as const,
            lines: [
              { text: `${chance.pick(words.buyer)}${colon} ${buyer.name}` },
              ...pairs.slice(0, 2).map(([label, value]) => ({ text: `${label}${colon} ${value}` })),
            ],
          },
        ]
      : []),
  ]);
}

function drawLegal({ sheet, firm, words, chance }: Draw): void {
  const size = chance.pick([6.5, 7, 8]);
  const notes = [
    `${chance.pick(words.register)} ${firm.registration}`,
    `${chance.pick(words.tax)} ${firm.taxId}`,
    `${chance.pick(words.phone)} ${firm.phone}`,
    firm.domain,
  ];
  const some = notes.filter(() => chance.happens(0.5));
  const place = { x: sheet.width / 2, align: 'center' as const };
  const way = chance.below(4);
  const lines = addressLines(firm, chance);
  if (way === 0) {
    const columns = [
      [firm.name, ...lines],
      some,
      ['Nordbank AG', `IBAN ${chance.digits(4)} ${chance.digits(4)} ${chance.digits(4)}`],
    ];
    if (chance.happens(0.4)) columns.reverse();
    drawCells(
      sheet,
      columns.map((texts, at) => ({
        x: sheet.margin + 175 * at,
        align: 'left',
        lines: texts.map((text) => ({ text, size })),
      })),
    );
  } else if (way === 1)
    drawCells(sheet, [
      { ...place, lines: [firm.name, [...lines, ...some].join(', ')].map((text) => ({ text, size })) },
    ]);
  else {
    const mark = chance.pick([' - ', ' · ', ', ', ' | ', '. ', '  •  ']);
    const office = chance.happens(0.3) ? `${chance.pick(words.address)}: ` : '';
    const before = way === 2 ? some.slice(0, 1) : [];
    const text = [
      firm.name,
      ...before,
      office + lines.join(isWide(firm) ? '' : ', '),
      ...some.slice(before.length),
    ].join(mark);
    drawCells(sheet, [{ ...place, lines: [{ text, size }] }]);
  }
}

/** Accounts, signatures, notices and slips below the sums. */
function drawFoot(draw: Draw): void {
  const { sheet, firm, words, chance, telling } = draw;
  const parts: (() => void)[] = [
    ...maybe(
      chance,
      0.3,
      () => () =>
        drawCells(sheet, [
          {
            x: sheet.margin,
            align: 'left',
            lines: [
              `${chance.pick(words.account)}: ${firm.name}`,
              `IBAN ${chance.digits(4)} ${chance.digits(4)} ${chance.digits(4)}`,
            ].map((text) => ({ text })),
          },
        ]),
    ),
    ...maybe(chance, 0.25, () => () => sheet.line(`${chance.pick(words.payable)} ${firm.name}`, 'left')),
    ...maybe(chance, 0.25, () => () => {
      sheet.line(chance.pick(words.signature), chance.pick(['left', 'right'] as const));
      if (chance.happens(0.6))
        sheet.line(chance.pick([firm.name, `( ${firm.name} )`, firm.name.toUpperCase()]), 'left');
      sheet.down(1).line(chance.pick(words.persons), 'left');
    }),
    ...maybe(
      chance,
      0.5,
      () => () => sheet.line(chance.pick(words.notes), chance.pick(['left', 'center'] as const)),
    ),
    ...maybe(
      chance,
      0.1,
      () => () =>
        sheet.line(
          chance.pick([
            'Powered by Ledgerly Ltd',
            'Nordbank AG, Filiale Mitte',
            'Printed by QuickBill Sdn Bhd',
            'Member of Handwerkskammer',
          ]),
          'center',
        ),
    ),
  ];
  if (telling === 'slip' || chance.happens(0.07)) parts.push(() => drawSlip(draw));
  if (telling === 'foot' || telling === 'apart' || chance.happens(0.1)) parts.push(() => drawLegal(draw));
  for (const part of parts) {
    part();
    sheet.down(chance.between(0.2, 1));
  }
}

export function scatteredInvoiceHead(chance: Chance): InvoiceHead {
  return (sheet, parts) => {
    const telling = chance.pick(tellings);
    const draw: Draw = { ...parts, chance, sheet, telling, words: partyWords[languageOf(parts.country)] };
    const title: BlockLine[] = [
      { text: parts.title, size: chance.pick([1, 1.3, 1.8, 2.2]) * sheet.size, bold: chance.happens(0.7) },
      ...maybe(chance, 0.1, () => ({ text: chance.pick(['ORIGINAL', 'COPY', 'Duplicate', 'Page 1 of 1']) })),
    ];
    const seller = telling === 'block' || telling === 'apart' ? sellerBlock(draw) : signBlock(draw);
    const signed = telling === 'block' && chance.happens(0.2) ? [signBlock(draw)] : [];
    const isSilent = (telling === 'foot' || telling === 'sender') && chance.happens(0.25);
    const own = isSilent ? [] : [...signed, seller];
    const others = [buyerBlock(draw), metaBlock(draw), ...maybe(chance, 0.25, () => otherBlock(draw))];
    if (chance.happens(0.5)) others.reverse();
    if (chance.happens(0.3)) others.push(...others.splice(0, 1));
    const blocks = chance.happens(0.65) ? [...own, ...others] : [others[0]!, ...own, ...others.slice(1)];
    blocks.splice(chance.below(blocks.length + 1), 0, title);
    drawRows(blocks, draw);
    return () => drawFoot(draw);
  };
}
