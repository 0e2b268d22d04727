/**
 * Filled forms, drawn by chance from a seed, with the truth of what is on them: boxes to tick in several styles, marked
 * in several ways, beside what looks like them (combs, bullets, circled numbers, tables); lines to sign on, signed or
 * not. Names and wordings are invented.
 */

import { type Color, type Pen, type Point, pageWidth, type Surface } from './surface.ts';

export type TruthBox = [x0: number, y0: number, x1: number, y1: number];

export interface FormTruth {
  checkboxes: { box: TruthBox; label: string; checked: boolean }[];
  signatures: { box: TruthBox }[];
}

export interface Wording {
  title: string[];
  questions: string[];
  options: string[];
  prose: string[];
  sign: string[];
  date: string[];
  names: string[];
}

export const wordings: Record<'en' | 'ms' | 'zh', Wording> = {
  en: {
    title: [
      'APPLICATION FOR MEMBERSHIP',
      'Customer Feedback Form',
      'Vehicle Inspection Report',
      'Consent Form',
    ],
    questions: [
      'Marital status',
      'Preferred contact',
      'Reason for visit',
      'Type of account',
      'Condition',
      'Payment',
    ],
    options: [
      'Yes',
      'No',
      'Married',
      'Single',
      'Email',
      'Telephone',
      'Post',
      'Savings account',
      'Current account',
      'I agree to the terms',
      'Not applicable',
      'Other',
      'Good',
      'Needs repair',
      'Cash',
      'Credit card',
      'Weekly',
      'Please send me news about products and services by electronic mail',
      'Full time',
      'Part time',
    ],
    prose: [
      'Please complete all sections in block letters and return the form to the office',
      'The information given here is used only to process your request, see overleaf.',
      'One copy is kept on file for seven years as required by law; O negative 100 ml.',
    ],
    sign: ['Signature', 'Signature of applicant', 'Authorised signatory', 'Signed by'],
    date: ['Date: 14 March 2026', 'Date: 02/11/2025'],
    names: ['Name: Priya Nathan', 'Name: Oliver Tan', 'Ref. no. 80088-OB'],
  },
  ms: {
    title: ['BORANG PERMOHONAN KEAHLIAN', 'Borang Maklum Balas Pelanggan', 'Borang Kebenaran'],
    questions: [
      'Taraf perkahwinan',
      'Jantina',
      'Tujuan lawatan',
      'Jenis akaun',
      'Cara bayaran',
      'Warganegara',
    ],
    options: [
      'Ya',
      'Tidak',
      'Berkahwin',
      'Bujang',
      'Lelaki',
      'Perempuan',
      'E-mel',
      'Telefon',
      'Akaun simpanan',
      'Tunai',
      'Kad kredit',
      'Lain-lain',
      'Tidak berkenaan',
      'Saya bersetuju dengan terma dan syarat di atas',
      'Baharu',
    ],
    prose: [
      'Sila lengkapkan semua bahagian dengan huruf besar dan kembalikan borang ini ke pejabat',
      'Maklumat yang diberikan hanya digunakan untuk memproses permohonan anda.',
    ],
    sign: ['Tandatangan', 'Tandatangan pemohon', 'Ditandatangani oleh'],
    date: ['Tarikh: 14 Mac 2026', 'Tarikh: 02/11/2025'],
    names: ['Nama: Aminah binti Osman', 'Nama: Lim Boon Keat', 'No. rujukan 80088'],
  },
  zh: {
    title: ['会员申请表', '客户意见表', '同意书'],
    questions: ['婚姻状况', '性别', '联系方式', '账户类型', '付款方式'],
    options: [
      '是',
      '否',
      '已婚',
      '未婚',
      '男',
      '女',
      '电子邮件',
      '电话',
      '储蓄账户',
      '现金',
      '信用卡',
      '其他',
      '我同意上述条款',
    ],
    prose: ['请用正楷填写所有栏目，并将表格交回办事处。', '所提供的资料仅用于处理您的申请。'],
    sign: ['签名', '申请人签名', '签字'],
    date: ['日期：2026年3月14日', '日期：2025年11月2日'],
    names: ['姓名：陈美玲', '姓名：林国强', '编号 80088'],
  },
};

export type Chance = () => number;

/** Mulberry32: a small generator that gives the same numbers everywhere. */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const black: Color = [0, 0, 0];

class FormDrawing {
  readonly truth: FormTruth = { checkboxes: [], signatures: [] };
  readonly #surface: Surface;
  readonly #chance: Chance;
  readonly #words: Wording;
  readonly #style: { shape: 'square' | 'circle'; side: number; pen: Pen; size: number; left: boolean };
  #y = 60;

  constructor(surface: Surface, chance: Chance, words: Wording) {
    this.#surface = surface;
    this.#chance = chance;
    this.#words = words;
    const size = this.#between(8.5, 11.5);
    this.#style = {
      shape: chance() < 0.7 ? 'square' : 'circle',
      side: this.#between(0.8, 1.25) * size,
      pen: { width: this.#between(0.5, 1.2), color: black },
      size,
      left: chance() < 0.08,
    };
  }

