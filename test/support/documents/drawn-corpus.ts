/**
 * A dozen documents of every kind that is read, drawn on the spot, with what is on them: quality is watched from any clone,
 * without the development data. Names, numbers and wordings are invented.
 */

import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from 'pdf-lib';
import type { ParseResult } from '../../../server/engine/documents/types.ts';
import { adjacencyRelations, countShared, f1 } from './adjacency.ts';
import { drawForm, type FormTruth } from './forms/form-maker.ts';
import { drawPages, scanned } from './forms/scanner.ts';
import { drawPdf } from './forms/surface.ts';
import { captured } from './specimens/camera.ts';
import { drawIdentityCard } from './specimens/identity-cards.ts';
import { drawTravelDocument } from './specimens/travel-documents.ts';
import { rowsToCells } from './tabula.ts';

export interface DrawnDocument {
  name: string;
  make(): Promise<{ bytes: Uint8Array; truth: Truth }>;
}

/** What is on a document; what is absent is not asked. */
export interface Truth {
  fields?: Record<string, string | number>;
  table?: string[][];
  checkboxes?: FormTruth['checkboxes'];
  words?: string[];
}

/** Shares of what was found right, 0 to 1, by what was asked. */
export type Scores = Partial<Record<keyof Truth, number>>;

type Write = (text: string, x: number, y: number, size?: number) => void;

async function pdfOf(draw: (write: Write, page: PDFPage) => void): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font: PDFFont = await pdf.embedFont(StandardFonts.Helvetica);
  const page = pdf.addPage([595, 842]);
  draw((text, x, y, size = 10) => page.drawText(text, { x, y: 842 - y, size, font }), page);
  return pdf.save();
}

async function scanOf(pdf: Uint8Array, seed: number): Promise<Buffer> {
  const [picture] = await drawPages(pdf, [1], 150);
  return scanned(picture!, seed);
}

const invoiceTruth = {
  invoice_number: 'SK-2025-0731',
  invoice_date: '2025-07-31',
  due_date: '2025-08-30',
  seller_name: 'Sinar Kertas Sdn Bhd',
  buyer_name: 'Pejabat Ladang Berhad',
  subtotal: 1240.5,
  tax: 99.24,
  total: 1339.74,
  currency: 'MYR',
};

const invoice = (): Promise<Uint8Array> =>
  pdfOf((write) => {
    write('Sinar Kertas Sdn Bhd', 50, 60, 14);
    write('12, Jalan Perusahaan 4, Taman Industri, 14000 Bukit Mertajam', 50, 78, 9);
    write('TAX INVOICE', 430, 60, 16);
    for (const [row, [label, value]] of [
      ['Invoice No:', invoiceTruth.invoice_number],
      ['Invoice Date:', '31 July 2025'],
      ['Due Date:', '30 August 2025'],
    ].entries()) {
      write(label!, 370, 100 + 16 * row);
      write(value!, 460, 100 + 16 * row);
    }
    write('Bill To:', 50, 130);
    write(invoiceTruth.buyer_name, 50, 146, 11);
    write('8, Lorong Gudang, 08000 Sungai Petani', 50, 160, 9);
    for (const [row, cells] of [
      ['Description', 'Qty', 'Unit Price', 'Amount'],
      ['Copy paper A4, 80 gsm, box', '30', '31.35', '940.50'],
      ['Envelopes DL, 500 pieces', '10', '30.00', '300.00'],
    ].entries())
      for (const [column, text] of cells.entries()) write(text, [50, 300, 370, 470][column]!, 220 + 18 * row);
    for (const [row, [label, value]] of [
      ['Subtotal (RM)', '1,240.50'],
      ['SST 8%', '99.24'],
      ['Total (RM)', '1,339.74'],
    ].entries()) {
      write(label!, 370, 320 + 18 * row);
      write(value!, 470, 320 + 18 * row);
    }
  });

const receipt = (): Promise<Uint8Array> =>
  pdfOf((write) => {
    const lines = [
      'KEDAI BUKU HARMONI SDN BHD',
      'No 7, Jalan Pasar, 31000 Batu Gajah',
      'RECEIPT',
      'Receipt No: R-55102',
      'Date: 14/02/2025 16:40',
    ];
    for (const [row, text] of lines.entries()) write(text, 60, 70 + 24 * row, 15);
    for (const [row, [item, amount]] of [
      ['Exercise book x 6', '18.00'],
      ['Ball pen blue x 4', '9.60'],
      ['TOTAL RM', '27.60'],
      ['CASH', '30.00'],
      ['CHANGE', '2.40'],
    ].entries()) {
      write(item!, 60, 220 + 26 * row, 15);
      write(amount!, 360, 220 + 26 * row, 15);
    }
  });

const tableTruth = [
  ['Station', 'Visitors', 'Repairs', 'Cost'],
  ['Harbour', '1,204', '7', '48,250.00'],
  ['Old Market', '893', '2', '9,100.50'],
  ['Lighthouse', '412', '11', '73,900.00'],
  ['Ferry Pier', '2,310', '5', '15,640.25'],
];

