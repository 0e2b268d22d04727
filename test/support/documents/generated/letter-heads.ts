/** Upper parts and feet of invoices as letters, forms and printed bills have them: parties in columns, windows, feet and labelled lines. */

import type { Chance } from '../specimens/chance.ts';
import type { InvoiceHead, InvoiceHeadParts } from './invoice-heads.ts';
import { inventCorrespondent, languageOf } from './letter-firms.ts';
import type { Firm } from './parties.ts';
import type { Sheet } from './sheet.ts';

interface LetterWords {
  buyer: string[];
  seller: string[];
  delivery: string[];
  attention: string[];
  /** A line of its own above the name. */
  honorific: string[];
  address: string[];
  office: string[];
  asides: string[];
  dear: string[];
}

const english: LetterWords = {
  buyer: [
    'Bill to',
    'Billed to',
    'Customer',
    'Client',
    'To',
    'Invoice to',
    'Buyer',
    'Prepared for',
    'Sold to',
    'For',
    'Billing address',
    'Customer details',
  ],
  seller: ['From', 'Seller', 'Supplier', 'Pay to', 'Issued by', 'Vendor', 'Provider', 'Remit to'],
  delivery: ['Ship to', 'Deliver to', 'Delivery address', 'Site address', 'Shipping address'],
  attention: ['Attn: ', 'Attention: ', 'c/o ', 'FAO '],
  honorific: ['Mr', 'The Manager', 'The Directors', 'Messrs'],
  address: ['Address: ', 'Address : ', 'Registered office: ', 'Head office: '],
  office: ['Registered in England 0255001', 'Company No. 5512230', 'Charity 1090022'],
  asides: [
    'Page 1 of 1',
    'ORIGINAL',
    'Customer helpline 0345 555 0101',
    'Your contact: Ms Lee',
    'Thank you for your custom',
  ],
  dear: ['Dear Sirs,', 'Dear customer, please find below our charges.', ''],
};
const words: Record<ReturnType<typeof languageOf>, LetterWords> = {
  en: english,
  ms: {
    ...english,
    buyer: ['Kepada', 'Bill to', 'M/S', 'Pelanggan', 'To', 'Customer', 'Messrs', 'Dijual kepada', 'Sold to'],
    attention: ['Attn : ', 'Attn: ', 'U.P.: '],
    address: ['Alamat: ', 'Alamat : ', 'Address : '],
    dear: ['Dear Sirs,', 'Tuan/Puan,', ''],
  },
  de: {
    buyer: [
      'Kunde',
      'Rechnungsempfänger',
      'Rechnung an',
      'Rechnungsadresse',
      'An',
      'Auftraggeber',
      'Empfänger',
    ],
    seller: ['Von', 'Verkäufer', 'Rechnungssteller', 'Lieferant', 'Absender'],
    delivery: ['Lieferadresse', 'Lieferung an', 'Lieferanschrift'],
    attention: ['z. Hd. ', 'z.Hd. Herrn ', 'Ansprechpartner: '],
    honorific: ['Herrn', 'Frau', 'Firma', 'Familie', 'An'],
    address: ['Adresse: ', 'Anschrift: ', 'Sitz: ', 'Geschäftssitz: '],
    office: ['Amtsgericht Leipzig HRB 40112', 'USt-IdNr. DE301122334', 'Steuernummer 17 123 45678'],
    asides: ['Seite 1 von 1', 'Meisterbetrieb seit 1974', 'Ihre Ansprechpartnerin: Frau Kurz', 'Kopie'],
    dear: ['Sehr geehrte Damen und Herren,', 'vielen Dank für Ihren Auftrag.', ''],
  },
  fr: {
    buyer: [
      'Client',
      'Facturé à',
      'Adressé à',
      'Destinataire',
      'Acheteur',
      'Adresse de facturation',
      'Titulaire',
    ],
    seller: ['Émetteur', 'Vendeur', 'Prestataire', 'Fournisseur'],
    delivery: ['Adresse de livraison', 'Livraison', 'Lieu de livraison'],
    attention: ["À l'attention de ", 'Contact : '],
    honorific: ['Monsieur', 'Madame', 'Société', 'M.'],
    address: ['Siège social : ', 'Siège : ', 'Adresse : ', 'Siège social '],
    office: ['SIRET 412 555 678 00014', 'SARL au capital de 8 000 €', 'TVA FR12412555678'],
    asides: ['Page 1/1', 'votre facture', 'Service client 3955', 'Maison fondée en 1921', 'Duplicata'],
    dear: ['Madame, Monsieur,', 'Veuillez trouver ci-dessous le détail.', ''],
  },
  nl: {
    buyer: ['Aan', 'Klant', 'Factuuradres', 'Factuur aan', 'Facturatieadres', 'Debiteur', 'Afnemer'],
    seller: ['Van', 'Verkoper', 'Leverancier'],
    delivery: ['Afleveradres', 'Leveringsadres', 'Bezorgadres'],
    attention: ['t.a.v. ', 'T.a.v. '],
    honorific: ['De heer', 'Mevrouw', 'Aan'],
    address: ['Adres: ', 'Zetel: ', 'Maatschappelijke zetel: '],
    office: ['KvK 30211555', 'BTW NL001122334B01', 'RPR Gent'],
    asides: ['Pagina 1', 'sinds 1952', 'Uw contactpersoon: Sanne'],
    dear: ['Geachte heer, mevrouw,', ''],
  },
  pl: {
    buyer: ['Nabywca', 'Kupujący', 'Zamawiający', 'Płatnik'],
    seller: ['Sprzedawca', 'Wystawca', 'Dostawca'],
    delivery: ['Odbiorca', 'Adres dostawy'],
    attention: ['Kontakt: '],
    honorific: ['Pan', 'Pani', 'Sz. P.'],
    address: ['Adres: ', 'Siedziba: '],
    office: ['NIP 712-001-22-33', 'REGON 430111222', 'KRS 0000123456'],
    asides: ['oryginał', 'Strona 1', 'kopia'],
    dear: [''],
  },
  zh: {
    buyer: ['购买方', '购货单位', '客户', '客户名称', '致', '买方'],
    seller: ['销售方', '销货单位', '卖方', '供应商'],
    delivery: ['收货地址', '收货单位'],
    attention: ['联系人：'],
    honorific: ['尊敬的'],
    address: ['地址：', '地址: ', '住所：'],
    office: ['纳税人识别号：91320506MA1XXXXX1A', '统一社会信用代码 91330106MA2YYYYY2B'],
    asides: ['第1页', '原件', '服务热线 400-888-0000'],
    dear: [''],
  },
};

