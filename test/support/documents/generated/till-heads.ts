/** Heads of receipts as tills, card readers and small printers set them: beside a logo, in frames, below till lines, on one line with the address. */

import type { Chance } from '../specimens/chance.ts';
import type { Firm } from './parties.ts';
import { cased, type Head, type Look } from './receipt-heads.ts';
import type { Sheet } from './sheet.ts';

const frames: ((name: string) => string)[] = [
  (name) => `*** ${name} ***`,
  (name) => `* ${name} *`,
  (name) => `== ${name} ==`,
  (name) => `[ ${name} ]`,
  (name) => `>> ${name} <<`,
  (name) => `~ ${name} ~`,
  (name) => `"${name}"`,
];
const taglines = [
  'fresh every day',
  'since 1968',
  'Everything for your home',
  'Spezialitäten aus der Region',
  'le goût du vrai',
  'Harga Patut',
  'All kinds of spare parts & service',
  'voor al uw klussen',
];
const hours = [
  'Open daily 10am - 10pm',
  'Mo-Sa 8-20 Uhr',
  'Buka 24 Jam',
  'Ouvert du mardi au samedi',
  'Mon-Fri 9-6',
];
const departments = [
  'Food Hall',
  'Electronics Dept',
  'Counter Sales',
  'Stall 12',
  'Self Checkout',
  'Drive Thru',
  'Kasse 2',
  'Caisse 03',
];
const slips = [
  'CUSTOMER COPY',
  'MERCHANT COPY',
  'CARD SALE',
  'REPRINT',
  'DUPLICATE',
  'Kundenbeleg',
  'TICKET CLIENT',
];
const banks = ['NORDBANK', 'Harbour Bank', 'PAYWORLD', 'Kredit Express'];
const brands = ['NOVA', 'KiosKo', 'Panda', 'citymart', 'HB', 'Zest!', '88'];
const scripts = ['顺发', '百佳超级市场', 'مطعم', 'ร้าน', '一心堂'];

/** What may stand above the name, between name and address, and below the address. */
type Part =
  | 'rule'
  | 'brand'
  | 'script'
  | 'slip'
  | 'bank'
  | 'till'
  | 'hours'
  | 'tagline'
  | 'social'
  | 'web'
  | 'number'
  | 'tax'
  | 'department'
  | 'owner'
  | 'phone'
  | 'sign'
  | 'title'
  | 'blank';
const places: Record<'above' | 'between' | 'below', [Part, number][]> = {
  above: [
    ['slip', 0.12],
    ['bank', 0.06],
    ['title', 0.12],
    ['till', 0.12],
    ['rule', 0.1],
    ['web', 0.05],
    ['brand', 0.15],
    ['sign', 0.2],
    ['script', 0.1],
    ['tagline', 0.08],
  ],
  between: [
    ['script', 0.06],
    ['tagline', 0.12],
    ['department', 0.12],
    ['owner', 0.1],
    ['number', 0.4],
    ['tax', 0.2],
    ['rule', 0.08],
    ['hours', 0.06],
    ['phone', 0.1],
    ['blank', 0.15],
  ],
  below: [
    ['phone', 0.6],
    ['number', 0.25],
    ['tax', 0.4],
    ['hours', 0.12],
    ['social', 0.15],
    ['web', 0.2],
    ['owner', 0.05],
    ['rule', 0.1],
  ],
};

/** Words set in lines of at most so many letters. */
function filled(text: string, maxLength: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= maxLength)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

interface Ways {
  align: 'left' | 'center';
  nameSize: number;
  name: 'plain' | 'plain' | 'frame' | 'filled' | 'tagged' | 'beside' | 'run';
  frame: number;
  /** Letters that a line of the name, or of name and address, holds. */
  narrow: number;
  laterSize: number;
  joined: boolean;
  addressWidth: number;
  parts: Record<'above' | 'between' | 'below', Part[]>;
}

