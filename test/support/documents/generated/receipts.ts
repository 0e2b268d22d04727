/**
 * Receipts of invented shops. A family is one choice of head, customer, body, foot and words; families that
 * `heldBackSet` names are never trained on, and have heads, feet and words of totals that no other family has.
 */

import { type Chance, createChance } from '../specimens/chance.ts';
import { inventStranger } from './held-back/stranger-firms.ts';
import { strangerHeads } from './held-back/stranger-heads.ts';
import { inventCorrespondent, inventTrader } from './letter-firms.ts';
import { type Country, type Firm, inventFirm } from './parties.ts';
import { cased, composedHead, heads, type Look, unseenHeads } from './receipt-heads.ts';
import { type Words, words } from './receipt-words.ts';
import { drawCustomer, scatteredReceiptHead } from './scattered/scattered-receipts.ts';
import { Sheet } from './sheet.ts';
import { inventShop } from './shop-firms.ts';
import { shopHead } from './shop-heads.ts';
import { tillHead } from './till-heads.ts';

export interface PaperTruth {
  seller_name: string;
  seller_address: string;
  invoice_date: string;
  total: number;
  invoice_number?: string;
  buyer_name?: string;
  buyer_address?: string;
  subtotal?: number;
  due_date?: string;
}

export interface Paper {
  kind: 'receipt' | 'invoice';
  family: number;
  country: Country;
  sheet: Sheet;
  truth: PaperTruth;
}

export const familyCount = 1_680;
/** From here on heads are of many more kinds; from `firstStranger` on they are held back, from `firstLetter` on learnt from again. */
export const firstShop = 240;
const firstStranger = 420;
export const firstLetter = 480;
/** From here on every paper draws its own places and orders; see scattered/. */
export const firstScattered = 960;
export type HeldBackSet = 'first' | 'second';
/** The set of held-back families that a family is of; null for those learnt from. */
export const heldBackSet = (family: number): HeldBackSet | null =>
  family >= 60 && family < 90 ? 'first' : family >= firstStranger && family < firstLetter ? 'second' : null;
export const isHeldBack = (family: number): boolean => heldBackSet(family) !== null;

/** Rolls of tills, slips and half sheets. */
const tillWidths = [170, 190, 210, 210, 240, 240, 300, 300, 380, 420, 595];

interface Amounts {
  items: { name: string; quantity: number; price: number; amount: number }[];
  sum: number;
  discount: number;
  tax: number;
  net: number;
  rounding: number;
  total: number;
  back: boolean;
}

const cents = (value: number): number => Math.round(value * 100) / 100;

function inventAmounts(chance: Chance, { items }: Words, plan: Plan): Amounts {
  const scale = plan.scale;
  const rows = Array.from({ length: 1 + chance.below(plan.many) }, () => {
    const quantity = chance.happens(0.6) ? 1 : 1 + chance.below(5);
    const price = cents((scale * (20 + chance.below(4000))) / 100);
    return { name: chance.pick(items), quantity, price, amount: cents(quantity * price) };
  });
  const back = plan.refund && chance.happens(0.5);
  const sign = back ? -1 : 1;
  const own = rows.map((row) => ({ ...row, amount: sign * row.amount }));
  const sum = cents(own.reduce((total, { amount }) => total + amount, 0));
  const discount = plan.discount && chance.happens(0.5) ? cents(0.1 * Math.abs(sum)) : 0;
  const base = cents(sum - sign * discount);
  const tax = plan.inclusive ? cents(base - base / (1 + plan.rate)) : cents(base * plan.rate);
  const before = plan.inclusive ? base : cents(base + tax);
  const total = plan.rounding ? cents(Math.round(before * 20) / 20) : before;
  return {
    items: own,
    sum,
    discount,
    tax,
    net: cents(before - tax),
    rounding: cents(total - before),
    total,
    back,
  };
}

