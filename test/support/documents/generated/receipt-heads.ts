/** Heads of receipts: orders of sign, name, numbers, address and contacts. */

import type { Chance } from '../specimens/chance.ts';
import type { Country, Firm } from './parties.ts';
import type { Words } from './receipt-words.ts';
import type { Sheet } from './sheet.ts';

type Align = 'left' | 'center';
/** Draws the head; what it returns draws the foot. */
export type Head = (sheet: Sheet, firm: Firm, look: Look) => (() => void) | undefined;
export interface Look {
  align: Align;
  big: number;
  upper: boolean;
  chance: Chance;
  country: Country;
  words: Words;
  buyer: Firm;
}

export const cased = (text: string, { upper }: Pick<Look, 'upper'>): string =>
  upper ? text.toUpperCase() : text;
const name = (firm: Firm, look: Look): string => cased(firm.name, look);
const address = (firm: Firm, look: Look): string[] => firm.address.map((line) => cased(line, look));

/** The name in two lines, as narrow paper needs it. */
function halves(text: string): string[] {
  const parts = text.split(' ');
  if (parts.length < 3) return [text];
  const at = Math.ceil(parts.length / 2);
  return [parts.slice(0, at).join(' '), parts.slice(at).join(' ')];
}

const contact = (sheet: Sheet, firm: Firm, { align, chance, words: w }: Look): void => {
  if (chance.happens(0.8)) sheet.line(`${w.tel}${chance.pick([': ', '. ', ' '])}${firm.phone}`, align);
  if (chance.happens(0.5)) sheet.line(`${w.tax}${chance.pick([': ', ' '])}${firm.taxId}`, align);
  if (chance.happens(0.2)) sheet.line(`www.${firm.domain}`, align);
};
const printAddress = (sheet: Sheet, firm: Firm, look: Look): void => {
  for (const line of address(firm, look)) sheet.line(line, look.align);
};

export const heads: Head[] = [
  (sheet, firm, look) => {
    sheet.line(name(firm, look), look.align, { size: look.big, bold: true });
    printAddress(sheet, firm, look);
    contact(sheet, firm, look);
  },
  (sheet, firm, look) => {
    sheet.line(name(firm, look), look.align, { bold: true });
    sheet.line(`(${firm.registration})`, look.align);
    printAddress(sheet, firm, look);
    contact(sheet, firm, look);
  },
  (sheet, firm, look) => {
    sheet.line(cased(firm.sign, look), look.align, { size: look.big * 1.4, bold: true }).down(0.5);
    sheet.line(name(firm, look), look.align);
    sheet.line(`Co. Reg. No: ${firm.registration}`, look.align);
    printAddress(sheet, firm, look);
    contact(sheet, firm, look);
  },
  (sheet, firm, look) => {
    sheet.line(`${name(firm, look)} ${firm.registration}`, look.align);
    printAddress(sheet, firm, look);
    contact(sheet, firm, look);
  },
  (sheet, firm, look) => {
    for (const line of halves(name(firm, look))) sheet.line(line, look.align, { size: look.big });
    sheet.line(`Reg No : ${firm.registration}`, look.align);
    printAddress(sheet, firm, look);
    contact(sheet, firm, look);
  },
  (sheet, firm, look) => {
    sheet.line(name(firm, look), look.align, { size: look.big });
    sheet.line(`${firm.place} Branch`, look.align);
    contact(sheet, firm, look);
    const [first, ...rest] = address(firm, look);
    if (first) sheet.line(`Add: ${first}`, look.align);
    for (const line of rest) sheet.line(line, look.align);
  },
  (sheet, firm, look) => {
    sheet.line(look.chance.pick(look.words.title) || 'RECEIPT', 'center', { bold: true });
    sheet.line(name(firm, look), look.align);
    printAddress(sheet, firm, look);
    contact(sheet, firm, look);
  },
  (sheet, firm, look) => {
    const [first, second = ''] = halves(name(firm, look));
    sheet.line(first!, look.align, { size: look.big * 1.3, bold: true });
    sheet.line(second, look.align, { size: look.big });
    sheet.line(firm.registration, look.align);
    printAddress(sheet, firm, look);
    contact(sheet, firm, look);
  },
  (sheet, firm, look) => {
    sheet.line(name(firm, look), look.align, { size: look.big });
    contact(sheet, firm, look);
    printAddress(sheet, firm, look);
  },
];
/** A name over two lines, broken behind so many words; 0: in the middle. */
function brokenName(text: string, after: number): string[] {
  const parts = text.split(' ');
  if (after === 0 || parts.length <= after) return halves(text);
  return [parts.slice(0, after).join(' '), parts.slice(after).join(' ')];
}

