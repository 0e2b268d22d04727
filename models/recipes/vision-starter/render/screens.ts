/** Screenshots: windows on a desktop, dialogs, terminals, editors, spreadsheets, chats, web pages, phones. */
import { map } from './graphics.ts';
import { qrCode } from './marks.ts';
import type { Drawn, Setting } from './pages.ts';
import { chatPane, flags, keyboard, pane } from './panes.ts';
import { button, choices, form, heading, pageStyle, paragraph, photo, type Style } from './pieces.ts';
import type { Random, Words } from './random.ts';
import { plainSite } from './sites.ts';

const whole = (kind: string, width: number, height: number, style: Style, inside: string): Drawn => ({
  kind,
  width,
  height,
  html: `<div style="position:relative;width:${width}px;height:${height}px;overflow:hidden;${flags(style)}">${inside}</div>`,
});

const screenSize = (random: Random): [number, number] =>
  random.pick([
    [1280, 800],
    [1366, 768],
    [1024, 768],
    [1440, 900],
    [1120, 700],
    [900, 700],
  ]);

/** Title bar in one of the usual looks. */
function titleBar(random: Random, words: Words): string {
  const dark = random.chance(0.4);
  const [back, ink] = dark
    ? [random.pick(['#2b2b2b', '#1f1f1f', '#3c3c3c', '#2f343f']), '#ddd']
    : [random.pick(['#f0f0f0', '#e6e6e6', '#fff', '#0a64ad', '#dee1e6']), '#222'];
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
  const back = style.dark
    ? random.pick(['#2d2d2d', '#1f1f1f', '#333'])
    : random.pick(['#fff', '#f0f0f0', '#f7f7f7']);
  const icon = random.chance(0.5)
    ? `<span style="flex:none;width:36px;height:36px;border-radius:${random.pick([4, 18])}px;background:${random.pick(['#2563eb', '#d97706', '#dc2626', '#16a34a'])};color:#fff;text-align:center;font:bold 24px/36px sans-serif">${random.pick(['i', '!', '?', '×', '✓'])}</span>`
    : '';
  const body = random.chance(0.3)
    ? form(random, words, style, random.int(1, 4))
    : `<div>${words.paragraph(random.int(1, 3))}</div>${random.chance(0.25) ? choices(random, words, style) : ''}`;
  return `<div data-label="dialog" style="width:${width}px;background:${back};color:${style.ink};border-radius:${random.pick([0, 4, 8, 14])}px;border:1px solid #0004;overflow:hidden;font:${style.size}px/1.4 '${style.font}','Noto Sans CJK SC';box-shadow:${random.pick(['0 10px 40px #0008', '0 3px 10px #0006'])}">${bar ? titleBar(random, words) : ''}<div style="display:flex;gap:14px;padding:16px">${icon}<div style="flex:1;min-width:0">${bar ? '' : `<b style="font-size:1.15em">${words.phrase(4)}</b>`}${body}</div></div><div style="display:flex;gap:8px;justify-content:${random.pick(['flex-end', 'flex-end', 'center', 'stretch'])};padding:0 16px 14px">${random.some(random.int(1, 3), () => button(random, words, style)).join('')}</div></div>`;
}

const kinds = ['terminal', 'code_editor', 'spreadsheet', 'chat', 'web_page'];

function backdrop({ random, photos }: Setting): string {
  return random.chance(0.5)
    ? `url(/photos/${String(random.int(0, photos - 1)).padStart(5, '0')}.jpg) center/cover`
    : random.pick([
        `linear-gradient(${random.int(0, 360)}deg,${random.color([20, 80], [15, 60])},${random.color([20, 80], [15, 60])})`,
        random.color([10, 60], [10, 50]),
        '#008080',
        '#1e1e2e',
      ]);
}

function desktop(at: Setting): Drawn {
  const { random, words } = at;
  const [width, height] = screenSize(random);
  const windows = random.some(random.int(1, 4), () => {
    const [w, h] = [width * random.range(0.32, 0.72), height * random.range(0.35, 0.75)];
    return window(
      at,
      random.pick(kinds),
      random.range(0, width - w),
      random.range(0, height - h - 40),
      Math.round(w),
      Math.round(h),
    );
  });
  const icons = random.some(
    random.int(0, 8),
    (n) =>
      `<div style="position:absolute;left:${14 + Math.floor(n / 6) * 80}px;top:${14 + (n % 6) * 84}px;width:64px;text-align:center;color:#fff;font:11px 'Noto Sans';text-shadow:0 1px 2px #000"><i style="display:block;width:38px;height:38px;margin:0 auto 3px;border-radius:6px;background:${random.color([30, 80], [35, 65])}"></i>${words.phrase(1)}</div>`,
  );
  const bar = `<div style="position:absolute;left:0;right:0;${random.chance(0.8) ? 'bottom' : 'top'}:0;height:${random.int(28, 46)}px;background:${random.pick(['#101010dd', '#f3f3f3ee', '#1f2937', '#c0c0c0'])};display:flex;gap:10px;align-items:center;justify-content:${random.pick(['flex-start', 'center'])};padding:0 12px;color:#888">${random.some(random.int(3, 10), () => `<i style="width:20px;height:20px;border-radius:4px;background:${random.color([30, 80], [40, 65])}"></i>`).join('')}<span style="margin-left:auto">${random.int(10, 23)}:${random.int(10, 59)}</span></div>`;
  const over = random.chance(0.2)
    ? `<div style="position:absolute;left:${random.int(10, 55)}%;top:${random.int(10, 50)}%">${dialogBox(at, random.int(300, 460))}</div>`
    : '';
  return {
    kind: 'desktop',
    width,
    height,
    html: `<div style="position:relative;width:${width}px;height:${height}px;overflow:hidden;background:${backdrop(at)}">${icons.join('')}${windows.join('')}${over}${bar}</div>`,
  };
}

