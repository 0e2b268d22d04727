/** What programs show inside their windows. */
import { chart, diagram, map } from './graphics.ts';
import { logo } from './marks.ts';
import type { Setting } from './pages.ts';
import {
  button,
  codeBlock,
  codeColors,
  codeLine,
  codeLines,
  figure,
  form,
  heading,
  mono,
  pageStyle,
  paragraph,
  photo,
  type Style,
  table,
  textField,
} from './pieces.ts';
import type { Random } from './random.ts';
import { plainSite } from './sites.ts';

export const flags = (style: Style) =>
  `background:${style.paper};color:${style.ink};font:${style.size}px/1.4 '${style.font}','Noto Sans CJK SC'`;

/** Shell sessions: prompts, listings, logs, progress, tables of characters. */
function terminalText({ random, words }: Setting, lines: number, dark: boolean): string {
  const colors = codeColors(random, dark);
  const tone = (text: string, at: number) => `<span style="color:${colors[at % 4]}">${text}</span>`;
  const prompt = random.pick([
    '$',
    '#',
    '~ $',
    'user@host:~$',
    'root@srv01:/var/log#',
    'PS C:\\Users\\me&gt;',
    '➜  app',
    'C:\\&gt;',
  ]);
  const kinds = [
    () =>
      `${tone(prompt, 0)} ${random.pick(['ls -la', 'git status', 'npm run build', 'cat file.txt', 'ssh host', 'ping 10.0.0.1', 'docker ps', 'dir', 'top', 'tail -f log', 'grep -rn error .'])}`,
    () =>
      `-rw-r--r--  1 user user ${random.digits(5).padStart(8)} Jan ${random.int(10, 28)} ${random.int(10, 23)}:${random.int(10, 59)} ${words.random.pick(['main.c', 'README.md', 'data.csv', 'index.html', 'notes.txt'])}`,
    () =>
      `[${2020 + random.int(0, 8)}-0${random.int(1, 9)}-1${random.int(0, 9)} ${random.int(10, 23)}:${random.int(10, 59)}:${random.int(10, 59)}] ${tone(random.pick(['INFO', 'WARN', 'ERROR', 'DEBUG']), random.int(1, 3))} ${words.phrase(6)}`,
    () =>
      `64 bytes from 10.0.${random.int(0, 255)}.${random.int(0, 255)}: icmp_seq=${random.int(1, 99)} ttl=64 time=${random.range(0, 50).toFixed(1)} ms`,
    () => words.sentence(),
    () =>
      `${random.digits(5).padStart(7)} root  20   0 ${random.digits(6).padStart(8)} ${random.digits(5)} S  ${random.range(0, 99).toFixed(1).padStart(5)}  ${random.range(0, 20).toFixed(1)} ${random.pick(['node', 'sshd', 'systemd', 'chrome', 'bash'])}`,
    () => `[${'#'.repeat(random.int(2, 30)).padEnd(32, '.')}] ${random.int(1, 99)}%`,
    () => codeLine(random, words, colors),
    () => '',
    () => tone(`${random.pick(['+', '-', ' '])} ${words.phrase(7)}`, random.int(0, 3)),
    () => `${tone(random.digits(7), 1)} ${words.paragraph(2)}`,
    () =>
      `drwxr-xr-x ${String(random.int(1, 99)).padStart(3)} root  root  ${random.digits(5)} Nov ${random.int(1, 30)} ${random.int(10, 23)}:${random.int(10, 59)} ${tone(words.phrase(1), 2)}`,
    () =>
      random
        .some(random.int(5, 14), () => random.pick([words.phrase(1), random.digits(4)]).padEnd(11))
        .join(''),
    () => `<span style="background:${colors[0]};color:#000">${words.phrase(8).padEnd(120)}</span>`,
    () => tone(`<b>${words.phrase(3)}</b>: `, 2) + words.sentence(),
  ];
  // Some screens are filled by one program alone.
  const change = random.pick([0.06, 0.25]);
  let kind = random.pick(kinds);
  return random
    .some(lines, () => {
      if (random.chance(change)) kind = random.pick(kinds);
      return kind();
    })
    .join('\n');
}

