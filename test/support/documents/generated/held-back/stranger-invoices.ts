/** Upper parts of invoices of the second families held back. */

import type { InvoiceHead } from '../invoice-heads.ts';
import type { Country } from '../parties.ts';

const partyLabels: Partial<Record<Country, [seller: string, buyer: string]>> = {
  pl: ['Sprzedawca', 'Nabywca'],
  fr: ['Émetteur', 'Facturé à'],
  de: ['Lieferant', 'Rechnungsadresse'],
  nl: ['Leverancier', 'Klant'],
  es: ['Emisor', 'Cliente'],
  it: ['Cedente', 'Cliente'],
  cn: ['销售方', '购买方'],
};

export const strangerInvoiceHeads: InvoiceHead[] = [
  // Both parties beside each other, each under its label.
  (sheet, { firm, buyer, title, pairs, country, colon }) => {
    const [seller, bought] = partyLabels[country] ?? ['From', 'Bill To'];
    sheet.at(title, sheet.margin, { size: 18, bold: true }).down(2, 18);
    for (const [label, value] of pairs) sheet.line(`${label}${colon} ${value}`, 'left');
    sheet.down().at(`${seller}:`, sheet.margin, { bold: true }).at(`${bought}:`, 320, { bold: true }).down();
    const [left, right] = [
      [firm.name, ...firm.address, firm.taxId],
      [buyer.name, ...buyer.address],
    ];
    for (let at = 0; at < Math.max(left.length, right.length); at++)
      sheet
        .at(left[at] ?? '', sheet.margin)
        .at(right[at] ?? '', 320)
        .down();
    return null;
  },
  // The payee in the foot.
  (sheet, { firm, buyer, title, pairs, buyerWord }) => {
    sheet.at(firm.name, sheet.margin, { size: 16, bold: true }).at(title, 420, { size: 16 }).down(1.5, 16);
    sheet.line(`${firm.phone}  www.${firm.domain}`, 'left').down();
    for (const [label, value] of pairs) sheet.at(label, 340).at(value, 460).down();
    sheet.line(buyerWord === '' ? 'Bill to' : buyerWord, 'left', { bold: true });
    for (const line of [buyer.name, ...buyer.address]) sheet.line(line, 'left');
    return () => {
      sheet.line('Please remit payment to:', 'left');
      for (const line of [firm.name, ...firm.address]) sheet.line(line, 'left');
    };
  },
  // A band of the letterhead: all of it in one line.
  (sheet, { firm, buyer, title, pairs, colon }) => {
    sheet.line(firm.name.toUpperCase(), 'center', { size: 14, bold: true });
    sheet.line(firm.address.join(', '), 'center', { size: 8 });
    sheet.line(`T: ${firm.phone}   E: accounts@${firm.domain}`, 'center', { size: 8 }).down();
    sheet.line(title, 'center', { size: 13, bold: true }).down(0.5);
    const rows = [buyer.name, ...buyer.address];
    for (let at = 0; at < Math.max(rows.length, pairs.length); at++) {
      const [label, value] = pairs[at] ?? ['', ''];
      sheet.at(at === 0 ? `M/s. ${rows[0]}` : (rows[at] ?? ''), sheet.margin);
      if (label !== '') sheet.at(`${label}${colon}`, 360).at(value, 460);
      sheet.down();
    }
    return null;
  },
  // A bill of a network: a sign, a window, the firm in its legal notice.
  (sheet, { firm, buyer, title, pairs, chance }) => {
    sheet.at(firm.sign, sheet.margin, { size: 22, bold: true }).down(2, 22);
    sheet.line(`Ref. client ${chance.digits(8)}`, 'left');
    for (const line of [buyer.name, ...buyer.address]) sheet.at(line, 320).down();
    sheet.down().line(title, 'left', { size: 13, bold: true });
    for (const [label, value] of pairs) sheet.line(`${label} ${value}`, 'left');
    return () => {
      sheet.line(`${firm.name} - ${firm.address.join(' ')} - ${firm.taxId}`, 'center', { size: 7 });
    };
  },
  // A market place: who sold it, where it went.
  (sheet, { firm, buyer, title, pairs, chance }) => {
    sheet.at(chance.pick(['bazaar', 'kaufhalle', 'shoply']), sheet.margin, { size: 20, bold: true });
    sheet.at(title, sheet.width - sheet.margin, { align: 'right', size: 12 }).down(1.6, 20);
    const left = ['Sold By:', firm.name, ...firm.address, `Tax No: ${firm.taxId}`];
    const right = ['Billing Address:', buyer.name, ...buyer.address];
    for (let at = 0; at < Math.max(left.length, right.length); at++) {
      sheet.at(left[at] ?? '', sheet.margin, { bold: at === 0 });
      sheet.at(right[at] ?? '', sheet.width - sheet.margin, { align: 'right', bold: at === 0 }).down();
    }
    sheet.down();
    for (const [label, value] of pairs) sheet.line(`${label}: ${value}`, 'left');
    return null;
  },
  // A block of the sender at the right edge, the web above the name.
  (sheet, { firm, buyer, title, pairs }) => {
    const block = [`www.${firm.domain}`, firm.name, ...firm.address, `Tel. ${firm.phone}`, firm.taxId];
    for (const [at, line] of block.entries())
      sheet.at(line, sheet.width - sheet.margin, { align: 'right', bold: at === 1 }).down();
    sheet.down();
    for (const line of [buyer.name, ...buyer.address]) sheet.line(line, 'left');
    sheet.down(2).line(title, 'left', { size: 14, bold: true });
    sheet.line(pairs.map(([label, value]) => `${label} ${value}`).join(', '), 'left');
    return null;
  },
];
