/** Held-back charts, diagrams, maps, tables and code. */
import type { Sheet } from './sheet.ts';

const tones = ['#4e79a7', '#f28e2b', '#e15759', '#76b7b2', '#59a14f', '#edc948', '#b07aa1', '#9c755f'];

/** Frame of a plot with ticks and a title; returns x, y, width, height inside. */
function plot(sheet: Sheet, x: number, y: number, w: number, h: number): [number, number, number, number] {
  const { dice } = sheet;
  const size = Math.max(7, h * 0.045);
  sheet.text(sheet.words(3), x + w / 2, y + size * 0.3, size * 1.2, {
    align: 'center',
    bold: dice.maybe(0.5),
  });
  const [left, top, wide, tall] = [x + size * 3.5, y + size * 2.2, w - size * 4.5, h - size * 5];
  const ticks = dice.whole(4, 6);
  for (let at = 0; at <= ticks; at++) {
    const level = top + tall - (tall * at) / ticks;
    if (dice.maybe(0.7))
      sheet.line(
        [
          [left, level],
          [left + wide, level],
        ],
        '#8888884d',
      );
    sheet.text(String(at * 25), left - size * 0.4, level - size / 2, size * 0.8, { align: 'right' });
  }
  for (let at = 0; at < 5; at++)
    sheet.text(String(2019 + at), left + (wide * (at + 0.5)) / 5, top + tall + size * 0.4, size * 0.8, {
      align: 'center',
    });
  sheet.line([
    [left, top],
    [left, top + tall],
    [left + wide, top + tall],
  ]);
  sheet.text(sheet.words(2), left + wide / 2, top + tall + size * 1.5, size, { align: 'center' });
  return [left, top, wide, tall];
}

export function bars(sheet: Sheet, x: number, y: number, w: number, h: number): void {
  const { dice } = sheet;
  const [left, top, wide, tall] = plot(sheet, x, y, w, h);
  const groups = dice.whole(4, 9);
  const series = dice.whole(1, 3);
  const slot = wide / groups;
  for (let group = 0; group < groups; group++)
    for (let at = 0; at < series; at++) {
      const high = tall * dice.between(0.1, 0.95);
      const thick = (slot * 0.7) / series;
      sheet.fill(
        left + slot * (group + 0.15) + at * thick,
        top + tall - high,
        thick * 0.95,
        high,
        tones[at + (series === 1 ? groups % 7 : 0)]!,
      );
    }
  sheet.mark('bar_chart', x, y, w, h);
}

export function lines(sheet: Sheet, x: number, y: number, w: number, h: number): void {
  const { dice } = sheet;
  const [left, top, wide, tall] = plot(sheet, x, y, w, h);
  const points = dice.whole(8, 40);
  for (let series = dice.whole(1, 4); series > 0; series--) {
    const [middle, swing, rate, phase] = [
      dice.between(0.3, 0.7),
      dice.between(0.1, 0.25),
      dice.between(1, 9),
      dice.between(0, 6),
    ];
    sheet.line(
      Array.from(
        { length: points },
        (_, at) =>
          [
            left + (wide * at) / (points - 1),
            top +
              tall * (middle + swing * Math.sin(phase + (rate * at) / points) + dice.between(-0.05, 0.05)),
          ] as const,
      ),
      tones[series]!,
      dice.between(1.2, 2.6),
    );
  }
  sheet.mark('line_chart', x, y, w, h);
}

export function scatter(sheet: Sheet, x: number, y: number, w: number, h: number): void {
  const { dice, ctx } = sheet;
  const [left, top, wide, tall] = plot(sheet, x, y, w, h);
  for (let series = dice.whole(1, 3); series > 0; series--) {
    ctx.fillStyle = tones[series]!;
    const [cx, cy] = [dice.between(0.3, 0.7), dice.between(0.3, 0.7)];
    for (let at = 0; at < 60; at++) {
      const angle = dice.between(0, 6.3);
      const reach = dice.between(0, 0.28);
      ctx.beginPath();
      ctx.arc(
        left + wide * (cx + reach * Math.cos(angle)),
        top + tall * (cy + reach * Math.sin(angle)),
        Math.max(1.5, h * 0.008),
        0,
        6.3,
      );
      ctx.fill();
    }
  }
  sheet.mark('scatter_chart', x, y, w, h);
}