interface Print {
  text: string;
  size?: number;
  bold?: boolean;
}
type Column = { x: number; align: 'left' | 'right' | 'center'; lines: Print[] };

/** Columns set beside each other from the same line on; the sheet goes on below the longest. */
function columns(sheet: Sheet, parts: readonly Column[]): void {
  const top = sheet.y;
  let bottom = top;
  for (const { x, align, lines } of parts) {
    sheet.y = top;
    for (const { text, ...print } of lines) {
      sheet.at(text, x, { ...print, align }).down(1, Math.max(sheet.size, print.size ?? 0));
    }
    bottom = Math.max(bottom, sheet.y);
  }
  sheet.y = bottom;
}

const printed = (lines: readonly string[]): Print[] => lines.map((text) => ({ text }));

type Arrangement = 'columns' | 'letter' | 'foot' | 'labelled' | 'buyerFirst' | 'payable' | 'bill';
type Extra = 'tax' | 'phone' | 'mail' | 'number' | 'country';

interface Ways {
  arrangement: Arrangement;
  side: 'left' | 'right' | 'center';
  nameSize: number;
  signed: boolean;
  oneLine: boolean;
  /** The address's label, by its number; none where it is beyond the list. */
  addressLabel: number;
  sellerLabel: number | null;
  buyerLabel: number | null;
  labels: 'plain' | 'colon' | 'upper' | 'bold' | 'spaced';
  attention: 'none' | 'below' | 'end';
  honorific: boolean;
  delivery: 'none' | 'before' | 'after';
  sellerExtras: Extra[];
  buyerExtras: Extra[];
  sender: string | null;
  buyerSide: 'left' | 'right';
  meta: 'right' | 'left' | 'row' | 'middle' | 'line';
  title: 'top' | 'middle' | 'right';
  titleSize: number;
  reversed: boolean;
  footColumns: boolean;
  legal: string;
  aside: boolean;
  dear: boolean;
  gap: number;
}

