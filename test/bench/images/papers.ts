/** Held-back pages: invoices, receipts, letters, forms, reports, cards, passports, and graphics alone. */
import { charts, diagram, map, table } from './graphics.ts';
import { button, checkbox, choices, code, field, logo, photo, signature, stamp } from './marks.ts';
import { Sheet } from './sheet.ts';

const page = (seed: number): Sheet => new Sheet(seed, 850, 1100, seed % 5 === 0 ? '#fbf9f2' : '#ffffff');

async function marks(sheet: Sheet, y: number): Promise<void> {
  const { dice } = sheet;
  signature(sheet, dice.whole(70, 160), y, dice.whole(140, 230), dice.whole(45, 75));
  sheet.line(
    [
      [70, y + 80],
      [320, y + 80],
    ],
    '#555',
  );
  if (dice.maybe(0.7)) stamp(sheet, dice.whole(430, 560), y + 40, dice.whole(42, 68));
  if (dice.maybe(0.6)) await code(sheet, dice.whole(640, 690), y - 10, dice.whole(80, 120), 100, true);
}

export async function invoice(seed: number): Promise<Sheet> {
  const sheet = page(seed);
  const { dice } = sheet;
  const x = 60;
  logo(sheet, x, 50, dice.whole(40, 70));
  const title = dice.one(['INVOICE', 'INVOIS CUKAI', '发票', 'Rechnung', 'Tax invoice']);
  sheet.mark(
    'heading',
    790 - sheet.text(title, 790, 60, 34, { align: 'right', bold: true }),
    60,
    sheet.ctx.measureText(title).width,
    38,
  );
  let y = sheet.paragraph(x, 160, 230, 13, 4);
  sheet.paragraph(520, 160, 220, 13, 3);
  y = table(sheet, x, y + 40, 730, dice.whole(4, 10), dice.whole(4, 6), dice.between(11, 14));
  for (let at = 0; at < 3; at++) {
    sheet.text(sheet.words(1), 560, y + at * 20, 13);
    sheet.text(sheet.figure(), 785, y + at * 20, 13, { align: 'right' });
  }
  if (dice.maybe(0.5)) await code(sheet, x, y + 10, 200, 50, false);
  await marks(sheet, Math.min(980, y + 110));
  return sheet;
}

export async function letter(seed: number): Promise<Sheet> {
  const sheet = page(seed);
  const { dice } = sheet;
  logo(sheet, dice.one([90, 320]), 50, dice.whole(36, 60));
  let y = sheet.paragraph(90, 160, 200, 14, 3);
  sheet.text(`${dice.whole(1, 28)}.${dice.whole(1, 12)}.2027`, 640, y, 14);
  y = sheet.heading(90, y + 40, 17);
  for (let at = dice.whole(2, 4); at > 0; at--)
    y = sheet.paragraph(90, y, 660, dice.between(13, 15), dice.whole(3, 6)) + 8;
  await marks(sheet, Math.min(990, y + 20));
  return sheet;
}

export async function form(seed: number): Promise<Sheet> {
  const sheet = page(seed);
  const { dice } = sheet;
  let y = sheet.heading(60, 60, 24);
  for (let part = dice.whole(1, 2); part > 0; part--) {
    if (dice.maybe(0.7)) y = sheet.heading(60, y + 10, 17);
    const top = y;
    for (let row = dice.whole(3, 6); row > 0; row--) {
      sheet.text(`${sheet.words(2)}:`, 70, y + 8, 13);
      field(sheet, 250, y, dice.whole(260, 500), 28);
      y += 42;
    }
    if (dice.maybe(0.7)) y = choices(sheet, 250, y, 14);
    sheet.mark('form', 64, top, 700, y - top);
    y += 16;
  }
  for (let row = 0; row < dice.whole(2, 5); row++) {
    checkbox(sheet, 70, y, 15, dice.maybe(0.5));
    sheet.text(sheet.words(5), 98, y, 14);
    y += 27;
  }
  if (dice.maybe(0.3)) button(sheet, 70, y + 5, 32);
  await marks(sheet, Math.min(990, y + 40));
  return sheet;
}

export async function report(seed: number): Promise<Sheet> {
  const sheet = page(seed);
  const { dice } = sheet;
  const columns = dice.whole(1, 2);
  const wide = columns === 1 ? 710 : 340;
  const top = sheet.heading(70, 55, 28);
  for (let column = 0; column < columns; column++) {
    const x = 70 + column * 370;
    let y = top;
    while (y < 880) {
      const part = dice.whole(0, 5);
      if (part === 0) y = sheet.heading(x, y + 6, 18);
      else if (part === 1) y = table(sheet, x, y, wide, dice.whole(4, 8), dice.whole(3, 4), 11) + 6;
      else if (part === 2) {
        const [w, h] = [wide * dice.between(0.75, 1), dice.whole(170, 250)];
        dice.one([...charts, ...charts, diagram, map])(sheet, x, y, w, h);
        y += h + 14;
      } else if (part === 3 && dice.maybe(0.5)) {
        await photo(sheet, x, y, wide * 0.8, 190);
        y += 205;
      } else y = sheet.paragraph(x, y, wide, 13, dice.whole(3, 7));
    }
  }
  return sheet;
}

