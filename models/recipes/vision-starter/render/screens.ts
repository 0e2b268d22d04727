/** Screenshots: windows on a desktop, dialogs, terminals, editors, spreadsheets, chats, web pages, phones. */
import { chart, diagram, logo, map, qrCode } from './graphics.ts';
import type { Drawn, Setting } from './pages.ts';
import { button, choices, codeBlock, codeColours, codeLine, codeLines, figure, form, heading, mono, pageStyle, paragraph, photo, type Style, table, textField } from './pieces.ts';
import type { Random, Words } from './random.ts';

const flags = (style: Style) => `background:${style.paper};color:${style.ink};font:${style.size}px/1.4 '${style.font}','Noto Sans CJK SC'`;

const whole = (kind: string, width: number, height: number, style: Style, inside: string): Drawn => ({
  kind, width, height,
  html: `<div style="position:relative;width:${width}px;height:${height}px;overflow:hidden;${flags(style)}">${inside}</div>`,
});

const screenSize = (random: Random): [number, number] => random.pick([[1280, 800], [1366, 768], [1024, 768], [1440, 900], [1120, 700], [900, 700]]);

/** Shell sessions: prompts, listings, logs, progress, tables of characters. */
function terminalText({ random, words }: Setting, lines: number, dark: boolean): string {
  const colours = codeColours(random, dark);
  const tone = (text: string, at: number) => `<span style="color:${colours[at % 4]}">${text}</span>`;
  const prompt = random.pick(['$', '#', '~ $', 'user@host:~$', 'root@srv01:/var/log#', 'PS C:\\Users\\me&gt;', '➜  app', 'C:\\&gt;']);
  const kinds = [
    () => `${tone(prompt, 0)} ${random.pick(['ls -la', 'git status', 'npm run build', 'cat file.txt', 'ssh host', 'ping 10.0.0.1', 'docker ps', 'dir', 'top', 'tail -f log', 'grep -rn error .'])}`,
    () => `-rw-r--r--  1 user user ${random.digits(5).padStart(8)} Jan ${random.int(10, 28)} ${random.int(10, 23)}:${random.int(10, 59)} ${words.random.pick(['main.c', 'README.md', 'data.csv', 'index.html', 'notes.txt'])}`,
    () => `[${2020 + random.int(0, 8)}-0${random.int(1, 9)}-1${random.int(0, 9)} ${random.int(10, 23)}:${random.int(10, 59)}:${random.int(10, 59)}] ${tone(random.pick(['INFO', 'WARN', 'ERROR', 'DEBUG']), random.int(1, 3))} ${words.phrase(6)}`,
    () => `64 bytes from 10.0.${random.int(0, 255)}.${random.int(0, 255)}: icmp_seq=${random.int(1, 99)} ttl=64 time=${random.range(0, 50).toFixed(1)} ms`,
    () => words.sentence(),
    () => `${random.digits(5).padStart(7)} root  20   0 ${random.digits(6).padStart(8)} ${random.digits(5)} S  ${random.range(0, 99).toFixed(1).padStart(5)}  ${random.range(0, 20).toFixed(1)} ${random.pick(['node', 'sshd', 'systemd', 'chrome', 'bash'])}`,
    () => `[${'#'.repeat(random.int(2, 30)).padEnd(32, '.')}] ${random.int(1, 99)}%`,
    () => codeLine(random, words, colours),
    () => '',
  ];
  let kind = random.pick(kinds);
  return random.some(lines, () => {
    if (random.chance(0.25)) kind = random.pick(kinds);
    return kind();
  }).join('\n');
}

function terminalPane(at: Setting, height: number): string {
  const { random } = at;
  const dark = random.chance(0.85);
  const back = dark ? random.pick(['#000', '#0c0c0c', '#1e1e1e', '#300a24', '#012456', '#282a36', '#002b36']) : random.pick(['#fff', '#fdf6e3', '#f8f8f8']);
  const size = random.range(10, 18);
  const lines = Math.ceil((height / size / 1.3) * (random.chance(0.6) ? 1.2 : random.range(0.15, 0.9)));
  const tone = dark ? random.pick(['#ddd', '#ccc', '#33ff66', '#f8f8f2', '#ffb000']) : '#222';
  return `<div style="background:${back};height:100%;width:100%;overflow:hidden;padding:4px 6px;box-sizing:border-box"><pre data-label="code" data-tight style="margin:0;color:${tone};font:${size}px/1.3 '${mono(random)}','Noto Sans CJK SC'">${terminalText(at, lines, dark)}</pre></div>`;
}

