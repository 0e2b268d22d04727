/** Small things on held-back pages: boxes to tick, fields, buttons, signatures, stamps, codes, logos, photographs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Image, loadImage } from '@napi-rs/canvas';
import { prepareZXingModule, type WriteInputBarcodeFormat, writeBarcode } from 'zxing-wasm/writer';
import type { Sheet } from './sheet.ts';

export function checkbox(sheet: Sheet, x: number, y: number, side: number, ticked: boolean): void {
  const { ctx, dice } = sheet;
  sheet.frame(x, y, side, side, dice.one([sheet.ink, '#666']), dice.one([1, 1.5, 2]));
  ctx.lineCap = 'round';
  if (ticked && dice.maybe(0.5))
    sheet.line(
      [
        [x + side * 0.2, y + side * 0.5],
        [x + side * 0.42, y + side * 0.78],
        [x + side * 0.85, y + side * 0.15],
      ],
      dice.one([sheet.ink, '#1d3d9e']),
      side * 0.13,
    );
  else if (ticked) {
    sheet.line(
      [
        [x + side * 0.2, y + side * 0.2],
        [x + side * 0.8, y + side * 0.8],
      ],
      sheet.ink,
      side * 0.11,
    );
    sheet.line(
      [
        [x + side * 0.8, y + side * 0.2],
        [x + side * 0.2, y + side * 0.8],
      ],
      sheet.ink,
      side * 0.11,
    );
  }
  sheet.mark(ticked ? 'checkbox_ticked' : 'checkbox', x, y, side, side);
}

export function radio(sheet: Sheet, x: number, y: number, side: number, chosen: boolean): void {
  const { ctx } = sheet;
  ctx.strokeStyle = sheet.ink;
  ctx.lineWidth = 1.4;
  ctx.beginPath();
  ctx.arc(x + side / 2, y + side / 2, side / 2 - 0.7, 0, 2 * Math.PI);
  ctx.stroke();
  if (chosen) {
    ctx.fillStyle = sheet.ink;
    ctx.beginPath();
    ctx.arc(x + side / 2, y + side / 2, side * 0.26, 0, 2 * Math.PI);
    ctx.fill();
  }
  sheet.mark(chosen ? 'radio_selected' : 'radio', x, y, side, side);
}

/** Several choices one under the other. Returns the y below. */
export function choices(sheet: Sheet, x: number, y: number, size: number): number {
  const { dice } = sheet;
  const round = dice.maybe(0.4);
  const count = dice.whole(2, 4);
  const chosen = dice.whole(0, count - 1);
  const side = size * dice.between(0.9, 1.25);
  for (let at = 0; at < count; at++) {
    if (round) radio(sheet, x, y, side, at === chosen);
    else checkbox(sheet, x, y, side, dice.maybe(0.45));
    sheet.text(sheet.words(2), x + side * 1.6, y, size);
    y += side * 1.7;
  }
  return y;
}

export function field(sheet: Sheet, x: number, y: number, width: number, height: number): void {
  const { dice } = sheet;
  const kind = dice.one(['box', 'box', 'line', 'fill']);
  if (kind === 'box') sheet.frame(x, y, width, height, '#8a8a8a');
  else if (kind === 'fill') sheet.rounded(x, y, width, height, 3, '#e9edf2');
  else
    sheet.line(
      [
        [x, y + height],
        [x + width, y + height],
      ],
      '#555',
    );
  if (dice.maybe(0.5)) sheet.text(sheet.words(1), x + 6, y + height * 0.22, height * 0.5);
  sheet.mark('text_field', x, y, width, height);
}

export function button(sheet: Sheet, x: number, y: number, height: number): number {
  const { ctx, dice } = sheet;
  const text = sheet.words(1);
  ctx.font = `${height * 0.45}px "${sheet.face}"`;
  const width = ctx.measureText(text).width + height * dice.between(1, 1.8);
  const solid = dice.maybe(0.7);
  const tone = dice.one(['#1f6feb', '#188038', '#c5221f', '#444', dice.hue(60, 40)]);
  if (solid) sheet.rounded(x, y, width, height, dice.one([2, 5, height / 2]), tone);
  else sheet.frame(x, y, width, height, tone, 1.3);
  sheet.text(text, x + width / 2, y + height * 0.27, height * 0.45, {
    align: 'center',
    color: solid ? '#fff' : tone,
  });
  sheet.mark('button', x, y, width, height);
  return width;
}

/** Ink along a sum of sine waves, thicker where the pen is slow. */
export function signature(sheet: Sheet, x: number, y: number, width: number, height: number): void {
  const { ctx, dice } = sheet;
  const waves = Array.from(
    { length: 4 },
    () => [dice.between(2, 9), dice.between(0, 6.3), dice.between(0.2, 1)] as const,
  );
  const turns = dice.between(3, 7);
  ctx.strokeStyle = dice.one(['#101010', '#15307a', '#222a44']);
  ctx.lineCap = 'round';
  let last: [number, number] | undefined;
  let [low, high, left, right] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let step = 0; step <= 260; step++) {
    const t = step / 260;
    const swing =
      waves.reduce((sum, [rate, phase, share]) => sum + share * Math.sin(rate * 6.28 * t + phase), 0) / 2.4;
    const px = x + width * (0.08 + 0.8 * t + 0.06 * Math.sin(turns * 6.28 * t));
    const py = y + height * (0.5 + 0.42 * swing * (1 - 0.6 * t));
    [low, high, left, right] = [
      Math.min(low, py),
      Math.max(high, py),
      Math.min(left, px),
      Math.max(right, px),
    ];
    if (last) {
      ctx.lineWidth = 1 + 1.6 * Math.abs(Math.cos(3 * swing));
      ctx.beginPath();
      ctx.moveTo(...last);
      ctx.lineTo(px, py);
      ctx.stroke();
    }
    last = [px, py];
  }
  sheet.mark('signature', left, low, right - left, high - low);
}