export function pie(sheet: Sheet, x: number, y: number, w: number, h: number): void {
  const { dice, ctx } = sheet;
  const parts = dice.whole(3, 7);
  const radius = Math.min(w * 0.32, h * 0.4);
  const [cx, cy] = [x + w * 0.38, y + h / 2];
  const weights = Array.from({ length: parts }, () => dice.between(0.3, 1));
  const sum = weights.reduce((a, b) => a + b);
  let angle = dice.between(0, 6);
  for (const [at, weight] of weights.entries()) {
    const next = angle + (weight / sum) * 2 * Math.PI;
    ctx.fillStyle = tones[at]!;
    ctx.beginPath();
    ctx.moveTo(cx, cy);
    ctx.arc(cx, cy, radius, angle, next);
    ctx.fill();
    angle = next;
    sheet.rounded(x + w * 0.76, y + h * 0.2 + at * h * 0.08, h * 0.04, h * 0.04, 1, tones[at]!);
    sheet.text(sheet.words(1), x + w * 0.76 + h * 0.06, y + h * 0.2 + at * h * 0.08, h * 0.04);
  }
  sheet.mark('pie_chart', x, y, w, h);
}

export function diagram(sheet: Sheet, x: number, y: number, w: number, h: number): void {
  const { dice } = sheet;
  const rows = dice.whole(3, 4);
  const [bw, bh] = [w * 0.24, (h / rows) * 0.5];
  const places: [number, number][] = [];
  for (let row = 0; row < rows; row++) {
    const across = row === 0 ? 1 : dice.whole(1, 3);
    for (let at = 0; at < across; at++)
      places.push([x + (w * (at + 0.5)) / across, y + (h * (row + 0.5)) / rows]);
  }
  const tone = dice.one(['#ffffff', '#dbe9ff', '#fdeccf', '#e3f4e1']);
  for (const [at, [px, py]] of places.entries()) {
    const from = places[Math.max(0, at - 2)]!;
    if (at)
      sheet.line(
        [
          [from[0], from[1] + bh / 2],
          [from[0], (from[1] + py) / 2],
          [px, (from[1] + py) / 2],
          [px, py - bh / 2],
        ],
        '#333',
        1.4,
      );
  }
  for (const [px, py] of places) {
    sheet.rounded(px - bw / 2, py - bh / 2, bw, bh, 5, tone);
    sheet.frame(px - bw / 2, py - bh / 2, bw, bh, '#333', 1.4);
    sheet.text(sheet.words(1), px, py - bh * 0.15, Math.max(7, bh * 0.24), {
      align: 'center',
      color: '#111',
    });
  }
  sheet.mark('diagram', x, y, w, h);
}

export function map(sheet: Sheet, x: number, y: number, w: number, h: number): void {
  const { dice, ctx } = sheet;
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, w, h);
  ctx.clip();
  sheet.fill(x, y, w, h, '#efece4');
  for (let at = 0; at < 3; at++)
    sheet.rounded(
      x + w * dice.between(-0.1, 0.8),
      y + h * dice.between(-0.1, 0.8),
      w * dice.between(0.15, 0.35),
      h * dice.between(0.15, 0.3),
      18,
      dice.one(['#cbe6b4', '#b6d7a8', '#a9d3e6']),
    );
  const wave = (from: number, drift: number) =>
    Array.from(
      { length: 30 },
      (_, at) =>
        [x + (w * at) / 29, y + h * (from + drift * (at / 29) + 0.05 * Math.sin(at / 3 + from * 9))] as const,
    );
  if (dice.maybe(0.7)) sheet.line(wave(dice.between(0.2, 0.8), dice.between(-0.4, 0.4)), '#9cc9e4', h * 0.07);
  for (let at = dice.whole(5, 10); at > 0; at--) {
    const [cut, tilt] = [dice.between(0, 1), dice.between(-0.15, 0.15)];
    const road = dice.maybe(0.5)
      ? ([
          [x + w * cut, y],
          [x + w * (cut + tilt), y + h],
        ] as const)
      : ([
          [x, y + h * cut],
          [x + w, y + h * (cut + tilt)],
        ] as const);
    const wide = dice.between(2, 8);
    sheet.line(road, '#c9bfae', wide + 2);
    sheet.line(road, wide > 6 ? '#f6d58a' : '#ffffff', wide);
  }
  for (let at = dice.whole(4, 9); at > 0; at--)
    sheet.text(
      sheet.words(1),
      x + w * dice.between(0.02, 0.85),
      y + h * dice.between(0.02, 0.93),
      dice.between(8, 13),
      { color: '#566' },
    );
  ctx.restore();
  sheet.mark('map', x, y, w, h);
}

