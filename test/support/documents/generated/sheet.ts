/** A sheet that lines of print are set on, and the page that recognition would make of it. */

import type { Page, Word } from '../../../../server/engine/documents/document.ts';
import type { Box } from '../../../../server/engine/vision/geometry.ts';
import { type Chance, createChance } from '../specimens/chance.ts';

/** Mean width of a letter in font sizes. */
const letterEm = 0.52;
const wideEm = 1;

const emOf = (char: string): number => (/[\u2e80-\u9fff\uff00-\uffef]/.test(char) ? wideEm : letterEm);
export const widthOfText = (text: string, size: number): number =>
  size * [...text].reduce((sum, char) => sum + emOf(char), 0);

/** A run of print: its left edge and baseline in points. */
export interface SetText {
  text: string;
  x: number;
  baseline: number;
  size: number;
  bold: boolean;
}

export interface Print {
  size?: number;
  bold?: boolean;
}

export class Sheet {
  readonly runs: SetText[] = [];
  readonly width: number;
  readonly margin: number;
  readonly size: number;
  /** Baseline distance in font sizes. */
  readonly leading: number;
  /** Of the paper; what is printed may need more. */
  readonly height: number;
  y: number;

  constructor(width: number, { margin = 12, size = 9, leading = 1.35, top = 20, height = 0 } = {}) {
    this.width = width;
    this.margin = margin;
    this.size = size;
    this.leading = leading;
    this.height = height;
    this.y = top;
  }

  /** Sets a text with its left edge, middle or right edge at `x`; the line stays. */
  at(
    text: string,
    x: number,
    { size = this.size, bold = false, align = 'left' }: Print & { align?: 'left' | 'center' | 'right' } = {},
  ): this {
    const width = widthOfText(text, size);
    const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
    if (text !== '') this.runs.push({ text, x: left, baseline: this.y, size, bold });
    return this;
  }

  /** Goes down a line. */
  down(lines = 1, size = this.size): this {
    this.y += lines * this.leading * size;
    return this;
  }

  line(text: string, align: 'left' | 'center' | 'right', print: Print = {}): this {
    const size = print.size ?? this.size;
    if (this.runs.length > 0 && size > this.size) this.y += 0.5 * (size - this.size);
    const x = { left: this.margin, center: this.width / 2, right: this.width - this.margin }[align];
    return this.at(text, x, { ...print, align }).down(1, Math.max(size, this.size));
  }

  /** A label at the left and an amount at the right. */
  pair(label: string, value: string, print: Print = {}): this {
    this.at(label, this.margin, print).at(value, this.width - this.margin, { ...print, align: 'right' });
    return this.down(1, print.size ?? this.size);
  }
}

const confusions: [string, string][] = [
  ['O', '0'],
  ['0', 'O'],
  ['I', '1'],
  ['1', 'I'],
  ['S', '5'],
  ['B', '8'],
  ['.', ','],
  ['l', 'I'],
  ['D', 'O'],
  ['E', 'F'],
  [',', '.'],
];

/** Chances of a slip for each character and of a lost blank. */
export interface Noise {
  slip: number;
  join: number;
  jitter: number;
}

function slipped(text: string, chance: Chance, slip: number): string {
  return [...text]
    .map((char) => {
      if (/\d/.test(char) || !chance.happens(slip)) return char;
      return confusions.find(([from]) => from === char)?.[1] ?? char;
    })
    .join('');
}

function toWordsOf(run: SetText, chance: Chance, { slip, join, jitter }: Noise): Word[] {
  const words: Word[] = [];
  const shift = jitter * run.size * chance.between(-1, 1);
  let x = run.x;
  for (const token of run.text.split(/(\s+)/)) {
    const width = widthOfText(token, run.size);
    if (token.trim() !== '') {
      const text = slipped(token, chance, slip);
      const baseline = run.baseline + shift;
      const box: Box = [x, baseline - 0.8 * run.size, x + width, baseline + 0.2 * run.size];
      const last = words.at(-1);
      if (last && chance.happens(join)) {
        last.text += text;
        last.box = [last.box[0], last.box[1], box[2], last.box[3]];
      } else
        words.push({
          text,
          box,
          baseline,
          size: run.size,
          bold: run.bold,
          turned: false,
          source: 'recognition',
        });
    }
    x += width;
  }
  return words;
}

/** The sheet as a page that was read with the given noise. */
export function toPage(sheet: Sheet, noise: Noise, seed: number): Page {
  const chance = createChance(seed);
  const words = sheet.runs.flatMap((run) => toWordsOf(run, chance, noise));
  const printed = Math.max(...sheet.runs.map(({ baseline }) => baseline)) + 2 * sheet.size;
  const height = Math.max(sheet.height, printed);
  const { width } = sheet;
  return {
    number: 1,
    width,
    height,
    words,
    horizontal: [],
    vertical: [],
    frames: [],
    fills: [],
    slants: [],
    toView: ([x0, y0, x1, y1]) => [x0 / width, y0 / height, x1 / width, y1 / height],
  };
}
