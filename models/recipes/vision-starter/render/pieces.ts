/** Parts of pages and screens as HTML. What is to be found carries `data-label`; `data-tight` takes the box of the contents. */
import { chart, diagram, map } from './graphics.ts';
import { escapeHtml, type Random, type Words } from './random.ts';

export interface Style {
  font: string;
  size: number;
  ink: string;
  paper: string;
  accent: string;
  dark: boolean;
}

const families: Record<string, string[]> = {
  en: [
    'Liberation Sans',
    'Liberation Serif',
    'DejaVu Sans',
    'DejaVu Serif',
    'Noto Sans',
    'Nimbus Sans',
    'Nimbus Roman',
    'Liberation Sans Narrow',
    'Noto Sans Display',
    'DejaVu Sans Condensed',
    'Liberation Mono',
  ],
  zh: ['Noto Sans CJK SC', 'Noto Sans CJK TC', 'Droid Sans Fallback', 'Noto Serif CJK SC'],
};

export function pageStyle(random: Random, words: Words, size: [number, number], dark = false): Style {
  return {
    font: random.pick(families[words.language === 'zh' ? 'zh' : 'en'] as string[]),
    size: random.range(...size),
    ink: dark
      ? random.pick(['#eee', '#ddd', '#cfd8e0', '#fff'])
      : random.pick(['#000', '#111', '#222', '#333', '#1a1a2e']),
    paper: dark
      ? random.pick(['#111', '#1e1e1e', '#202124', '#0d1117', '#2b2b2b', '#1a1d29'])
      : random.pick(['#fff', '#fff', '#fff', '#fdfdfb', '#f8f9fa', '#fffdf5']),
    accent: random.chance(0.2)
      ? dark
        ? '#ccc'
        : '#222'
      : random.color([50, 95], dark ? [50, 70] : [25, 50]),
    dark,
  };
}

export const heading = (random: Random, words: Words, style: Style, grow = random.range(1.3, 2.4)): string =>
  `<div style="margin:${random.range(0.3, 1)}em 0;text-align:${random.pick(['left', 'left', 'left', 'center'])}"><span data-label="heading" data-tight style="font-size:${grow * style.size}px;font-weight:${random.pick([400, 600, 700, 700])};color:${random.pick([style.ink, style.ink, style.accent])};line-height:1.2">${words.title()}</span></div>`;

export const paragraph = (random: Random, words: Words, count?: number): string =>
  `<p data-label="text_block" data-tight style="margin:0.6em 0;text-align:${random.pick(['left', 'justify'])};line-height:${random.range(1.15, 1.7)}">${words.paragraph(count)}</p>`;

/** A picture of the procedural photographs. */
export function photo(random: Random, photos: number, width: number, height: number, style = ''): string {
  return `<img data-label="photo" src="/photos/${String(random.int(0, photos - 1)).padStart(5, '0')}.jpg" style="width:${width}px;height:${height}px;object-fit:cover;display:inline-block;${style}">`;
}

export function table(
  random: Random,
  words: Words,
  style: Style,
  rows = random.int(3, 14),
  columns = random.int(2, 7),
): string {
  const ruling = random.pick(['all', 'all', 'rows', 'rows', 'outer', 'head', 'none', 'booktabs']);
  const line = random.pick([style.ink, '#999', '#ccc', style.accent]);
  const border = `${random.pick([1, 1, 1, 1.5, 2])}px solid ${line}`;
  const stripe = random.chance(0.3)
    ? style.dark
      ? '#ffffff12'
      : random.pick(['#f2f2f2', '#eef4fb', '#f7f7ef'])
    : '';
  const head = random.pick(['none', 'none', 'fill', 'fill', 'bold', 'bold', 'grey']);
  const pad = `${random.range(1, 7)}px ${random.range(3, 12)}px`;
  const numeric = random.some(columns, (at) => at > 0 && random.chance(0.6));
  const cell = (at: number) =>
    numeric[at]
      ? words.number()
      : random.chance(0.15)
        ? ''
        : random.chance(0.08)
          ? words.sentence()
          : words.phrase(random.int(1, 3));
  const body = random.some(rows, (row) => {
    const first = row === 0 && head !== 'none';
    const under =
      ruling === 'all' ||
      ruling === 'rows' ||
      (ruling === 'head' && row === 0) ||
      (ruling === 'booktabs' && (row === 0 || row === rows - 1))
        ? `border-bottom:${border};`
        : '';
    const over = ruling === 'booktabs' && row === 0 ? `border-top:${border};` : '';
    const back =
      first && head === 'fill'
        ? `background:${style.accent};color:${style.dark ? '#000' : '#fff'};`
        : first && head === 'grey'
          ? `background:${style.dark ? '#444' : '#e4e4e4'};`
          : stripe && row % 2
            ? `background:${stripe};`
            : '';
    const cells = random.some(
      columns,
      (at) =>
        `<td style="padding:${pad};${under}${over}${ruling === 'all' ? `border:${border};` : ''}text-align:${numeric[at] ? 'right' : 'left'};${first ? 'font-weight:bold;' : ''}">${first ? words.phrase(random.int(1, 2)) : cell(at)}</td>`,
    );
    return `<tr style="${back}">${cells.join('')}</tr>`;
  });
  const width = random.chance(0.7) ? 'width:100%' : '';
  return `<table data-label="table" style="border-collapse:collapse;font-size:${style.size * random.range(0.75, 1)}px;${width};${ruling === 'outer' ? `border:${border};` : ''}margin:0.5em 0">${body.join('')}</table>`;
}