/** Heads put together of their parts in any order that tills print them in; one order for each family. */
export function composedHead(style: Chance): Head {
  const order = style.pick([
    ['sign', 'name', 'number', 'address', 'contact'],
    ['name', 'address', 'number', 'contact'],
    ['greeting', 'name', 'number', 'address', 'contact'],
    ['sign', 'address', 'contact', 'name', 'number'],
    ['name', 'contact', 'number', 'address'],
    ['name', 'sign', 'address', 'contact'],
    ['title', 'sign', 'name', 'address', 'number'],
    ['sign', 'owner', 'number', 'address', 'contact'],
    ['name', 'place', 'address', 'contact', 'number'],
  ]);
  const [breakAfter, laterSize] = [style.pick([1, 2, 3, 0]), style.pick([1, 1, 0.7, 0.85])];
  const [nameSize, signSize] = [style.between(0.9, 1.6), style.between(1, 2)];
  const [brackets, broken, label, numberInline] = [
    style.below(4),
    style.happens(0.4),
    style.below(4),
    style.happens(0.25),
  ];
  const number = (text: string): string => [`(${text})`, text, `Co. No. ${text}`, `Reg: ${text}`][brackets]!;
  return (sheet, firm, look) => {
    const parts: Record<string, () => void> = {
      greeting: () => sheet.line(look.chance.pick(['WELCOME TO', 'Welcome', 'Selamat Datang']), look.align),
      title: () => sheet.line(look.words.title[0]!, 'center'),
      sign: () => sheet.line(cased(firm.sign, look), look.align, { size: sheet.size * signSize, bold: true }),
      name: () => {
        const lines = broken ? brokenName(name(firm, look), breakAfter) : [name(firm, look)];
        for (const [at, line] of lines.entries())
          sheet.line(
            numberInline && at === lines.length - 1 ? `${line} ${number(firm.registration)}` : line,
            look.align,
            { size: sheet.size * nameSize * (at === 0 ? 1 : laterSize) },
          );
      },
      owner: () =>
        sheet.line(
          `${['Owned by', 'A business of', 'Managed by', 'Licensee'][label]}: ${name(firm, look)}`,
          look.align,
        ),
      number: () => (numberInline ? sheet : sheet.line(number(firm.registration), look.align)),
      place: () =>
        sheet.line(
          [`${firm.place} Outlet`, firm.place, `Branch: ${firm.place}`, `(${firm.place})`][label]!,
          look.align,
        ),
      address: () => printAddress(sheet, firm, look),
      contact: () => contact(sheet, firm, look),
    };
    for (const part of order) parts[part]!();
  };
}

/** Of families held back alone. */
export const unseenHeads: Head[] = [
  (sheet, firm, look) => {
    sheet.line('*** WELCOME ***', 'center').down(0.4);
    sheet.line(cased(firm.sign, look), 'center', { size: look.big * 1.6 });
    printAddress(sheet, firm, look);
    sheet.line(`Operated by: ${name(firm, look)}`, look.align);
    sheet.line(firm.registration, look.align);
    contact(sheet, firm, look);
  },
  (sheet, firm, look) => {
    const [first, ...rest] = address(firm, look);
    sheet.line(`${name(firm, look)} (${firm.registration})`, 'left', { bold: true });
    sheet.line(`${first}`, 'left');
    for (const line of rest) sheet.line(line, 'left');
    sheet.line(`${look.words.tel} ${firm.phone} / ${firm.phone.slice(0, -2)}88`, 'left');
  },
  (sheet, firm, look) => {
    for (const line of halves(name(firm, look)))
      sheet.line(line, look.align, { size: look.big * 1.2, bold: true });
    sheet.line(`[${firm.registration}]`, look.align);
    sheet.line(`Outlet: ${firm.place}`, look.align);
    printAddress(sheet, firm, look);
    sheet.line(`${firm.domain.split('.')[0]}@${firm.domain}`, look.align);
    contact(sheet, firm, look);
  },
  (sheet, firm, look) => {
    sheet.line(name(firm, look), 'center', { size: look.big });
    sheet.line(`${firm.registration}, ${look.words.tax} ${firm.taxId}`, 'center');
    printAddress(sheet, firm, { ...look, align: 'center' });
    sheet.line(`H/P ${firm.phone}  Fax ${firm.phone.slice(0, -1)}0`, 'center');
  },
];
