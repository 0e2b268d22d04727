/** Paper: invoices, receipts, letters, forms, reports, cards, passports, and bare graphics. */
import { idCard, mrz, receipt } from './cards.ts';
import { chart, diagram, map } from './graphics.ts';
import { barcode, logo, qrCode, signature, stamp } from './marks.ts';
import {
  choices,
  codeBlock,
  figure,
  form,
  heading,
  mark,
  pageStyle,
  paragraph,
  photo,
  type Style,
  table,
} from './pieces.ts';
import type { Random, Words } from './random.ts';
import { scannedReceipt } from './receipts.ts';

export interface Drawn {
  kind: string;
  html: string;
  width: number;
  height: number;
}

export interface Setting {
  random: Random;
  words: Words;
  photos: number;
}

/** Shares the page out: paper size, margins, style. `body` fills it; marks lie over it. */
function sheet(at: Setting, kind: string, style: Style, body: string, over = ''): Drawn {
  const { random } = at;
  const [width, height] = random.pick([
    [794, 1123],
    [794, 1123],
    [794, 1123],
    [816, 1056],
    [1123, 794],
  ] as const);
  const margin = random.int(24, 80);
  return {
    kind,
    width,
    height,
    html: `<div style="position:relative;box-sizing:border-box;width:${width}px;height:${height}px;padding:${margin}px ${random.int(30, 90)}px;overflow:hidden;background:${style.paper};color:${style.ink};font:${style.size}px/1.35 '${style.font}','Noto Sans CJK SC'">${body}${over}</div>`,
  };
}

/** Stamps, signatures and codes put anywhere on the page. */
function marksOver({ random, words }: Setting, likely: number): string {
  const parts: string[] = [];
  const place = (inside: string) =>
    parts.push(
      `<div style="position:absolute;left:${random.int(4, 72)}%;top:${random.int(4, 88)}%">${inside}</div>`,
    );
  if (random.chance(likely)) place(stamp(random, words, random.int(70, 170)));
  if (random.chance(likely)) place(signature(random, random.int(90, 230), random.int(35, 85)));
  if (random.chance(likely * 0.5)) place(qrCode(random, random.int(50, 140)));
  if (random.chance(likely * 0.5)) place(barcode(random, random.int(100, 260), random.int(25, 70)));
  return parts.join('');
}

function signed({ random, words }: Setting): string {
  const party = () =>
    `<div style="display:inline-block;width:45%;vertical-align:bottom">${random.chance(0.8) ? signature(random, random.int(90, 200), random.int(35, 70)) : ''}${random.chance(0.35) ? stamp(random, words, random.int(60, 130)) : ''}<div style="border-top:1px ${random.pick(['solid', 'dotted'])} #444;padding-top:3px">${words.phrase(2)}</div></div>`;
  return `<div style="margin-top:18px">${random.some(random.int(1, 2), party).join(' ')}</div>`;
}

function invoice(at: Setting): Drawn {
  const { random, words } = at;
  const style = pageStyle(random, words, [9, 14]);
  const block = () =>
    `<div data-label="text_block" style="width:fit-content">${random.some(random.int(3, 6), () => `<div>${words.phrase(random.int(2, 4))}</div>`).join('')}</div>`;
  const facts = `<div>${random.some(random.int(3, 5), () => `<div style="display:flex;gap:12px;justify-content:space-between"><b>${words.phrase(1)}</b><span>${random.pick([words.date(), random.digits(7)])}</span></div>`).join('')}</div>`;
  const totals = `<div style="margin-left:auto;width:${random.int(28, 45)}%">${random.some(random.int(2, 5), () => `<div style="display:flex;justify-content:space-between"><span>${words.phrase(1)}</span><span>${words.number()}</span></div>`).join('')}</div>`;
  const top = `<div style="display:flex;justify-content:space-between;align-items:flex-start;flex-direction:${random.pick(['row', 'row-reverse'])}">${random.chance(0.8) ? logo(random, words, random.int(26, 70)) : block()}<span data-label="heading" data-tight style="font-size:${style.size * random.range(1.8, 3.2)}px;font-weight:bold;color:${random.pick([style.ink, style.accent])}">${random.pick(['INVOICE', 'Invoice', 'TAX INVOICE', 'INVOIS', 'Invois Cukai', '发票', '商业发票', 'Quotation'])}</span></div>`;
  const parties = `<div style="display:flex;justify-content:space-between;margin:${random.int(8, 30)}px 0">${block()}${random.chance(0.5) ? block() : ''}${facts}</div>`;
  const bottom = [
    random.chance(0.4) ? paragraph(random, words, 2) : '',
    random.chance(0.35) ? qrCode(random, random.int(60, 120)) : '',
    random.chance(0.2) ? barcode(random, 200, 50) : '',
    random.chance(0.45) ? signed(at) : '',
  ].join('');
  return sheet(
    at,
    'invoice',
    style,
    top +
      parties +
      table(random, words, style, random.int(3, 14), random.int(3, 7)).replace(
        '<table ',
        '<table width="100%" ',
      ) +
      totals +
      bottom,
    marksOver(at, 0.2),
  );
}

