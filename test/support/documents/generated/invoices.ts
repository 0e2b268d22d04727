/** Invoices of invented firms on A4, family by family as receipts are. */

import { type Chance, createChance } from '../specimens/chance.ts';
import { inventStranger } from './held-back/stranger-firms.ts';
import { strangerInvoiceHeads } from './held-back/stranger-invoices.ts';
import { composedInvoiceHead } from './invoice-heads.ts';
import { inventCorrespondent, inventTrader } from './letter-firms.ts';
import { letterHead } from './letter-heads.ts';
import { type Country, type Firm, inventFirm } from './parties.ts';
import {
  firstLetter,
  firstScattered,
  firstShop,
  inventDay,
  isHeldBack,
  type Paper,
  printDay,
  printMoney,
  usesComma,
} from './receipts.ts';
import { drawInvoiceSheet } from './scattered/paper-sizes.ts';
import { housed, traded } from './scattered/party-details.ts';
import { scatteredInvoiceHead } from './scattered/scattered-invoices.ts';
import { Sheet } from './sheet.ts';
import { inventShop } from './shop-firms.ts';

interface InvoiceWords {
  title: string[];
  number: string[];
  date: string[];
  due: string[];
  buyer: string[];
  columns: string[][];
  subtotal: string[];
  tax: string;
  total: string[];
  unseenTotal: string[];
  items: string[];
  bank: string;
}

