/** Heads and feet of receipts whose lines stand in any order and anywhere: each paper draws its own. */

import { type Chance, createChance } from '../../specimens/chance.ts';
import { inventTrader, languageOf } from '../letter-firms.ts';
import type { Country, Firm } from '../parties.ts';
import { cased, type Head, type Look } from '../receipt-heads.ts';
import type { Sheet } from '../sheet.ts';
import { addressLines, brokenAt, isWide } from './party-blocks.ts';
import { type PartyWords, partyWords } from './scattered-words.ts';

type Align = 'left' | 'center';
/** The place of the name: in the head, behind a label, under the sign, in the foot with or without the address. */
type Naming = 'head' | 'label' | 'owner' | 'foot' | 'closing';
const namings: readonly Naming[] = [
  ...(['head', 'head', 'head', 'head', 'head', 'head', 'head'] as const),
  ...(['label', 'owner', 'owner', 'foot', 'foot', 'closing'] as const),
];

const owners = [
  'Operated by',
  'Company:',
  'Owner:',
  'Franchise of',
  'Run by',
  'Betrieben von',
  'Inh.',
  'Exploité par',
  'eigenaar',
  'Milik',
  'a shop of',
  'c/o',
];
const greetings = [
  'WELCOME',
  'Hello!',
  'Bienvenue',
  'Herzlich willkommen',
  'Selamat Datang ke',
  '欢迎光临',
  'welkom bij',
];
const tops = [
  'CUSTOMER COPY',
  'Bon de caisse',
  'Kassenbon',
  'RESIT',
  'Order #118',
  'TAKE AWAY',
  'Duplicate',
  'Kassabon',
  '*** REPRINT ***',
  'Gift receipt',
  'RETURN',
  'Credit note',
  'Table 12 / 3 pax',
  'Queue 0042',
];
const brands = ['Umbra', 'zip&go', 'HOMEPLUS', 'nord', 'BIG CART', 'Kopi 51', 'Fixit!', 'Bio Land'];
const staff = [
  'You were served by Moss',
  'Cashier: ANI',
  'Es bediente Sie Frau Roth',
  'Kasir DEWI',
  'Votre hôte: Luc',
  'Op: 0042',
  'Manager: J. Carter',
];
const branchWords = ['Branch', 'Outlet', 'Store', 'Filiale', 'Magasin', 'Cawangan', 'Shop No.', 'Markt'];
const offices = [
  'HQ',
  'Head office',
  'Registered office',
  'Siège',
  'Zentrale',
  'Ibu pejabat',
  'Correspondence',
];

class Till {
  readonly sheet: Sheet;
  readonly firm: Firm;
  readonly look: Look;
  readonly chance: Chance;
  readonly words: PartyWords;
  readonly align: Align;

  constructor(sheet: Sheet, firm: Firm, { look, chance }: { look: Look; chance: Chance }) {
    this.sheet = sheet;
    this.firm = firm;
    this.look = look;
    this.chance = chance;
    this.words = partyWords[languageOf(look.country)];
    this.align = chance.pick(['center', 'center', 'center', 'left'] as const);
  }

  print(text: string, size = this.sheet.size, bold = false): void {
    this.sheet.line(text, this.align, { size, bold });
  }

  get number(): string {
    const { firm, chance, words } = this;
    return chance.pick([
      `(${firm.registration})`,
      firm.registration,
      `${chance.pick(words.register)}: ${firm.registration}`,
      `${chance.pick(words.register)} ${firm.registration}`,
      `[${firm.registration}]`,
    ]);
  }

  name(size: number): void {
    const { chance, firm, look, sheet } = this;
    const name = cased(firm.name, look);
    const broken = chance.happens(0.33) && !isWide(firm) ? brokenAt(name, 8 + chance.below(14)) : [name];
    const later = chance.pick([1, 1, 1, 0.75, 1.25]);
    const glued = chance.happens(0.15) ? ` ${this.number}` : '';
    const frame = chance.happens(0.06) ? chance.pick(['*', '**', '=', '~']) : '';
    for (const [at, line] of broken.entries()) {
      const text = `${line}${at === broken.length - 1 ? glued : ''}`;
      this.print(
        frame === '' ? text : `${frame} ${text} ${frame}`,
        at === 0 ? size : Math.max(sheet.size, size * later),
        chance.happens(0.3),
      );
    }
  }