function editorPane(at: Setting, height: number): string {
  const { random, words } = at;
  const dark = random.chance(0.65);
  const back = dark ? random.pick(['#1e1e1e', '#282c34', '#272822', '#0d1117']) : random.pick(['#fff', '#fafafa', '#fdf6e3']);
  const size = random.range(10, 15);
  const tree = random.chance(0.7) ? `<div style="width:${random.int(14, 24)}%;background:${dark ? '#252526' : '#f0f0f0'};padding:6px;flex:none;font-size:${size * 0.9}px;white-space:nowrap;overflow:hidden">${random.some(random.int(8, 26), () => `<div style="padding-left:${random.int(0, 3) * 10}px">${random.pick(['▸', '▾', '·', ' '])} ${words.phrase(1)}.${random.pick(['ts', 'py', 'md', 'c', 'json'])}</div>`).join('')}</div>` : '';
  const tabs = random.chance(0.8) ? `<div style="display:flex;background:${dark ? '#333' : '#ddd'};font-size:${size * 0.9}px;white-space:nowrap;overflow:hidden">${random.some(random.int(1, 5), (n) => `<span style="padding:5px 12px;${n ? '' : `background:${back}`}">${words.phrase(1)}.ts ×</span>`).join('')}</div>` : '';
  const bottom = random.chance(0.3) ? `<div style="height:28%;flex:none;border-top:1px solid #777">${terminalPane(at, height * 0.28)}</div>` : '';
  const bar = random.chance(0.6) ? `<div style="background:${random.pick(['#007acc', '#333', '#ddd', '#16825d'])};font-size:${size * 0.8}px;padding:2px 8px;color:${dark ? '#fff' : '#333'};flex:none">Ln ${random.int(1, 300)}, Col ${random.int(1, 80)}   UTF-8</div>` : '';
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
  const grey = dark ? '#333' : '#eee';
  const numeric = random.some(columns, (n) => n > 0 && random.chance(0.65));
  const cells = random.some(rows, (row) => `<tr><td style="background:${grey};text-align:center;width:30px">${row + 1}</td>${random.some(columns, (n) => `<td style="min-width:${wide - 8}px;max-width:${wide - 8}px;text-align:${numeric[n] ? 'right' : 'left'};${row === 0 && n < filledColumns ? 'font-weight:bold;' : ''}${row === 2 && n === 2 ? 'outline:2px solid #1a73e8;' : ''}">${row < filledRows && n < filledColumns && random.chance(0.92) ? (numeric[n] && row ? words.number() : words.phrase(1)) : ''}</td>`).join('')}</tr>`).join('');
  const accent = random.pick(['#217346', '#0f9d58', '#444', '#1565c0', '#f3f3f3']);
  const top = `<div style="background:${accent};color:${accent === '#f3f3f3' ? '#222' : '#fff'};padding:5px 10px;white-space:nowrap;overflow:hidden">${random.some(7, () => words.phrase(1).slice(0, 8)).join(' &nbsp; ')}</div><div style="padding:5px 8px;border-bottom:1px solid ${line};display:flex;gap:8px;white-space:nowrap;overflow:hidden">${random.some(random.int(6, 16), () => `<span style="display:inline-block;width:16px;height:16px;background:${random.pick(['#999', '#bbb', '#4a90d9', '#7b7'])};border-radius:2px"></span>`).join('')}</div><div style="border-bottom:1px solid ${line};padding:2px 8px">A1 &nbsp; <i>fx</i> &nbsp; ${random.chance(0.5) ? `=SUM(B2:B${random.int(5, 40)})` : words.phrase(2)}</div>`;
  const over = random.chance(0.2) ? `<div style="position:absolute;right:8%;bottom:14%;background:#fff;border:1px solid #bbb">${chart(random, words, Math.round(width * 0.36), Math.round(height * 0.36))}</div>` : '';
  const foot = random.chance(0.6) ? `<div style="position:absolute;left:0;right:0;bottom:0;background:${grey};padding:3px 40px">Sheet1 &nbsp; | &nbsp; ${words.phrase(1)}</div>` : '';
  return `<div style="position:relative;width:100%;height:100%;overflow:hidden;background:${dark ? '#222' : '#fff'};color:${dark ? '#ddd' : '#222'};font-size:${size}px">${random.chance(0.85) ? top : ''}<style>.sheet td{border:1px solid ${line};padding:1px 4px;height:${size * 1.5}px;overflow:hidden;white-space:nowrap}</style><table data-label="table" class="sheet" style="border-collapse:collapse;table-layout:fixed"><tr style="background:${grey};text-align:center"><td></td>${random.some(columns, (n) => `<td>${String.fromCharCode(65 + (n % 26))}</td>`).join('')}</tr>${cells}</table>${over}${foot}</div>`;
}

