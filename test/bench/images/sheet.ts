/** A canvas that remembers what was drawn where: the held-back pictures of `images-quality`. Shares no code with the training pictures. */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';

export type LabelledBox = { label: string; box: [number, number, number, number] };

/** Linear congruential generator of Numerical Recipes: any seed gives the same picture everywhere. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 747796405 + 2891336453) >>> 0;
    for (let at = 0; at < 4; at++) this.roll();
  }

  roll(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    const mixed = Math.imul(this.#state ^ (this.#state >>> 16), 0x45d9f3b);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.roll();
  }

  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  one<T>(of: readonly T[]): T {
    return of[Math.floor(this.roll() * of.length)] as T;
  }

  maybe(share: number): boolean {
    return this.roll() < share;
  }

  hue(saturation: number, light: number): string {
    return `hsl(${this.whole(0, 359)}, ${saturation}%, ${light}%)`;
  }
}

const vocabulary = {
  en: 'account balance order quantity amount customer address payment reference delivery service period number total description monthly annual office manager department project summary result system update report review contract supplier approval request status region market value change average record'.split(
    ' ',
  ),
  ms: 'akaun baki pesanan kuantiti jumlah pelanggan alamat bayaran rujukan penghantaran perkhidmatan tempoh nombor keterangan bulanan tahunan pejabat pengurus jabatan projek ringkasan keputusan sistem laporan semakan kontrak pembekal kelulusan permohonan wilayah pasaran nilai purata rekod'.split(
    ' ',
  ),
  zh: '账户 余额 订单 数量 金额 客户 地址 付款 编号 交货 服务 期间 总计 说明 每月 年度 办公室 经理 部门 项目 摘要 结果 系统 更新 报告 审查 合同 供应商 批准 申请 状态 地区 市场 数值 变化 平均 记录'.split(
    ' ',
  ),
};
const faces = [
  'Liberation Sans',
  'DejaVu Serif',
  'Liberation Serif',
  'Noto Sans',
  'DejaVu Sans',
  'Nimbus Roman',
];

export class Sheet {
  readonly dice: Dice;
  readonly canvas: Canvas;
  readonly ctx: SKRSContext2D;
  readonly boxes: LabelledBox[] = [];
  readonly language: keyof typeof vocabulary;
  face: string;
  ink = '#1b1b1b';

  constructor(seed: number, width: number, height: number, ground = '#ffffff') {
    this.dice = new Dice(seed);
    this.language = this.dice.one(['en', 'ms', 'zh'] as const);
    this.face = this.language === 'zh' ? 'Noto Sans CJK SC' : this.dice.one(faces);
    this.canvas = createCanvas(width, height);
    this.ctx = this.canvas.getContext('2d');
    this.fill(0, 0, width, height, ground);
  }

  get width(): number {
    return this.canvas.width;
  }

  get height(): number {
    return this.canvas.height;
  }

  mark(label: string, x: number, y: number, width: number, height: number): void {
    this.boxes.push({ label, box: [x, y, x + width, y + height] });
  }

  fill(x: number, y: number, width: number, height: number, color: string): void {
    this.ctx.fillStyle = color;
    this.ctx.fillRect(x, y, width, height);
  }

  frame(x: number, y: number, width: number, height: number, color = this.ink, line = 1): void {
    this.ctx.strokeStyle = color;
    this.ctx.lineWidth = line;
    this.ctx.strokeRect(x, y, width, height);
  }

  rounded(x: number, y: number, width: number, height: number, radius: number, color: string): void {
    this.ctx.fillStyle = color;
    this.ctx.beginPath();
    this.ctx.roundRect(x, y, width, height, radius);
    this.ctx.fill();
  }

  line(points: readonly (readonly [number, number])[], color = this.ink, width = 1): void {
    this.ctx.strokeStyle = color;
    this.ctx.lineWidth = width;
    this.ctx.beginPath();
    for (const [at, [x, y]] of points.entries()) at === 0 ? this.ctx.moveTo(x, y) : this.ctx.lineTo(x, y);
    this.ctx.stroke();
  }

  words(count: number): string {
    const list = vocabulary[this.language];
    return Array.from({ length: count }, () => this.dice.one(list)).join(this.language === 'zh' ? '' : ' ');
  }

  figure(): string {
    return this.dice.one([
      () => this.dice.between(1, 9000).toFixed(2),
      () => String(this.dice.whole(1, 99999)),
      () => `${this.dice.between(0, 100).toFixed(1)} %`,
      () => `RM${this.dice.between(1, 900).toFixed(2)}`,
    ])();
  }

  /** Writes one line; y is the top. Returns its width. */
  text(
    text: string,
    x: number,
    y: number,
    size: number,
    options: { color?: string; bold?: boolean; face?: string; align?: 'left' | 'right' | 'center' } = {},
  ): number {
    this.ctx.font = `${options.bold ? 'bold ' : ''}${size}px "${options.face ?? this.face}", "Noto Sans CJK SC", sans-serif`;
    this.ctx.fillStyle = options.color ?? this.ink;
    this.ctx.textBaseline = 'top';
    this.ctx.textAlign = options.align ?? 'left';
    this.ctx.fillText(text, x, y);
    const { width } = this.ctx.measureText(text);
    this.ctx.textAlign = 'left';
    return width;
  }

  heading(x: number, y: number, size: number, color = this.ink): number {
    const width = this.text(this.words(this.dice.whole(2, 4)), x, y, size, { bold: true, color });
    this.mark('heading', x, y, width, size * 1.15);
    return y + size * 1.7;
  }

  /** Lines of words in a column; labelled. Returns the y below. */
  paragraph(x: number, y: number, width: number, size: number, lines: number): number {
    const pitch = size * this.dice.between(1.25, 1.6);
    let widest = 0;
    for (let at = 0; at < lines; at++) {
      let text = this.words(2);
      const wanted = at === lines - 1 && lines > 1 ? width * this.dice.between(0.3, 0.9) : width;
      this.ctx.font = `${size}px "${this.face}", "Noto Sans CJK SC", sans-serif`;
      for (
        let more = `${text} ${this.words(1)}`;
        this.ctx.measureText(more).width < wanted;
        more = `${text} ${this.words(1)}`
      )
        text = more;
      widest = Math.max(widest, this.text(text, x, y + at * pitch, size));
    }
    this.mark('text_block', x, y, widest, pitch * (lines - 1) + size * 1.1);
    return y + pitch * lines + size * 0.7;
  }
}