interface Plan {
  scale: number;
  many: number;
  rate: number;
  inclusive: boolean;
  discount: boolean;
  rounding: boolean;
  refund: boolean;
  exchange: boolean;
  summary: boolean;
  summaryTotal: boolean;
  payment: boolean;
  quantityTotal: boolean;
  points: boolean;
  savings: boolean;
  customer: boolean;
  customerFirst: boolean;
  body: number;
  dateStyle: number;
  bigTotal: boolean;
  subtotal: boolean;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
export function printDay(iso: string, style: number): string {
  const [year, month, day] = iso.split('-') as [string, string, string];
  return [
    `${day}/${month}/${year}`,
    `${day}-${month}-${year}`,
    `${day}.${month}.${year}`,
    `${day} ${months[Number(month) - 1]} ${year}`,
    `${year}-${month}-${day}`,
    `${day}/${month}/${year.slice(2)}`,
    `${day}-${months[Number(month) - 1]!.toUpperCase()}-${year}`,
  ][style]!;
}
export const inventDay = (chance: Chance): string =>
  `${2015 + chance.below(11)}-${String(1 + chance.below(12)).padStart(2, '0')}-${String(13 + chance.below(15)).padStart(2, '0')}`;

export const printMoney = (value: number, comma: boolean): string => {
  const [whole, part] = Math.abs(value).toFixed(2).split('.') as [string, string];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, comma ? '.' : ',');
  return `${value < 0 ? '-' : ''}${grouped}${comma ? ',' : '.'}${part}`;
};
export const usesComma = (country: Country): boolean =>
  ['de', 'fr', 'nl', 'pl', 'es', 'it'].includes(country);

const countries: Country[] = [
  'my',
  'my',
  'my',
  'my',
  'sg',
  'gb',
  'us',
  'de',
  'fr',
  'nl',
  'pl',
  'cn',
  'my',
  'my',
];
const unseenCountries: Country[] = ['my', 'my', 'my', 'es', 'it', 'id', 'gb', 'cn', 'sg', 'my'];

