/** Heads of receipts put together from what shops print: logos, slogans, owners, branches, numbers glued on, names in the foot. */

import { type Chance, createChance } from '../specimens/chance.ts';
import type { Firm } from './parties.ts';
import { cased, type Head, type Look } from './receipt-heads.ts';
import type { Sheet } from './sheet.ts';
import { inventShop } from './shop-firms.ts';

type Align = 'left' | 'center';
/** Parts above the name, between name and address, and below the address, in the order of print. */
interface Order {
  above: string[];
  between: string[];
  below: string[];
}

const slogans = [
  'Your One Stop Shop',
  'Quality & Service',
  'Sejak 1992',
  'Pork Free',
  'The Taste of Home',
  'Always low prices',
  'Meisterbetrieb',
  'Maison fondée en 1921',
  'Dine in / Take away / Delivery',
  'Specialist in all kinds of spare parts',
  'Murah & Jimat',
];
const brands = ['LUMO', 'KEDAIKITA', 'FreshPoint', 'Mr. Tool', 'TOPGAS', 'BigBox', 'Bonmarket', 'Nova'];
const chineseSigns = ['永兴贸易', '大众书局', '好运来餐馆', '合成车业', '新光眼镜'];
const garbage = ['®', 'M', 'K K', '~ oO', 'IIII', '& S', 'Yy', 'A/A', '1E', '@'];
const owners = [
  'Owned by',
  'Licensee',
  'A business of',
  'Franchisee',
  'Dimiliki oleh',
  'Inhaber',
  'Managed by',
  'Trading name of',
  'Exploitant',
  'Titolare',
];
const branches = ['Branch', 'Outlet', 'Cawangan', 'Filiale', 'Kedai', 'Store', 'Boutique', 'Kiosk'];

/** Lines of at most so many letters, broken between words and in brackets alike. */
function wrapped(words: readonly string[], maxLength: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= maxLength)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A name broken into lines as narrow paper or a drawn sign breaks it. */
function broken(text: string, how: number): string[] {
  const words = text.split(' ');
  if (words.length < 2 || how === 0) return [text];
  const form = text.search(
    /\s(?:\(M\)\s)?(?:Sdn\.?\s?\.?Bhd|Pte|Enterprise|Ent|Trading|GmbH|Ltd|Limited|Inc|LLC|S\.?r\.?l|SARL)/i,
  );
  if (how === 1 && form > 0) return [text.slice(0, form), text.slice(form + 1)];
  if (how === 2 && words.length > 3)
    return [words.slice(0, -3).join(' '), words.slice(-3, -1).join(' '), words.at(-1)!];
  if (how === 5) return wrapped(words, Math.max(12, Math.ceil(text.length / 2) + 2));
  const at = how === 3 ? 1 : Math.ceil(words.length / 2);
  return [words.slice(0, at).join(' '), words.slice(at).join(' ')];
}

const glued: ((number: string) => string)[] = [
  (number) => ` (${number})`,
  (number) => `(${number})`,
  (number) => ` ${number}`,
  (number) => ` (Co. Reg. No: ${number})`,
  (number) => ` [${number}]`,
  (number) => ` Co.No.${number}`,
  (number) => ` (${number}) GST No: 00${number.replace(/\D/g, '').padEnd(10, '7').slice(0, 10)}`,
];
const numbered: ((number: string) => string)[] = [
  (number) => `(${number})`,
  (number) => number,
  (number) => `Co. Reg. No. : ${number}`,
  (number) => `ROC: ${number}`,
  (number) => `No. Syarikat ${number}`,
  (number) => `[Company No: ${number}]`,
  (number) => `Business Reg No ${number}`,
];

function inventOrder(style: Chance): Order {
  const some = (list: [string, number][]): string[] =>
    list.filter(([, chance]) => style.happens(chance)).map(([name]) => name);
  const above = some([
    ['title', 0.12],
    ['garbage', 0.12],
    ['greeting', 0.1],
    ['brand', 0.15],
    ['sign', 0.3],
    ['chinese', 0.08],
    ['slogan', 0.08],
  ]);
  const between = some([
    ['chinese', 0.06],
    ['former', 0.08],
    ['number', 0.55],
    ['tax', 0.25],
    ['slogan', 0.12],
    ['branch', 0.2],
    ['sign', 0.08],
    ['contact', 0.12],
  ]);
  const shuffled = style.happens(0.4) ? between.toReversed() : between;
  const below = some([
    ['contact', 0.7],
    ['number', between.includes('number') ? 0 : 0.3],
    ['tax', between.includes('tax') ? 0 : 0.5],
    ['branch', 0.1],
    ['office', 0.12],
  ]);
  return { above, between: shuffled, below: style.happens(0.4) ? below.toReversed() : below };
}

interface Ways {
  name: 'head' | 'owner' | 'foot' | 'belowAddress';
  buyerAbove: boolean;
  breaks: number;
  sizes: { name: number; later: number; sign: number };
  glue: number | null;
  number: number;
  address: number;
  owner: string;
  branch: string;
  align: Align;
  slogan: string;
  forName: boolean;
}