function letter(at: Setting): Drawn {
  const { random, words } = at;
  const style = pageStyle(random, words, [11, 16]);
  const head = random.chance(0.7)
    ? `<div style="text-align:${random.pick(['left', 'center', 'right'])};margin-bottom:20px">${logo(random, words, random.int(28, 60))}</div>`
    : '';
  const address = `<div data-label="text_block" style="margin:14px 0;width:fit-content">${random.some(random.int(2, 5), () => `<div>${words.phrase(3)}</div>`).join('')}</div><div>${words.date()}</div>`;
  const body = random.some(random.int(2, 6), () => paragraph(random, words)).join('');
  return sheet(
    at,
    'letter',
    style,
    head + address + (random.chance(0.5) ? heading(random, words, style, 1.2) : '') + body + signed(at),
    marksOver(at, 0.12),
  );
}

function formPage(at: Setting): Drawn {
  const { random, words } = at;
  const style = pageStyle(random, words, [10, 14]);
  const grid = () => {
    const box = style.size * random.range(0.8, 1.2);
    const columns = random.int(2, 4);
    return `<table data-label="table" style="border-collapse:collapse;width:100%">${random.some(random.int(3, 7), () => `<tr><td style="border:1px solid #555;padding:3px">${words.phrase(3)}</td>${random.some(columns, () => `<td style="border:1px solid #555;text-align:center;padding:3px">${mark(random, style, box, random.chance(0.2), random.chance(0.4))}</td>`).join('')}</tr>`).join('')}</table>`;
  };
  const parts = random.some(
    random.int(1, 3),
    () =>
      (random.chance(0.6) ? heading(random, words, style, 1.3) : '') +
      form(random, words, style, random.int(3, 8)) +
      (random.chance(0.3) ? grid() : '') +
      (random.chance(0.5) ? choices(random, words, style) : ''),
  );
  const head = `<div style="display:flex;justify-content:space-between">${heading(random, words, style)}${random.chance(0.4) ? logo(random, words, 40) : ''}${random.chance(0.25) ? photo(random, at.photos, 90, 115) : ''}</div>`;
  return sheet(
    at,
    'form',
    style,
    head + parts.join('') + (random.chance(0.6) ? signed(at) : ''),
    marksOver(at, 0.2),
  );
}

function report(at: Setting): Drawn {
  const { random, words } = at;
  const style = pageStyle(random, words, [9.5, 14], random.chance(0.03));
  const columns = random.chance(0.35) ? 2 : 1;
  const width = columns === 2 ? 300 : 620;
  const part = () =>
    random.pick([
      () => paragraph(random, words),
      () => paragraph(random, words),
      () => heading(random, words, style) + paragraph(random, words),
      () => table(random, words, style, random.int(3, 12), columns === 2 ? random.int(2, 4) : undefined),
      () => figure(random, words, style, at.photos, width),
      () => figure(random, words, style, at.photos, width),
      () => codeBlock(random, words, style),
      () =>
        `<ul data-label="text_block" data-tight>${random.some(random.int(2, 6), () => `<li>${words.sentence()}</li>`).join('')}</ul>`,
    ])();
  const body = `<div style="columns:${columns};column-gap:28px">${random.some(random.int(4, 11), () => `<div style="break-inside:avoid">${part()}</div>`).join('')}</div>`;
  return sheet(
    at,
    'report',
    style,
    (random.chance(0.7) ? heading(random, words, style, 2.4) : '') + body,
    marksOver(at, 0.1),
  );
}

/** One thing alone on a plain ground, as a crop, scan or photograph of it. */
function alone(at: Setting, kind: string, inside: string, width: number, height: number): Drawn {
  const { random } = at;
  const ground = random.chance(0.35)
    ? `url(/photos/${String(random.int(0, at.photos - 1)).padStart(5, '0')}.jpg) center/cover`
    : random.pick(['#fff', '#fff', '#eee', '#d8d8d8', '#333', random.color([10, 50], [30, 85])]);
  return {
    kind,
    width,
    height,
    html: `<div style="display:flex;align-items:center;justify-content:center;width:${width}px;height:${height}px;background:${ground};overflow:hidden"><div style="transform:rotate(${random.chance(0.5) ? 0 : random.range(-7, 7)}deg)">${inside}</div></div>`,
  };
}