export const charts = [bars, lines, pie, scatter];

/** Returns the y below. */
export function table(
  sheet: Sheet,
  x: number,
  y: number,
  width: number,
  rows: number,
  columns: number,
  size: number,
): number {
  const { dice } = sheet;
  const pitch = size * dice.between(1.5, 2.3);
  const style = dice.one(['grid', 'rows', 'plain', 'zebra']);
  const shares = Array.from({ length: columns }, (_, at): number => (at === 0 ? 1.8 : 1));
  const sum = shares.reduce((a, b) => a + b);
  const head = dice.maybe(0.6) ? dice.hue(40, 38) : undefined;
  if (head) sheet.fill(x, y, width, pitch, head);
  for (let row = 0; row < rows; row++) {
    const top = y + row * pitch;
    if (style === 'zebra' && row % 2 && row) sheet.fill(x, top, width, pitch, '#8080801f');
    if (style === 'rows' || style === 'grid')
      sheet.line(
        [
          [x, top + pitch],
          [x + width, top + pitch],
        ],
        '#888',
      );
    let left = x;
    for (let column = 0; column < columns; column++) {
      const wide = (width * shares[column]!) / sum;
      const text = row === 0 || column === 0 ? sheet.words(row === 0 ? 1 : 2) : sheet.figure();
      const right = column > 0 && row > 0;
      sheet.text(text, right ? left + wide - 5 : left + 5, top + (pitch - size) / 2, size, {
        align: right ? 'right' : 'left',
        bold: row === 0,
        ...(row === 0 && head ? { color: '#fff' } : {}),
      });
      if (style === 'grid')
        sheet.line(
          [
            [left, top],
            [left, top + pitch],
          ],
          '#888',
        );
      left += wide;
    }
  }
  if (style === 'grid') sheet.frame(x, y, width, rows * pitch, '#888');
  sheet.mark('table', x, y, width, rows * pitch);
  return y + rows * pitch + size;
}

const listing = [
  'fn main() {',
  '    let total = items.iter().sum::<i64>();',
  '    println!("{total}");',
  '}',
  'package main',
  'import "fmt"',
  'func add(a, b int) int {',
  '    return a + b',
  'public class Box<T> {',
  '    private final T value;',
  '  if err != nil {',
  '    log.Fatal(err)',
  '# build the index',
  'for key, rows in groups.items():',
  '    print(key, len(rows))',
  'SELECT id, name FROM users WHERE age > 30;',
  '<div class="card">',
  '  <span>hello</span>',
  '</div>',
  '',
];

/** Monospaced lines from (x, y); marks their extent. */
export function codeText(
  sheet: Sheet,
  x: number,
  y: number,
  size: number,
  count: number,
  colors: readonly string[],
  from: readonly string[] = listing,
): void {
  let widest = 0;
  const start = sheet.dice.whole(0, from.length - 1);
  for (let at = 0; at < count; at++) {
    const line = from[(start + at) % from.length]!;
    widest = Math.max(
      widest,
      sheet.text(line, x, y + at * size * 1.35, size, {
        face: 'DejaVu Sans Mono',
        color: sheet.dice.one(colors),
      }),
    );
  }
  sheet.mark('code', x, y, widest, (count - 1) * size * 1.35 + size * 1.1);
}