function inventWays(style: Chance): Ways {
  const extras = (): Extra[] =>
    (['tax', 'phone', 'mail', 'number', 'country'] as const).filter(() => style.happens(0.3));
  const arrangement = style.pick([
    ...(['columns', 'columns', 'letter', 'letter', 'letter', 'foot', 'foot'] as const),
    ...(['labelled', 'buyerFirst', 'payable', 'bill'] as const),
  ]);
  return {
    arrangement,
    side: style.pick(['left', 'left', 'right', 'center'] as const),
    nameSize: style.pick([8, 9, 10, 12, 15, 20]),
    signed: style.happens(0.3),
    oneLine: style.happens(0.3) && !['columns', 'buyerFirst'].includes(arrangement),
    addressLabel: style.happens(0.2) ? style.below(4) : 9,
    sellerLabel: arrangement === 'columns' && style.happens(0.7) ? style.below(12) : null,
    buyerLabel: style.happens(arrangement === 'columns' ? 0.85 : 0.5) ? style.below(12) : null,
    labels: style.pick(['plain', 'colon', 'upper', 'bold', 'spaced'] as const),
    attention: style.pick(['none', 'none', 'none', 'below', 'end'] as const),
    honorific: style.happens(0.2),
    delivery: style.pick(['none', 'none', 'none', 'before', 'after'] as const),
    sellerExtras: extras(),
    buyerExtras: extras().filter((kind) => kind !== 'country'),
    sender: style.happens(0.35) ? style.pick([' - ', ' · ', ', ', ' | ', ' • ']) : null,
    buyerSide: style.pick(['left', 'left', 'right'] as const),
    meta: style.pick(['right', 'left', 'row', 'middle', 'line'] as const),
    title: style.pick(['top', 'middle', 'middle', 'right'] as const),
    titleSize: style.pick([10, 13, 16, 22]),
    reversed: style.happens(0.25),
    footColumns: style.happens(0.5),
    legal: style.pick([' - ', ' · ', ', ', ' | ', '. ']),
    aside: style.happens(0.4),
    dear: style.happens(0.25),
    gap: style.pick([0.6, 1, 1.6]),
  };
}

/** A letter as its sheet, its words and what it tells. */
class Letter {
  readonly sheet: Sheet;
  readonly parts: InvoiceHeadParts;
  readonly way: Ways;
  readonly words: LetterWords;
  readonly right: number;
  readonly middle: number;

  constructor(sheet: Sheet, parts: InvoiceHeadParts, way: Ways) {
    this.sheet = sheet;
    this.parts = parts;
    this.way = way;
    this.words = words[languageOf(parts.country)];
    this.right = sheet.width - sheet.margin;
    this.middle = sheet.width / 2 + 20;
  }

  label(list: readonly string[], at: number): Print {
    const word = list[at % list.length]!;
    const { labels } = this.way;
    const text = {
      plain: word,
      bold: word,
      colon: `${word}:`,
      spaced: `${word} :`,
      upper: word.toUpperCase(),
    };
    return { text: text[labels], bold: labels === 'bold' };
  }

  extras(firm: Firm, kinds: readonly Extra[]): string[] {
    const { country, chance } = this.parts;
    const texts: Record<Extra, string> = {
      tax: chance.pick([firm.taxId, `VAT ${firm.taxId}`, `Tax ID: ${firm.taxId}`]),
      phone: chance.pick([`Tel. ${firm.phone}`, firm.phone, `T ${firm.phone}`]),
      mail: chance.pick([`info@${firm.domain}`, `www.${firm.domain}`]),
      number: chance.pick([`Reg. ${firm.registration}`, this.words.office[0]!]),
      country: '',
    };
    return kinds.filter((kind) => kind !== 'country' || country === 'cn').map((kind) => texts[kind]);
  }

  addressOf(firm: Firm, labelled: boolean): string[] {
    const lines = this.way.oneLine ? [firm.address.join(', ')] : firm.address;
    const label = labelled ? (this.words.address[this.way.addressLabel] ?? '') : '';
    return [label + lines[0]!, ...lines.slice(1)];
  }

  seller(): Print[] {
    const { firm } = this.parts;
    const { way } = this;
    return [
      ...(way.sellerLabel === null ? [] : [this.label(this.words.seller, way.sellerLabel)]),
      {
        text: firm.name,
        size: way.signed || way.arrangement === 'columns' ? this.sheet.size : way.nameSize,
        bold: way.nameSize > 10,
      },
      ...printed(this.addressOf(firm, true)),
      ...printed(this.extras(firm, way.sellerExtras)),
    ].filter(({ text }) => text !== '');
  }