const receiptPage = (at: Setting): Drawn => {
  const { random, words } = at;
  const height = random.int(700, 1400);
  if (random.chance(0.3)) {
    const width = Math.round(height * random.range(0.5, 0.9));
    return alone(at, 'receipt', receipt(random, words, width * random.range(0.6, 0.98)), width, height);
  }
  // A scanner's platen: white, or black where the lid was open.
  const width = Math.round(height * random.range(0.3, 0.8));
  const share = random.chance(0.6) ? random.range(0.9, 1) : random.range(0.35, 0.9);
  const ground = random.pick(['#fff', '#fff', '#fff', '#fafafa', '#ddd', '#111']);
  return {
    kind: 'receipt',
    width,
    height,
    html: `<div style="width:${width}px;height:${height}px;background:${ground};overflow:hidden;text-align:center"><div style="display:inline-block;margin-top:${random.chance(0.6) ? 0 : random.int(0, 160)}px;transform:rotate(${random.chance(0.6) ? 0 : random.range(-3, 3)}deg)">${scannedReceipt(random, words, width * share)}</div></div>`,
  };
};

const idPage = (at: Setting): Drawn => {
  const width = at.random.int(600, 900);
  return alone(
    at,
    'id_card',
    idCard(at.random, at.words, at.photos, width * at.random.range(0.5, 0.97)),
    width,
    Math.round(width * at.random.range(0.6, 0.8)),
  );
};

function passport(at: Setting): Drawn {
  const { random, words } = at;
  const width = random.int(560, 860);
  const size = width * random.range(0.02, 0.026);
  const hue = random.int(0, 359);
  const field = () =>
    `<div style="margin-bottom:${size * 0.6}px;min-width:40%"><div style="font-size:${size * 0.7}px;color:#567">${words.phrase(2)}</div><div>${random.pick([words.phrase(2).toUpperCase(), words.date(), words.capitals(1) + random.digits(8)])}</div></div>`;
  const inner = `<div style="width:${width}px;height:${width * random.range(0.66, 0.74)}px;background:linear-gradient(${random.int(0, 360)}deg,hsl(${hue} 40% 93%),hsl(${(hue + 80) % 360} 40% 86%));border-radius:${random.pick([0, 8, 14])}px;box-shadow:0 1px 6px #0007;display:flex;flex-direction:column;justify-content:space-between;overflow:hidden;font:${size}px 'Liberation Sans','Noto Sans CJK SC';color:#122"><div style="padding:${size}px;display:flex;justify-content:space-between;font-size:1.3em;font-weight:bold"><span>${words.title().toUpperCase()}</span><span>${words.capitals(3)}</span></div><div style="display:flex;gap:${size * 1.4}px;padding:0 ${size}px">${photo(random, at.photos, width * 0.26, width * 0.33)}<div style="display:flex;flex-wrap:wrap;gap:0 10px;flex:1">${random.some(random.int(6, 9), field).join('')}${random.chance(0.4) ? signature(random, width * 0.2, width * 0.06) : ''}</div></div><div style="padding:${size * 0.8}px 0;${random.chance(0.5) ? 'background:#fff8' : ''}">${mrz(random, words, width * random.range(0.85, 0.97))}</div></div>`;
  return alone(
    at,
    'passport',
    inner,
    Math.round(width * random.range(1.01, 1.25)),
    Math.round(width * random.range(0.78, 0.98)),
  );
}

function bare(kind: 'chart' | 'diagram' | 'map'): (at: Setting) => Drawn {
  return (at) => {
    const { random, words } = at;
    const [width, height] = [random.int(520, 1000), random.int(380, 760)];
    const dark = random.chance(0.12);
    const style = pageStyle(random, words, [12, 16], dark);
    const pad = random.int(0, 40);
    const draw = { chart, diagram, map: (r: Random, w: Words, x: number, y: number) => map(r, w, x, y) }[
      kind
    ];
    const two = kind === 'chart' && random.chance(0.15);
    const inside = two
      ? random.some(2, () => draw(random, words, (width - 2 * pad) / 2, height - 2 * pad, style.ink)).join('')
      : draw(random, words, width - 2 * pad, height - 2 * pad, style.ink);
    return {
      kind,
      width,
      height,
      html: `<div style="width:${width}px;height:${height}px;box-sizing:border-box;padding:${pad}px;background:${style.paper};display:flex">${inside}</div>`,
    };
  };
}

export const pages = {
  invoice,
  letter,
  form: formPage,
  report,
  receipt: receiptPage,
  id_card: idPage,
  passport,
  chart: bare('chart'),
  diagram: bare('diagram'),
  map: bare('map'),
};