function terminalPane(at: Setting, height: number): string {
  const { random } = at;
  const dark = random.chance(0.85);
  const back = dark
    ? random.pick(['#000', '#0c0c0c', '#1e1e1e', '#300a24', '#012456', '#282a36', '#002b36'])
    : random.pick(['#fff', '#fdf6e3', '#f8f8f8']);
  const size = random.range(10, 18);
  const lines = Math.ceil((height / size / 1.3) * (random.chance(0.6) ? 1.2 : random.range(0.15, 0.9)));
  const tone = dark ? random.pick(['#ddd', '#ccc', '#33ff66', '#f8f8f2', '#ffb000']) : '#222';
  return `<div style="background:${back};height:100%;width:100%;overflow:hidden;padding:4px 6px;box-sizing:border-box"><pre data-label="code" data-tight style="margin:0;color:${tone};font:${size}px/1.3 '${mono(random)}','Noto Sans CJK SC'">${terminalText(at, lines, dark)}</pre></div>`;
}

/** An editor inside a terminal: nothing but text, tildes and a line of state. */
function plainEditor({ random, words }: Setting, height: number): string {
  const dark = random.chance(0.5);
  const [back, ink] = dark
    ? [random.pick(['#000', '#1c1c1c', '#002b36', '#300a24']), '#ddd']
    : [random.pick(['#fff', '#fdf6e3', '#eee']), '#222'];
  const size = random.range(9, 17);
  const lines = Math.ceil(height / size / 1.25) - 1;
  const used = random.chance(0.7) ? lines : random.int(3, lines);
  const state = `"${words.phrase(1)}.${random.pick(['py', 'ts', 'c', 'md'])}" ${random.digits(3)}L${' '.repeat(40)}${random.int(1, 90)},1  ${random.pick(['Top', 'All', '12%'])}`;
  const text = codeLines(random, words, used, dark, random.chance(0.6));
  return `<div style="background:${back};color:${ink};height:100%;overflow:hidden"><pre data-label="code" data-tight style="margin:0;font:${size}px/1.25 '${mono(random)}','Noto Sans CJK SC'">${text}${'\n~'.repeat(lines - used)}\n${random.chance(0.5) ? `<b>${state}</b>` : state}</pre></div>`;
}

function editorPane(at: Setting, height: number): string {
  const { random, words } = at;
  if (random.chance(0.3)) return plainEditor(at, height);
  const dark = random.chance(0.65);
  const back = dark
    ? random.pick(['#1e1e1e', '#282c34', '#272822', '#0d1117'])
    : random.pick(['#fff', '#fafafa', '#fdf6e3']);
  const size = random.range(10, 15);
  const tree = random.chance(0.7)
    ? `<div style="width:${random.int(14, 24)}%;background:${dark ? '#252526' : '#f0f0f0'};padding:6px;flex:none;font-size:${size * 0.9}px;white-space:nowrap;overflow:hidden">${random.some(random.int(8, 26), () => `<div style="padding-left:${random.int(0, 3) * 10}px">${random.pick(['▸', '▾', '·', ' '])} ${words.phrase(1)}.${random.pick(['ts', 'py', 'md', 'c', 'json'])}</div>`).join('')}</div>`
    : '';
  const tabs = random.chance(0.8)
    ? `<div style="display:flex;background:${dark ? '#333' : '#ddd'};font-size:${size * 0.9}px;white-space:nowrap;overflow:hidden">${random.some(random.int(1, 5), (n) => `<span style="padding:5px 12px;${n ? '' : `background:${back}`}">${words.phrase(1)}.ts ×</span>`).join('')}</div>`
    : '';
  const bottom = random.chance(0.3)
    ? `<div style="height:28%;flex:none;border-top:1px solid #777">${terminalPane(at, height * 0.28)}</div>`
    : '';
  const bar = random.chance(0.6)
    ? `<div style="background:${random.pick(['#007acc', '#333', '#ddd', '#16825d'])};font-size:${size * 0.8}px;padding:2px 8px;color:${dark ? '#fff' : '#333'};flex:none">Ln ${random.int(1, 300)}, Col ${random.int(1, 80)}   UTF-8</div>`
    : '';
  return `<div style="display:flex;flex-direction:column;height:100%;width:100%;background:${back};color:${dark ? '#d4d4d4' : '#222'};overflow:hidden"><div style="display:flex;flex:1;min-height:0">${tree}<div style="flex:1;display:flex;flex-direction:column;min-width:0">${tabs}<div style="flex:1;overflow:hidden"><pre data-label="code" data-tight style="margin:4px;font:${size}px/1.45 '${mono(random)}','Noto Sans CJK SC'">${codeLines(random, words, Math.ceil((height / size / 1.45) * random.range(0.4, 1.1)), dark, random.chance(0.75))}</pre></div>${bottom}</div></div>${bar}</div>`;
}