function chatPane(at: Setting, height: number, phone: boolean): string {
  const { random, words, photos } = at;
  const dark = random.chance(0.35);
  const [mine, theirs] = dark ? [random.pick(['#005c4b', '#2b5278', '#4752c4']), '#202c33'] : [random.pick(['#dcf8c6', '#d9fdd3', '#0b84ff', '#cfe9ff', '#e3d7ff']), random.pick(['#fff', '#f0f0f0', '#e9e9eb'])];
  const avatar = () => `<span style="display:inline-block;width:34px;height:34px;border-radius:50%;flex:none;background:${random.chance(0.4) ? `url(/photos/${String(random.int(0, photos - 1)).padStart(5, '0')}.jpg) center/cover` : random.colour([30, 70], [40, 70])}"></span>`;
  const bubble = () => {
    const own = random.chance(0.45);
    const inside = random.chance(0.12) ? photo(random, photos, 170, 120) : `${words.paragraph(random.int(1, 2))}`;
    return `<div style="display:flex;gap:6px;margin:${random.int(3, 10)}px 10px;justify-content:${own ? 'flex-end' : 'flex-start'}">${!own && random.chance(0.5) ? avatar() : ''}<div style="max-width:68%;padding:6px 10px;border-radius:${random.pick([6, 12, 18])}px;background:${own ? mine : theirs};color:${own && mine === '#0b84ff' ? '#fff' : 'inherit'}">${inside}<div style="font-size:0.7em;opacity:.6;text-align:right">${random.int(10, 23)}:${random.int(10, 59)}</div></div></div>`;
  };
  const list = !phone && random.chance(0.8) ? `<div style="width:27%;flex:none;border-right:1px solid #8884;overflow:hidden">${random.some(12, () => `<div style="display:flex;gap:8px;padding:8px;border-bottom:1px solid #8882">${avatar()}<div style="overflow:hidden;white-space:nowrap"><b>${words.phrase(2)}</b><div style="opacity:.6">${words.sentence()}</div></div></div>`).join('')}</div>` : '';
  const top = `<div style="display:flex;gap:8px;align-items:center;padding:8px;background:${dark ? '#222e35' : random.pick(['#f0f2f5', '#075e54', '#517da2', '#fff'])};color:${dark ? '#eee' : '#333'};flex:none">${avatar()}<b>${words.phrase(2)}</b></div>`;
  const entry = `<div style="padding:8px;flex:none;display:flex">${textField(random, words, { font: '', size: 13, ink: '#555', paper: '', accent: '#2a7', dark }, '100%')}</div>`;
  return `<div style="display:flex;height:100%;width:100%;background:${dark ? '#0b141a' : random.pick(['#efeae2', '#fff', '#e7ebf0', '#f5f5f5'])};color:${dark ? '#e9edef' : '#111'};overflow:hidden">${list}<div style="flex:1;display:flex;flex-direction:column;min-width:0">${top}<div style="flex:1;overflow:hidden;display:flex;flex-direction:column;justify-content:flex-end">${random.some(Math.ceil(height / 80), bubble).join('')}</div>${entry}${phone && random.chance(0.5) ? keyboard(random) : ''}</div></div>`;
}