  address(): void {
    const { chance, firm, look, words } = this;
    const lines = addressLines(firm, chance).map((line) => cased(line, look));
    if (lines.length === 0) return;
    if (chance.happens(0.12))
      lines[0] = `${chance.pick(words.address)}${chance.pick([': ', ' : '])}${lines[0]}`;
    if (chance.happens(0.1))
      lines.push(`${lines.pop()} ${chance.pick(words.phone)}${chance.pick([':', ': ', ' '])}${firm.phone}`);
    const narrow = chance.happens(0.2) && !isWide(firm) ? lines.flatMap((line) => brokenAt(line, 22)) : lines;
    for (const line of narrow) this.print(line);
  }

  /** Lines that stand around name and address, each at its chance. */
  asides(kinds: readonly (readonly [kind: string, probability: number])[]): void {
    const { chance, firm, look, words, sheet } = this;
    const mark = chance.pick([': ', ' ', ' : ', '']);
    const draw: Record<string, () => void> = {
      top: () => this.print(chance.pick(tops), sheet.size * chance.pick([1, 1, 1.3])),
      greeting: () => this.print(chance.pick(greetings)),
      brand: () => this.print(chance.pick(brands), sheet.size * chance.between(1.2, 2.4), true),
      sign: () =>
        this.print(cased(firm.sign, look), sheet.size * chance.between(1, 2.2), chance.happens(0.5)),
      slogan: () => this.print(chance.pick(words.slogans)),
      number: () => this.print(this.number),
      tax: () => this.print(`${chance.pick(words.tax)}${mark}${firm.taxId}`),
      phone: () => this.print(`${chance.pick(words.phone)}${mark}${firm.phone}`),
      bare: () => this.print(firm.phone),
      web: () =>
        this.print(
          chance.pick([
            `www.${firm.domain}`,
            firm.domain,
            `hello@${firm.domain}`,
            `@${firm.domain.split('.')[0]}`,
          ]),
        ),
      person: () => this.print(chance.pick(words.persons)),
      staff: () => this.print(chance.pick(staff)),
      till: () =>
        sheet.pair(`#${chance.digits(4)} T${chance.digits(2)}`, `${chance.digits(2)}:1${chance.digits(1)}`),
      rule: () => this.print(chance.pick(['-', '=', '*', '. ']).repeat(20).trim()),
      branch: () => {
        const word = chance.pick(branchWords);
        this.print(
          chance.pick([
            `${word} ${firm.place}`,
            `${firm.place} ${word}`,
            `${word}: ${chance.digits(4)}`,
            firm.place,
            `(${firm.place})`,
            `${word} ${chance.digits(3)} - ${firm.place}`,
          ]),
        );
      },
      office: () => {
        const other = inventTrader(look.country, createChance(chance.below(9_999)));
        this.print(`${chance.pick(offices)}: ${other.address.join(', ')}`);
      },
      gap: () => sheet.down(chance.between(0.3, 1)),
    };
    const some = kinds.filter(([, probability]) => chance.happens(probability)).map(([kind]) => kind);
    if (chance.happens(0.5)) some.reverse();
    for (const kind of some) draw[kind]!();
  }
}

const above = [
  ['top', 0.15],
  ['till', 0.06],
  ['greeting', 0.1],
  ['rule', 0.05],
  ['brand', 0.1],
  ['sign', 0.15],
  ['staff', 0.04],
  ['web', 0.04],
  ['gap', 0.2],
] as const;
const between = [
  ['number', 0.3],
  ['tax', 0.12],
  ['phone', 0.08],
  ['slogan', 0.12],
  ['branch', 0.14],
  ['person', 0.05],
  ['web', 0.05],
  ['sign', 0.04],
  ['gap', 0.15],
] as const;
const below = [
  ['phone', 0.45],
  ['bare', 0.12],
  ['tax', 0.35],
  ['number', 0.12],
  ['web', 0.2],
  ['branch', 0.05],
  ['office', 0.05],
  ['staff', 0.06],
  ['rule', 0.1],
] as const;
const closing = [
  ['web', 0.2],
  ['greeting', 0.08],
  ['slogan', 0.1],
  ['office', 0.06],
  ['staff', 0.08],
] as const;