/** A program that fills the picture, with or without its frame. */
function full(kind: string): (at: Setting) => Drawn {
  return (at) => {
    const { random, words } = at;
    const [width, height] =
      kind === 'web_page' && random.chance(0.2)
        ? [random.int(900, 1200), random.int(1100, 1500)]
        : screenSize(random);
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
  const behind = near
    ? `<div style="position:absolute;inset:0;background:${backdrop(at)}"></div>`
    : `<div style="position:absolute;inset:0">${pane(at, random.pick(kinds), width, height)}</div><div style="position:absolute;inset:0;background:rgb(0 0 0 / ${random.pick([0, 0.3, 0.5])})"></div>`;
  const box = dialogBox(at, Math.min(width * 0.92, random.int(330, 620)));
  return whole(
    'dialog',
    width,
    height,
    style,
    `${behind}<div style="position:absolute;inset:0;display:flex;align-items:center;justify-content:center">${box}</div>`,
  );
}

function mobile(at: Setting): Drawn {
  const { random, words, photos } = at;
  const [width, height] = random.pick([
    [390, 844],
    [360, 800],
    [412, 915],
    [375, 667],
  ] as const);
  const style = pageStyle(random, words, [13, 17], random.chance(0.35));
  const status = `<div style="display:flex;justify-content:space-between;padding:5px 14px;font:bold 12px 'Noto Sans';flex:none"><span>${random.int(10, 23)}:${random.int(10, 59)}</span><span>▂▄▆ ${random.int(5, 100)}% ▮</span></div>`;
  const rows = () =>
    random
      .some(
        12,
        () =>
          `<div style="display:flex;gap:10px;align-items:center;padding:10px 14px;border-bottom:1px solid #8883"><i style="width:30px;height:30px;flex:none;border-radius:${random.pick([6, 15])}px;background:${random.color([30, 80], [40, 65])}"></i><div style="flex:1">${words.phrase(3)}</div>${random.chance(0.4) ? `<i style="width:34px;height:18px;border-radius:9px;background:${random.pick(['#34c759', '#bbb'])}"></i>` : '›'}</div>`,
      )
      .join('');
  const icons = () =>
    `<div style="display:grid;grid-template-columns:repeat(4,1fr);gap:22px 8px;padding:24px 16px;text-align:center;font-size:11px">${random.some(random.int(12, 24), () => `<div><i style="display:block;width:52px;height:52px;margin:0 auto 4px;border-radius:13px;background:${random.color([40, 90], [40, 65])}"></i>${words.phrase(1).slice(0, 8)}</div>`).join('')}</div>`;
  const feed = () =>
    random
      .some(
        3,
        () =>
          `<div style="padding:8px 12px">${words.sentence()}${photo(random, photos, width - 24, random.int(140, 260))}</div>`,
      )
      .join('');
  const inside = random.pick([
    () => chatPane(at, height, true),
    () => chatPane(at, height, true),
    rows,
    icons,
    feed,
    () =>
      `<div style="padding:14px">${heading(random, words, style)}${form(random, words, style, random.int(2, 5)).replace('repeat(2', 'repeat(1')}${button(random, words, style)}</div>`,
    () => map(random, words, width, height - 60),
    () =>
      `<div style="padding:20px;text-align:center">${heading(random, words, style)}${qrCode(random, random.int(140, 260))}<p>${words.sentence()}</p></div>`,
    () =>
      `<div style="padding:12px">${heading(random, words, style)}${photo(random, photos, width - 24, 180)}${paragraph(random, words)}${paragraph(random, words)}</div>`,
  ])();
  const keys = random.chance(0.25) ? keyboard(random) : '';
  // Without the phone's own bars, as browsers take pictures of pages.
  if (random.chance(0.25)) return whole('mobile', width, height, style, plainSite(at, width));
  const ground = random.chance(0.15) ? `background:${backdrop(at)};color:#fff` : '';
  return whole(
    'mobile',
    width,
    height,
    style,
    `<div style="position:absolute;inset:0;display:flex;flex-direction:column;${ground}">${status}<div style="flex:1;min-height:0;overflow:hidden">${inside}</div>${keys}${random.chance(0.5) ? '<div style="flex:none;height:14px;display:flex;justify-content:center"><i style="width:110px;height:4px;border-radius:2px;background:#888"></i></div>' : ''}</div>`,
  );
}

export const screens = {
  terminal: full('terminal'),
  spreadsheet: full('spreadsheet'),
  chat: full('chat'),
  web_page: full('web_page'),
  code_editor: full('code_editor'),
  desktop,
  mobile,
  dialog,
};