/** Keys on a phone or tablet screen. */
function keyboard(random: Random): string {
  const dark = random.chance(0.4);
  const rows = random.chance(0.85) ? ['qwertyuiop', 'asdfghjkl', '⇧zxcvbnm⌫'] : ['123', '456', '789', '*0#'];
  const gap = random.range(2, 7);
  const high = random.int(28, 46);
  const upper = random.chance(0.4);
  const key = (text: string, grow = 1) => `<span style="flex:${grow};height:${high}px;line-height:${high}px;text-align:center;border-radius:${random.pick([3, 5, 8])}px;background:${dark ? '#555' : '#fff'};${random.chance(0.5) ? 'box-shadow:0 1px 0 #0006' : ''}">${text}</span>`;
  const line = (keys: string, at: number) => `<div style="display:flex;gap:${gap}px;padding:0 ${at === 1 ? high * 0.4 : 0}px">${[...keys].map((text) => key(upper ? text.toUpperCase() : text)).join('')}</div>`;
  const space = rows.length === 3 ? `<div style="display:flex;gap:${gap}px">${key('123', 1.5)}${key('☺')}${key('space', 5)}${key('⏎', 1.5)}</div>` : '';
  return `<div data-label="keyboard" style="flex:none;display:flex;flex-direction:column;gap:${gap * 1.6}px;padding:${gap * 1.5}px ${gap}px;background:${dark ? '#2b2b2b' : '#d1d4da'};color:${dark ? '#fff' : '#111'};font:${high * 0.42}px 'Noto Sans','DejaVu Sans'">${rows.map(line).join('')}${space}</div>`;
}

function webPane(at: Setting, width: number): string {
  const { random, words, photos } = at;
  const style = pageStyle(random, words, [12, 17], random.chance(0.2));
  const nav = `<div style="display:flex;gap:22px;align-items:center;padding:${random.int(6, 18)}px ${random.int(10, 60)}px;background:${random.pick([style.accent, style.paper, style.dark ? '#333' : '#f4f4f4'])};color:${style.ink};white-space:nowrap;overflow:hidden">${logo(random, words, random.int(22, 40))}${random.some(random.int(3, 7), () => `<span>${words.phrase(1)}</span>`).join('')}${random.chance(0.5) ? textField(random, words, style, '180px') : ''}${random.chance(0.5) ? button(random, words, style) : ''}</div>`;
  const card = (wide: number) => `<div style="width:${wide}px;border-radius:${random.pick([0, 6, 12])}px;${random.chance(0.5) ? 'box-shadow:0 1px 6px #0003;' : ''}overflow:hidden">${photo(random, photos, wide, wide * 0.62)}<div style="padding:8px"><b>${words.phrase(4)}</b><div>${words.sentence()}</div>${random.chance(0.3) ? button(random, words, style) : ''}</div></div>`;
  const cards = () => { const n = random.int(2, 4); return `<div style="display:flex;gap:16px;margin:14px 0">${random.some(n, () => card(Math.round((width * 0.86 - 16 * n) / n))).join('')}</div>`; };
  const hero = () => `<div style="position:relative;margin:0 -${width * 0.07}px">${photo(random, photos, width, random.int(180, 380))}<div style="position:absolute;left:8%;bottom:14%;color:#fff;text-shadow:0 1px 6px #000">${heading(random, words, { ...style, ink: '#fff', accent: '#fff' }, 2.6)}${random.chance(0.6) ? button(random, words, style) : ''}</div></div>`;
  const part = () => random.pick([
    cards, hero, () => paragraph(random, words), () => heading(random, words, style) + paragraph(random, words),
    () => table(random, words, style), () => `<div style="width:60%">${form(random, words, style)}</div>`,
    () => `<div style="display:flex;gap:20px;align-items:flex-start">${figure(random, words, style, photos, width * 0.4)}<div>${heading(random, words, style, 1.5)}${paragraph(random, words)}</div></div>`,
    () => codeBlock(random, words, style), () => `<div>${random.some(random.int(2, 4), () => button(random, words, style)).join(' ')}</div>`,
    () => `<ul data-label="text_block" data-tight>${random.some(random.int(4, 9), () => `<li style="color:${style.accent}">${words.phrase(6)}</li>`).join('')}</ul>`,
  ])();
  return `<div style="width:100%;height:100%;overflow:hidden;${flags(style)}">${nav}<div style="padding:0 7%">${random.some(8, part).join('')}</div></div>`;
}

