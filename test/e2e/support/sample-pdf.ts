/** An invoice of two pages, made for the tests, so that they need no file from elsewhere. */
import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from 'pdf-lib';

const lines: [x: number, y: number, text: string][] = [
  [50, 780, 'INVOICE'],
  [50, 750, 'Kedai Contoh Sdn Bhd'],
  [50, 735, '12 Jalan Ampang, 50450 Kuala Lumpur'],
  [350, 750, 'Invoice number: INV-2026-0042'],
  [350, 735, 'Invoice date: 12 November 2026'],
  [350, 720, 'Due date: 26 November 2026'],
  [50, 690, 'Bill to: Syarikat Pelanggan Sdn Bhd'],
  [50, 640, 'Description'],
  [300, 640, 'Quantity'],
  [390, 640, 'Unit price'],
  [480, 640, 'Amount'],
  [50, 615, 'Paper A4'],
  [300, 615, '10'],
  [390, 615, '12.50'],
  [480, 615, '125.00'],
  [50, 595, 'Ink black'],
  [300, 595, '2'],
  [390, 595, '80.00'],
  [480, 595, '160.00'],
  [390, 555, 'Subtotal'],
  [480, 555, '285.00'],
  [390, 540, 'SST 8%'],
  [480, 540, '22.80'],
  [390, 525, 'Total MYR'],
  [480, 525, '307.80'],
];

function write(page: PDFPage, font: PDFFont): void {
  for (const [x, y, text] of lines) page.drawText(text, { x, y, size: text === 'INVOICE' ? 20 : 10, font });
  for (const y of [655, 632, 608, 588]) page.drawLine({ start: { x: 45, y }, end: { x: 545, y } });
  for (const x of [45, 290, 380, 470, 545]) page.drawLine({ start: { x, y: 655 }, end: { x, y: 588 } });
}

export async function samplePdf(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  write(document.addPage([595, 842]), font);
  document.addPage([595, 842]).drawText('Terms: payment within 14 days.', { x: 50, y: 780, size: 10, font });
  return {
    name: 'test-invoice.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(await document.save()),
  };
}