/** A drawn or native box or ring, ticked or not; `box` px wide. */
export function mark(random: Random, style: Style, box: number, round: boolean, ticked: boolean): string {
  const label = round ? (ticked ? 'radio_selected' : 'radio') : ticked ? 'checkbox_ticked' : 'checkbox';
  const kind = random.next();
  if (kind < 0.3)
    return `<input data-label="${label}" type="${round ? 'radio' : 'checkbox'}" ${ticked ? 'checked' : ''} style="width:${box}px;height:${box}px;margin:0;flex:none;accent-color:${style.accent};${style.dark ? 'color-scheme:dark' : ''}">`;
  const line = random.pick([style.ink, style.ink, '#777', style.accent]);
  const filled = ticked && random.chance(0.35);
  const wide = random.pick([1, 1, 1.3, 2]);
  const tick = filled ? '#fff' : random.pick([line, line, '#14338a', '#c01818']);
  const jitter = () => random.range(-1.2, 1.2);
  const inside = round
    ? ticked
      ? `<circle cx="10" cy="10" r="${random.range(3.5, 6)}" fill="${filled ? '#fff' : tick}"/>`
      : ''
    : ticked
      ? random.pick([
          `<path d="M${4 + jitter()} ${10 + jitter()}L${8.5 + jitter()} ${15 + jitter()}L${16 + jitter()} ${4.5 + jitter()}" fill="none" stroke="${tick}" stroke-width="${random.range(2, 3.4)}"/>`,
          `<path d="M${4 + jitter()} ${10 + jitter()}L${8 + jitter()} ${16 + jitter()}L${20 + jitter()} ${-1 + jitter()}" fill="none" stroke="${tick}" stroke-width="${random.range(1.5, 3)}"/>`,
          `<path d="M${4 + jitter()} ${4 + jitter()}L${16 + jitter()} ${16 + jitter()}M${16 + jitter()} ${4 + jitter()}L${4 + jitter()} ${16 + jitter()}" stroke="${tick}" stroke-width="${random.range(1.5, 3)}"/>`,
          `<rect x="4.5" y="4.5" width="11" height="11" fill="${tick}"/>`,
        ])
      : '';
  const outline = round
    ? `<circle cx="10" cy="10" r="9" fill="${filled ? style.accent : random.chance(0.5) ? 'none' : style.dark ? '#333' : '#fff'}" stroke="${line}" stroke-width="${wide}"/>`
    : `<rect x="1" y="1" width="18" height="18" rx="${random.pick([0, 0, 3, 4])}" fill="${filled ? style.accent : 'none'}" stroke="${line}" stroke-width="${wide}"/>`;
  return `<svg data-label="${label}" width="${box}" height="${box}" viewBox="0 0 20 20" style="overflow:visible;flex:none">${outline}${inside}</svg>`;
}