  #between = (low: number, high: number): number => low + (high - low) * this.#chance();
  #pick = <T>(items: T[]): T => items[Math.floor(this.#chance() * items.length)]!;

  draw(): FormTruth {
    this.#surface.text(this.#pick(this.#words.title), [60, this.#y], this.#between(14, 20));
    this.#y += 30;
    this.#prose();
    for (const name of this.#words.names.slice(0, 2)) {
      this.#surface.text(name, [60, this.#y], this.#style.size);
      this.#y += 1.8 * this.#style.size;
    }
    const blocks = 3 + Math.floor(this.#chance() * 3);
    for (let block = 0; block < blocks && this.#y < 560; block++) {
      this.#question();
      const extra = this.#chance();
      if (extra < 0.2) this.#comb();
      else if (extra < 0.35) this.#bullets();
      else if (extra < 0.5) this.#table();
      else if (extra < 0.6) this.#circledNumbers();
    }
    this.#prose();
    this.#signing();
    return this.truth;
  }

  #prose(): void {
    for (const line of this.#words.prose) {
      this.#surface.text(line, [60, this.#y], this.#style.size);
      this.#y += 1.35 * this.#style.size;
    }
    this.#y += 12;
  }

  #question(): void {
    const { size, side } = this.#style;
    const label = `${this.#pick(this.#words.questions)}:`;
    const inline = this.#chance() < 0.5;
    this.#surface.text(label, [60, this.#y], size);
    let x = inline ? 60 + this.#surface.textWidth(label, size) + 14 : 72;
    if (!inline) this.#y += 1.9 * size;
    const count = 2 + Math.floor(this.#chance() * 4);
    const options = new Set<string>();
    while (options.size < count) options.add(this.#pick(this.#words.options));
    for (const option of options) {
      const width = side + 5 + this.#surface.textWidth(option, size);
      if (x + width > pageWidth - 50) {
        x = 72;
        this.#y += 1.9 * size;
      }
      this.#option(x, option);
      if (inline) x += width + this.#between(16, 30);
      else this.#y += this.#between(1.6, 2.1) * size;
    }
    this.#y += inline ? 2.2 * size : 8;
  }

  #option(x: number, label: string): void {
    const { size, side, left } = this.#style;
    const gap = this.#between(3, 6);
    const textWidth = this.#surface.textWidth(label, size);
    const boxX = left ? x + textWidth + gap : x;
    const top = this.#y - 0.36 * size - side / 2;
    const box: TruthBox = [boxX, top, boxX + side, top + side];
    this.#frame(box);
    const checked = this.#chance() < 0.45;
    if (checked) this.#mark(box);
    this.#surface.text(label, [left ? x : x + side + gap, this.#y], size);
    this.truth.checkboxes.push({ box, label, checked });
  }

