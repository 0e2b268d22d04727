/** Feet of invoices: accounts, signatures, notices, slips to send back, and the lines that the law asks for. */

import { inventCorrespondent } from '../letter-firms.ts';
import type { Sheet } from '../sheet.ts';
import { type Draw, maybe } from './invoice-blocks.ts';
import {
  addressLines,
  type BlockLine,
  brokenAt,
  drawCells,
  isWide,
  partyBlock,
  widthOfCell,
} from './party-blocks.ts';

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
    label: chance.happens(0.7) ? chance.pick([...words.payable, ...words.slipTo]) : null,
    extras: 0.1,
  });
  const fits = widthOfCell(own, sheet.size) < sheet.width / 2 - sheet.margin;
  drawCells(sheet, [
    { x: sheet.margin, align: 'left', lines: own },
    ...(fits
      ? [
          {
            x: sheet.width / 2 + 10,
            align: 'left' as const,
            lines: [
              { text: `${chance.pick(words.buyer)}${colon} ${buyer.name}` },
              ...maybe(chance, 0.5, () => addressLines(buyer, chance).map((text) => ({ text }))).flat(),
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
  /** Lines of a notice that is wider than the print. */
  const wrapped = (text: string): BlockLine[] =>
    brokenAt(text, Math.floor((sheet.width - 2 * sheet.margin) / (0.5 * size))).map((line) => ({
      text: line,
      size,
    }));
  const way = chance.below(5);
  const lines = addressLines(firm, chance);
  if (way === 0) {
    const columns = [
      [firm.name, ...maybe(chance, 0.3, () => chance.pick(words.persons)), ...lines],
      some,
      ['Nordbank AG', `IBAN ${chance.digits(4)} ${chance.digits(4)} ${chance.digits(4)}`],
    ];
    if (chance.happens(0.4)) columns.reverse();
    drawCells(
      sheet,
      columns.map((texts, at) => ({
        x: sheet.margin + (at * (sheet.width - 2 * sheet.margin)) / columns.length,
        align: 'left',
        lines: texts.map((text) => ({ text, size })),
      })),
    );
  } else if (way === 4 && words.legal.length > 0) {
    const values: Record<string, string> = {
      name: firm.name,
      line: lines.join(isWide(firm) ? '' : ', '),
      number: firm.registration,
      tax: firm.taxId,
    };
    const text = chance.pick(words.legal).replace(/\{(\w+)\}/gu, (_, key: string) => values[key]!);
    drawCells(sheet, [{ ...place, lines: wrapped(text) }]);
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
    drawCells(sheet, [{ ...place, lines: wrapped(text) }]);
  }
}

/** Accounts, signatures, notices and slips below the sums. */
export function drawFoot(draw: Draw): void {
  const { sheet, firm, words, chance, telling, country } = draw;
  const { sign } = firm;
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
    // Sentences of the law tell of offices that are not where the paper comes from.
    ...maybe(chance, 0.15, () => () => {
      const other = addressLines(inventCorrespondent(country, chance), chance).join(isWide(firm) ? '' : ', ');
      const text = `${chance.pick(words.address)}: ${other}. ${chance.pick(words.notes)}`;
      const width = Math.floor((sheet.width - 2 * sheet.margin) / (0.5 * 7));
      for (const line of brokenAt(text, width)) sheet.line(line, 'left', { size: 7 });
    }),
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
  if (chance.happens(0.12)) parts.push(() => sheet.line(`${chance.pick(words.thanksAt)} ${sign}!`, 'left'));
  if (telling === 'slip' || chance.happens(0.07)) parts.push(() => drawSlip(draw));
  if (telling === 'foot' || telling === 'apart' || chance.happens(0.1)) parts.push(() => drawLegal(draw));
  for (const part of parts) {
    part();
    sheet.down(chance.between(0.2, 1));
  }
}