  /** `labelled` false where something else tells of whom the block is. */
  buyer(labelled = true): Print[] {
    const { buyer, chance } = this.parts;
    const { way } = this;
    const person = chance.pick(['Ms Ruiz', 'J. Verhoef', 'Ebner', 'Encik Razak', 'Nola Reyes']);
    const attention = `${chance.pick(this.words.attention)}${person}`;
    return [
      ...(way.buyerLabel === null || !labelled ? [] : [this.label(this.words.buyer, way.buyerLabel)]),
      ...(way.honorific ? [{ text: this.words.honorific[way.nameSize % this.words.honorific.length]! }] : []),
      { text: buyer.name },
      ...(way.attention === 'below' ? [{ text: attention }] : []),
      ...printed(way.oneLine ? [buyer.address.join(', ')] : buyer.address),
      ...(way.attention === 'end' ? [{ text: attention }] : []),
      ...printed(this.extras(buyer, way.buyerExtras)),
    ].filter(({ text }) => text !== '');
  }

  delivery(): Print[] {
    const { country, chance, buyer } = this.parts;
    const other = inventCorrespondent(country, chance);
    return [
      this.label(this.words.delivery, this.way.nameSize),
      { text: chance.happens(0.6) ? buyer.name : other.name },
      ...printed(other.address),
    ];
  }

  pairs(): Print[] {
    return this.parts.pairs.map(([label, value]) => ({
      text: `${label}${this.parts.colon || ':'} ${value}`,
    }));
  }

  title(): void {
    const { title } = this.way;
    const x = { top: this.sheet.margin, middle: this.sheet.margin, right: this.right }[title];
    this.sheet
      .at(this.parts.title, x, {
        size: this.way.titleSize,
        bold: true,
        align: title === 'right' ? 'right' : 'left',
      })
      .down(1.3, this.way.titleSize);
  }

  about(): void {
    const { sheet } = this;
    const { pairs, colon } = this.parts;
    const { meta } = this.way;
    if (meta === 'line')
      sheet.line(
        this.pairs()
          .map(({ text }) => text)
          .join('     '),
        'left',
      );
    else if (meta === 'row') {
      for (const [at, [label]] of pairs.entries()) sheet.at(label, sheet.margin + 125 * at);
      sheet.down();
      for (const [at, [, value]] of pairs.entries()) sheet.at(value, sheet.margin + 125 * at);
      sheet.down();
    } else {
      const x = meta === 'right' ? this.middle : sheet.margin;
      for (const [label, value] of pairs)
        sheet
          .at(`${label}${colon}`, x)
          .at(value, x + 120)
          .down();
    }
  }

  place(lines: Print[], side: 'left' | 'right' | 'center'): Column {
    const x = { left: this.sheet.margin, right: this.right, center: this.sheet.width / 2 }[side];
    return { x, align: side, lines };
  }

  foot(): void {
    const { sheet, way } = this;
    const { firm } = this.parts;
    const size = 7;
    if (way.footColumns) {
      const small = (texts: string[]): Print[] => texts.map((text) => ({ text, size }));
      columns(sheet, [
        { x: sheet.margin, align: 'left', lines: small([firm.name, ...firm.address]) },
        {
          x: sheet.margin + 180,
          align: 'left',
          lines: small([...this.words.office.slice(0, 2), `Tel ${firm.phone}`]),
        },
        {
          x: sheet.margin + 350,
          align: 'left',
          lines: small(['Nordbank AG', 'IBAN DE02 8605 5592 1100 2233 44', 'BIC WELADE8LXXX']),
        },
      ]);
    } else
      sheet
        .at(
          [
            firm.name,
            ...this.parts.firm.address,
            ...(way.reversed ? this.words.office.slice(0, 1) : []),
          ].join(way.legal),
          sheet.width / 2,
          { size, align: 'center' },
        )
        .down(1, size)
        .at(this.words.office.join('   '), sheet.width / 2, { size, align: 'center' })
        .down(1, size);
  }
}