function inventWays(style: Chance): Ways {
  const some = (list: [Part, number][]): Part[] => {
    const taken = list.filter(([, chance]) => style.happens(chance)).map(([part]) => part);
    return style.happens(0.4) ? taken.toReversed() : taken;
  };
  return {
    align: style.pick(['center', 'center', 'left'] as const),
    nameSize: style.between(0.9, 1.9),
    name: style.pick([
      'plain',
      'plain',
      'plain',
      'plain',
      'frame',
      'filled',
      'filled',
      'tagged',
      'beside',
      'run',
    ] as const),
    frame: style.below(frames.length),
    narrow: 12 + style.below(12),
    laterSize: style.pick([1, 1, 1, 0.7, 1.2]),
    joined: style.happens(0.3),
    addressWidth: 18 + style.below(24),
    parts: { above: some(places.above), between: some(places.between), below: some(places.below) },
  };
}

const persons = ['Lim Ah Kow', 'R. Whitlock', 'Petra Kunze', 'Mme Benali', 'Siti Aminah'];

function printPart(part: Part, sheet: Sheet, firm: Firm, look: Look, way: Ways): void {
  const { chance, words } = look;
  const print = (text: string, size = sheet.size): Sheet => sheet.line(text, way.align, { size });
  const day = `${chance.digits(2)}:${chance.below(6)}${chance.below(10)}`;
  const draw: Record<Part, () => void> = {
    rule: () => print(chance.pick(['-', '=', '*', '_']).repeat(24)),
    brand: () => print(chance.pick(brands), sheet.size * 2),
    script: () => print(chance.pick(scripts), sheet.size * 1.4),
    slip: () => print(chance.pick(slips)),
    bank: () => print(chance.pick(banks), sheet.size * 1.2),
    till: () => sheet.pair(`Till ${chance.digits(2)}  Op ${chance.digits(3)}`, `${day}:${chance.digits(2)}`),
    hours: () => print(chance.pick(hours)),
    tagline: () => print(chance.pick(taglines)),
    social: () =>
      print(chance.pick([`fb.com/${firm.domain.split('.')[0]}`, `Instagram: @${firm.domain.split('.')[0]}`])),
    web: () => print(`www.${firm.domain}`),
    number: () =>
      print(
        chance.pick([`(${firm.registration})`, `Reg ${firm.registration}`, `Co. No: ${firm.registration}`]),
      ),
    tax: () => print(`${words.tax}${chance.pick([': ', ' ', ' : '])}${firm.taxId}`),
    department: () => print(chance.pick(departments)),
    owner: () =>
      print(
        `${chance.pick(['Prop:', 'Proprietor:', 'Inh.', 'Manager:', 'Gérant :'])} ${chance.pick(persons)}`,
      ),
    phone: () => print(`${words.tel} ${firm.phone}`),
    sign: () => print(cased(firm.sign, look), sheet.size * 1.8),
    title: () => print(words.title[0]!),
    blank: () => sheet.down(0.8),
  };
  draw[part]();
}

export function tillHead(style: Chance): Head {
  const way = inventWays(style);
  return (sheet, firm, look) => {
    const print = (text: string, size = sheet.size): Sheet => sheet.line(text, way.align, { size });
    const draw = (parts: readonly Part[]): void => {
      for (const part of parts) printPart(part, sheet, firm, look, way);
    };
    const name = cased(firm.name, look);
    const big = sheet.size * way.nameSize;
    const lines = firm.address.map((line) => cased(line, look));
    const address = way.joined && lines.length > 1 ? filled(lines.join(', '), way.addressWidth) : lines;
    draw(way.parts.above);
    if (way.name === 'beside') {
      const x = 0.42 * sheet.width;
      const top = sheet.y;
      sheet.at(cased(firm.sign, look).slice(0, 8), sheet.margin, { size: 1.6 * sheet.size, bold: true });
      for (const line of [...filled(name, 24), ...address]) sheet.at(line, x).down();
      sheet.y = Math.max(sheet.y, top + 2 * sheet.size);
    } else if (way.name === 'run') {
      for (const line of filled([name, ...lines].join(', '), 2 * way.narrow)) print(line);
      draw(way.parts.between);
    } else {
      const how = way.name === 'filled' ? filled(name, way.narrow) : [name];
      for (const [at, line] of how.entries()) {
        const text =
          way.name === 'frame'
            ? frames[way.frame]!(line)
            : way.name === 'tagged'
              ? `${line} - ${taglines[way.frame]!}`
              : line;
        print(text, at === 0 ? big : big * way.laterSize);
      }
      draw(way.parts.between);
      for (const line of address) print(line);
    }
    draw(way.parts.below);
    return undefined;
  };
}
