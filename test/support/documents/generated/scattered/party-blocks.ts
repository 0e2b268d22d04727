/** Blocks of lines that tell of a party: labels above, before or beside each line, numbers and contacts in between, addresses set anew. */

import type { Chance } from '../../specimens/chance.ts';
import type { Firm } from '../parties.ts';
import type { Sheet } from '../sheet.ts';
import type { PartyWords } from './scattered-words.ts';

/** A line of a block: what stands at its left edge, and what stands behind it in a column of its own. */
export interface BlockLine {
  text: string;
  beside?: string;
  size?: number;
  bold?: boolean;
}

/** Distance of values from labels beside them, in font sizes. */
const indentEm = 9;

export const isWide = (firm: Firm): boolean => /[\u2e80-\u9fff]/.test(firm.name);
const joinedBy = (firm: Firm): string => (isWide(firm) ? '' : ', ');

/** The lines of an address, as they are or set anew in fewer. */
export function addressLines(firm: Firm, chance: Chance): string[] {
  const address = firm.address.map((line) => line.replace(/,$/, ''));
  if (address.length < 2 || chance.happens(0.55)) return address;
  const between = joinedBy(firm);
  if (chance.happens(0.4)) return [address.join(chance.pick([between, between, ' - ', ' · ', ' ']))];
  const at = 1 + chance.below(address.length - 1);
  return [address.slice(0, at).join(between), address.slice(at).join(between)];
}