function inventWays(style: Chance): Ways {
  return {
    name: style.pick(['head', 'head', 'head', 'head', 'head', 'owner', 'foot', 'belowAddress'] as const),
    buyerAbove: style.happens(0.1),
    breaks: style.pick([0, 0, 0, 1, 2, 3, 4, 5, 5]),
    sizes: {
      name: style.between(0.9, 1.7),
      later: style.pick([1, 1, 0.65, 0.8, 1.25]),
      sign: style.between(1.1, 2.4),
    },
    glue: style.happens(0.3) ? style.below(glued.length) : null,
    number: style.below(numbered.length),
    address: style.below(8),
    owner: style.pick(owners),
    branch: style.pick(branches),
    align: style.pick(['center', 'center', 'left'] as const),
    slogan: style.pick(slogans),
    forName: style.happens(0.1),
  };
}

function nameLinesOf(firm: Firm, look: Look, { breaks, glue }: Ways): string[] {
  const lines = broken(cased(firm.name, look), breaks);
  const last = lines.length - 1;
  return lines.map((line, at) =>
    glue !== null && at === last ? line + glued[glue]!(firm.registration) : line,
  );
}

function addressLinesOf(firm: Firm, look: Look, way: number): string[] {
  const [first = '', ...rest] = firm.address.map((line) => cased(line, look));
  if (first === '') return [];
  if (way === 0) return [`Address: ${first}`, ...rest];
  if (way === 1) return [`Alamat : ${first}`, ...rest];
  const lines = [first, ...rest];
  if (way > 3) return lines;
  const phone = way === 2 ? ` Tel: ${firm.phone}` : ` Tel:${firm.phone} Fax:${firm.phone}`;
  return [...lines.slice(0, -1), lines.at(-1)! + phone];
}

export function shopHead(style: Chance): Head {
  const [order, way] = [inventOrder(style), inventWays(style)];
  return (sheet, firm, look) => {
    const { chance } = look;
    const print = (text: string, size = sheet.size, bold = false): Sheet =>
      sheet.line(text, way.align, { size, bold });
    const name = (size = sheet.size * way.sizes.name): void => {
      for (const [at, line] of nameLinesOf(firm, look, way).entries())
        print(line, at === 0 ? size : size * way.sizes.later);
    };
    const address = (): void => {
      for (const line of addressLinesOf(firm, look, way.address)) print(line);
    };
    const parts: Record<string, () => void> = {
      title: () => sheet.line(look.words.title[0]!, 'center', { bold: true }),
      garbage: () => print(chance.pick(garbage), sheet.size * 2),
      greeting: () => print(chance.pick(['Welcome to', 'SELAMAT DATANG', 'Willkommen', 'Bienvenue chez'])),
      brand: () => print(brands[style.below(brands.length)]!, sheet.size * way.sizes.sign, true),
      sign: () => print(cased(firm.sign, look), sheet.size * way.sizes.sign, true),
      chinese: () => print(chance.pick(chineseSigns), sheet.size * 1.3),
      slogan: () => print(way.slogan),
      former: () =>
        print(
          `(${chance.pick(['f.k.a.', 'Previously', 'Dahulunya'])} ${inventShop(look.country, createChance(chance.below(9_999))).name})`,
        ),
      number: () => way.glue === null && print(numbered[way.number]!(firm.registration)),
      tax: () => print(`${look.words.tax}${chance.pick([': ', ' ', ' : '])}${firm.taxId}`),
      branch: () =>
        print(
          [
            `${way.branch} ${firm.place}`,
            `${firm.place.toUpperCase()} ${way.branch.toUpperCase()}`,
            `${way.branch}: ${chance.digits(3)}`,
            `(${firm.place})`,
          ][way.number % 4]!,
        ),
      contact: () => {
        if (way.address !== 2 && way.address !== 3) print(`${look.words.tel} ${firm.phone}`);
        if (chance.happens(0.3)) print(`E-mail: shop@${firm.domain}`);
        if (chance.happens(0.2)) print(`Fax : ${firm.phone}`);
      },
      office: () => {
        const other = inventShop(look.country, createChance(chance.below(9_999)));
        print(
          `${chance.pick(['Registered office', 'HQ', 'Head Office', 'Service centre'])}: ${other.address.join(', ')}`,
        );
      },
    };
    if (way.buyerAbove) {
      sheet.line(`${chance.pick(look.words.customer)} : ${look.buyer.name}`, 'left');
      for (const line of look.buyer.address) sheet.line(line, 'left');
      sheet.down(0.5);
    }
    for (const part of order.above) parts[part]!();
    const signed = order.above.includes('sign') || order.above.includes('brand');
    if (!signed && way.name !== 'head') parts.sign!();
    if (way.name === 'head') name();
    for (const part of way.name === 'foot' ? [] : order.between) parts[part]!();
    if (way.name === 'owner')
      print(`${way.owner}${chance.pick([': ', ' ', ' - '])}${cased(firm.name, look)}`);
    address();
    if (way.name === 'belowAddress') name(sheet.size);
    for (const part of order.below) parts[part]!();
    return () => {
      if (way.name === 'foot') {
        sheet.down(0.5);
        print(`${chance.pick(['', '', '', 'Issued by ', '(c) '])}${cased(firm.name, look)}`);
        for (const part of order.between) parts[part]!();
      }
      if (way.forName) sheet.line(`for ${cased(firm.name, look)}`, 'left');
    };
  };
}
