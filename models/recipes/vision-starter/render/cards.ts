/** Things that are found alone: identity cards, receipts, and the lines machines read. */
import { barcode, logo, qrCode } from './marks.ts';
import { photo } from './pieces.ts';
import { escapeHtml, type Random, type Words } from './random.ts';

export function mrz(random: Random, words: Words, width: number): string {
  const [lines, length] = random.pick([
    [2, 44],
    [3, 30],
    [2, 36],
  ] as const);
  const name = `P&lt;${words.capitals(3)}${words.capitals(random.int(4, 8))}&lt;&lt;${words.capitals(random.int(3, 8))}&lt;${words.capitals(random.int(3, 6))}`;
  const rows = random.some(lines, (at) => {
    const text =
      at === 0
        ? name.replaceAll('&lt;', '<')
        : `${words.capitals(1)}${random.digits(8)}<${random.digits(1)}${words.capitals(3)}${random.digits(7)}${random.pick(['M', 'F', '<'])}${random.digits(7)}`;
    return escapeHtml(text.slice(0, length).padEnd(length, '<'));
  });
  const size = width / (length * 0.62);
  return `<div style="white-space:pre;text-align:center"><span data-label="mrz" data-tight style="display:inline-block;font:${size}px/1.5 '${random.pick(['OCR B', 'OCR B', 'OCRA', 'Liberation Mono'])}',monospace;letter-spacing:0">${rows.join('\n')}</span></div>`;
}

export function idCard(random: Random, words: Words, photos: number, width: number): string {
  const high = width * random.range(0.58, 0.66);
  const hue = random.int(0, 359);
  const back = random.pick([
    `linear-gradient(${random.int(0, 360)}deg,hsl(${hue} 60% 88%),hsl(${(hue + 60) % 360} 60% 80%))`,
    `repeating-linear-gradient(${random.int(0, 180)}deg,hsl(${hue} 45% 90%) 0 6px,hsl(${hue} 50% 85%) 6px 12px)`,
    `radial-gradient(circle at 70% 40%,hsl(${hue} 70% 92%),hsl(${hue} 50% 72%))`,
    '#fff',
  ]);
  const size = width * random.range(0.028, 0.04);
  const field = () =>
    `<div style="margin-bottom:${size * 0.5}px"><div style="font-size:${size * 0.7}px;color:#456">${words.phrase(1)}</div><div style="font-weight:600">${random.pick([words.phrase(3).toUpperCase(), words.date(), random.digits(8)])}</div></div>`;
  const face = photo(
    random,
    photos,
    width * random.range(0.22, 0.3),
    width * random.range(0.28, 0.38),
    'flex:none',
  );
  const side = `<div style="flex:1;overflow:hidden">${random.some(random.int(3, 5), field).join('')}</div>`;
  const inner = random.chance(0.5) ? face + side : side + face;
  const chip = random.chance(0.35)
    ? `<span style="display:inline-block;width:${width * 0.11}px;height:${width * 0.085}px;border-radius:${width * 0.015}px;background:linear-gradient(135deg,#e8c860,#b8902c);box-shadow:inset 0 0 0 1px #8a6a1a"></span>`
    : '';
  const top = `<div style="display:flex;align-items:center;gap:8px;font-weight:bold;font-size:${size * 1.3}px;${random.chance(0.5) ? `background:hsl(${hue} 60% 35%);color:#fff;` : `color:hsl(${hue} 60% 25%);`}padding:${size * 0.6}px ${size}px;white-space:nowrap;overflow:hidden">${random.chance(0.5) ? logo(random, words, size * 2) : ''}${words.title().toUpperCase()}</div>`;
  const foot = random.chance(0.25)
    ? `<div style="margin-top:auto;padding-bottom:4px">${mrz(random, words, width * 0.9)}</div>`
    : random.chance(0.2)
      ? `<div style="position:absolute;right:${size}px;bottom:${size}px">${random.chance(0.5) ? qrCode(random, width * 0.14) : barcode(random, width * 0.3, width * 0.08)}</div>`
      : '';
  return `<div data-label="id_card" style="position:relative;display:inline-flex;flex-direction:column;width:${width}px;height:${high}px;background:${back};border-radius:${width * random.pick([0.02, 0.035, 0.045])}px;overflow:hidden;box-shadow:${random.pick(['0 1px 4px #0008', '0 0 0 1px #999', '0 3px 12px #0006'])};font:${size}px 'Liberation Sans','Noto Sans CJK SC';color:#123;text-align:left">${top}<div style="display:flex;gap:${size}px;padding:${size * 0.8}px ${size}px">${inner}${chip}</div>${foot}</div>`;
}

export function receipt(random: Random, words: Words, width: number): string {
  const size = width / random.range(22, 32);
  const font = random.pick([
    'Liberation Mono',
    'DejaVu Sans Mono',
    'OCR B',
    'Liberation Sans',
    'Nimbus Mono PS',
    'Liberation Sans Narrow',
  ]);
  const line = () =>
    `<div style="display:flex;justify-content:space-between;gap:8px"><span style="white-space:nowrap;overflow:hidden">${random.chance(0.4) ? `${random.int(1, 5)} x ` : ''}${words.phrase(random.int(1, 3))}</span><span>${random.range(0.5, 200).toFixed(2)}</span></div>`;
  const dash = `<div style="white-space:nowrap;overflow:hidden">${random.pick(['-', '=', '*', '.']).repeat(60)}</div>`;
  const total = `<div style="display:flex;justify-content:space-between;font-weight:bold;font-size:${random.range(1, 1.5)}em"><span>${random.pick(['TOTAL', 'JUMLAH', '合计', 'TOTAL RM'])}</span><span>${random.range(5, 500).toFixed(2)}</span></div>`;
  const centre = (text: string) => `<div style="text-align:center">${text}</div>`;
  const parts = [
    random.chance(0.35) ? centre(logo(random, words, size * 3)) : '',
    centre(`<b style="font-size:1.25em">${words.title().toUpperCase()}</b>`),
    ...random.some(random.int(1, 4), () => centre(words.phrase(4))),
    dash,
    `<div>${words.date()} ${random.int(0, 23)}:${random.int(10, 59)}</div>`,
    dash,
    ...random.some(random.int(2, 14), line),
    dash,
    total,
    ...random.some(random.int(0, 4), line),
    random.chance(0.5) ? dash : '',
    centre(words.phrase(5)),
    random.chance(0.3)
      ? centre(random.chance(0.5) ? qrCode(random, width * 0.35) : barcode(random, width * 0.7, width * 0.16))
      : '',
  ];
  return `<div data-label="receipt" style="display:inline-block;box-sizing:border-box;width:${width}px;padding:${size * 1.2}px ${size}px;background:${random.pick(['#fff', '#fdfcf8', '#f6f4ee'])};color:#222;font:${size}px/1.35 '${font}','Noto Sans CJK SC';text-align:left;${random.chance(0.7) ? 'box-shadow:0 1px 5px #0005' : ''}">${parts.join('')}</div>`;
}