function spreadsheetPane(at: Setting, width: number, height: number): string {
  const { random, words } = at;
  const dark = random.chance(0.1);
  const size = random.range(9, 13);
  const wide = random.int(60, 110);
  const [columns, rows] = [Math.ceil(width / wide) + 1, Math.ceil(height / (size * 1.8)) + 1];
  const [filledRows, filledColumns] = [random.int(3, rows), random.int(2, columns)];
  const line = dark ? '#555' : '#d5d5d5';
  const gray = dark ? '#333' : '#eee';
  const numeric = random.some(columns, (n) => n > 0 && random.chance(0.65));
  const cells = random
    .some(
      rows,
      (row) =>
        `<tr><td style="background:${gray};text-align:center;width:30px">${row + 1}</td>${random.some(columns, (n) => `<td style="min-width:${wide - 8}px;max-width:${wide - 8}px;text-align:${numeric[n] ? 'right' : 'left'};${row === 0 && n < filledColumns ? 'font-weight:bold;' : ''}${row === 2 && n === 2 ? 'outline:2px solid #1a73e8;' : ''}">${row < filledRows && n < filledColumns && random.chance(0.92) ? (numeric[n] && row ? words.number() : words.phrase(1)) : ''}</td>`).join('')}</tr>`,
    )
    .join('');
  const accent = random.pick(['#217346', '#0f9d58', '#444', '#1565c0', '#f3f3f3']);
  const top = `<div style="background:${accent};color:${accent === '#f3f3f3' ? '#222' : '#fff'};padding:5px 10px;white-space:nowrap;overflow:hidden">${random.some(7, () => words.phrase(1).slice(0, 8)).join(' &nbsp; ')}</div><div style="padding:5px 8px;border-bottom:1px solid ${line};display:flex;gap:8px;white-space:nowrap;overflow:hidden">${random.some(random.int(6, 16), () => `<span style="display:inline-block;width:16px;height:16px;background:${random.pick(['#999', '#bbb', '#4a90d9', '#7b7'])};border-radius:2px"></span>`).join('')}</div><div style="border-bottom:1px solid ${line};padding:2px 8px">A1 &nbsp; <i>fx</i> &nbsp; ${random.chance(0.5) ? `=SUM(B2:B${random.int(5, 40)})` : words.phrase(2)}</div>`;
  const over = random.chance(0.2)
    ? `<div style="position:absolute;right:8%;bottom:14%;background:#fff;border:1px solid #bbb">${chart(random, words, Math.round(width * 0.36), Math.round(height * 0.36))}</div>`
    : '';
  const foot = random.chance(0.6)
    ? `<div style="position:absolute;left:0;right:0;bottom:0;background:${gray};padding:3px 40px">Sheet1 &nbsp; | &nbsp; ${words.phrase(1)}</div>`
    : '';
  return `<div style="position:relative;width:100%;height:100%;overflow:hidden;background:${dark ? '#222' : '#fff'};color:${dark ? '#ddd' : '#222'};font-size:${size}px">${random.chance(0.85) ? top : ''}<style>.sheet td{border:1px solid ${line};padding:1px 4px;height:${size * 1.5}px;overflow:hidden;white-space:nowrap}</style><table data-label="table" class="sheet" style="border-collapse:collapse;table-layout:fixed"><tr style="background:${gray};text-align:center"><td></td>${random.some(columns, (n) => `<td>${String.fromCharCode(65 + (n % 26))}</td>`).join('')}</tr>${cells}</table>${over}${foot}</div>`;
}