export function makeReceipt(family: number, seed: number): Paper {
  const style = createChance(7_000 + family);
  const chance = createChance(100_000 * (family + 1) + seed);
  const unseen = isHeldBack(family);
  const country = (unseen ? unseenCountries : countries)[
    family % (unseen ? unseenCountries : countries).length
  ]!;
  const w = words[country];
  const comma = usesComma(country);
  const plan: Plan = {
    scale: style.pick([1, 1, 1, 5, 20]),
    many: 2 + style.below(10),
    rate: style.pick([0, 0.06, 0.06, 0.1, 0.2]),
    inclusive: style.happens(0.5),
    discount: style.happens(0.4),
    rounding: ['my', 'sg'].includes(country) && style.happens(0.6),
    refund: style.happens(0.15),
    exchange: style.happens(0.15),
    summary: style.happens(0.45),
    summaryTotal: style.happens(0.5),
    payment: style.happens(0.75),
    quantityTotal: style.happens(0.4),
    points: style.happens(0.25),
    savings: style.happens(0.2),
    customer: style.happens(0.35),
    customerFirst: style.happens(0.3),
    body: style.below(4),
    dateStyle: style.below(7),
    bigTotal: style.happens(0.5),
    subtotal: style.happens(0.7),
  };
  const drawn = {
    align: style.pick(['center', 'center', 'left'] as const),
    big: style.pick([9, 10, 12, 14]),
    upper: style.happens(0.6),
    chance,
    country,
    words: w,
  };
  const own = family >= firstStranger ? strangerHeads : unseen ? unseenHeads : heads;
  const composed = !unseen && (family % 2 === 1 || family % 5 === 0);
  const head =
    family >= firstScattered
      ? scatteredReceiptHead(chance)
      : family >= firstShop && !unseen
        ? (family >= firstLetter && family % 3 > 0 ? tillHead : shopHead)(style)
        : composed
          ? composedHead(style)
          : own[family % own.length]!;
  const [totalWord, subtotalWord, dateWord, numberWord] = [
    style.pick(unseen ? w.unseenTotal.concat(w.total.slice(0, 2)) : w.total),
    style.pick(w.subtotal),
    style.pick(w.date),
    style.pick(w.number),
  ];
  const currency = style.pick(w.currency);
  const colon = style.pick([':', ' :', '']);
  const titleAt = style.below(3);
  const learnt = family < firstShop ? inventFirm : family < firstLetter ? inventShop : inventTrader;
  const invent = unseen && family >= firstShop ? inventStranger : learnt;
  const firm = invent(country, chance);
  const buyer = (family < firstLetter ? learnt : inventCorrespondent)(country, chance);
  const look: Look = { ...drawn, buyer };
  if (!unseen && chance.happens(0.08)) firm.address = [];
  const isScattered = family >= firstScattered;
  const width = style.pick([210, 240, 300]);
  const sheet = new Sheet(isScattered ? chance.pick(tillWidths) : width, {
    size: style.pick([7, 8, 9]),
    leading: style.pick([1.25, 1.4, 1.6]),
  });
  const money = (value: number): string => printMoney(value, comma);
  const amounts = inventAmounts(chance, w, plan);
  const iso = inventDay(chance);
  const number =
    `${chance.pick(['A', 'CS', 'INV', '', 'R'])}${chance.pick(['-', '', '/'])}${1 + chance.below(8)}${chance.digits(5)}`.replace(
      /^[-/]/,
      '',
    );
  const hasBuyer = plan.customer && chance.happens(0.8);

  const buyerFirst = hasBuyer && plan.customerFirst && (unseen || family >= 90);
  if (buyerFirst) {
    sheet
      .line(`${style.pick(w.customer)}: ${buyer.name}`, 'left')
      .line(buyer.address[0]!, 'left')
      .down(0.5);
  }
  const foot = head(sheet, firm, look);
  sheet.down(0.6);
  const title = style.pick(w.title);
  if (titleAt === 0 && title !== '') sheet.line(title, 'center', { bold: true, size: sheet.size + 1 });
  const time =
    `${String(8 + chance.below(13)).padStart(2, '0')}:${chance.digits(1)}${chance.below(10)}`.replace(
      /:([6-9])/,
      ':1',
    );
  const day = printDay(iso, plan.dateStyle);
  if (plan.body % 2 === 0) {
    sheet.line(`${numberWord}${colon} ${number}`, 'left');
    sheet.line(
      `${dateWord}${dateWord === '' ? '' : `${colon} `}${day}${style.happens(0.6) ? ` ${time}` : ''}`,
      'left',
    );
  } else {
    sheet.pair(`${numberWord}${colon} ${number}`, `${day} ${time}`);
  }
  if (style.happens(0.4))
    sheet.line(`Cashier${colon} ${chance.pick(['AINA', 'Counter 2', 'Lim', '0012'])}`, 'left');
  if (hasBuyer && !buyerFirst && isScattered) drawCustomer(sheet, buyer, { country, chance, colon, look });
  else if (hasBuyer && !buyerFirst) {
    sheet.down(0.3);
    sheet.line(`${style.pick(w.customer)}${colon} ${cased(buyer.name, look)}`, 'left');
    if (style.happens(0.5)) for (const line of buyer.address) sheet.line(cased(line, look), 'left');
  }
  if (titleAt === 1 && title !== '') sheet.line(title, 'center', { bold: true });
  sheet.down(0.6);
  for (const { name: item, quantity, price, amount } of amounts.items) {
    if (plan.body < 2) sheet.pair(item, money(amount));
    else if (plan.body === 2) sheet.line(item, 'left').pair(`  ${quantity} x ${money(price)}`, money(amount));
    else
      sheet
        .at(String(quantity), sheet.margin)
        .at(item, sheet.margin + 20)
        .at(money(amount), sheet.width - sheet.margin, { align: 'right' })
        .down();
  }
  if (plan.exchange) {
    sheet.down(0.4).line(style.pick(['EXCHANGE', 'RETURN ITEMS', 'Items returned']), 'left');
    const value = cents(1 + chance.below(50));
    sheet
      .pair(chance.pick(w.items), money(-value))
      .pair(style.pick(['Return Total', 'Exchange amount', 'Total return']), money(-value));
  }
  sheet.down(0.4);
  if (plan.quantityTotal)
    sheet.pair(
      style.pick(['Total Qty', 'No. of items', 'Total Quantity', 'Item count']),
      String(amounts.items.reduce((sum, row) => sum + row.quantity, 0)) + (style.happens(0.4) ? '.00' : ''),
    );
  if (plan.subtotal)
    sheet.pair(
      `${subtotalWord}${colon}`,
      `${currency}${money(plan.inclusive && subtotalWord !== w.subtotal[0] ? amounts.net : amounts.sum)}`,
    );
  if (amounts.discount !== 0) sheet.pair(`Discount${colon}`, money(-amounts.discount));
  if (plan.rate > 0 && !(plan.summary && plan.inclusive))
    sheet.pair(`${w.taxName}${colon}`, money(amounts.tax));
  if (amounts.rounding !== 0) sheet.pair(`${w.rounding}${colon}`, money(amounts.rounding));
  sheet.pair(
    `${totalWord}${colon}`,
    `${currency}${money(amounts.total)}`,
    plan.bigTotal ? { size: sheet.size + 3, bold: true } : {},
  );
  if (plan.payment && !amounts.back) {
    const card = style.happens(0.4);
    const paid = card
      ? amounts.total
      : cents(Math.ceil(amounts.total / 10) * 10 + (chance.happens(0.3) ? 10 : 0));
    sheet.pair(`${style.pick(w.cash)}${colon}`, money(paid));
    if (!card) sheet.pair(`${style.pick(w.change)}${colon}`, money(cents(paid - amounts.total)));
  }
  if (plan.savings)
    sheet.pair(
      style.pick(['You saved', 'Total Saving', 'TOTAL SAVINGS']),
      money(cents(1 + chance.below(900) / 100)),
    );
  if (plan.summary && plan.rate > 0) {
    sheet.down(0.5);
    const columns = [0.1, 0.5, 0.95].map((share) => share * sheet.width);
    const cells = (...texts: string[]): void => {
      for (const [index, text] of texts.entries())
        sheet.at(text, columns[index]!, { align: index === 0 ? 'left' : 'right' });
      sheet.down();
    };
    cells(style.pick(w.summary), 'Amount', 'Tax');
    cells(`SR ${Math.round(plan.rate * 100)}%`, money(amounts.net), money(amounts.tax));
    if (style.happens(0.5)) cells('ZR 0%', money(0), money(0));
    if (plan.summaryTotal) cells('Total', money(amounts.net), money(amounts.tax));
  }
  if (plan.points)
    sheet
      .down(0.4)
      .pair('Points balance', `${digits(chance, 3)}.00`)
      .pair(style.pick(['Previous balance', 'Total points']), `${digits(chance, 4)}.00`);
  if (titleAt === 2 && title !== '') sheet.down(0.3).line(title, 'center');
  sheet.down(0.4);
  for (const line of w.thanks.slice(0, 1 + style.below(2))) sheet.line(line, 'center');
  if (style.happens(0.25))
    sheet.line(
      `Powered by ${chance.pick(['Nimbus POS Sdn Bhd', 'Tillwise Systems Ltd', 'Kasa GmbH'])}`,
      'center',
    );
  foot?.();
  return {
    kind: 'receipt',
    family,
    country,
    sheet,
    truth: {
      seller_name: firm.name,
      seller_address: firm.address.join(' '),
      invoice_date: iso,
      total: amounts.total,
      invoice_number: number,
      ...printedBuyer(buyer, sheet),
    },
  };
}

/** The buyer as far as a sheet tells it: empty where it does not, nothing of an address of which a part is left out. */
function printedBuyer(buyer: Firm, sheet: Sheet): Pick<PaperTruth, 'buyer_name' | 'buyer_address'> {
  const text = sheet.runs.map((run) => run.text.toUpperCase()).join('\n');
  const isPrinted = (part: string): boolean => text.includes(part.toUpperCase());
  const lines = buyer.address.filter(isPrinted);
  return {
    buyer_name: isPrinted(buyer.name) ? buyer.name : '',
    ...(lines.length === 0 ? { buyer_address: '' } : {}),
    ...(lines.length === buyer.address.length ? { buyer_address: lines.join(' ') } : {}),
  };
}

const digits = (chance: Chance, count: number): string => `${1 + chance.below(9)}${chance.digits(count - 1)}`;
