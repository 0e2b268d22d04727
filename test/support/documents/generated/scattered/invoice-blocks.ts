/** Blocks of the head of an invoice: who sends it, who gets it, where the goods went, and its numbers and dates. */

import type { Chance } from '../../specimens/chance.ts';
import type { InvoiceHeadParts } from '../invoice-heads.ts';
import { inventCorrespondent } from '../letter-firms.ts';
import type { Sheet } from '../sheet.ts';
import { type BlockLine, brokenAt, partyBlock } from './party-blocks.ts';
import { departmentOf, tradeOf } from './party-details.ts';
import type { PartyWords } from './scattered-words.ts';

/** The place that tells the seller's name and address. */
export type Telling = 'block' | 'foot' | 'sender' | 'slip' | 'apart';
export const tellings: readonly Telling[] = [
  ...(['block', 'block', 'block', 'block', 'block', 'block'] as const),
  ...(['foot', 'foot', 'sender', 'slip', 'apart'] as const),
];

export interface Draw extends InvoiceHeadParts {
  sheet: Sheet;
  words: PartyWords;
  telling: Telling;
}

export const maybe = <T>(chance: Chance, probability: number, make: () => T): T[] =>
  chance.happens(probability) ? [make()] : [];

/** A logo of the first letters. */
const initialsOf = (name: string): string =>
  name
    .split(' ')
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');

export function sellerBlock(draw: Draw, labelled = 0.3): BlockLine[] {
  const { sheet, words, chance, telling } = draw;
  // Some print the name in capitals wherever it stands in the head.
  const firm = chance.happens(0.15) ? { ...draw.firm, name: draw.firm.name.toUpperCase() } : draw.firm;
  const big = chance.pick([1, 1, 1.2, 1.5, 2]) * sheet.size;
  const name = { text: firm.name, size: big, bold: chance.happens(0.5) };
  if (telling === 'apart') return [name, ...maybe(chance, 0.5, () => ({ text: chance.pick(words.slogans) }))];
  const label = chance.happens(labelled) ? chance.pick(words.seller) : null;
  const lines = partyBlock(firm, { words, chance, label, extras: 0.3 });
  const at = lines.findIndex(({ text }) => text === firm.name);
  if (label === null && at >= 0) lines[at] = name;
  if (label === null && at >= 0 && chance.happens(0.12))
    lines.splice(at + 1, 0, {
      text: tradeOf(draw.country, chance),
      size: chance.pick([0.8, 1]) * sheet.size,
    });
  if (label === null && chance.happens(0.12))
    lines.splice(at + 1, 0, { text: `${chance.pick(words.trading)} ${firm.sign}` });
  if (label === null && chance.happens(0.2) && firm.name.includes(' ') && at >= 0) {
    // Lines of a name are of one size as often as not.
    const first = chance.pick([1, 1, 1.3]);
    lines.splice(
      at,
      1,
      ...brokenAt(firm.name, Math.ceil(firm.name.length / 2)).map((text, part) => ({
        text,
        size: part === 0 ? big * first : big,
      })),
    );
  }
  if (label === null && at >= 0 && chance.happens(0.06))
    lines.splice(at, 0, { text: initialsOf(firm.name), size: big * chance.between(1.7, 2.4), bold: true });
  return lines;
}

export const signBlock = ({ firm, sheet, chance, words }: Draw): BlockLine[] => [
  {
    text: chance.happens(0.5) ? firm.sign.toUpperCase() : firm.sign,
    size: chance.between(1.3, 2.4) * sheet.size,
    bold: true,
  },
  ...maybe(chance, 0.3, () => ({ text: chance.pick(words.slogans), size: sheet.size - 1 })),
];

export function buyerBlock(draw: Draw, labelled = 0.65): BlockLine[] {
  const { buyer, words, chance, firm, telling } = draw;
  const label = chance.happens(labelled) ? chance.pick(words.buyer) : null;
  const lines = partyBlock(buyer, { words, chance, label, extras: 0.1 });
  if (label !== null && chance.happens(0.2))
    lines[0]!.text = lines[0]!.text.replace(label, label.toUpperCase());
  const at = lines.findIndex(({ text }) => text === buyer.name);
  if (at >= 0 && chance.happens(0.22)) {
    const person = chance.pick(words.persons);
    lines.splice(at + 1, 0, { text: chance.pick([`Attn: ${person}`, person, `c/o ${person}`]) });
  }
  if (at >= 0 && chance.happens(0.1)) lines.splice(at + 1, 0, { text: departmentOf(draw.country, chance) });
  if (telling === 'sender')
    lines.unshift({
      text: [firm.name, ...firm.address].join(chance.pick([' - ', ' · ', ', ', ' | '])),
      size: 6.5,
    });
  return lines;
}

/** Another place, of another party or of the buyer. */
export const otherBlock = (draw: Draw): BlockLine[] => {
  const { buyer, words, chance, country, firm } = draw;
  if (chance.happens(0.25))
    return [chance.pick(words.contacts), `${chance.pick(words.phone)} : ${firm.phone}`, firm.domain].map(
      (text) => ({ text }),
    );
  return partyBlock(
    { ...inventCorrespondent(country, chance), ...(chance.happens(0.4) ? { name: buyer.name } : {}) },
    { words, chance, label: chance.pick(words.delivery), extras: 0.05 },
  );
};

export function metaBlock({ pairs, colon, chance }: Draw): BlockLine[] {
  const extra = [
    ['Page', '1 of 1'],
    ['Terms', '30 Days'],
    ['Salesperson', 'LIM'],
    ['Customer No.', chance.digits(5)],
    ['Your ref', `PO ${chance.digits(4)}`],
  ].filter(() => chance.happens(0.2)) as [string, string][];
  const inColumns = chance.happens(0.6);
  // Colons in a line of their own stand in front of the values.
  const [before, behind] = chance.happens(0.35) ? ['', ': '] : [colon, ''];
  return [...pairs, ...extra].map(([label, value]) =>
    inColumns
      ? { text: `${label}${before}`, beside: `${behind}${value}` }
      : { text: `${label}${colon || ':'} ${value}` },
  );
}