const english: InvoiceWords = {
  title: ['INVOICE', 'TAX INVOICE', 'Invoice', 'COMMERCIAL INVOICE'],
  number: ['Invoice No', 'Invoice Number', 'Invoice #', 'INV NO.'],
  date: ['Invoice Date', 'Date', 'Date of issue', 'Issue Date'],
  due: ['Due Date', 'Payment due', 'Due', 'Pay by'],
  buyer: ['Bill To', 'Billed to', 'Customer', 'Sold To', 'To', 'Invoice to', 'Client'],
  columns: [
    ['Description', 'Qty', 'Unit Price', 'Amount'],
    ['Item', 'Quantity', 'Rate', 'Total'],
    ['No.', 'Particulars', 'Qty', 'Price', 'Amount'],
  ],
  subtotal: ['Subtotal', 'Sub Total', 'Net amount', 'Total excl. tax'],
  tax: 'Tax',
  total: ['Total', 'Grand Total', 'Amount Due', 'Total Due', 'Invoice Total', 'TOTAL'],
  unseenTotal: ['Balance Due', 'Please pay', 'Amount payable', 'Total payable'],
  items: [
    'Consulting services',
    'Office chair',
    'Annual licence',
    'Site visit',
    'Copy paper',
    'Translation',
    'Maintenance March',
    'Web hosting',
  ],
  bank: 'Bank account',
};
const words: Record<Country, InvoiceWords> = {
  my: { ...english, tax: 'SST 8%' },
  sg: { ...english, tax: 'GST 9%' },
  gb: { ...english, tax: 'VAT 20%' },
  us: { ...english, tax: 'Sales tax' },
  de: {
    title: ['Rechnung', 'RECHNUNG'],
    number: ['Rechnungsnummer', 'Rechnungs-Nr.', 'Rechnung Nr.'],
    date: ['Rechnungsdatum', 'Datum'],
    due: ['Fällig am', 'Zahlbar bis'],
    buyer: ['', 'Rechnungsadresse', 'Kunde'],
    columns: [
      ['Pos.', 'Bezeichnung', 'Menge', 'Einzelpreis', 'Gesamtpreis'],
      ['Beschreibung', 'Anzahl', 'Preis', 'Betrag'],
    ],
    subtotal: ['Zwischensumme', 'Nettobetrag', 'Summe netto'],
    tax: 'MwSt. 19%',
    total: ['Gesamtbetrag', 'Rechnungsbetrag', 'Gesamt'],
    unseenTotal: ['Endbetrag', 'Zu zahlender Betrag'],
    items: ['Beratung', 'Bürostuhl', 'Jahreslizenz', 'Wartung', 'Übersetzung'],
    bank: 'Bankverbindung',
  },
  fr: {
    title: ['FACTURE', 'Facture'],
    number: ['Facture n°', 'Numéro de facture'],
    date: ['Date de facture', 'Date', "Date d'émission"],
    due: ['Date d’échéance', 'Échéance'],
    buyer: ['Facturé à', 'Client', 'Adresse de facturation'],
    columns: [['Désignation', 'Quantité', 'Prix unitaire', 'Montant']],
    subtotal: ['Total HT', 'Sous-total'],
    tax: 'TVA 20%',
    total: ['Total TTC', 'Net à payer', 'Montant total TTC'],
    unseenTotal: ['Montant à régler', 'Total à payer'],
    items: ['Conseil', 'Chaise de bureau', 'Licence annuelle', 'Entretien'],
    bank: 'Coordonnées bancaires',
  },
  nl: {
    title: ['FACTUUR', 'Factuur'],
    number: ['Factuurnummer', 'Factuurnr.'],
    date: ['Factuurdatum', 'Datum'],
    due: ['Vervaldatum', 'Te betalen voor'],
    buyer: ['Factuuradres', 'Klant', 'Aan'],
    columns: [['Omschrijving', 'Aantal', 'Prijs', 'Bedrag']],
    subtotal: ['Subtotaal', 'Totaal excl. BTW'],
    tax: 'BTW 21%',
    total: ['Totaal', 'Totaal incl. BTW', 'Te betalen'],
    unseenTotal: ['Totaalbedrag', 'Factuurbedrag'],
    items: ['Advies', 'Bureaustoel', 'Jaarlicentie', 'Onderhoud'],
    bank: 'Bankgegevens',
  },
  pl: {
    title: ['FAKTURA VAT', 'Faktura'],
    number: ['Numer faktury', 'Faktura nr'],
    date: ['Data wystawienia'],
    due: ['Termin płatności'],
    buyer: ['Nabywca'],
    columns: [['Lp.', 'Nazwa towaru', 'Ilość', 'Cena netto', 'Wartość netto']],
    subtotal: ['Razem netto', 'Wartość netto'],
    tax: 'VAT 23%',
    total: ['Razem brutto', 'Do zapłaty', 'Wartość brutto'],
    unseenTotal: ['Razem do zapłaty', 'Należność ogółem'],
    items: ['Usługa doradcza', 'Krzesło', 'Licencja roczna'],
    bank: 'Konto',
  },
  es: {
    title: ['FACTURA', 'Factura'],
    number: ['Factura nº', 'Número de factura'],
    date: ['Fecha', 'Fecha de factura', 'Fecha de emisión'],
    due: ['Vencimiento', 'Fecha de vencimiento'],
    buyer: ['Cliente', 'Facturar a'],
    columns: [['Descripción', 'Cantidad', 'Precio', 'Importe']],
    subtotal: ['Base imponible', 'Subtotal'],
    tax: 'IVA 21%',
    total: ['Total', 'Total factura', 'Total a pagar'],
    unseenTotal: ['Importe total', 'A pagar'],
    items: ['Consultoría', 'Silla de oficina', 'Licencia anual'],
    bank: 'Datos bancarios',
  },
  it: {
    title: ['FATTURA', 'Fattura'],
    number: ['Fattura n.', 'Numero fattura'],
    date: ['Data', 'Data fattura'],
    due: ['Scadenza', 'Data scadenza'],
    buyer: ['Cliente', 'Spett.le', 'Destinatario'],
    columns: [['Descrizione', 'Quantità', 'Prezzo', 'Importo']],
    subtotal: ['Imponibile', 'Totale imponibile'],
    tax: 'IVA 22%',
    total: ['Totale', 'Totale fattura', 'Totale da pagare'],
    unseenTotal: ['Netto a pagare', 'Totale documento'],
    items: ['Consulenza', 'Sedia da ufficio', 'Licenza annuale'],
    bank: 'Coordinate bancarie',
  },
  cn: {
    title: ['发票', '商业发票'],
    number: ['发票号码', '发票编号'],
    date: ['开票日期', '日期'],
    due: ['付款期限', '到期日'],
    buyer: ['购买方', '客户名称', '买方'],
    columns: [['项目', '数量', '单价', '金额']],
    subtotal: ['小计', '不含税金额'],
    tax: '税额',
    total: ['合计', '价税合计', '总金额'],
    unseenTotal: ['应付金额', '总计'],
    items: ['咨询服务', '办公椅', '年度许可'],
    bank: '开户行',
  },
  id: {
    title: ['FAKTUR', 'INVOICE'],
    number: ['No. Faktur', 'Nomor Invoice'],
    date: ['Tanggal', 'Tanggal Faktur'],
    due: ['Jatuh Tempo'],
    buyer: ['Kepada', 'Pelanggan'],
    columns: [['Keterangan', 'Jumlah', 'Harga', 'Total']],
    subtotal: ['Subtotal'],
    tax: 'PPN 11%',
    total: ['Total', 'Grand Total', 'Total Tagihan'],
    unseenTotal: ['Jumlah yang harus dibayar', 'Total Bayar'],
    items: ['Jasa konsultasi', 'Kursi kantor', 'Lisensi tahunan'],
    bank: 'Rekening',
  },
};