function dashboardPane(at: Setting, width: number, height: number): string {
  const { random, words } = at;
  const style = pageStyle(random, words, [11, 14], random.chance(0.4));
  const columns = random.int(2, 3);
  const [w, h] = [(width * 0.94) / columns - 14, height * random.range(0.34, 0.44)];
  const tile = () => `<div style="width:${w}px;height:${h}px;overflow:hidden;background:${style.dark ? '#ffffff0d' : '#fff'};border:1px solid #8883;border-radius:8px;box-sizing:border-box;padding:6px">${random.pick([() => chart(random, words, w - 14, h - 14, style.ink), () => chart(random, words, w - 14, h - 14, style.ink), () => table(random, words, style, 5, 4), () => map(random, words, w - 14, h - 14), () => diagram(random, words, w - 14, h - 14, style.ink)])()}</div>`;
  return `<div style="width:100%;height:100%;overflow:hidden;${flags(style)};background:${style.dark ? style.paper : '#f2f4f8'}"><div style="padding:10px 3%">${heading(random, words, style, 1.5)}</div><div style="display:flex;flex-wrap:wrap;gap:12px;padding:0 3%">${random.some(columns * 2, tile).join('')}</div></div>`;
}

function pane(at: Setting, kind: string, width: number, height: number): string {
  if (kind === 'terminal') return terminalPane(at, height);
  if (kind === 'code_editor') return editorPane(at, height);
  if (kind === 'spreadsheet') return spreadsheetPane(at, width, height);
  if (kind === 'chat') return chatPane(at, height, false);
  return at.random.chance(0.3) ? dashboardPane(at, width, height) : webPane(at, width);
}

/** Title bar in one of the usual looks. */
function titleBar(random: Random, words: Words): string {
  const dark = random.chance(0.4);
  const [back, ink] = dark ? [random.pick(['#2b2b2b', '#1f1f1f', '#3c3c3c', '#2f343f']), '#ddd'] : [random.pick(['#f0f0f0', '#e6e6e6', '#fff', '#0a64ad', '#dee1e6']), '#222'];
  const dots = `<span style="display:inline-flex;gap:7px">${['#ff5f57', '#febc2e', '#28c840'].map((tone) => `<i style="width:11px;height:11px;border-radius:50%;background:${tone}"></i>`).join('')}</span>`;
  const signs = `<span style="margin-left:auto;letter-spacing:9px">${random.pick(['—▢✕', '_□×', '‒◻✖'])}</span>`;
  const mac = random.chance(0.35);
  const title = `<span style="${random.chance(0.4) ? 'margin:0 auto' : ''}">${words.phrase(3)}</span>`;
  return `<div style="display:flex;align-items:center;gap:10px;height:${random.int(24, 36)}px;padding:0 10px;background:${back};color:${ink};font:13px 'Noto Sans','Noto Sans CJK SC';flex:none;white-space:nowrap;overflow:hidden">${mac ? dots : ''}${title}${mac ? '' : signs}</div>`;
}

function browserBar(random: Random, words: Words): string {
  return `<div style="display:flex;gap:8px;padding:5px 10px;background:#e9ebee;color:#444;flex:none;align-items:center;font:13px 'Noto Sans'">←&nbsp;→&nbsp;⟳<span style="flex:1;background:#fff;border-radius:14px;padding:3px 12px;white-space:nowrap;overflow:hidden">https://www.${words.capitals(7).toLowerCase()}.${random.pick(['com', 'my', 'org', 'cn'])}/${words.capitals(5).toLowerCase()}</span>☰</div>`;
}

function window(at: Setting, kind: string, x: number, y: number, w: number, h: number): string {
  const { random, words } = at;
  return `<div data-label="window" style="position:absolute;left:${x}px;top:${y}px;width:${w}px;height:${h}px;display:flex;flex-direction:column;overflow:hidden;border-radius:${random.pick([0, 0, 6, 10])}px;border:1px solid ${random.pick(['#0003', '#888', '#0a64ad', '#000'])};box-sizing:border-box;box-shadow:${random.pick(['0 8px 30px #0006', '0 2px 8px #0005', 'none'])}">${titleBar(random, words)}${kind === 'web_page' ? browserBar(random, words) : ''}<div style="flex:1;min-height:0;background:#fff">${pane(at, kind, w, h - 30)}</div></div>`;
}