const table = (ruled: boolean): Promise<Uint8Array> =>
  pdfOf((write, page) => {
    const [left, top, width, height] = [60, 120, 110, 22];
    for (const [row, cells] of tableTruth.entries())
      for (const [column, text] of cells.entries())
        write(text, left + column * width + 6, top + row * height + 15);
    if (!ruled) return;
    const [right, bottom] = [left + 4 * width, top + tableTruth.length * height];
    for (let row = 0; row <= tableTruth.length; row++) {
      const y = 842 - top - row * height;
      page.drawLine({ start: { x: left, y }, end: { x: right, y }, thickness: 0.8 });
    }
    for (let column = 0; column <= 4; column++) {
      const x = left + column * width;
      page.drawLine({ start: { x, y: 842 - top }, end: { x, y: 842 - bottom }, thickness: 0.8 });
    }
  });

const prose = [
  'The harbour office keeps a list of ships that arrive',
  'between January and March of each year. Grain and timber',
  'came from the north, and repairs of the eastern quay',
  'took nine weeks longer than was planned by the town.',
  'The cost of 48,250.75 was paid in three parts.',
];

const page = (): Promise<Uint8Array> =>
  pdfOf((write) => {
    for (const [row, line] of prose.entries()) write(line, 60, 100 + 26 * row, 13);
  });

async function form(seed: number): Promise<{ pdf: Uint8Array; checkboxes: FormTruth['checkboxes'] }> {
  let truth: FormTruth = { checkboxes: [], signatures: [] };
  const pdf = await drawPdf((surface) => {
    truth = drawForm(surface, seed, 'en');
  });
  return { pdf, checkboxes: truth.checkboxes };
}

const passport = (capture: 'clean' | 'photo', seed: number) => async () => {
  const { canvas, truth } = drawTravelDocument(seed, 'TD3', 9);
  const bytes = await captured(canvas, { capture, turn: 0, seed });
  const fields = {
    mrz: truth.lines.join('\n'),
    document_number: truth.number,
    birth_date: truth.birthDate,
    surname: truth.surname,
  };
  return { bytes, truth: { fields } };
};

export const drawnCorpus: DrawnDocument[] = [
  { name: 'invoice', make: async () => ({ bytes: await invoice(), truth: { fields: invoiceTruth } }) },
  {
    name: 'invoice as a scan',
    make: async () => ({ bytes: await scanOf(await invoice(), 5), truth: { fields: invoiceTruth } }),
  },
  {
    name: 'receipt as a scan',
    make: async () => ({
      bytes: await scanOf(await receipt(), 3),
      truth: {
        fields: { seller_name: 'KEDAI BUKU HARMONI SDN BHD', invoice_date: '2025-02-14', total: 27.6 },
      },
    }),
  },
  {
    name: 'form',
    make: async () => {
      const { pdf, checkboxes } = await form(1010);
      return { bytes: pdf, truth: { checkboxes } };
    },
  },
  {
    name: 'form as a scan',
    make: async () => {
      const { pdf, checkboxes } = await form(1002);
      return { bytes: await scanOf(pdf, 1002), truth: { checkboxes } };
    },
  },
  { name: 'passport', make: passport('clean', 3) },
  { name: 'photographed passport', make: passport('photo', 4) },
  {
    name: 'MyKad',
    make: async () => {
      const { canvas, truth } = drawIdentityCard(2, 'mykad-2012', 9);
      const bytes = await captured(canvas, { capture: 'scan', turn: 0, seed: 2 });
      return { bytes, truth: { fields: { number: truth.number, name: truth.name } } };
    },
  },
  { name: 'ruled table', make: async () => ({ bytes: await table(true), truth: { table: tableTruth } }) },
  {
    name: 'table without lines',
    make: async () => ({ bytes: await table(false), truth: { table: tableTruth } }),
  },
  {
    name: 'page of text as a scan',
    make: async () => ({
      bytes: await scanOf(await page(), 9),
      truth: { words: prose.flatMap((line) => line.split(' ')) },
    }),
  },
];

const share = (right: number, all: number): number => (all === 0 ? 0 : right / all);

function scoreTable({ tables }: ParseResult, truth: string[][]): number {
  const found = tables.flatMap(({ rows }) => adjacencyRelations(rowsToCells(rows)));
  const expected = adjacencyRelations(rowsToCells(truth));
  const right = countShared(found, expected);
  return f1(share(right, found.length), share(right, expected.length));
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** How much of the truth was found: fields exact, relations of table cells, boxes with label and state, words. */
export function scoresOf(result: ParseResult, { fields, table: rows, checkboxes, words }: Truth): Scores {
  const named = Object.entries(fields ?? {});
  const ticks = (boxes: { label: string; checked: boolean }[]): string[] =>
    boxes.map(({ label, checked }) => `${plain(label)} ${checked}`);
  return {
    ...(fields && {
      fields: share(
        named.filter(([name, value]) => result.fields[name]?.value === value).length,
        named.length,
      ),
    }),
    ...(rows && { table: scoreTable(result, rows) }),
    ...(checkboxes && {
      checkboxes: share(countShared(ticks(result.checkboxes), ticks(checkboxes)), checkboxes.length),
    }),
    ...(words && { words: share(countShared((result.text ?? '').split(/\s+/), words), words.length) }),
  };
}