const countries: Country[] = ['my', 'gb', 'de', 'us', 'fr', 'my', 'nl', 'pl', 'sg', 'de', 'cn'];
const unseenCountries: Country[] = ['my', 'es', 'gb', 'it', 'de', 'id', 'my', 'fr', 'us'];
const cents = (value: number): number => Math.round(value * 100) / 100;
const invoiceWidth = 595;

type Align = 'left' | 'center' | 'right';

function party(
  sheet: Sheet,
  lines: string[],
  at: { x: number; align: Align; size?: number; first?: number },
): void {
  for (const [index, line] of lines.entries()) {
    const size = index === 0 ? (at.first ?? at.size ?? sheet.size) : (at.size ?? sheet.size);
    sheet
      .at(line, at.x, { size, align: at.align, bold: index === 0 && (at.first ?? 0) > sheet.size })
      .down(1, size);
  }
}

/** Runs a part of the sheet beside what follows: the line goes back to where it was. */
function beside(sheet: Sheet, draw: () => void): number {
  const top = sheet.y;
  draw();
  const bottom = sheet.y;
  sheet.y = top;
  return bottom;
}

function contactLines(firm: Firm, chance: Chance): string[] {
  return [`Tel: ${firm.phone}`, `info@${firm.domain}`, `www.${firm.domain}`].filter(() =>
    chance.happens(0.6),
  );
}