export function stamp(sheet: Sheet, cx: number, cy: number, radius: number): void {
  const { ctx, dice } = sheet;
  const ink = dice.one(['#b3261e', '#1f3fa8', '#1d7a43']);
  ctx.save();
  ctx.translate(cx, cy);
  const turn = dice.between(-0.5, 0.5);
  ctx.rotate(turn);
  ctx.globalAlpha = dice.between(0.55, 0.9);
  ctx.strokeStyle = ink;
  if (dice.maybe(0.65)) {
    ctx.lineWidth = radius * 0.07;
    for (const share of [1, 0.66]) {
      ctx.beginPath();
      ctx.arc(0, 0, radius * share - ctx.lineWidth / 2, 0, 2 * Math.PI);
      ctx.stroke();
      ctx.lineWidth = 1.2;
    }
    const letters = [...sheet.words(3).toUpperCase()].slice(0, 22);
    for (const [at, letter] of letters.entries()) {
      ctx.save();
      ctx.rotate(-2.2 + (4.4 * at) / letters.length);
      sheet.text(letter, 0, -radius * 0.93, radius * 0.2, { color: ink, bold: true, align: 'center' });
      ctx.restore();
    }
    sheet.text(`${dice.whole(1, 28)} / ${dice.whole(1, 12)}`, 0, -radius * 0.15, radius * 0.28, {
      color: ink,
      bold: true,
      align: 'center',
    });
    sheet.mark('stamp', cx - radius, cy - radius, 2 * radius, 2 * radius);
  } else {
    const [w, h] = [radius * 2.2, radius * 0.8];
    ctx.lineWidth = 3;
    ctx.strokeRect(-w / 2, -h / 2, w, h);
    sheet.text(dice.one(['PAID', 'VOID', 'DISAHKAN', '作废', 'ORIGINAL']), 0, -h * 0.3, h * 0.55, {
      color: ink,
      bold: true,
      align: 'center',
    });
    const [wide, tall] = [
      w * Math.cos(turn) + h * Math.abs(Math.sin(turn)),
      h * Math.cos(turn) + w * Math.abs(Math.sin(turn)),
    ];
    sheet.mark('stamp', cx - wide / 2, cy - tall / 2, wide, tall);
  }
  ctx.restore();
}

export function logo(sheet: Sheet, x: number, y: number, size: number): number {
  const { ctx, dice } = sheet;
  const tone = dice.hue(70, 42);
  ctx.fillStyle = tone;
  const sides = dice.whole(3, 8);
  ctx.beginPath();
  for (let at = 0; at < sides * 2; at++) {
    const reach = (at % 2 ? dice.one([0.5, 0.8, 0.25]) : 1) * (size / 2);
    const angle = (at * Math.PI) / sides;
    ctx.lineTo(x + size / 2 + reach * Math.sin(angle), y + size / 2 - reach * Math.cos(angle));
  }
  ctx.fill();
  sheet.rounded(x + size * 0.4, y + size * 0.4, size * 0.2, size * 0.2, size * 0.1, '#fff');
  const width =
    size * 1.15 +
    sheet.text(sheet.words(1), x + size * 1.15, y + size * 0.2, size * 0.55, { bold: true, color: tone });
  sheet.mark('logo', x, y, width, size);
  return width;
}

const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });

/** Codes that can be read, written by ZXing. */
export async function code(
  sheet: Sheet,
  x: number,
  y: number,
  width: number,
  height: number,
  square: boolean,
): Promise<void> {
  const { dice, ctx } = sheet;
  const format: WriteInputBarcodeFormat = square
    ? 'QRCode'
    : dice.one(['Code128', 'EAN13', 'Code39'] as const);
  const text = square
    ? `https://example.org/${dice.whole(1, 1e9)}/${sheet.dice.whole(1, 1e9)}`
    : format === 'EAN13'
      ? `${dice.whole(1e11, 9e11)}`
      : `LK${dice.whole(1e5, 1e9)}`;
  const { image, error } = await writeBarcode(text, { format, scale: 4, addQuietZones: false });
  if (!image) throw new Error(error);
  const picture = await loadImage(Buffer.from(await image.arrayBuffer()));
  ctx.imageSmoothingEnabled = true;
  ctx.drawImage(picture, x, y, width, square ? width : height);
  sheet.mark(square ? 'qr_code' : 'barcode', x, y, width, square ? width : height);
}

const folder = new URL('../../../../shared/data/img-coco-train26/', import.meta.url);
let loaded: Promise<Image[]> | undefined;

/** The free photographs of the shared data; none where it is not there. */
export function photographs(): Promise<Image[]> {
  loaded ??= Promise.all(
    (existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : [])
      .filter((name) => name.endsWith('.jpg'))
      .sort()
      .map((name) => loadImage(new URL(name, folder))),
  );
  return loaded;
}

export async function photo(
  sheet: Sheet,
  x: number,
  y: number,
  width: number,
  height: number,
  round = 0,
): Promise<void> {
  const pictures = await photographs();
  if (pictures.length === 0) return;
  const picture = sheet.dice.one(pictures);
  const scale = Math.max(width / picture.width, height / picture.height);
  sheet.ctx.save();
  sheet.ctx.beginPath();
  sheet.ctx.roundRect(x, y, width, height, round);
  sheet.ctx.clip();
  sheet.ctx.drawImage(
    picture,
    x - (picture.width * scale - width) / 2,
    y - (picture.height * scale - height) / 2,
    picture.width * scale,
    picture.height * scale,
  );
  sheet.ctx.restore();
  sheet.mark('photo', x, y, width, height);
}
