/** A report of no known kind, for templates that a person makes. */
import { PDFDocument, StandardFonts } from 'pdf-lib';

export interface Report {
  reference: string;
  temperature: string;
  checked: string;
  /** Lines under each other. */
  address: [string, string];
}

export async function reportPdf(
  name: string,
  { reference, temperature, checked, address }: Report,
): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage([595, 842]);
  const lines: [x: number, y: number, text: string][] = [
    [50, 790, 'COLD STORE REPORT'],
    [50, 740, `Reference: ${reference}`],
    [50, 710, 'Final temperature'],
    [220, 710, temperature],
    [50, 680, 'Checked on'],
    [220, 680, checked],
    [50, 650, 'Address'],
    [220, 650, address[0]],
    [220, 636, address[1]],
  ];
  for (const [x, y, text] of lines) page.drawText(text, { x, y, size: 11, font });
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(await document.save()) };
}