export function chatPane(at: Setting, height: number, phone: boolean): string {
  const { random, words, photos } = at;
  const dark = random.chance(0.35);
  const [mine, theirs] = dark
    ? [random.pick(['#005c4b', '#2b5278', '#4752c4']), '#202c33']
    : [
        random.pick(['#dcf8c6', '#d9fdd3', '#0b84ff', '#cfe9ff', '#e3d7ff']),
        random.pick(['#fff', '#f0f0f0', '#e9e9eb']),
      ];
  const avatar = () =>
    `<span style="display:inline-block;width:34px;height:34px;border-radius:50%;flex:none;background:${random.chance(0.4) ? `url(/photos/${String(random.int(0, photos - 1)).padStart(5, '0')}.jpg) center/cover` : random.color([30, 70], [40, 70])}"></span>`;
  const bubble = () => {
    const own = random.chance(0.45);
    const inside = random.chance(0.12)
      ? photo(random, photos, 170, 120)
      : `${words.paragraph(random.int(1, 2))}`;
    return `<div style="display:flex;gap:6px;margin:${random.int(3, 10)}px 10px;justify-content:${own ? 'flex-end' : 'flex-start'}">${!own && random.chance(0.5) ? avatar() : ''}<div style="max-width:68%;padding:6px 10px;border-radius:${random.pick([6, 12, 18])}px;background:${own ? mine : theirs};color:${own && mine === '#0b84ff' ? '#fff' : 'inherit'}">${inside}<div style="font-size:0.7em;opacity:.6;text-align:right">${random.int(10, 23)}:${random.int(10, 59)}</div></div></div>`;
  };
  const list =
    !phone && random.chance(0.8)
      ? `<div style="width:27%;flex:none;border-right:1px solid #8884;overflow:hidden">${random.some(12, () => `<div style="display:flex;gap:8px;padding:8px;border-bottom:1px solid #8882">${avatar()}<div style="overflow:hidden;white-space:nowrap"><b>${words.phrase(2)}</b><div style="opacity:.6">${words.sentence()}</div></div></div>`).join('')}</div>`
      : '';
  const top = `<div style="display:flex;gap:8px;align-items:center;padding:8px;background:${dark ? '#222e35' : random.pick(['#f0f2f5', '#075e54', '#517da2', '#fff'])};color:${dark ? '#eee' : '#333'};flex:none">${avatar()}<b>${words.phrase(2)}</b></div>`;
  const entry = `<div style="padding:8px;flex:none;display:flex">${textField(random, words, { font: '', size: 13, ink: '#555', paper: '', accent: '#2a7', dark }, '100%')}</div>`;
  return `<div style="display:flex;height:100%;width:100%;background:${dark ? '#0b141a' : random.pick(['#efeae2', '#fff', '#e7ebf0', '#f5f5f5'])};color:${dark ? '#e9edef' : '#111'};overflow:hidden">${list}<div style="flex:1;display:flex;flex-direction:column;min-width:0">${top}<div style="flex:1;overflow:hidden;display:flex;flex-direction:column;justify-content:flex-end">${random.some(Math.ceil(height / 80), bubble).join('')}</div>${entry}${phone && random.chance(0.5) ? keyboard(random) : ''}</div></div>`;
}

/** Keys on a phone or tablet screen. */
export function keyboard(random: Random): string {
  const dark = random.chance(0.4);
  const rows = random.chance(0.85) ? ['qwertyuiop', 'asdfghjkl', '⇧zxcvbnm⌫'] : ['123', '456', '789', '*0#'];
  const gap = random.range(2, 7);
  const high = random.int(28, 46);
  const upper = random.chance(0.4);
  const key = (text: string, grow = 1) =>
    `<span style="flex:${grow};height:${high}px;line-height:${high}px;text-align:center;border-radius:${random.pick([3, 5, 8])}px;background:${dark ? '#555' : '#fff'};${random.chance(0.5) ? 'box-shadow:0 1px 0 #0006' : ''}">${text}</span>`;
  const line = (keys: string, at: number) =>
    `<div style="display:flex;gap:${gap}px;padding:0 ${at === 1 ? high * 0.4 : 0}px">${[...keys].map((text) => key(upper ? text.toUpperCase() : text)).join('')}</div>`;
  const space =
    rows.length === 3
      ? `<div style="display:flex;gap:${gap}px">${key('123', 1.5)}${key('☺')}${key('space', 5)}${key('⏎', 1.5)}</div>`
      : '';
  return `<div data-label="keyboard" style="flex:none;display:flex;flex-direction:column;gap:${gap * 1.6}px;padding:${gap * 1.5}px ${gap}px;background:${dark ? '#2b2b2b' : '#d1d4da'};color:${dark ? '#fff' : '#111'};font:${high * 0.42}px 'Noto Sans','DejaVu Sans'">${rows.map(line).join('')}${space}</div>`;
}