export function makeInvoice(family: number, seed: number): Paper {
  const style = createChance(17_000 + family);
  const chance = createChance(200_000 * (family + 1) + seed);
  const unseen = isHeldBack(family);
  const list = unseen ? unseenCountries : countries;
  const country = list[family % list.length]!;
  const w = words[country];
  const comma = usesComma(country);
  const money = (value: number): string => printMoney(value, comma);
  const learnt = family < firstShop ? inventFirm : family < firstLetter ? inventShop : inventCorrespondent;
  const invent = unseen && family >= firstShop ? inventStranger : learnt;
  // Most who send bills are firms; who gets them may be anybody.
  const seller = family >= firstScattered && chance.happens(0.65) ? inventTrader : invent;
  const isTraded = family >= firstScattered && chance.happens(0.08);
  const made = seller(country, chance);
  const parties = [isTraded ? traded(made, country, chance) : made, invent(country, chance)];
  const [firm, buyer] = parties.map((party) =>
    family >= firstScattered && chance.happens(0.14) ? housed(party, country, chance) : party,
  ) as [Firm, Firm];
  const letter = {
    margin: style.pick([40, 50, 60]),
    size: style.pick([8, 9, 10]),
    leading: style.pick([1.3, 1.45]),
    top: 50,
  };
  const isScattered = family >= firstScattered;
  const sheet = isScattered ? drawInvoiceSheet(chance) : new Sheet(invoiceWidth, letter);
  /** Places on a letter of A4, where they are on this sheet. */
  const onSheet = (x: number): number =>
    isScattered ? sheet.margin + ((x - 50) / (invoiceWidth - 100)) * (sheet.width - 2 * sheet.margin) : x;
  const right = sheet.width - sheet.margin;
  const headAt = unseen
    ? style.pick(['split', 'foot', 'right'] as const)
    : style.pick(['left', 'right', 'center', 'sender', 'left'] as const);
  const metaAt = unseen
    ? style.pick(['grid', 'left'] as const)
    : style.pick(['right', 'right', 'left', 'sentence'] as const);
  const [dateStyle, totalWord, subtotalWord, buyerWord, colon, big] = [
    style.below(6),
    style.pick(unseen ? w.unseenTotal.concat(w.total[0]!) : w.total),
    style.pick(w.subtotal),
    style.pick(w.buyer),
    style.pick([':', '', ' :']),
    style.pick([10, 12, 14, 18]),
  ];
  const iso = inventDay(chance);
  const due = inventDay(chance);
  const number = `${chance.pick(['INV-', 'RE', '', 'F', '20'])}${1 + chance.below(9)}${chance.digits(4)}${chance.pick(['', `-${chance.digits(2)}`, `/${chance.digits(2)}`])}`;
  const title = style.pick(w.title);
  const notes = contactLines(firm, chance);

  const head = (): void => {
    const lines = [firm.name, ...firm.address, ...notes];
    if (headAt === 'left') party(sheet, lines, { x: sheet.margin, align: 'left', first: big });
    else if (headAt === 'right')
      party(sheet, lines, { x: right, align: style.happens(0.5) ? 'right' : 'left', first: big });
    else if (headAt === 'center') party(sheet, lines, { x: sheet.width / 2, align: 'center', first: big });
    else if (headAt === 'split') {
      sheet.at(firm.sign, sheet.margin, { size: 20, bold: true });
      party(sheet, lines, { x: 360, align: 'left', first: sheet.size });
    } else sheet.at(firm.sign, sheet.margin, { size: 18 }).down(2, 18);
  };
  const pairs: [string, string][] = [
    [style.pick(w.number), number],
    [style.pick(w.date), printDay(iso, dateStyle)],
    ...(style.happens(0.6) ? ([[style.pick(w.due), printDay(due, dateStyle)]] as [string, string][]) : []),
    ...(style.happens(0.3) ? ([['PO Number', `PO-${chance.digits(5)}`]] as [string, string][]) : []),
  ];
  const meta = (x: number): void => {
    for (const [label, value] of pairs)
      sheet
        .at(`${label}${colon}`, x)
        .at(value, x + 110)
        .down();
  };
  const buyers = (x: number): void => {
    if (headAt === 'sender') sheet.at(`${firm.name} - ${firm.address.join(' - ')}`, x, { size: 7 }).down(1.2);
    if (buyerWord !== '')
      sheet.at(`${buyerWord}${colon === '' && style.happens(0.5) ? ':' : colon}`, x, { bold: true }).down();
    party(sheet, [buyer.name, ...(style.happens(0.3) ? ['Attn: Ms Ruiz'] : []), ...buyer.address], {
      x,
      align: 'left',
    });
  };

  const drawHead = (): (() => void) | null => {
    if (family < firstShop) {
      drawLetter();
      return null;
    }
    const own = unseen
      ? strangerInvoiceHeads[family % strangerInvoiceHeads.length]!
      : family < firstLetter
        ? composedInvoiceHead(style)
        : family < firstScattered
          ? letterHead(style)
          : scatteredInvoiceHead(chance);
    return own(sheet, { firm, buyer, country, title, pairs, buyerWord, colon, chance });
  };
  const drawLetter = (): void => {
    const titleFirst = style.happens(0.3);
    if (titleFirst)
      sheet
        .at(title, style.happens(0.5) ? sheet.margin : right - 120, { size: 18, bold: true })
        .down(1.6, 18);
    if (headAt === 'right' && style.happens(0.5)) {
      const bottom = beside(sheet, head);
      buyers(sheet.margin);
      sheet.y = Math.max(bottom, sheet.y);
    } else {
      head();
      sheet.down(1.5);
      if (metaAt === 'right') {
        const bottom = beside(sheet, () => meta(340));
        buyers(sheet.margin);
        sheet.y = Math.max(bottom, sheet.y);
      } else buyers(sheet.margin);
    }
    sheet.down(1.5);
    if (!titleFirst) sheet.at(title, sheet.margin, { size: 16, bold: true }).down(1.4, 16);
    if (metaAt === 'left') meta(sheet.margin);
    else if (metaAt === 'grid') {
      for (const [index, [label]] of pairs.entries())
        sheet.at(label, sheet.margin + 125 * index, { size: sheet.size - 1 });
      sheet.down();
      for (const [index, [, value]] of pairs.entries()) sheet.at(value, sheet.margin + 125 * index);
      sheet.down();
    } else if (metaAt === 'sentence' || (headAt === 'right' && metaAt === 'right')) {
      sheet.line(
        pairs.map(([label, value]) => `${label}${colon === '' ? '' : ':'} ${value}`).join('   '),
        'left',
      );
    }
  };
  const drawFoot = drawHead();
  sheet.down(1.2);

  const columns = style.pick(w.columns);
  const numbered = columns.length === 5;
  const xs = [sheet.margin, ...(numbered ? [90] : []), 330, 420].map((x, at) => (at === 0 ? x : onSheet(x)));
  xs.push(right);
  const cells = (texts: string[], bold = false): void => {
    for (const [index, text] of texts.entries())
      sheet.at(text, xs[index]!, { bold, align: index < (numbered ? 2 : 1) ? 'left' : 'right' });
    sheet.down(1.15);
  };
  cells(columns, true);
  let sum = 0;
  for (let row = 1; row <= 1 + chance.below(7); row++) {
    const quantity = 1 + chance.below(12);
    const price = cents(5 + chance.below(90_000) / 100);
    const amount = cents(quantity * price);
    sum = cents(sum + amount);
    cells([
      ...(numbered ? [String(row)] : []),
      chance.pick(w.items),
      String(quantity),
      money(price),
      money(amount),
    ]);
  }
  sheet.down(0.8);
  const rate = Number(/(\d+)%/.exec(w.tax)?.[1] ?? 7) / 100;
  const taxed = style.happens(0.85);
  const tax = taxed ? cents(sum * rate) : 0;
  const shipping = style.happens(0.2) ? cents(5 + chance.below(30)) : 0;
  const total = cents(sum + tax + shipping);
  const currency = style.pick(comma ? ['', '€', 'EUR '] : ['', 'RM ', '$', 'USD ']);
  const foot = (label: string, value: string, bold = false): void => {
    sheet
      .at(`${label}${colon}`, onSheet(360), { bold })
      .at(value, right, { align: 'right', bold, size: bold ? sheet.size + 1 : sheet.size })
      .down(1.2);
  };
  if (taxed || style.happens(0.5)) foot(subtotalWord, money(sum));
  if (shipping > 0) foot(style.pick(['Shipping', 'Delivery fee', 'Freight']), money(shipping));
  if (taxed) foot(w.tax, money(tax));
  foot(totalWord, `${currency}${money(total)}`, style.happens(0.6));
  if (style.happens(0.25)) foot(style.pick(['Deposit paid', 'Paid']), money(0));
  sheet.down(2);
  if (style.happens(0.5))
    sheet.line(
      `${w.bank}: ${chance.pick(['Nordbank', 'Bank Seri', 'Crédit Sud', 'Harbour Bank'])}  ${chance.digits(4)} ${chance.digits(4)} ${chance.digits(4)}`,
      'left',
    );
  if (!isScattered) sheet.y = Math.max(sheet.y + 30, 770);
  // Feet stand at the end of the paper, or right below the sums.
  else if (chance.happens(0.5)) sheet.y = Math.max(sheet.y, sheet.height - chance.between(40, 110));
  drawFoot?.();
  if (family < firstShop && (headAt === 'foot' || headAt === 'sender' || style.happens(0.4))) {
    const legal = [firm.name, ...firm.address, firm.phone];
    sheet
      .at(legal.slice(0, 1 + firm.address.length).join(style.pick([' · ', ', ', ' | '])), sheet.width / 2, {
        size: 7,
        align: 'center',
      })
      .down(1, 7);
    sheet
      .at(`Tax ID ${firm.taxId}  Tel ${firm.phone}`, sheet.width / 2, { size: 7, align: 'center' })
      .down(1, 7);
  }
  return {
    kind: 'invoice',
    family,
    country,
    sheet,
    truth: {
      seller_name: firm.name,
      seller_address: firm.address.join(' '),
      invoice_date: iso,
      total,
      invoice_number: number,
      buyer_name: buyer.name,
      buyer_address: buyer.address.join(' '),
      ...(pairs.some(([label]) => w.due.includes(label)) ? { due_date: due } : {}),
      ...(taxed ? { subtotal: sum } : {}),
    },
  };
}