function dialogBox(at: Setting, width: number, bar = at.random.chance(0.65)): string {
  const { random, words } = at;
  const style = { ...pageStyle(random, words, [11, 15], random.chance(0.25)), paper: '' };
  const back = style.dark ? random.pick(['#2d2d2d', '#1f1f1f', '#333']) : random.pick(['#fff', '#f0f0f0', '#f7f7f7']);
  const icon = random.chance(0.5) ? `<span style="flex:none;width:36px;height:36px;border-radius:${random.pick([4, 18])}px;background:${random.pick(['#2563eb', '#d97706', '#dc2626', '#16a34a'])};color:#fff;text-align:center;font:bold 24px/36px sans-serif">${random.pick(['i', '!', '?', '×', '✓'])}</span>` : '';
  const body = random.chance(0.3) ? form(random, words, style, random.int(1, 4)) : `<div>${words.paragraph(random.int(1, 3))}</div>${random.chance(0.25) ? choices(random, words, style) : ''}`;
  return `<div data-label="dialog" style="width:${width}px;background:${back};color:${style.ink};border-radius:${random.pick([0, 4, 8, 14])}px;border:1px solid #0004;overflow:hidden;font:${style.size}px/1.4 '${style.font}','Noto Sans CJK SC';box-shadow:${random.pick(['0 10px 40px #0008', '0 3px 10px #0006'])}">${bar ? titleBar(random, words) : ''}<div style="display:flex;gap:14px;padding:16px">${icon}<div style="flex:1;min-width:0">${bar ? '' : `<b style="font-size:1.15em">${words.phrase(4)}</b>`}${body}</div></div><div style="display:flex;gap:8px;justify-content:${random.pick(['flex-end', 'flex-end', 'center', 'stretch'])};padding:0 16px 14px">${random.some(random.int(1, 3), () => button(random, words, style)).join('')}</div></div>`;
}

const kinds = ['terminal', 'code_editor', 'spreadsheet', 'chat', 'web_page'];

function backdrop({ random, photos }: Setting): string {
  return random.chance(0.5) ? `url(/photos/${String(random.int(0, photos - 1)).padStart(5, '0')}.jpg) center/cover` : random.pick([`linear-gradient(${random.int(0, 360)}deg,${random.colour([20, 80], [15, 60])},${random.colour([20, 80], [15, 60])})`, random.colour([10, 60], [10, 50]), '#008080', '#1e1e2e']);
}

function desktop(at: Setting): Drawn {
  const { random, words } = at;
  const [width, height] = screenSize(random);
  const windows = random.some(random.int(1, 4), () => {
    const [w, h] = [width * random.range(0.32, 0.72), height * random.range(0.35, 0.75)];
    return window(at, random.pick(kinds), random.range(0, width - w), random.range(0, height - h - 40), Math.round(w), Math.round(h));
  });
  const icons = random.some(random.int(0, 8), (n) => `<div style="position:absolute;left:${14 + Math.floor(n / 6) * 80}px;top:${14 + (n % 6) * 84}px;width:64px;text-align:center;color:#fff;font:11px 'Noto Sans';text-shadow:0 1px 2px #000"><i style="display:block;width:38px;height:38px;margin:0 auto 3px;border-radius:6px;background:${random.colour([30, 80], [35, 65])}"></i>${words.phrase(1)}</div>`);
  const bar = `<div style="position:absolute;left:0;right:0;${random.chance(0.8) ? 'bottom' : 'top'}:0;height:${random.int(28, 46)}px;background:${random.pick(['#101010dd', '#f3f3f3ee', '#1f2937', '#c0c0c0'])};display:flex;gap:10px;align-items:center;justify-content:${random.pick(['flex-start', 'center'])};padding:0 12px;color:#888">${random.some(random.int(3, 10), () => `<i style="width:20px;height:20px;border-radius:4px;background:${random.colour([30, 80], [40, 65])}"></i>`).join('')}<span style="margin-left:auto">${random.int(10, 23)}:${random.int(10, 59)}</span></div>`;
  const over = random.chance(0.2) ? `<div style="position:absolute;left:${random.int(10, 55)}%;top:${random.int(10, 50)}%">${dialogBox(at, random.int(300, 460))}</div>` : '';
  return { kind: 'desktop', width, height, html: `<div style="position:relative;width:${width}px;height:${height}px;overflow:hidden;background:${backdrop(at)}">${icons.join('')}${windows.join('')}${over}${bar}</div>` };
}

/** A program that fills the picture, with or without its frame. */
function full(kind: string): (at: Setting) => Drawn {
  return (at) => {
    const { random, words } = at;
    const [width, height] = kind === 'web_page' && random.chance(0.2) ? [random.int(900, 1200), random.int(1100, 1500)] : screenSize(random);
    const style = pageStyle(random, words, [12, 14]);
    if (random.chance(0.45)) return whole(kind, width, height, style, window(at, kind, 0, 0, width, height));
    return whole(kind, width, height, style, pane(at, kind, width, height));
  };
}

