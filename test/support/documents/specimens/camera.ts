/**
 * What happens to a document on its way to a file: scanned a little askew, or photographed on a desk, at any turn, with
 * noise, blur, uneven light, glare and JPEG.
 */

import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { type Chance, createChance } from './chance.ts';

export type Capture = 'clean' | 'scan' | 'photo';

export interface CaptureOptions {
  capture: Capture;
  /** Clockwise, in degrees. */
  turn: 0 | 90 | 180 | 270;
  seed: number;
}

type Point = [x: number, y: number];

/** Gaussian elimination with pivoting of 8 equations. */
function solve(rows: number[][]): number[] {
  const n = rows.length;
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let row = column + 1; row < n; row++)
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let row = 0; row < n; row++) {
      if (row === column) continue;
      const factor = rows[row]![column]! / rows[column]![column]!;
      for (let at = column; at <= n; at++) rows[row]![at]! -= factor * rows[column]![at]!;
    }
  }
  return rows.map((row, index) => row[n]! / row[index]!);
}

/** The homography that takes the corners `from` to the corners `to`; eight numbers, the ninth is 1. */
function homography(from: Point[], to: Point[]): number[] {
  return solve(
    from.flatMap(([x, y], index) => {
      const [u, v] = to[index]!;
      return [
        [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
        [0, 0, 0, x, y, 1, -v * x, -v * y, v],
      ];
    }),
  );
}

/** Puts `source` into `target` with its corners at `corners` (clockwise from the upper left), bilinear. */
function project(source: Canvas, target: Canvas, corners: Point[]): void {
  const { width: sw, height: sh } = source;
  const { width: tw, height: th } = target;
  const [a, b, c, d, e, f, g, h] = homography(corners, [
    [0, 0],
    [sw - 1, 0],
    [sw - 1, sh - 1],
    [0, sh - 1],
  ]) as [number, number, number, number, number, number, number, number];
  const from = source.getContext('2d').getImageData(0, 0, sw, sh).data;
  const drawing = target.getContext('2d');
  const image = drawing.getImageData(0, 0, tw, th);
  const to = image.data;
  for (let y = 0; y < th; y++)
    for (let x = 0; x < tw; x++) {
      const w = g * x + h * y + 1;
      const [u, v] = [(a * x + b * y + c) / w, (d * x + e * y + f) / w];
      if (u < 0 || v < 0 || u >= sw - 1 || v >= sh - 1) continue;
      const [x0, y0] = [u | 0, v | 0];
      const [fx, fy] = [u - x0, v - y0];
      const at = 4 * (y0 * sw + x0);
      const out = 4 * (y * tw + x);
      for (let k = 0; k < 3; k++) {
        const top = from[at + k]! * (1 - fx) + from[at + 4 + k]! * fx;
        const foot = from[at + 4 * sw + k]! * (1 - fx) + from[at + 4 * sw + 4 + k]! * fx;
        to[out + k] = top * (1 - fy) + foot * fy;
      }
    }
  drawing.putImageData(image, 0, 0);
}

function turned(source: Canvas, degrees: number): Canvas {
  const sideways = degrees % 180 !== 0;
  const canvas = createCanvas(
    sideways ? source.height : source.width,
    sideways ? source.width : source.height,
  );
  const drawing = canvas.getContext('2d');
  drawing.translate(canvas.width / 2, canvas.height / 2);
  drawing.rotate((degrees * Math.PI) / 180);
  drawing.drawImage(source, -source.width / 2, -source.height / 2);
  return canvas;
}

function blurred(source: Canvas, radiusPx: number): Canvas {
  const canvas = createCanvas(source.width, source.height);
  const drawing = canvas.getContext('2d');
  drawing.filter = `blur(${radiusPx}px)`;
  drawing.drawImage(source, 0, 0);
  return canvas;
}

function addNoise(canvas: Canvas, strength: number, chance: Chance): void {
  const drawing = canvas.getContext('2d');
  const image = drawing.getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < image.data.length; at += 4) {
    const noise = (chance.between(-1, 1) + chance.between(-1, 1)) * strength;
    for (let k = 0; k < 3; k++) image.data[at + k]! += noise;
  }
  drawing.putImageData(image, 0, 0);
}

function addLight(drawing: SKRSContext2D, [width, height]: [number, number], chance: Chance): void {
  const shadow = drawing.createLinearGradient(0, 0, chance.between(0, width), height);
  shadow.addColorStop(0, `rgba(0,0,0,${chance.between(0, 0.3)})`);
  shadow.addColorStop(1, 'rgba(0,0,0,0)');
  drawing.fillStyle = shadow;
  drawing.fillRect(0, 0, width, height);
  const [x, y] = [chance.between(0, width), chance.between(0, height)];
  const radius = chance.between(0.1, 0.25) * width;
  const glare = drawing.createRadialGradient(x, y, 0, x, y, radius);
  glare.addColorStop(0, `rgba(255,255,255,${chance.between(0.2, 0.6)})`);
  glare.addColorStop(1, 'rgba(255,255,255,0)');
  drawing.fillStyle = glare;
  drawing.fillRect(0, 0, width, height);
}

function scanned(source: Canvas, chance: Chance): Canvas {
  const margin = Math.round(0.08 * source.width);
  const canvas = createCanvas(source.width + 2 * margin, source.height + 2 * margin);
  const drawing = canvas.getContext('2d');
  drawing.fillStyle = '#fbfbfa';
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.translate(canvas.width / 2, canvas.height / 2);
  drawing.rotate((chance.between(-2.5, 2.5) * Math.PI) / 180);
  drawing.drawImage(source, -source.width / 2, -source.height / 2);
  const soft = blurred(canvas, chance.between(0.3, 0.9));
  addNoise(soft, chance.between(3, 10), chance);
  return soft;
}

function photographed(source: Canvas, chance: Chance): Canvas {
  const [width, height] = [Math.round(source.width * 1.25), Math.round(source.height * 1.3)];
  const canvas = createCanvas(width, height);
  const drawing = canvas.getContext('2d');
  drawing.fillStyle = chance.pick(['#5b4a3c', '#39424a', '#7d7568', '#2f3a33']);
  drawing.fillRect(0, 0, width, height);
  const jitter = (): number => chance.between(-0.035, 0.035) * source.width;
  const [mx, my] = [(width - source.width) / 2, (height - source.height) / 2];
  const corners: Point[] = [
    [mx + jitter(), my + jitter()],
    [width - mx + jitter(), my + jitter()],
    [width - mx + jitter(), height - my + jitter()],
    [mx + jitter(), height - my + jitter()],
  ];
  project(source, canvas, corners);
  addLight(drawing, [width, height], chance);
  const soft = blurred(canvas, chance.between(0.4, 1.3));
  addNoise(soft, chance.between(4, 14), chance);
  return soft;
}

/** The file that a scanner or camera would hand over: PNG where clean, else JPEG. */
export async function captured(source: Canvas, { capture, turn, seed }: CaptureOptions): Promise<Uint8Array> {
  const chance = createChance(seed * 31 + 7);
  if (capture === 'clean') return turned(source, turn).encode('png');
  const taken = capture === 'scan' ? scanned(source, chance) : photographed(source, chance);
  return turned(taken, turn).encode('jpeg', Math.round(chance.between(55, 85)));
}