/** Words set in lines of about so many letters. */
export function brokenAt(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

interface BlockOptions {
  words: PartyWords;
  chance: Chance;
  label: string | null;
  /** Contacts and numbers beside name and address. */
  extras: number;
}

function extraLines(firm: Firm, { words, chance, extras }: BlockOptions): string[] {
  const mark = (): string => chance.pick([': ', ' ', ' : ', '. ']);
  const name = chance.pick(['info', 'sales', 'office', 'accounts', 'hello']);
  const all = [
    () => `${chance.pick(words.phone)}${mark()}${firm.phone}`,
    () => firm.phone,
    () => `${name}@${firm.domain}`,
    () => `E-mail: ${name}@${firm.domain}`,
    () => chance.pick([`www.${firm.domain}`, firm.domain, `https://${firm.domain}`]),
    () => `${chance.pick(words.tax)}${mark()}${firm.taxId}`,
    () => `${chance.pick(words.register)}${mark()}${firm.registration}`,
    () => `(${firm.registration})`,
    () => chance.pick(words.persons),
    () => chance.pick(words.slogans),
  ];
  return all.filter(() => chance.happens(extras)).map((make) => make());
}

/** Every line with a label of its own, in front of it or in a column. */
function formLines(firm: Firm, options: BlockOptions): BlockLine[] {
  const { words, chance, label } = options;
  const address = addressLines(firm, chance);
  const mark = chance.pick([':', ' :', '：', '']);
  const inColumns = mark === '' || chance.happens(0.5);
  const eachLine = chance.happens(0.4);
  const line = (key: string, text: string): BlockLine =>
    inColumns ? { text: `${key}${mark}`, beside: text } : { text: `${key}${mark} ${text}` };
  const rows = [
    line(chance.pick(words.name), firm.name),
    ...address.map((text, at) => {
      if (at === 0) return line(chance.pick(words.address), text);
      if (eachLine) return line(chance.pick(words.town), text);
      return inColumns ? { text: '', beside: text } : { text };
    }),
  ];
  const others = [
    line(chance.pick(words.phone), firm.phone),
    line(chance.pick(words.tax), firm.taxId),
    line(chance.pick(words.register), firm.registration),
  ].filter(() => chance.happens(0.45));
  const [before, after] = chance.happens(0.25) ? [others, []] : [[], others];
  return [
    ...(label === null ? [] : [{ text: label, bold: chance.happens(0.5) }]),
    ...(chance.happens(0.5) ? before : []),
    rows[0]!,
    ...(chance.happens(0.5) ? [] : before),
    ...rows.slice(1),
    ...after,
  ];
}

/** Name, address and what else a party tells, in one of the ways that papers set them. */
export function partyBlock(firm: Firm, options: BlockOptions): BlockLine[] {
  const { chance, label } = options;
  const way = chance.pick(['stack', 'stack', 'stack', 'stack', 'inline', 'beside', 'form', 'line'] as const);
  if (way === 'form') return formLines(firm, options);
  const address = addressLines(firm, chance);
  const extras = extraLines(firm, options);
  const mark = chance.pick([':', ' :', '']);
  if (way === 'line' && address.join('').length < 60 && !isWide(firm)) {
    const whole = [firm.name, ...address].join(chance.pick([', ', ' - ', ' · ', ' | ']));
    if (label !== null && chance.happens(0.6))
      return [{ text: `${label}${mark || ':'} ${whole}` }, ...extras.map((text) => ({ text }))];
    return [
      ...(label === null ? [] : [{ text: `${label}${mark}` }]),
      { text: whole },
      ...extras.map((text) => ({ text })),
    ];
  }
  const name = firm.name.length > 24 && chance.happens(0.25) ? brokenAt(firm.name, 20) : [firm.name];
  const cut = chance.happens(0.7) ? 0 : chance.below(extras.length + 1);
  const [between, after] = [extras.slice(0, cut), extras.slice(cut)];
  const gluedPhone = chance.happens(0.08) && !isWide(firm);
  const lines = [
    ...name,
    ...between,
    ...address.slice(0, -1),
    `${address.at(-1)!}${gluedPhone ? `  Tel ${firm.phone}` : ''}`,
    ...after,
  ];
  if (label === null) return lines.map((text) => ({ text }));
  if (way === 'beside')
    return lines.map((text, at) => ({ text: at === 0 ? `${label}${mark}` : '', beside: text }));
  if (way === 'inline')
    return lines.map((text, at) => ({ text: at === 0 ? `${label}${mark || ':'} ${text}` : text }));
  return [{ text: `${label}${mark}`, bold: chance.happens(0.4) }, ...lines.map((text) => ({ text }))];
}

export interface Cell {
  x: number;
  align: 'left' | 'right' | 'center';
  lines: BlockLine[];
  /** Lines further down than the others begin; columns of a page need not share their baselines. */
  drop?: number;
  /** Distance of its lines, against the sheet's. */
  pitch?: number;
}

export const widthOfCell = (lines: readonly BlockLine[], size: number): number =>
  Math.max(
    0,
    ...lines.map(({ text, beside, size: own = size }) =>
      beside === undefined ? 0.52 * own * text.length : size * indentEm + 0.52 * size * beside.length,
    ),
  );

/** Cells beside each other from the same line on; the sheet goes on below the longest. */
export function drawCells(sheet: Sheet, cells: readonly Cell[]): void {
  const top = sheet.y;
  let bottom = top;
  for (const { x, align, lines, drop = 0, pitch = 1 } of cells) {
    sheet.y = top;
    sheet.down(drop);
    for (const { text, beside, ...print } of lines) {
      if (beside === undefined) sheet.at(text, x, { ...print, align });
      else {
        const left = align === 'left' ? x : x - 200;
        sheet.at(text, left, print).at(beside, left + indentEm * sheet.size, print);
      }
      sheet.down(pitch, Math.max(sheet.size, print.size ?? 0));
    }
    bottom = Math.max(bottom, sheet.y);
  }
  sheet.y = bottom;
}

/** Cells as they are, or each with a first line and a distance of lines of its own. */
export const loosened = (cells: readonly Cell[], chance: Chance): readonly Cell[] =>
  chance.happens(0.5)
    ? cells
    : cells.map((cell) => ({
        ...cell,
        drop: chance.happens(0.3) ? 0 : chance.between(0, 1.6),
        pitch: chance.pick([1, 1, 1.1, 1.2]),
      }));