export function scatteredReceiptHead(chance: Chance): Head {
  return (sheet, firm, look) => {
    const till = new Till(sheet, firm, { look, chance });
    const naming = chance.pick(namings);
    const { size } = sheet;
    till.asides(above);
    const signed = (): void =>
      till.print(cased(firm.sign, look), size * chance.between(1.1, 2.4), chance.happens(0.5));
    const inFoot = naming === 'foot';
    if (naming === 'head') till.name(size * chance.pick([1, 1, 1, 1.2, 1.5, 2]));
    else if (naming === 'label')
      sheet
        .at(`${chance.pick(till.words.name)}:`, sheet.margin)
        .at(firm.name, sheet.margin + 60)
        .down();
    else signed();
    if (naming === 'owner')
      till.print(
        chance.pick([
          `${chance.pick(owners)} ${cased(firm.name, look)}`,
          `( ${cased(firm.name, look)} )`,
          cased(firm.name, look),
        ]),
      );
    if (inFoot)
      till.asides([
        ['branch', 0.4],
        ['slogan', 0.2],
        ['phone', 0.3],
      ]);
    else {
      const swapped = chance.happens(0.12);
      if (swapped) till.address();
      till.asides(between);
      if (!swapped) till.address();
      till.asides(below);
    }
    return () => {
      sheet.down(0.5);
      till.asides(closing);
      if (naming === 'closing')
        till.print(
          chance.pick([
            firm.name,
            `(c) ${firm.name}`,
            `${firm.name} ${chance.pick(['thanks you for your visit', 'dankt Ihnen', 'vous remercie', 'bedankt u', 'terima kasih'])}`,
            `Issued by ${firm.name}`,
          ]),
        );
      if (inFoot) {
        const lines = addressLines(firm, chance);
        if (chance.happens(0.4)) till.print([firm.name, ...lines].join(chance.pick([', ', ' - ', ' · '])));
        else {
          till.name(size);
          till.asides([['number', 0.3]]);
          till.address();
        }
        till.asides([
          ['tax', 0.4],
          ['phone', 0.2],
        ]);
      } else if (chance.happens(0.12))
        till.print(chance.pick([firm.name, `Thank you for shopping at ${firm.sign}`, `for ${firm.name}`]));
    };
  };
}

interface CustomerLook {
  country: Country;
  chance: Chance;
  colon: string;
  look: Look;
}

/** Who bought or paid: behind labels of any words, in a sentence, or on lines that nothing introduces. */
export function drawCustomer(
  sheet: Sheet,
  buyer: Firm,
  { country, chance, colon, look }: CustomerLook,
): void {
  const words = partyWords[languageOf(country)];
  const name = chance.happens(0.5) ? cased(buyer.name, look) : buyer.name;
  const lines = chance.happens(0.6) ? addressLines(buyer, chance) : [];
  sheet.down(0.3);
  const way = chance.below(5);
  if (way === 4 && lines.length > 0 && !isWide(buyer)) {
    const word = chance.pick(['Received from', 'Ricevuto da', 'Ontvangen van', ...words.buyer]);
    sheet.line(`${word}${chance.pick([colon, ':', ''])} ${[name, ...lines].join(', ')}`, 'left');
    return;
  }
  if (way === 0) sheet.line(name, 'left', { bold: chance.happens(0.4) });
  else if (way === 1)
    sheet.line(
      `${chance.pick(['Received from', 'Received with thanks from', 'Paid by', 'Cardholder:', 'Guest', 'Member :', ...words.buyer])}  ${name}`,
      'left',
    );
  else if (way === 2) sheet.line(`${chance.pick(words.buyer)}${colon}`, 'left').line(name, 'left');
  else sheet.line(`${chance.pick([...words.buyer, ...words.name])}${colon || ':'} ${name}`, 'left');
  for (const line of lines) sheet.line(line, 'left');
  if (chance.happens(0.2))
    sheet.line(
      chance.pick([`Card${colon || ':'} **** ${chance.digits(4)}`, 'being payment for goods', 'Terms: CASH']),
      'left',
    );
}
