/** Passports, visas and cards with a machine-readable zone, drawn with invented people of reserved country codes. */

import type { Canvas } from '@napi-rs/canvas';
import type { MrzFormat } from '../../../../server/engine/documents/mrz/mrz-layouts.ts';
import { type Chance, createChance } from './chance.ts';
import { Sheet } from './drawing.ts';
import { inventMrz, type MrzTruth } from './mrz-lines.ts';

export interface TravelDocument {
  canvas: Canvas;
  truth: MrzTruth & { issueDate: string; birthPlace: string };
}

/** Millimetres of Doc 9303: booklets, cards, visas. */
const sizes: Record<MrzFormat, [width: number, height: number]> = {
  TD3: [125, 88],
  TD1: [85.6, 54],
  TD2: [105, 74],
  'MRV-A': [120, 80],
  'MRV-B': [105, 74],
};

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

function printDate(iso: string, style: number): string {
  const [year, month, day] = iso.split('-') as [string, string, string];
  if (style === 0) return `${day} ${months[Number(month) - 1]} ${year}`;
  if (style === 1) return `${day}.${month}.${year}`;
  return `${day} ${months[Number(month) - 1]}/${months[Number(month) - 1]} ${year}`;
}

const titles: Record<MrzFormat, string> = {
  TD3: 'PASSPORT  PASSEPORT',
  TD1: 'IDENTITY CARD',
  TD2: 'IDENTITY CARD',
  'MRV-A': 'VISA',
  'MRV-B': 'VISA',
};

function printed(truth: TravelDocument['truth'], style: number): [label: string, value: string][] {
  return [
    ['Surname / Nom', truth.surname],
    ['Given names / Prénoms', truth.givenNames],
    ['Nationality / Nationalité', truth.nationality],
    ['Date of birth / Date de naissance', printDate(truth.birthDate, style)],
    ['Sex / Sexe', truth.sex],
    ['Place of birth / Lieu de naissance', truth.birthPlace],
    ['Date of issue / Date de délivrance', printDate(truth.issueDate, style)],
    ['Date of expiry / Date d’expiration', printDate(truth.expiryDate, style)],
  ];
}

function drawPrinted(sheet: Sheet, truth: TravelDocument['truth'], chance: Chance): void {
  const [unit, left] = [sheet.height / 88, sheet.width * 0.33];
  sheet.text(titles[truth.format], [4 * unit, 7 * unit], { size: 4 * unit, bold: true, color: '#5a2030' });
  sheet.text('UTOPIA', [left + 42 * unit, 7 * unit], { size: 4 * unit, bold: true, color: '#5a2030' });
  sheet.portrait([4 * unit, 12 * unit, left - 8 * unit, 40 * unit], chance);
  const label = { size: 1.9 * unit, color: '#6b5560' };
  const value = { size: 3.1 * unit };
  sheet.text('Document No. / N° du document', [left + 42 * unit, 13 * unit], label);
  sheet.text(truth.number, [left + 42 * unit, 16.6 * unit], value);
  sheet.text('Code', [left, 13 * unit], label);
  sheet.text(truth.issuer, [left, 16.6 * unit], value);
  for (const [index, [name, text]] of printed(truth, chance.below(3)).entries()) {
    // Dates and sex share rows, as they do on real pages.
    const [row, column] = [
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 0],
      [3, 1],
      [4, 0],
      [5, 0],
      [5, 1],
    ][index] as [number, number];
    const [x, y] = [left + column * 36 * unit, (21 + row * 6.6) * unit];
    sheet.text(name, [x, y], label);
    sheet.text(text, [x, y + 3.4 * unit], value);
  }
}

export function drawTravelDocument(seed: number, format: MrzFormat, pxPerMm = 11): TravelDocument {
  const chance = createChance(seed);
  const mrz = inventMrz(chance, format);
  const year = Number(mrz.expiryDate.slice(0, 4)) - chance.pick([5, 10]);
  const truth = {
    ...mrz,
    issueDate: `${year}${mrz.expiryDate.slice(4)}`,
    birthPlace: chance.pick(['ZENITH', 'PORT REKA', 'NEWTOWN', 'BANDAR CIPTA']),
  };
  const paper = chance.pick(['#f3efe6', '#e9f0f3', '#f4e8ea', '#eef3e6']);
  const sheet = new Sheet(sizes[format], { pxPerMm, paper });
  sheet.waves(chance.pick(['#d9c8cf', '#c6d6de', '#d3dcc4']), chance);
  const pitch = Math.min(2.54, (sheet.width - 6) / mrz.lines[0]!.length);
  const face = chance.happens(0.8) ? 'OCR-B' : 'fixed';
  const left = (sheet.width - pitch * mrz.lines[0]!.length) / 2;
  const foot = sheet.height - (mrz.lines.length - 1) * 6.35 * (pitch / 2.54) - 6;
  if (format === 'TD1') {
    // The back of a card: nothing but its mrz and a few words.
    sheet.text('UTOPIA  IDENTITY CARD', [4, 7], { size: 3.4, bold: true, color: '#5a2030' });
    sheet.text('Authority / Autorité', [4, 13], { size: 1.8, color: '#6b5560' });
    sheet.text('CITY OF ZENITH', [4, 16], { size: 2.8 });
  } else drawPrinted(sheet, truth, chance);
  for (const [index, line] of mrz.lines.entries())
    sheet.mrzLine(line, [left, foot + index * 6.35 * (pitch / 2.54)], { pitch, face });
  return { canvas: sheet.canvas, truth };
}