export async function receipt(seed: number): Promise<Sheet> {
  const sheet = new Sheet(seed, 560, 900, ['#3a3a3a', '#b9aa92', '#ffffff'][seed % 3]);
  const { dice } = sheet;
  const [x, y, w, h] = [90, 40, 380, dice.whole(560, 820)];
  sheet.fill(x, y, w, h, '#fcfbf7');
  sheet.mark('receipt', x, y, w, h);
  const write = (left: string, right: string, top: number, size = 15) => {
    sheet.text(left, x + 22, top, size, { face: 'Liberation Mono' });
    sheet.text(right, x + w - 22, top, size, { face: 'Liberation Mono', align: 'right' });
  };
  sheet.text(sheet.words(2).toUpperCase(), x + w / 2, y + 24, 21, { align: 'center', bold: true });
  sheet.text(sheet.words(3), x + w / 2, y + 56, 14, { align: 'center' });
  let top = y + 100;
  sheet.line(
    [
      [x + 20, top - 10],
      [x + w - 20, top - 10],
    ],
    '#999',
  );
  for (; top < y + h - 170; top += 25)
    write(`${dice.whole(1, 3)} ${sheet.words(1)}`, dice.between(1, 80).toFixed(2), top);
  sheet.line(
    [
      [x + 20, top],
      [x + w - 20, top],
    ],
    '#999',
  );
  write('TOTAL', dice.between(50, 500).toFixed(2), top + 10, 21);
  if (dice.maybe(0.6)) await code(sheet, x + 70, top + 60, 240, 50, false);
  else await code(sheet, x + 145, top + 48, 90, 90, true);
  return sheet;
}

function zone(sheet: Sheet, x: number, y: number, width: number, rows: number): void {
  const length = rows === 2 ? 44 : 30;
  const size = (width / length) * 1.62;
  const letters = () =>
    Array.from({ length: 7 }, () => String.fromCharCode(65 + sheet.dice.whole(0, 25))).join('');
  let widest = 0;
  for (let row = 0; row < rows; row++) {
    const text = (
      row === 0 ? `P<XXX${letters()}<<${letters()}` : `L${sheet.dice.whole(1e7, 9e7)}4XXX7001011F2812319`
    ).padEnd(length, '<');
    widest = Math.max(
      widest,
      sheet.text(text, x, y + row * size * 1.5, size, { face: 'OCR B', color: '#222' }),
    );
  }
  sheet.mark('mrz', x, y, widest, (rows - 1) * size * 1.5 + size * 1.05);
}

export async function idCard(seed: number): Promise<Sheet> {
  const sheet = new Sheet(seed, 760, 540, ['#ffffff', '#6d5c48', '#d6dadf'][seed % 3]);
  const { dice } = sheet;
  const [x, y, w, h] = [dice.whole(40, 90), dice.whole(40, 80), 600, 380];
  sheet.rounded(x, y, w, h, 22, dice.hue(45, 85));
  sheet.mark('id_card', x, y, w, h);
  sheet.text(sheet.words(3).toUpperCase(), x + 26, y + 22, 25, { bold: true, color: '#1c2f55' });
  await photo(sheet, x + 30, y + 90, 150, 195, 6);
  for (let row = 0; row < 4; row++) {
    sheet.text(sheet.words(1), x + 215, y + 90 + row * 52, 13, { color: '#567' });
    sheet.text(dice.one([sheet.words(2), `${dice.whole(1e7, 9e7)}`]), x + 215, y + 106 + row * 52, 20, {
      bold: true,
    });
  }
  if (dice.maybe(0.5)) await code(sheet, x + 490, y + 265, 80, 80, true);
  else zone(sheet, x + 25, y + 300, 540, 3);
  return sheet;
}

export async function passport(seed: number): Promise<Sheet> {
  const sheet = new Sheet(seed, 860, 640, ['#ffffff', '#8a7960'][seed % 2]);
  const { dice } = sheet;
  const [x, y, w, h] = [30, 30, 800, 570];
  sheet.rounded(x, y, w, h, 10, dice.hue(35, 92));
  sheet.text(sheet.words(2).toUpperCase(), x + 30, y + 20, 25, { bold: true });
  await photo(sheet, x + 30, y + 80, 200, 260);
  for (let row = 0; row < 6; row++)
    for (let column = 0; column < (row > 1 ? 2 : 1); column++) {
      sheet.text(sheet.words(1), x + 260 + column * 250, y + 80 + row * 56, 12, { color: '#678' });
      sheet.text(
        dice.one([sheet.words(2).toUpperCase(), `${dice.whole(1e6, 9e7)}`]),
        x + 260 + column * 250,
        y + 96 + row * 56,
        18,
      );
    }
  zone(sheet, x + 30, y + 470, 740, 2);
  return sheet;
}

const alone =
  (draws: readonly ((sheet: Sheet, x: number, y: number, w: number, h: number) => void)[]) =>
  async (seed: number): Promise<Sheet> => {
    const sheet = new Sheet(seed, 820, 560);
    draws[seed % draws.length]!(sheet, 25, 20, 770, 520);
    return sheet;
  };

export const papers = {
  invoice,
  receipt,
  letter,
  form,
  report,
  id_card: idCard,
  passport,
  chart: alone(charts),
  diagram: alone([diagram]),
  map: alone([map]),
};