export function choices(random: Random, words: Words, style: Style): string {
  const round = random.chance(0.4);
  const box = style.size * random.range(0.75, 1.35);
  const chosen = random.int(0, 4);
  const down = random.chance(0.5);
  const item = (at: number) => {
    const parts = [
      mark(random, style, box, round, round ? at === chosen : random.chance(0.45)),
      `<span>${words.phrase(random.int(1, 4))}</span>`,
    ];
    if (random.chance(0.08)) parts.reverse();
    return `<span style="display:inline-flex;align-items:center;gap:${box * 0.5}px">${parts.join('')}</span>`;
  };
  return `<div style="display:flex;flex-wrap:wrap;flex-direction:${down ? 'column' : 'row'};align-items:flex-start;gap:${random.range(4, 10)}px ${random.range(10, 30)}px;margin:6px 0">${random.some(random.int(2, 5), item).join('')}</div>`;
}

export function textField(random: Random, words: Words, style: Style, width: string): string {
  const kind = random.pick(['box', 'box', 'line', 'fill', 'comb']);
  const value = random.chance(0.5) ? words.phrase(random.int(1, 4)) : '';
  const high = style.size * random.range(1.5, 2.6);
  const line = random.pick(['#888', '#bbb', style.ink, style.accent]);
  if (kind === 'comb') {
    const cells = random.int(6, 14);
    const digits = words.random.digits(cells);
    return `<span data-label="text_field" style="display:inline-flex;border:1px solid ${line}">${random.some(cells, (at) => `<span style="width:${high * 0.7}px;height:${high * 0.85}px;text-align:center;${at ? `border-left:1px solid ${line}` : ''}">${value ? digits[at] : ''}</span>`).join('')}</span>`;
  }
  const look =
    kind === 'line'
      ? `border-bottom:1px ${random.pick(['solid', 'solid', 'dotted'])} ${line}`
      : kind === 'fill'
        ? `background:${style.dark ? '#3a3a3a' : '#eef1f5'};border-radius:${random.pick([0, 3, 6])}px`
        : `border:1px solid ${line};border-radius:${random.pick([0, 0, 3, 6, 20])}px;background:${style.dark ? '#2a2a2a' : '#fff'}`;
  const gray = random.chance(0.4) ? 'color:#999;' : '';
  return `<span data-label="text_field" style="display:inline-block;box-sizing:border-box;vertical-align:middle;width:${width};height:${high}px;line-height:${high}px;padding:0 ${style.size * 0.5}px;overflow:hidden;white-space:nowrap;${look};${gray}">${value}</span>`;
}

export function button(random: Random, words: Words, style: Style): string {
  const solid = random.chance(0.6);
  const fill = solid
    ? random.pick([style.accent, '#2563eb', '#16a34a', '#dc2626', '#374151', style.dark ? '#555' : '#e5e7eb'])
    : 'transparent';
  const ink = fill === '#e5e7eb' ? '#111' : solid ? '#fff' : style.accent;
  return `<span data-label="button" style="display:inline-block;padding:${random.range(0.2, 0.7)}em ${random.range(0.8, 2)}em;border-radius:${random.pick([0, 3, 5, 8, 30])}px;background:${fill};color:${ink};border:1px solid ${solid ? 'transparent' : style.accent};font-weight:${random.pick([400, 600])};${random.chance(0.2) ? 'box-shadow:0 1px 3px #0006' : ''}">${words.phrase(random.int(1, 2))}</span>`;
}

/** Labels with fields, choices and perhaps buttons. */
export function form(random: Random, words: Words, style: Style, rows = random.int(3, 9)): string {
  const aside = random.chance(0.5);
  const columns = random.chance(0.3) ? 2 : 1;
  const row = () => {
    const label = `<span style="${aside ? `width:${random.int(22, 32)}%;flex:none` : 'display:block;margin-bottom:3px'};font-weight:${random.pick([400, 600])}">${words.phrase(random.int(1, 3))}${random.pick(['', ':', ' *'])}</span>`;
    const field = random.chance(0.25)
      ? choices(random, words, style)
      : textField(random, words, style, aside ? `${random.int(35, 65)}%` : `${random.int(60, 100)}%`);
    return `<div style="margin:${random.range(4, 9)}px 0;${aside ? 'display:flex;align-items:center;gap:8px' : ''}">${label}${field}</div>`;
  };
  const frame = random.chance(0.3) ? `border:1px solid #999;padding:10px;` : '';
  const send = random.chance(0.35)
    ? `<div style="margin-top:8px">${random.some(random.int(1, 2), () => button(random, words, style)).join(' ')}</div>`
    : '';
  return `<div data-label="form" style="${frame}display:grid;grid-template-columns:repeat(${columns},1fr);column-gap:16px">${random.some(rows, row).join('')}${send}</div>`;
}