function dialog(at: Setting): Drawn {
  const { random, words } = at;
  const near = random.chance(0.5);
  const [width, height] = near ? [random.int(420, 760), random.int(260, 520)] : screenSize(random);
  const style = pageStyle(random, words, [12, 14]);
  const behind = near ? `<div style="position:absolute;inset:0;background:${backdrop(at)}"></div>` : `<div style="position:absolute;inset:0">${pane(at, random.pick(kinds), width, height)}</div><div style="position:absolute;inset:0;background:rgb(0 0 0 / ${random.pick([0, 0.3, 0.5])})"></div>`;
  const box = dialogBox(at, Math.min(width * 0.92, random.int(330, 620)));
  return whole('dialog', width, height, style, `${behind}<div style="position:absolute;inset:0;display:flex;align-items:center;justify-content:center">${box}</div>`);
}

function mobile(at: Setting): Drawn {
  const { random, words, photos } = at;
  const [width, height] = random.pick([[390, 844], [360, 800], [412, 915], [375, 667]] as const);
  const style = pageStyle(random, words, [13, 17], random.chance(0.35));
  const status = `<div style="display:flex;justify-content:space-between;padding:5px 14px;font:bold 12px 'Noto Sans';flex:none"><span>${random.int(10, 23)}:${random.int(10, 59)}</span><span>▂▄▆ ${random.int(5, 100)}% ▮</span></div>`;
  const rows = () => random.some(12, () => `<div style="display:flex;gap:10px;align-items:center;padding:10px 14px;border-bottom:1px solid #8883"><i style="width:30px;height:30px;flex:none;border-radius:${random.pick([6, 15])}px;background:${random.colour([30, 80], [40, 65])}"></i><div style="flex:1">${words.phrase(3)}</div>${random.chance(0.4) ? `<i style="width:34px;height:18px;border-radius:9px;background:${random.pick(['#34c759', '#bbb'])}"></i>` : '›'}</div>`).join('');
  const icons = () => `<div style="display:grid;grid-template-columns:repeat(4,1fr);gap:22px 8px;padding:24px 16px;text-align:center;font-size:11px">${random.some(random.int(12, 24), () => `<div><i style="display:block;width:52px;height:52px;margin:0 auto 4px;border-radius:13px;background:${random.colour([40, 90], [40, 65])}"></i>${words.phrase(1).slice(0, 8)}</div>`).join('')}</div>`;
  const feed = () => random.some(3, () => `<div style="padding:8px 12px">${words.sentence()}${photo(random, photos, width - 24, random.int(140, 260))}</div>`).join('');
  const inside = random.pick([
    () => chatPane(at, height, true), () => chatPane(at, height, true), rows, icons, feed,
    () => `<div style="padding:14px">${heading(random, words, style)}${form(random, words, style, random.int(2, 5)).replace('repeat(2', 'repeat(1')}${button(random, words, style)}</div>`,
    () => map(random, words, width, height - 60),
    () => `<div style="padding:20px;text-align:center">${heading(random, words, style)}${qrCode(random, random.int(140, 260))}<p>${words.sentence()}</p></div>`,
    () => `<div style="padding:12px">${heading(random, words, style)}${photo(random, photos, width - 24, 180)}${paragraph(random, words)}${paragraph(random, words)}</div>`,
  ])();
  const keys = random.chance(0.25) ? keyboard(random) : '';
  const ground = random.chance(0.15) ? `background:${backdrop(at)};color:#fff` : '';
  return whole('mobile', width, height, style, `<div style="position:absolute;inset:0;display:flex;flex-direction:column;${ground}">${status}<div style="flex:1;min-height:0;overflow:hidden">${inside}</div>${keys}${random.chance(0.5) ? '<div style="flex:none;height:14px;display:flex;justify-content:center"><i style="width:110px;height:4px;border-radius:2px;background:#888"></i></div>' : ''}</div>`);
}

export const screens = { terminal: full('terminal'), spreadsheet: full('spreadsheet'), chat: full('chat'), web_page: full('web_page'), code_editor: full('code_editor'), desktop, mobile, dialog };