function webPane(at: Setting, width: number): string {
  const { random, words, photos } = at;
  const style = pageStyle(random, words, [12, 17], random.chance(0.2));
  const nav = `<div style="display:flex;gap:22px;align-items:center;padding:${random.int(6, 18)}px ${random.int(10, 60)}px;background:${random.pick([style.accent, style.paper, style.dark ? '#333' : '#f4f4f4'])};color:${style.ink};white-space:nowrap;overflow:hidden">${logo(random, words, random.int(22, 40))}${random.some(random.int(3, 7), () => `<span>${words.phrase(1)}</span>`).join('')}${random.chance(0.5) ? textField(random, words, style, '180px') : ''}${random.chance(0.5) ? button(random, words, style) : ''}</div>`;
  const card = (wide: number) =>
    `<div style="width:${wide}px;border-radius:${random.pick([0, 6, 12])}px;${random.chance(0.5) ? 'box-shadow:0 1px 6px #0003;' : ''}overflow:hidden">${photo(random, photos, wide, wide * 0.62)}<div style="padding:8px"><b>${words.phrase(4)}</b><div>${words.sentence()}</div>${random.chance(0.3) ? button(random, words, style) : ''}</div></div>`;
  const cards = () => {
    const n = random.int(2, 4);
    return `<div style="display:flex;gap:16px;margin:14px 0">${random.some(n, () => card(Math.round((width * 0.86 - 16 * n) / n))).join('')}</div>`;
  };
  const hero = () =>
    `<div style="position:relative;margin:0 -${width * 0.07}px">${photo(random, photos, width, random.int(180, 380))}<div style="position:absolute;left:8%;bottom:14%;color:#fff;text-shadow:0 1px 6px #000">${heading(random, words, { ...style, ink: '#fff', accent: '#fff' }, 2.6)}${random.chance(0.6) ? button(random, words, style) : ''}</div></div>`;
  const part = () =>
    random.pick([
      cards,
      hero,
      () => paragraph(random, words),
      () => heading(random, words, style) + paragraph(random, words),
      () => table(random, words, style),
      () => `<div style="width:60%">${form(random, words, style)}</div>`,
      () =>
        `<div style="display:flex;gap:20px;align-items:flex-start">${figure(random, words, style, photos, width * 0.4)}<div>${heading(random, words, style, 1.5)}${paragraph(random, words)}</div></div>`,
      () => codeBlock(random, words, style),
      () => `<div>${random.some(random.int(2, 4), () => button(random, words, style)).join(' ')}</div>`,
      () =>
        `<ul data-label="text_block" data-tight>${random.some(random.int(4, 9), () => `<li style="color:${style.accent}">${words.phrase(6)}</li>`).join('')}</ul>`,
    ])();
  return `<div style="width:100%;height:100%;overflow:hidden;${flags(style)}">${nav}<div style="padding:0 7%">${random.some(8, part).join('')}</div></div>`;
}

function dashboardPane(at: Setting, width: number, height: number): string {
  const { random, words } = at;
  const style = pageStyle(random, words, [11, 14], random.chance(0.4));
  const columns = random.int(2, 3);
  const [w, h] = [(width * 0.94) / columns - 14, height * random.range(0.34, 0.44)];
  const tile = () =>
    `<div style="width:${w}px;height:${h}px;overflow:hidden;background:${style.dark ? '#ffffff0d' : '#fff'};border:1px solid #8883;border-radius:8px;box-sizing:border-box;padding:6px">${random.pick([() => chart(random, words, w - 14, h - 14, style.ink), () => chart(random, words, w - 14, h - 14, style.ink), () => table(random, words, style, 5, 4), () => map(random, words, w - 14, h - 14), () => diagram(random, words, w - 14, h - 14, style.ink)])()}</div>`;
  return `<div style="width:100%;height:100%;overflow:hidden;${flags(style)};background:${style.dark ? style.paper : '#f2f4f8'}"><div style="padding:10px 3%">${heading(random, words, style, 1.5)}</div><div style="display:flex;flex-wrap:wrap;gap:12px;padding:0 3%">${random.some(columns * 2, tile).join('')}</div></div>`;
}

export function pane(at: Setting, kind: string, width: number, height: number): string {
  if (kind === 'terminal') return terminalPane(at, height);
  if (kind === 'code_editor') return editorPane(at, height);
  if (kind === 'spreadsheet') return spreadsheetPane(at, width, height);
  if (kind === 'chat') return chatPane(at, height, false);
  const chance = at.random.next();
  if (chance < 0.6) return plainSite(at, width);
  return chance < 0.72 ? dashboardPane(at, width, height) : webPane(at, width);
}