const keywords = [
  'const',
  'return',
  'def',
  'if',
  'for',
  'import',
  'class',
  'function',
  'let',
  'while',
  'static',
  'void',
  'SELECT',
  'FROM',
  'struct',
  'fn',
  'async',
];

export function codeLine(random: Random, words: Words, colors: string[]): string {
  const span = (text: string, at: number) =>
    `<span style="color:${colors[at % colors.length]}">${escapeHtml(text)}</span>`;
  const name = () =>
    random
      .some(random.int(1, 2), () =>
        random.pick([
          'get',
          'user',
          'data',
          'index',
          'value',
          'file',
          'parse',
          'node',
          'count',
          'item',
          'main',
          'path',
          'x',
          'i',
        ]),
      )
      .join(random.pick(['_', '', '.']));
  return random.pick([
    () =>
      `${span(random.pick(keywords), 0)} ${span(name(), 1)} = ${span(name(), 1)}(${span(random.digits(2), 2)});`,
    () =>
      `${span(random.pick(keywords), 0)} (${span(name(), 1)} ${random.pick(['==', '&lt;', '!=', '+'])} ${span(random.digits(1), 2)}) {`,
    () => '}',
    () => span(`${random.pick(['//', '#'])} ${words.phrase(random.int(2, 7))}`, 3),
    () => `${span(name(), 1)}.${span(name(), 1)}(${span(`"${words.phrase(2)}"`, 2)}, ${name()})`,
    () => `${span('return', 0)} ${span(name(), 1)}[${random.digits(1)}] * ${span(name(), 1)}`,
    () => '',
  ])();
}

export function codeColors(random: Random, dark: boolean): string[] {
  return random.some(4, () => random.color([30, 90], dark ? [60, 80] : [25, 42]));
}

export function codeLines(
  random: Random,
  words: Words,
  count: number,
  dark: boolean,
  numbers: boolean,
): string {
  const colors = codeColors(random, dark);
  let depth = 0;
  return random
    .some(count, (at) => {
      const line = codeLine(random, words, colors);
      if (line === '}') depth = Math.max(0, depth - 1);
      const text = `${numbers ? `<span style="color:#888">${String(at + 1).padStart(4)}  </span>` : ''}${'  '.repeat(depth)}${line}`;
      if (line.endsWith('{')) depth = Math.min(5, depth + 1);
      return text;
    })
    .join('\n');
}

export const mono = (random: Random): string =>
  random.pick(['Liberation Mono', 'DejaVu Sans Mono', 'Noto Mono', 'Nimbus Mono PS', 'Noto Sans Mono']);

export function codeBlock(random: Random, words: Words, style: Style): string {
  const dark = style.dark || random.chance(0.4);
  const back = dark
    ? random.pick(['#1e1e1e', '#282c34', '#0d1117'])
    : random.pick(['#f6f8fa', '#f5f5f5', '#fffbe8', 'transparent']);
  return `<pre data-label="code" style="background:${back};color:${dark ? '#ddd' : '#222'};padding:${random.range(4, 12)}px;margin:6px 0;border-radius:${random.pick([0, 4, 8])}px;font:${style.size * random.range(0.75, 1)}px/1.4 '${mono(random)}';overflow:hidden">${codeLines(random, words, random.int(4, 14), dark, random.chance(0.2))}</pre>`;
}

/** A chart, diagram, map or photograph to stand in a column of `width` px. */
export function figure(random: Random, words: Words, style: Style, photos: number, width: number): string {
  const w = Math.round(width * random.range(0.55, 1));
  const h = Math.round(w * random.range(0.45, 0.85));
  const inside = random.pick([
    () => chart(random, words, w, h, style.ink),
    () => chart(random, words, w, h, style.ink),
    () => diagram(random, words, w, h, style.ink),
    () => map(random, words, w, h),
    () => photo(random, photos, w, h),
  ])();
  const caption = random.chance(0.6)
    ? `<div style="font-size:0.85em;font-style:italic">${words.phrase(random.int(4, 9))}</div>`
    : '';
  return `<div style="margin:8px 0;display:flex;flex-direction:column;align-items:${random.pick(['flex-start', 'center'])}">${inside}${caption}</div>`;
}