  #frame(box: TruthBox): void {
    const { shape, side, pen } = this.#style;
    if (shape === 'square') this.#surface.rectangle(box, { pen });
    else this.#surface.circle([box[0] + side / 2, box[1] + side / 2], side / 2, { pen });
  }

  #mark([x0, y0, x1, y1]: TruthBox): void {
    const side = x1 - x0;
    const shake = (): number => this.#between(-0.08, 0.08) * side;
    const at = (u: number, v: number): Point => [x0 + u * side + shake(), y0 + v * (y1 - y0) + shake()];
    const pen: Pen = {
      width: this.#between(0.9, 1.7),
      color: this.#chance() < 0.4 ? [0.1, 0.15, 0.6] : black,
    };
    const kind = this.#chance();
    if (kind < 0.4) this.#surface.stroke([at(0.15, 0.5), at(0.42, 0.85), at(0.95, 0.05)], pen);
    else if (kind < 0.7) {
      this.#surface.stroke([at(0.12, 0.12), at(0.88, 0.88)], pen);
      this.#surface.stroke([at(0.88, 0.12), at(0.12, 0.88)], pen);
    } else if (kind < 0.82) {
      const inset = 0.22 * side;
      if (this.#style.shape === 'circle')
        this.#surface.circle([(x0 + x1) / 2, (y0 + y1) / 2], side / 2 - inset, { fill: black });
      else this.#surface.rectangle([x0 + inset, y0 + inset, x1 - inset, y1 - inset], { fill: black });
    } else if (kind < 0.9)
      this.#surface.rectangle([x0 + 0.08 * side, y0 + 0.08 * side, x1 - 0.08 * side, y1 - 0.08 * side], {
        fill: black,
      });
    else {
      const scribble = Array.from({ length: 7 }, (_, step) =>
        at(0.15 + step * 0.115, step % 2 === 0 ? 0.2 : 0.8),
      );
      this.#surface.stroke(scribble, pen);
    }
  }

  /** One cell for each letter. */
  #comb(): void {
    const side = this.#between(12, 16);
    for (let cell = 0; cell < 10; cell++) {
      const x = 72 + cell * side;
      this.#surface.rectangle([x, this.#y, x + side, this.#y + side], { pen: { width: 0.6, color: black } });
      if (this.#chance() < 0.6)
        this.#surface.text(String(Math.floor(this.#chance() * 10)), [x + 4, this.#y + side - 4], 9);
    }
    this.#y += side + 22;
  }

  #bullets(): void {
    for (let line = 0; line < 3; line++) {
      this.#surface.circle([66, this.#y - 3], 1.8, { fill: black });
      this.#surface.text(this.#pick(this.#words.prose), [74, this.#y], this.#style.size);
      this.#y += 1.5 * this.#style.size;
    }
    this.#y += 10;
  }

  #circledNumbers(): void {
    for (let number = 1; number <= 3; number++) {
      this.#surface.circle([68, this.#y - 3.2], 6.2, { pen: { width: 0.6, color: black } });
      this.#surface.text(String(number + 1), [65.4, this.#y], 9);
      this.#surface.text(this.#pick(this.#words.options), [80, this.#y], this.#style.size);
      this.#y += 17;
    }
    this.#y += 8;
  }

  #table(): void {
    const [rows, cols, height] = [3, 4, 16];
    const width = (pageWidth - 120) / cols;
    const pen = { width: 0.6, color: black };
    for (let row = 0; row <= rows; row++)
      this.#surface.stroke(
        [
          [60, this.#y + row * height],
          [60 + cols * width, this.#y + row * height],
        ],
        pen,
      );
    for (let col = 0; col <= cols; col++)
      this.#surface.stroke(
        [
          [60 + col * width, this.#y],
          [60 + col * width, this.#y + rows * height],
        ],
        pen,
      );
    for (let row = 0; row < rows; row++)
      for (let col = 0; col < cols; col++)
        this.#surface.text(
          row === 0 || col === 0
            ? this.#pick(this.#words.questions).slice(0, 16)
            : String(Math.floor(this.#chance() * 900)),
          [64 + col * width, this.#y + row * height + 11],
          8.5,
        );
    this.#y += rows * height + 24;
  }

  #signing(): void {
    const { size } = this.#style;
    const base = Math.max(this.#y + 50, 690);
    const places = this.#chance() < 0.5 ? [60] : [60, 330];
    for (const x of places) {
      const label = this.#pick(this.#words.sign);
      const above = this.#chance() < 0.5;
      const labelWidth = this.#surface.textWidth(`${label}:`, size);
      const lineX = above ? x : x + labelWidth + 6;
      const lineEnd = lineX + this.#between(120, 170);
      if (this.#chance() < 0.85)
        this.#surface.stroke(
          [
            [lineX, base],
            [lineEnd, base],
          ],
          { width: 0.6, color: black },
        );
      if (above) this.#surface.text(label, [x, base + 1.3 * size], size);
      else this.#surface.text(`${label}:`, [x, base - 1], size);
      if (this.#chance() < 0.65)
        this.#signature([lineX + this.#between(2, 14), base - this.#between(1, 6)], lineEnd);
      this.#surface.text(this.#pick(this.#words.date), [x, base + 3.4 * size], size);
    }
  }

  /** A hand that runs on: loops of changing width and height along a rising line, with a flourish. */
  #signature([x, y]: Point, limit: number): void {
    const length = Math.min(this.#between(55, 120), limit - x);
    const height = this.#between(9, 20);
    const rise = this.#between(-0.05, 0.16);
    const turns = length / this.#between(7, 13);
    const points: Point[] = [];
    let wave = 1;
    for (let step = 0; step <= 120; step++) {
      const share = step / 120;
      if (step % 8 === 0) wave = this.#between(0.25, 1) * (step === 0 ? 1.6 : 1);
      const angle = 2 * Math.PI * turns * share;
      points.push([
        x + length * share + 0.22 * height * wave * Math.sin(angle),
        y - 0.45 * height - rise * length * share - 0.5 * height * wave * Math.cos(angle),
      ]);
    }
    if (this.#chance() < 0.6)
      for (let step = 0; step <= 20; step++)
        points.push([x + length - (step / 20) * length * 0.9, y - 0.1 * height + 3 * Math.sin(step / 3)]);
    const color: Color = this.#chance() < 0.5 ? [0.08, 0.12, 0.55] : [0.05, 0.05, 0.08];
    this.#surface.stroke(points, { width: this.#between(0.8, 1.6), color });
    const xs = points.map(([px]) => px);
    const ys = points.map(([, py]) => py);
    this.truth.signatures.push({ box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] });
  }
}

/** Draws the form of this seed and tells what is on it, in points. */
export function drawForm(surface: Surface, seed: number, language: keyof typeof wordings): FormTruth {
  return new FormDrawing(surface, chanceFrom(seed), wordings[language]).draw();
}
