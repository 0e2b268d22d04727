/**
 * Makes the sample documents that the first-run page offers: `node test/support/documents/make-samples.ts`.
 * Companies, people and numbers are invented. The output is committed; run this again after a change here.
 */

import { writeFile } from 'node:fs/promises';
import { PDFDocument, type PDFFont, type PDFPage, type RGB, rgb, StandardFonts } from 'pdf-lib';

const ink = rgb(0.13, 0.16, 0.22);
const soft = rgb(0.42, 0.46, 0.53);
const accent = rgb(0.02, 0.42, 0.44);
const pale = rgb(0.93, 0.97, 0.97);
const line = rgb(0.76, 0.81, 0.84);
const white = rgb(1, 1, 1);
const folder = new URL('../../../renderer/public/samples/', import.meta.url);

interface Fonts {
  plain: PDFFont;
  bold: PDFFont;
}

interface TextStyle {
  size?: number;
  font?: PDFFont;
  color?: RGB;
  align?: 'left' | 'right';
}

/** Writes from the upper left corner, in points, as a designer measures. */
class Sheet {
  readonly page: PDFPage;
  readonly fonts: Fonts;
  constructor(page: PDFPage, fonts: Fonts) {
    this.page = page;
    this.fonts = fonts;
  }

  text(value: string, [x, y]: [number, number], style: TextStyle = {}): void {
    const { size = 9.5, font = this.fonts.plain, color = ink, align = 'left' } = style;
    const left = align === 'right' ? x - font.widthOfTextAtSize(value, size) : x;
    this.page.drawText(value, { x: left, y: this.page.getHeight() - y, size, font, color });
  }

  box([x, y, width, height]: [number, number, number, number], color: RGB): void {
    this.page.drawRectangle({ x, y: this.page.getHeight() - y - height, width, height, color });
  }

  rule([x0, y0]: [number, number], [x1, y1]: [number, number], color = line): void {
    const height = this.page.getHeight();
    this.page.drawLine({
      start: { x: x0, y: height - y0 },
      end: { x: x1, y: height - y1 },
      thickness: 0.8,
      color,
    });
  }
}

const money = (value: number): string => value.toLocaleString('en-MY', { minimumFractionDigits: 2 });

const items: [description: string, quantity: number, price: number][] = [
  ['Single-origin coffee beans, Liberica, 1 kg', 24, 68],
  ['Paper cups 8 oz, double wall, carton of 500', 6, 142.5],
  ['Oat milk, barista, 1 litre, case of 12', 10, 118.8],
  ['Grinder burr set 64 mm, fitted on site', 2, 465],
  ['Delivery within Klang Valley', 1, 85],
];
const columns = { number: 50, description: 78, quantity: 356, price: 420, tax: 470, amount: 545 };

function drawHead(sheet: Sheet): void {
  const { bold } = sheet.fonts;
  sheet.box([0, 0, 595, 8], accent);
  sheet.box([50, 40, 30, 30], accent);
  sheet.text('K', [58.5, 62], { size: 20, font: bold, color: white });
  sheet.text('Kopi Angin Utara Sdn Bhd', [92, 53], { size: 15, font: bold });
  sheet.text('202301998877 (1519998-K)', [92, 67], { size: 8.5, color: soft });
  const address = [
    '18, Jalan Teknologi 3/9, Kota Damansara',
    '47810 Petaling Jaya, Selangor',
    'SST No: B16-2309-32009981',
  ];
  for (const [index, row] of address.entries())
    sheet.text(row, [50, 92 + index * 13], { size: 9, color: soft });
  sheet.text('TAX INVOICE', [545, 58], { size: 22, font: bold, color: accent, align: 'right' });
  const facts: [string, string][] = [
    ['Invoice No.', 'KAU-2026-0417'],
    ['Invoice Date', '14 March 2026'],
    ['Due Date', '13 April 2026'],
    ['Purchase Order', 'PO-88213'],
  ];
  for (const [index, [label, value]] of facts.entries()) {
    sheet.text(label, [372, 92 + index * 14], { size: 9, color: soft });
    sheet.text(value, [545, 92 + index * 14], { size: 9.5, font: bold, align: 'right' });
  }
}

function drawBuyer(sheet: Sheet): void {
  sheet.text('Bill To', [50, 172], { size: 8.5, font: sheet.fonts.bold, color: accent });
  sheet.text('Hotel Bayu Senja Berhad', [50, 187], { size: 10.5, font: sheet.fonts.bold });
  const address = [
    'Level 2, Menara Layang, 7 Persiaran Pantai',
    '10250 George Town, Pulau Pinang',
    'TIN: C29988776050',
  ];
  for (const [index, row] of address.entries()) sheet.text(row, [50, 201 + index * 13], { size: 9 });
}

