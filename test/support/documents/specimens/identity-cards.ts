/** Malaysian identity cards of several generations, drawn after their general arrangement with invented people. */

import type { Canvas } from '@napi-rs/canvas';
import { type Chance, createChance } from './chance.ts';
import { Sheet } from './drawing.ts';
import { type CardHolder, inventCardHolder } from './people.ts';

export const cardKinds = ['mykad-2001', 'mykad-2012', 'mypr', 'mykid', 'mykad-back'] as const;
export type CardKind = (typeof cardKinds)[number];

export interface IdentityCard {
  canvas: Canvas;
  truth: CardHolder & { kind: CardKind; citizenship: string };
}

const ink = '#15151c';
const papers: Record<CardKind, string[]> = {
  'mykad-2001': ['#cfe0ee', '#d6e4ea'],
  'mykad-2012': ['#d3e3f0', '#dde6ef'],
  mypr: ['#efd4d0', '#f0dbd6'],
  mykid: ['#f3d9e6', '#f5dfe9'],
  'mykad-back': ['#cfe0ee', '#d9e6ee'],
};

function drawChip(sheet: Sheet, [x, y]: [number, number]): void {
  const { draw } = sheet;
  draw.fillStyle = '#c9a94a';
  draw.fillRect(x, y, 12, 10);
  draw.strokeStyle = '#8d7430';
  draw.lineWidth = 0.25;
  for (const at of [3, 6, 9]) {
    draw.strokeRect(x + at, y, 0.01, 10);
    draw.strokeRect(x, y + at, 12, 0.01);
  }
}

function drawEmblem(sheet: Sheet, [x, y]: [number, number], color: string): void {
  const { draw } = sheet;
  draw.fillStyle = color;
  draw.beginPath();
  draw.arc(x, y, 4, 0, 2 * Math.PI);
  draw.fill();
  draw.fillStyle = '#e8c547';
  draw.beginPath();
  draw.arc(x - 0.6, y, 2, 0, 2 * Math.PI);
  draw.fill();
}

const logos: Record<CardKind, string> = {
  'mykad-2001': 'MyKad',
  'mykad-2012': 'MyKad',
  mypr: 'MyPR',
  mykid: 'MyKid',
  'mykad-back': '',
};

/** Lines of the address as cards print them, from the house to the state. */
export const addressLines = ({ street, postcode, city, state }: CardHolder): string[] => [
  ...street,
  `${postcode} ${city}`,
  state,
];

/** A long name goes on in a second line, broken at a blank. */
function nameLines(name: string, limit: number): string[] {
  if (name.length <= limit) return [name];
  const at = name.lastIndexOf(' ', limit);
  return [name.slice(0, at), name.slice(at + 1)];
}

function drawFront(sheet: Sheet, { truth, chance }: { truth: IdentityCard['truth']; chance: Chance }): void {
  const old = truth.kind === 'mykad-2001';
  const title = { size: 3.1, bold: true, color: '#1c2f6b' };
  sheet.text('KAD PENGENALAN', [4, 5.2], title);
  sheet.text(old ? 'MALAYSIA' : 'MALAYSIA', [4, 8.9], title);
  sheet.text('IDENTITY CARD', [4, 12], { size: 2.3, color: '#1c2f6b' });
  sheet.text(logos[truth.kind], [48, 8.6], { size: 6, bold: true, color: '#b3202c' });
  drawEmblem(sheet, [old ? 79 : 40, 7.5], '#1c2f6b');
  sheet.text(truth.number, [4, old ? 17.6 : 18.2], { size: old ? 4.2 : 4.6, bold: true, color: ink });
  drawChip(sheet, [8, 21]);
  if (truth.kind !== 'mykid') {
    sheet.portrait(old ? [60, 13, 21, 27] : [57, 12, 25, 31], chance);
    if (!old) {
      sheet.draw.globalAlpha = 0.25;
      sheet.portrait([44, 14, 10, 13], chance);
      sheet.draw.globalAlpha = 1;
    }
  }
  const value = { size: old ? 2.7 : 2.9, color: ink };
  const lines = [...nameLines(truth.name, 30), '', ...addressLines(truth)];
  let y = old ? 34.4 : 35;
  for (const line of lines) {
    if (line !== '') sheet.text(line, [4, y], value);
    y += line === '' ? 0.9 : 3.3;
  }
  const foot = { size: 2.5, color: ink };
  const x = { mykid: 62, mypr: 55 }[truth.kind as string] ?? 60;
  sheet.text(truth.citizenship, [x, 45.6], foot);
  if (truth.muslim && truth.kind !== 'mypr') sheet.text('ISLAM', [x, 48.9], foot);
  sheet.text(truth.sex === 'male' ? 'LELAKI' : 'PEREMPUAN', [x, 52], foot);
  if (truth.kind === 'mykad-2012' && chance.happens(0.3)) sheet.text('H', [82, 52], foot);
}

function drawBack(sheet: Sheet, { truth, chance }: { truth: IdentityCard['truth']; chance: Chance }): void {
  sheet.text('PENDAFTARAN NEGARA MALAYSIA', [18, 8], { size: 3.4, bold: true, color: '#1c2f6b' });
  drawChip(sheet, [66, 14]);
  sheet.text('80K', [68, 28], { size: 3, bold: true, color: '#1c2f6b' });
  sheet.text(`${truth.number}-0${1 + chance.below(4)}-01`, [6, 22], { size: 3.4, bold: true, color: ink });
  sheet.draw.strokeStyle = '#22264d';
  sheet.draw.lineWidth = 0.35;
  sheet.draw.beginPath();
  sheet.draw.moveTo(10, 38);
  for (let step = 0; step < 7; step++)
    sheet.draw.quadraticCurveTo(12 + step * 4, 30 + chance.between(0, 8), 14 + step * 4, 37);
  sheet.draw.stroke();
  sheet.text('KETUA PENGARAH PENDAFTARAN NEGARA', [6, 44], { size: 2.3, color: ink });
  sheet.text('TOUCH’N GO', [62, 47], { size: 3, bold: true, color: '#1c2f6b' });
}

const citizenships: Record<CardKind, string> = {
  'mykad-2001': 'WARGANEGARA',
  'mykad-2012': 'WARGANEGARA',
  mypr: 'PEMASTAUTIN TETAP',
  mykid: 'WARGANEGARA',
  'mykad-back': '',
};

export function drawIdentityCard(seed: number, kind: CardKind, pxPerMm = 12): IdentityCard {
  const chance = createChance(seed + 5000);
  const holder = inventCardHolder(chance, kind === 'mykid' ? [2015, 2025] : [1945, 2012]);
  const truth = { ...holder, kind, citizenship: citizenships[kind] };
  const sheet = new Sheet([85.6, 54], { pxPerMm, paper: chance.pick(papers[kind]) });
  sheet.waves(chance.pick(['#aecbe0', '#b9cfe4', '#e3c2cc']), chance);
  if (kind === 'mykad-back') drawBack(sheet, { truth, chance });
  else drawFront(sheet, { truth, chance });
  return { canvas: sheet.canvas, truth };
}
