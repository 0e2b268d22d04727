/** Heads of the second families held back, each after a kind of receipt that is met in shops and in no other family. */

import { createChance } from '../../specimens/chance.ts';
import type { Firm } from '../parties.ts';
import { cased, type Head, type Look } from '../receipt-heads.ts';
import type { Sheet } from '../sheet.ts';
import { inventStranger } from './stranger-firms.ts';

const addressOf = (sheet: Sheet, firm: Firm, look: Look): void => {
  for (const line of firm.address) sheet.line(cased(line, look), look.align);
};
const legal = (firm: Firm): string => firm.registration.replace(/ .*/, '');

export const strangerHeads: Head[] = [
  // A petrol station: the brand over the keeper of the site.
  (sheet, firm, look) => {
    sheet.line(look.chance.pick(['PETROMAX', 'SHELLEX', 'BHPLUS']), 'center', { size: 16, bold: true });
    sheet.line(cased(firm.name, look), 'center').line(`SITE ID: RYB${look.chance.digits(4)}`, 'center');
    addressOf(sheet, firm, { ...look, align: 'center' });
    sheet.line(`TEL NO : ${firm.phone}`, 'center').line(`GST NO: ${firm.taxId}`, 'center');
  },
  // A chain: sign, firm and number in small print, the head office, then the store.
  (sheet, firm, look) => {
    sheet.line(firm.sign.toUpperCase(), 'center', { size: 18, bold: true });
    sheet.line(`${firm.name} (${legal(firm)})`, 'center', { size: sheet.size - 1 });
    addressOf(sheet, firm, { ...look, align: 'center' });
    sheet.line(`STORE ${look.chance.digits(4)} - ${firm.place.toUpperCase()}`, 'center').down(0.3);
    sheet.line(`Careline 1-300-88-${look.chance.digits(4)}`, 'center');
  },
  // A name over three lines.
  (sheet, firm, look) => {
    const parts = cased(firm.name, look).split(' ');
    const third = Math.max(1, Math.ceil(parts.length / 3));
    for (let at = 0; at < parts.length; at += third)
      sheet.line(parts.slice(at, at + third).join(' '), 'center', { size: look.big });
    sheet.line(`(${legal(firm)})`, 'center');
    addressOf(sheet, firm, { ...look, align: 'center' });
    sheet.line(`Tel/Fax: ${firm.phone}`, 'center');
  },
  // A name of earlier days below its own.
  (sheet, firm, look) => {
    const former = inventStranger(look.country, createChance(look.chance.below(10_000)));
    sheet.line(cased(firm.name, look), 'center', { bold: true });
    sheet.line(`(Formerly known as ${former.name})`, 'center', { size: sheet.size - 1 });
    sheet.line(`Company No.: ${firm.registration}`, 'center');
    addressOf(sheet, firm, { ...look, align: 'center' });
  },
  // Everything glued: number behind the name, telephone behind the address.
  (sheet, firm, look) => {
    const [...lines] = firm.address.map((line) => cased(line, look));
    sheet.line(`${cased(firm.name, look)}(${legal(firm)})`, 'left');
    for (const [at, line] of lines.entries())
      sheet.line(at === lines.length - 1 ? `${line} TEL:${firm.phone}` : line, 'left');
    sheet.line(`GST REG NO:${firm.taxId}`, 'left');
  },
  // A drawn logo that recognition makes letters of.
  (sheet, firm, look) => {
    sheet.line(look.chance.pick(['(R)', 'W V', 'aA8', 'J)', 'OO', '7 E']), 'center', { size: 22 }).down(0.3);
    sheet.line(cased(firm.name, look), 'center', { size: look.big }).line(firm.registration, 'center');
    addressOf(sheet, firm, { ...look, align: 'center' });
    sheet.line(`Whatsapp ${firm.phone}`, 'center');
  },
  // A slip of a card terminal.
  (sheet, firm, look) => {
    sheet.line(cased(firm.name, look), 'center');
    addressOf(sheet, firm, { ...look, align: 'center' });
    sheet.line(`MID: 0000${look.chance.digits(8)}`, 'left').line(`TID: ${look.chance.digits(8)}`, 'left');
    sheet.line('SALE', 'center', { size: look.big, bold: true });
  },
  // A delivery order: the buyer in the left upper corner, the seller beside the title.
  (sheet, firm, look) => {
    sheet.line('DELIVERY ORDER / TAX INVOICE', 'center', { bold: true }).down(0.3);
    sheet.line(`To : ${look.buyer.name}`, 'left');
    for (const line of look.buyer.address) sheet.line(`     ${line}`, 'left');
    sheet.down(0.6).line(`From : ${cased(firm.name, look)}`, 'left');
    addressOf(sheet, firm, { ...look, align: 'left' });
    sheet.line(`Tel : ${firm.phone}   Fax : ${firm.phone}`, 'left');
  },
  // The firm in the foot, the shop in the head.
  (sheet, firm, look) => {
    sheet.line(firm.sign, 'center', { size: 15, bold: true }).line(firm.place, 'center');
    sheet.line(`${look.words.tel} ${firm.phone}`, 'center');
    return () => {
      sheet.down(0.5).line(firm.name, 'center', { size: sheet.size - 1 });
      sheet.line(firm.address.join(', '), 'center', { size: sheet.size - 1 });
      sheet.line(`${look.words.tax} ${firm.taxId}`, 'center', { size: sheet.size - 1 });
    };
  },
  // A keeper under the sign.
  (sheet, firm, look) => {
    sheet.line(look.chance.pick(['Zur Linde', 'THE ANCHOR', 'Seri Rasa', 'La Terrazza']), look.align, {
      size: 16,
    });
    sheet.line(look.chance.pick(['Inh. ', 'Prop: ', 'c/o ', 'by ']) + firm.name, look.align);
    addressOf(sheet, firm, look);
    sheet
      .line(`${look.words.tel} ${firm.phone}`, look.align)
      .line(`${look.words.tax} ${firm.taxId}`, look.align);
  },
  // A slogan between the name and all else, the web below.
  (sheet, firm, look) => {
    sheet.line(cased(firm.name, look), look.align, { size: look.big, bold: true });
    sheet.line(
      look.chance.pick(['Fresh Everyday!', '"Your trusted partner"', 'Est. 1987', 'Since 1969 *** Halal']),
      look.align,
    );
    addressOf(sheet, firm, look);
    sheet.line(`${firm.domain} | ${firm.phone}`, look.align);
  },
  // Two scripts: the sign in Chinese, the firm in Latin letters.
  (sheet, firm, look) => {
    sheet.line(look.chance.pick(['锦发茶餐室', '顺兴五金', '美味轩', '百草堂药行']), 'center', { size: 14 });
    sheet.line(cased(firm.name, look), 'center').line(`No. Pendaftaran: ${firm.registration}`, 'center');
    addressOf(sheet, firm, { ...look, align: 'center' });
    sheet.line(`电话 ${firm.phone}`, 'center');
  },
];