function drawItems(sheet: Sheet): number {
  const { bold } = sheet.fonts;
  const [top, pitch] = [256, 26];
  const xs = [42, 70, 322, 362, 428, 476, 553];
  sheet.box([xs[0]!, top, xs.at(-1)! - xs[0]!, pitch], accent);
  const head = (value: string, x: number, align: 'left' | 'right'): void =>
    sheet.text(value, [x, top + 16.5], { size: 8.5, font: bold, color: white, align });
  head('No', columns.number, 'left');
  head('Description', columns.description, 'left');
  head('Qty', columns.quantity, 'right');
  head('Unit Price', columns.price, 'right');
  head('SST %', columns.tax, 'right');
  head('Amount', columns.amount, 'right');
  for (const [index, [description, quantity, price]] of items.entries()) {
    const y = top + pitch * (index + 1);
    if (index % 2 === 1) sheet.box([xs[0]!, y, xs.at(-1)! - xs[0]!, pitch], pale);
    const cell = (value: string, x: number): void =>
      sheet.text(value, [x, y + 16.5], { size: 9, align: 'right' });
    sheet.text(String(index + 1), [columns.number, y + 16.5], { size: 9 });
    sheet.text(description, [columns.description, y + 16.5], { size: 9 });
    cell(String(quantity), columns.quantity);
    cell(money(price), columns.price);
    cell('8%', columns.tax);
    cell(money(quantity * price), columns.amount);
  }
  const bottom = top + pitch * (items.length + 1);
  for (let row = 0; row <= items.length + 1; row++)
    sheet.rule([xs[0]!, top + row * pitch], [xs.at(-1)!, top + row * pitch]);
  for (const x of xs) sheet.rule([x, top], [x, bottom]);
  return bottom;
}

function drawTotals(sheet: Sheet, top: number): void {
  const { bold } = sheet.fonts;
  const subtotal = items.reduce((sum, [, quantity, price]) => sum + quantity * price, 0);
  const tax = Math.round(subtotal * 8) / 100;
  const rows: [string, number][] = [
    ['Subtotal (MYR)', subtotal],
    ['SST 8%', tax],
  ];
  for (const [index, [label, value]] of rows.entries()) {
    sheet.text(label, [372, top + 24 + index * 17], { color: soft });
    sheet.text(money(value), [545, top + 24 + index * 17], { align: 'right' });
  }
  sheet.box([362, top + 48, 191, 28], accent);
  sheet.text('Total (MYR)', [372, top + 66], { size: 11, font: bold, color: white });
  sheet.text(money(subtotal + tax), [545, top + 66], { size: 12, font: bold, color: white, align: 'right' });
  sheet.text('Payment', [50, top + 24], { size: 8.5, font: bold, color: accent });
  const payment = [
    'Payment Terms: 30 days',
    'Bank: Bank Contoh Berhad',
    'Account No: 5140 2299 8801',
    'SWIFT: BCONMYKL',
  ];
  for (const [index, row] of payment.entries()) sheet.text(row, [50, top + 39 + index * 13], { size: 9 });
}

async function makeInvoice(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.setTitle('Sample invoice');
  const fonts = {
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  };
  const sheet = new Sheet(pdf.addPage([595, 842]), fonts);
  drawHead(sheet);
  drawBuyer(sheet);
  drawTotals(sheet, drawItems(sheet));
  sheet.rule([50, 780], [545, 780]);
  sheet.text(
    'Thank you for your order. Goods sold remain the property of the seller until paid in full.',
    [50, 795],
    { size: 8, color: soft },
  );
  return pdf.save();
}

const formFields: [name: string, label: string, value: string][] = [
  ['full_name', 'Full name', 'Nur Aisyah binti Contoh'],
  ['company', 'Company', 'Hotel Bayu Senja Berhad'],
  ['email', 'E-mail', 'aisyah@bayusenja.example'],
  ['arrival', 'Date of visit', '21/04/2026'],
];
const formBoxes: [name: string, label: string, checked: boolean][] = [
  ['parking', 'I need a parking space', true],
  ['vegetarian', 'Vegetarian meal', true],
  ['wheelchair', 'Wheelchair access', false],
  ['newsletter', 'Send me the newsletter', false],
];

async function makeForm(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.setTitle('Sample form');
  const fonts = {
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  };
  const page = pdf.addPage([595, 842]);
  const sheet = new Sheet(page, fonts);
  const form = pdf.getForm();
  sheet.box([0, 0, 595, 8], accent);
  sheet.text('Visitor registration', [50, 70], { size: 22, font: fonts.bold, color: accent });
  sheet.text('Please fill in every field. Kopi Angin Utara Sdn Bhd, visitor desk.', [50, 90], {
    color: soft,
  });
  for (const [index, [name, label, value]] of formFields.entries()) {
    const y = 130 + index * 44;
    sheet.text(`${label}:`, [50, y + 16], { font: fonts.bold });
    const field = form.createTextField(name);
    field.setText(value);
    field.addToPage(page, {
      x: 170,
      y: 842 - y - 24,
      width: 300,
      height: 24,
      borderColor: line,
      borderWidth: 1,
      font: fonts.plain,
    });
    field.setFontSize(11);
  }
  sheet.text('Requests', [50, 330], { size: 12, font: fonts.bold, color: accent });
  for (const [index, [name, label, checked]] of formBoxes.entries()) {
    const y = 346 + index * 26;
    const box = form.createCheckBox(name);
    box.addToPage(page, { x: 50, y: 842 - y - 14, width: 14, height: 14, borderColor: ink, borderWidth: 1 });
    if (checked) box.check();
    sheet.text(label, [74, y + 11]);
  }
  sheet.text('Badge', [50, 476], { size: 12, font: fonts.bold, color: accent });
  const badge = form.createRadioGroup('badge');
  for (const [index, label] of ['Guest', 'Contractor', 'Press'].entries()) {
    const x = 50 + index * 120;
    badge.addOptionToPage(label, page, {
      x,
      y: 842 - 506,
      width: 14,
      height: 14,
      borderColor: ink,
      borderWidth: 1,
    });
    sheet.text(label, [x + 22, 503]);
  }
  badge.select('Contractor');
  return pdf.save();
}

await writeFile(new URL('invoice.pdf', folder), await makeInvoice());
await writeFile(new URL('form.pdf', folder), await makeForm());
