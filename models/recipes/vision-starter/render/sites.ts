/** Web pages of the plain sort: lists of files, bare documents, a card in the middle, consoles with a side bar, manuals. */
import { logo } from './marks.ts';
import type { Setting } from './pages.ts';
import {
  button,
  codeBlock,
  form,
  heading,
  mono,
  pageStyle,
  paragraph,
  type Style,
  table,
  textField,
} from './pieces.ts';

const faces = (style: Style) => `'${style.font}','Noto Sans CJK SC'`;

/** What a server shows of a folder; also other lists of links under a title. */
function folder({ random, words }: Setting): string {
  const size = random.range(13, 20);
  const name = () =>
    `${words.phrase(1).toLowerCase()}${random.pick(['/', '/', '.txt', '.zip', '.pdf', '.html', '.tar.gz'])}`;
  const row = () =>
    `<tr><td style="padding:1px 10px 1px 0;color:#00e;text-decoration:underline">${name()}</td><td style="padding:1px 14px;text-align:right">${random.chance(0.6) ? `${random.int(1, 999)} ${random.pick(['B', 'kB', 'MB'])}` : ''}</td><td style="padding:1px 14px">${words.date()}</td></tr>`;
  const mark = random.chance(0.4)
    ? `<div style="margin:8px 0;color:#00e;text-decoration:underline">[${words.phrase(2)}]</div>`
    : '';
  return `<div style="padding:8px 12px;background:#fff;color:#000;height:100%;font:${size}px '${random.pick(['Liberation Serif', 'Liberation Sans', 'DejaVu Sans'])}','Noto Serif CJK SC'"><span data-label="heading" data-tight style="font-size:${random.range(1.4, 2)}em;font-weight:bold">${random.pick(['Index of', 'Directory listing for', words.title()])} /${words.phrase(2).replaceAll(' ', '/').toLowerCase()}</span>${random.chance(0.5) ? '<hr>' : ''}${mark}<table data-label="table" style="font:inherit;margin-top:8px"><tr style="font-weight:bold"><td>Name</td><td style="padding:1px 14px">Size</td><td style="padding:1px 14px">Date</td></tr>${random.some(random.int(2, 34), row).join('')}</table></div>`;
}

/** A document with the browser's own style or little more. */
function bareDocument(at: Setting): string {
  const { random, words } = at;
  const style = {
    ...pageStyle(random, words, [14, 19], random.chance(0.15)),
    ...(random.chance(0.5) ? { font: 'Liberation Serif' } : {}),
  };
  const wide = random.pick([100, 100, 70, 55]);
  const part = () =>
    random.pick([
      () => paragraph(random, words),
      () => paragraph(random, words),
      () => heading(random, words, style) + paragraph(random, words),
      () =>
        `<ul data-label="text_block" data-tight>${random.some(random.int(3, 9), () => `<li>${words.sentence()}</li>`).join('')}</ul>`,
      () => table(random, words, style),
      () => codeBlock(random, words, style),
    ])();
  return `<div style="height:100%;background:${style.paper};color:${style.ink};font:${style.size}px/1.35 ${faces(style)};overflow:hidden"><div style="padding:8px ${random.int(8, 40)}px;width:${wide}%;box-sizing:border-box;${random.chance(0.6) ? 'margin:0 auto' : ''}">${heading(random, words, style, 2)}${random.some(12, part).join('')}</div></div>`;
}

/** A notice, a sign-in or an error alone on an empty page. */
function card(at: Setting, width: number): string {
  const { random, words } = at;
  const style = pageStyle(random, words, [13, 18], random.chance(0.45));
  const ground = style.dark
    ? random.pick(['#0d1117', '#15181d', '#000', '#1b1f27'])
    : random.pick(['#fff', '#f3f4f6', '#f7f7fb', '#eef2f5']);
  const parts = [
    random.chance(0.6) ? `<div>${logo(random, words, random.int(24, 52))}</div>` : '',
    heading(random, words, style, random.range(1.2, 2)),
    ...random.some(random.int(1, 3), () => paragraph(random, words, random.int(1, 2))),
    random.chance(0.35) ? codeBlock(random, words, style).replace(/\n[\s\S]*<\/pre>/, '</pre>') : '',
    random.chance(0.35) ? form(random, words, style, random.int(1, 3)) : '',
    random.chance(0.6) ? `<div style="margin-top:12px">${button(random, words, style)}</div>` : '',
  ];
  const frame = random.chance(0.7)
    ? `background:${style.dark ? '#1d2229' : '#fff'};border:1px solid #8884;border-radius:${random.pick([0, 6, 12])}px;`
    : '';
  return `<div style="height:100%;display:flex;align-items:${random.pick(['center', 'center', 'flex-start'])};justify-content:center;background:${ground};color:${style.ink};font:${style.size}px/1.4 ${faces(style)};overflow:hidden"><div style="width:${Math.min(width * 0.9, random.int(320, 640))}px;padding:${random.int(14, 36)}px;box-sizing:border-box;${frame}">${parts.join('')}</div></div>`;
}

