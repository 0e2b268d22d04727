/** Receipts as scanners see them: long, dense, faded, often small on a white platen, written over by hand. */
import { barcode, logo, qrCode, signature, stamp } from './marks.ts';
import type { Random, Words } from './random.ts';

const faces = [
  'Liberation Mono',
  'DejaVu Sans Mono',
  'OCR B',
  'OCR A',
  'Liberation Sans',
  'Liberation Sans Narrow',
  'Nimbus Mono PS',
  'Nimbus Sans Narrow',
  'Liberation Serif',
  'Noto Mono',
];
const facts = [
  'Invoice No',
  'Date',
  'Cashier',
  'Table',
  'Tel',
  'GST ID',
  'Terminal',
  'POS',
  'Bil No',
  'Tarikh',
  'Juruwang',
  '日期',
  '单号',
];
const sums = [
  'SUBTOTAL',
  'Sub Total',
  'GST 6%',
  'Service Tax',
  'ROUNDING',
  'Jumlah',
  'CASH',
  'CHANGE',
  'Tunai',
  'Baki',
  'VISA',
  '小计',
  '现金',
  '找零',
];

const money = (random: Random): string => (10 ** random.range(-0.3, 2.8)).toFixed(2);

function items(random: Random, words: Words): string {
  const columns = random.int(2, 5);
  const widths = [...random.some(columns - 1, (at) => (at ? 'auto' : '45%')), 'auto'];
  const head = ['ITEM', 'QTY', 'U/P', 'DISC', 'AMT'].slice(0, columns);
  const row = (cells: string[]) =>
    `<tr>${cells.map((cell, at) => `<td style="width:${widths[at]};text-align:${at ? 'right' : 'left'};white-space:nowrap;overflow:hidden;padding:0 2px">${cell}</td>`).join('')}</tr>`;
  const twoLines = random.chance(0.4);
  const line = () => {
    const name = words.phrase(random.int(1, 4)).toUpperCase();
    const numbers = random.some(columns - 1, (at) =>
      at === 0 && columns > 2 ? String(random.int(1, 12)) : money(random),
    );
    return twoLines
      ? `<tr><td colspan="${columns}" style="white-space:nowrap;overflow:hidden">${random.digits(random.int(5, 12))} ${name}</td></tr>${row(['', ...numbers])}`
      : row([name, ...numbers]);
  };
  return `<table style="width:100%;table-layout:fixed;border-collapse:collapse;font:inherit">${random.chance(0.6) ? row(head) : ''}${random.some(random.int(1, 18), line).join('')}</table>`;
}

/** A receipt of `width` px whose outline, where it has one, carries the label. */
export function scannedReceipt(random: Random, words: Words, width: number): string {
  const size = width / random.range(19, 34);
  const ink = random.pick(['#111', '#222', '#333', '#555', '#777', '#2a2a4a']);
  const rule = () =>
    random.chance(0.6)
      ? `<div style="white-space:nowrap;overflow:hidden">${random.pick(['-', '=', '*', '.', '_', '- ']).repeat(90)}</div>`
      : random.chance(0.5)
        ? `<div style="border-top:1px ${random.pick(['solid', 'dashed'])} ${ink};margin:3px 0"></div>`
        : '<br>';
  const middle = (text: string, grow = 1) =>
    `<div style="text-align:center;font-size:${grow}em">${text}</div>`;
  const pair = (left: string, right: string, grow = 1) =>
    `<div style="display:flex;justify-content:space-between;font-size:${grow}em;white-space:nowrap"><span>${left}</span><span>${right}</span></div>`;
  const spread = random.chance(0.5);
  const fact = () => {
    const [name, value] = [
      random.pick(facts),
      random.pick([words.date(), random.digits(random.int(4, 10)), words.phrase(2)]),
    ];
    return spread
      ? pair(`${name}:`, value)
      : `<div style="white-space:nowrap;overflow:hidden">${name} : ${value}</div>`;
  };
  const total = pair(
    random.pick(['TOTAL', 'JUMLAH', '合计', 'TOTAL RM', 'NET TOTAL', 'Total Sales (Incl GST)']),
    money(random),
    random.range(1, 1.8),
  );
  const written = random.chance(0.3)
    ? `<div style="position:absolute;left:${random.int(5, 60)}%;top:${random.int(0, 90)}%;transform:rotate(${random.int(-20, 20)}deg);mix-blend-mode:multiply">${random.chance(0.6) ? signature(random, width * random.range(0.2, 0.4), width * random.range(0.1, 0.2)).replace('data-label="signature"', '') : stamp(random, words, width * random.range(0.2, 0.4))}</div>`
    : '';
  const code = random.chance(0.25)
    ? middle(
        random.chance(0.3)
          ? qrCode(random, width * 0.3)
          : barcode(random, width * random.range(0.4, 0.8), width * 0.12),
      )
    : '';
  const parts = [
    random.chance(0.25) ? middle(logo(random, words, size * random.range(2, 4))) : '',
    middle(words.title().toUpperCase(), random.range(1, 1.8)),
    ...random.some(random.int(2, 8), () =>
      middle(random.chance(0.6) ? words.phrase(4).toUpperCase() : `${random.digits(5)} ${words.phrase(2)}`),
    ),
    random.chance(0.2) ? code : '',
    random.chance(0.5)
      ? middle(
          random.pick(['TAX INVOICE', 'CASH BILL', 'RECEIPT', 'RESIT', '收据', 'SIMPLIFIED TAX INVOICE']),
          random.range(1, 1.6),
        )
      : '',
    rule(),
    ...random.some(random.int(1, 6), fact),
    rule(),
    items(random, words),
    rule(),
    ...random.some(random.int(0, 4), () => pair(random.pick(sums), money(random))),
    total,
    ...random.some(random.int(0, 4), () => pair(random.pick(sums), money(random))),
    random.chance(0.4) ? rule() + items(random, words) : '',
    rule(),
    ...random.some(random.int(1, 5), () => middle(words.phrase(random.int(3, 6)))),
    code,
  ];
  const outline = random.pick([
    '',
    '',
    'box-shadow:0 0 4px #0004',
    'border:1px solid #ccc',
    'box-shadow:2px 2px 0 #000',
    'border-right:3px solid #222',
  ]);
  const weight = random.pick([400, 400, 400, 700]);
  return `<div data-label="receipt" style="position:relative;display:inline-block;box-sizing:border-box;width:${width}px;padding:${size * random.range(0.5, 3)}px ${size * random.range(0.3, 2.5)}px;background:${random.pick(['#fff', '#fff', '#fdfdfb', '#f4f2ec', '#e8e6e0'])};color:${ink};font:${weight} ${size}px/${random.range(1.05, 1.5)} '${random.pick(faces)}','Noto Sans CJK SC';text-align:left;${outline}">${parts.join('')}${written}</div>`;
}