/** How the parties stand to each other; what is drawn below the sums is given back. */
const arrangements: Record<Arrangement, (letter: Letter) => (() => void) | null> = {
  columns: (letter) => {
    const { way, sheet } = letter;
    const blocks = [letter.seller(), letter.buyer()];
    if (way.reversed) blocks.reverse();
    if (way.delivery !== 'none') blocks.splice(way.delivery === 'before' ? 0 : 2, 0, letter.delivery());
    else if (way.meta === 'middle') blocks.splice(1, 0, letter.pairs());
    const step = (letter.right - sheet.margin) / blocks.length;
    columns(
      sheet,
      blocks.map((lines, at) => ({ x: sheet.margin + at * step, align: 'left', lines })),
    );
    return null;
  },
  letter: (letter) => {
    const { way, sheet } = letter;
    columns(sheet, [letter.place(letter.seller(), way.side)]);
    sheet.down(way.gap);
    addressee(letter);
    return null;
  },
  foot: (letter) => {
    const { way, sheet } = letter;
    if (way.signed) sheet.line(letter.parts.firm.sign, way.side, { size: 18, bold: true }).down(way.gap);
    addressee(letter);
    return () => letter.foot();
  },
  labelled: (letter) => {
    const { sheet, way, words: own } = letter;
    const { buyer, colon } = letter.parts;
    columns(sheet, [letter.place(letter.seller(), way.side)]);
    sheet.down(way.gap);
    const label = letter.label(own.buyer, way.buyerLabel ?? 0).text.replace(/\s?:$/, '');
    const mark = colon || ' :';
    const left: Print[] = way.oneLine
      ? [
          { text: `${label}${mark} ${buyer.name}` },
          { text: `${own.address[0]!}${buyer.address.join(', ')}` },
          { text: `${own.attention[0]!}Ms Ruiz` },
        ]
      : [
          { text: `${label}${mark} ${buyer.name}` },
          ...printed(buyer.address),
          ...printed(letter.extras(buyer, way.buyerExtras)),
        ];
    columns(sheet, [
      { x: sheet.margin, align: 'left', lines: left },
      { x: letter.middle, align: 'left', lines: letter.pairs() },
    ]);
    return null;
  },
  buyerFirst: (letter) => {
    const { sheet, way } = letter;
    const blocks: Column[] = [
      { x: sheet.margin, align: 'left', lines: letter.buyer() },
      { x: letter.right - 170, align: 'left', lines: letter.seller() },
    ];
    if (way.meta === 'middle') blocks.push({ x: sheet.margin + 180, align: 'left', lines: letter.pairs() });
    columns(sheet, blocks);
    return null;
  },
  payable: (letter) => {
    const { sheet, way } = letter;
    sheet.line(way.signed ? letter.parts.firm.sign : letter.parts.firm.name, way.side, {
      size: way.nameSize,
      bold: true,
    });
    sheet.down(way.gap);
    addressee(letter);
    return () => {
      const pay = ['Payable to', 'Remit to', 'Please pay', 'Pay to'][way.titleSize % 4]!;
      columns(sheet, [letter.place([{ text: `${pay}:` }, ...letter.seller()], 'left')]);
    };
  },
  bill: (letter) => {
    const { sheet, way } = letter;
    sheet.line(letter.parts.firm.sign, 'left', { size: 20, bold: true });
    if (!way.footColumns) columns(sheet, [letter.place(letter.seller(), 'left')]);
    sheet.down(way.gap);
    columns(sheet, [
      { x: sheet.margin, align: 'left', lines: letter.buyer(way.buyerLabel !== null) },
      { x: letter.middle, align: 'left', lines: letter.pairs() },
    ]);
    return way.footColumns ? () => letter.foot() : null;
  },
};

/** The addressee's window, with the sender above it in small print and what may stand beside it. */
function addressee(letter: Letter): void {
  const { sheet, way } = letter;
  const { firm } = letter.parts;
  const x = way.buyerSide === 'left' ? sheet.margin : letter.middle;
  if (way.sender !== null)
    sheet.at([firm.name, ...firm.address].join(way.sender), x, { size: 6.5 }).down(1.1);
  const blocks: Column[] = [{ x, align: 'left', lines: letter.buyer(way.sender === null) }];
  if (way.buyerSide === 'left' && way.delivery !== 'none')
    blocks.push({ x: letter.middle, align: 'left', lines: letter.delivery() });
  else if (way.buyerSide === 'left' && way.meta === 'middle')
    blocks.push({ x: letter.middle, align: 'left', lines: letter.pairs() });
  columns(sheet, blocks);
}

export function letterHead(style: Chance): InvoiceHead {
  const way = inventWays(style);
  return (sheet, parts) => {
    const letter = new Letter(sheet, parts, way);
    const { chance } = parts;
    if (way.title === 'top') letter.title();
    if (way.aside && way.reversed) sheet.line(chance.pick(letter.words.asides), 'left');
    const foot = arrangements[way.arrangement](letter);
    sheet.down(way.gap);
    if (way.title !== 'top') letter.title();
    if (way.aside && !way.reversed) sheet.line(chance.pick(letter.words.asides), way.side);
    letter.about();
    if (way.dear) sheet.down(0.5).line(chance.pick(letter.words.dear), 'left');
    const legal = way.arrangement !== 'foot' && way.legal === ', ' && !foot;
    return foot ?? (legal ? () => letter.foot() : null);
  };
}
