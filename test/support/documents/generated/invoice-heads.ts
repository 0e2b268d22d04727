/** Upper parts of invoices put together from where letters have their sender, their addressee and what the letter is about. */

import type { Chance } from '../specimens/chance.ts';
import type { Country, Firm } from './parties.ts';
import type { Sheet } from './sheet.ts';

export interface InvoiceHeadParts {
  firm: Firm;
  buyer: Firm;
  country: Country;
  title: string;
  /** Labels and values: number, dates, order. */
  pairs: [label: string, value: string][];
  buyerWord: string;
  colon: string;
  chance: Chance;
}
/** Draws all above the goods; what it returns draws the foot. */
export type InvoiceHead = (sheet: Sheet, parts: InvoiceHeadParts) => (() => void) | null;

const sellerWords: Partial<Record<Country, string>> = {
  fr: 'Vendeur',
  de: 'Verkäufer',
  nl: 'Verkoper',
  pl: 'Wystawca',
  es: 'Proveedor',
  it: 'Fornitore',
  cn: '卖方',
};
const legalNotes: ((firm: Firm) => string)[] = [
  ({ name, address, taxId }) => `${name}, ${address.join(', ')}. VAT ${taxId}`,
  ({ name, address, phone }) => `${name} | ${address.join(' | ')} | ${phone}`,
  ({ name, address }) => `${name} au capital de 50 000 euros - ${address.join(', ')} - RCS 412 345 678`,
  ({ name, address }) => `Geschäftsführer: H. Brandt · ${name} · ${address.join(' · ')}`,
  ({ name, address, registration }) => `${name} (${registration}) ${address.join(', ')}`,
];

type Place = 'left' | 'right' | 'center' | 'none';
interface Ways {
  seller: Place;
  size: number;
  signed: boolean;
  notesFirst: boolean;
  labelled: boolean;
  oneLine: boolean;
  buyer: 'left' | 'right' | 'inline' | 'besideSeller';
  /** The sender in small print above the addressee; null: none. */
  window: string | null;
  buyerFirst: boolean;
  meta: 'left' | 'right' | 'row' | 'besideBuyer';
  title: 'first' | 'afterSeller' | 'last' | 'besideSeller';
  titleSize: number;
  legal: number | null;
  numberInTitle: boolean;
}

function inventWays(style: Chance): Ways {
  const seller = style.pick(['left', 'left', 'right', 'center', 'none'] as const);
  return {
    seller,
    size: style.pick([9, 11, 13, 16, 20]),
    signed: seller === 'none' || style.happens(0.3),
    notesFirst: style.happens(0.15),
    labelled: style.happens(0.12),
    oneLine: style.happens(0.25),
    buyer: style.pick(['left', 'left', 'right', 'inline', 'besideSeller'] as const),
    window: style.happens(0.35) ? style.pick([' - ', ' · ', ' | ', ' – ', ' • ']) : null,
    buyerFirst: style.happens(0.2),
    meta: style.pick(['left', 'right', 'row', 'besideBuyer'] as const),
    title: style.pick(['first', 'afterSeller', 'last', 'besideSeller'] as const),
    titleSize: style.pick([11, 14, 18, 24]),
    legal: seller === 'none' || style.happens(0.3) ? style.below(legalNotes.length) : null,
    numberInTitle: style.happens(0.15),
  };
}

export function composedInvoiceHead(style: Chance): InvoiceHead {
  const way = inventWays(style);
  return (sheet, { firm, buyer, country, title, pairs, buyerWord, colon, chance }) => {
    const right = sheet.width - sheet.margin;
    const print = (text: string, place: Place, size = sheet.size, bold = false): void => {
      const x = { left: sheet.margin, right, center: sheet.width / 2, none: 0 }[place];
      if (place !== 'none')
        sheet.at(text, x, { align: place, size, bold }).down(1, Math.max(size, sheet.size));
    };
    const titled = (place: Place): void => print(title, place, way.titleSize, true);
    const columns = way.buyer === 'besideSeller' && way.seller === 'left';
    const notes = [
      `Tel ${firm.phone}`,
      `office@${firm.domain}`,
      `Reg. ${firm.registration}`,
      firm.taxId,
    ].filter(() => chance.happens(0.5));
    const seller = (): void => {
      if (way.signed) print(firm.sign, way.seller === 'none' ? 'left' : way.seller, 22, true);
      if (way.notesFirst) for (const line of notes) print(line, way.seller);
      if (way.labelled) print(`${sellerWords[country] ?? 'Seller'}:`, way.seller);
      print(firm.name, way.seller, way.signed ? sheet.size : way.size, true);
      const lines = way.oneLine ? [firm.address.join(', ')] : firm.address;
      for (const line of lines) print(line, way.seller);
      if (!way.notesFirst) for (const line of notes) print(line, way.seller);
    };
    const bought = (): void => {
      const x = way.buyer === 'right' || columns ? 330 : sheet.margin;
      const word = buyerWord === '' && way.buyer === 'inline' ? 'To' : buyerWord;
      if (way.window !== null)
        sheet.at([firm.name, ...firm.address].join(way.window), x, { size: 7 }).down(1.2);
      if (way.buyer === 'inline') sheet.at(`${word}: ${buyer.name}`, x).down();
      else {
        if (word !== '' && (way.window === null || way.oneLine))
          sheet.at(`${word}${colon}`, x, { bold: true }).down();
        sheet.at(buyer.name, x).down();
      }
      for (const line of buyer.address) sheet.at(line, x).down();
    };
    const about = (x: number): void => {
      for (const [label, value] of pairs)
        sheet
          .at(`${label}${colon}`, x)
          .at(value, x + 120)
          .down();
    };
    const beside = (left: () => void, other: () => void): void => {
      const top = sheet.y;
      left();
      const bottom = sheet.y;
      sheet.y = top;
      other();
      sheet.y = Math.max(bottom, sheet.y);
    };
    if (way.title === 'first') titled(style.happens(0.5) ? 'left' : 'center');
    const heads = way.title === 'besideSeller' && way.seller === 'left' && !columns;
    const parts = [
      columns ? () => beside(seller, bought) : heads ? () => beside(seller, () => titled('right')) : seller,
    ];
    if (way.title === 'afterSeller' || (way.title === 'besideSeller' && !heads))
      parts.push(() => titled('left'));
    const asides = (): void => {
      const metaX = way.buyer === 'right' ? sheet.margin : 340;
      if (way.meta === 'besideBuyer') beside(bought, () => about(metaX));
      else bought();
    };
    if (!columns && way.buyerFirst) parts.unshift(asides);
    else if (!columns) parts.push(asides);
    for (const part of parts) {
      part();
      sheet.down(0.8);
    }
    if (way.title === 'last') titled('left');
    if (way.meta === 'left' || (columns && way.meta === 'besideBuyer')) about(sheet.margin);
    else if (way.meta === 'right') about(330);
    else if (way.meta === 'row') {
      for (const [at, [label]] of pairs.entries()) sheet.at(label, sheet.margin + 125 * at);
      sheet.down();
      for (const [at, [, value]] of pairs.entries()) sheet.at(value, sheet.margin + 125 * at);
      sheet.down();
    }
    const { legal } = way;
    return legal === null ? null : () => print(legalNotes[legal]!(firm), 'center', 7);
  };
}