/** An application in the browser, or a manual: a side bar, then sections. */
function consolePage(at: Setting, width: number): string {
  const { random, words } = at;
  const style = pageStyle(random, words, [11, 15], random.chance(0.4));
  const side = random.int(140, 260);
  const back = style.dark
    ? random.pick(['#16191f', '#20242c', '#000'])
    : random.pick(['#f4f5f7', '#fff', '#eceff3', style.accent]);
  const entry = (n: number) =>
    `<div style="padding:${random.range(4, 8)}px 10px;border-radius:6px;white-space:nowrap;overflow:hidden;${n === 1 ? 'background:#8883;font-weight:600' : ''}">${random.chance(0.4) ? '▪ ' : ''}${words.phrase(random.int(1, 2))}</div>`;
  const bar = `<div style="width:${side}px;flex:none;padding:12px 8px;box-sizing:border-box;background:${back};color:${back === style.accent ? '#fff' : style.ink};border-right:1px solid #8883;overflow:hidden">${logo(random, words, random.int(20, 32))}<div style="height:10px"></div>${random.some(random.int(4, 22), entry).join('')}</div>`;
  const boxed = random.chance(0.5);
  const section = () => {
    const body = random.pick([
      () => paragraph(random, words, random.int(1, 4)),
      () =>
        `<div style="display:flex;gap:8px;align-items:center">${textField(random, words, style, '60%')}${button(random, words, style)}</div>`,
      () => paragraph(random, words, 1) + codeBlock(random, words, style),
      () => table(random, words, style, random.int(2, 8)),
      () => form(random, words, style, random.int(1, 4)),
      () => `<div>${random.some(random.int(1, 3), () => button(random, words, style)).join(' ')}</div>`,
    ])();
    const inside = heading(random, words, style, random.range(1.05, 1.5)) + body;
    return `<div style="margin:10px 0;${boxed ? `padding:12px 16px;border:1px solid #8883;border-radius:8px;background:${style.dark ? '#ffffff08' : '#fff'}` : ''}">${inside}</div>`;
  };
  const columns = width > 700 && random.chance(0.5) ? 2 : 1;
  return `<div style="height:100%;display:flex;background:${style.paper};color:${style.ink};font:${style.size}px/1.45 ${faces(style)};overflow:hidden">${bar}<div style="flex:1;min-width:0;padding:14px ${random.int(14, 50)}px;overflow:hidden">${heading(random, words, style, 1.8)}${random.chance(0.6) ? paragraph(random, words, 1) : ''}<div style="columns:${columns};column-gap:18px">${random.some(random.int(3, 9), () => `<div style="break-inside:avoid">${section()}</div>`).join('')}</div></div></div>`;
}

/** Text a browser shows as it is: logs, licences, JSON. */
function plainText({ random, words }: Setting): string {
  const size = random.range(11, 15);
  const dark = random.chance(0.25);
  return `<div style="height:100%;background:${dark ? '#202124' : '#fff'};color:${dark ? '#ddd' : '#000'};overflow:hidden"><pre style="margin:8px;white-space:pre-wrap;font:${size}px/1.3 '${mono(random)}','Noto Sans CJK SC'" data-label="text_block" data-tight>${random.some(random.int(2, 20), () => words.paragraph()).join('\n\n')}</pre></div>`;
}

/** @param width of the pane in px */
export function plainSite(at: Setting, width: number): string {
  return at.random.pick([folder, bareDocument, card, card, consolePage, consolePage, plainText])(at, width);
}
