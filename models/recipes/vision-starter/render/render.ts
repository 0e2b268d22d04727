/**
 * Draws labelled pages and screens: `node render.ts --out DIR --photos DIR --data DIR --first N --count N [--kinds a,b]`.
 *
 * Each sample is NNNNNN.jpg and NNNNNN.json: { kind, width, height, boxes: [[label, x0, y0, x1, y1], …] } in pixels,
 * read out of the DOM. Needs Chromium (CHROMIUM names it; else /usr/bin/chromium).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { pages } from './pages.ts';
import { type Language, loadSentences, Random, Words } from './random.ts';
import { screens } from './screens.ts';

const makers = { ...pages, ...screens };
type Kind = keyof typeof makers;
/** Paper is drawn more often: it holds most of the labels. */
const weights: Partial<Record<Kind, number>> = {
  report: 3,
  form: 3,
  invoice: 2,
  desktop: 2,
  dialog: 2,
  web_page: 2,
  mobile: 3,
  receipt: 4,
  terminal: 3,
  code_editor: 2,
  chart: 3,
  id_card: 2,
};

/** Runs in the page: visible boxes of what carries a label. */
function readBoxes(): [string, number, number, number, number][] {
  const found: [string, number, number, number, number][] = [];
  for (const element of document.querySelectorAll<HTMLElement>('[data-label]')) {
    let box = element.getBoundingClientRect();
    if (element.dataset.tight !== undefined) {
      const range = document.createRange();
      range.selectNodeContents(element);
      box = range.getBoundingClientRect();
    }
    let [x0, y0, x1, y1] = [box.left, box.top, box.right, box.bottom];
    const area = (x1 - x0) * (y1 - y0);
    for (let up = element.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflow === 'visible') continue;
      const clip = up.getBoundingClientRect();
      [x0, y0, x1, y1] = [
        Math.max(x0, clip.left),
        Math.max(y0, clip.top),
        Math.min(x1, clip.right),
        Math.min(y1, clip.bottom),
      ];
    }
    [x0, y0, x1, y1] = [
      Math.max(x0, 0),
      Math.max(y0, 0),
      Math.min(x1, innerWidth),
      Math.min(y1, innerHeight),
    ];
    if (x1 - x0 < 4 || y1 - y0 < 4 || (x1 - x0) * (y1 - y0) < 0.2 * area) continue;
    // What another window covers does not count.
    let seen = 0;
    for (let i = 1; i < 6; i++)
      for (let j = 1; j < 6; j++) {
        const top = document.elementFromPoint(x0 + ((x1 - x0) * i) / 6, y0 + ((y1 - y0) * j) / 6);
        const mine = top && (element.contains(top) || top.contains(element));
        if (mine) seen++;
      }
    if (seen < 9) continue;
    found.push([element.dataset.label as string, x0, y0, x1, y1]);
  }
  return found;
}

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    photos: { type: 'string' },
    data: { type: 'string' },
    first: { type: 'string', default: '0' },
    count: { type: 'string', default: '4000' },
    kinds: { type: 'string' },
  },
});
const { out, photos, data } = values;
if (!out || !photos || !data) throw new Error('--out, --photos and --data are needed');
const chosen = (values.kinds?.split(',') ?? Object.keys(makers)) as Kind[];
const deck = chosen.flatMap((kind) => Array<Kind>(weights[kind] ?? 1).fill(kind));
mkdirSync(out, { recursive: true });
loadSentences(data);

const blank =
  '<!doctype html><meta charset="utf-8"><style>body{margin:0}pre{tab-size:2}</style><body></body>';
const server = createServer((request, response) => {
  const file = /^\/photos\/(\d{5}\.jpg)$/.exec(request.url ?? '')?.[1];
  if (file && existsSync(join(photos, file))) {
    response.setHeader('cache-control', 'max-age=9999');
    response.end(readFileSync(join(photos, file)));
  } else response.setHeader('content-type', 'text/html').end(blank);
}).listen(0, '127.0.0.1');

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
const first = Number(values.first);
for (let at = first; at < first + Number(values.count); at++) {
  const random = new Random(at + 1);
  const words = new Words(random, random.pick<Language>(['en', 'en', 'ms', 'zh']));
  const count = readdirSync(photos).filter((name) => name.endsWith('.jpg')).length;
  const kind = deck[(at * 7 + random.int(0, 2)) % deck.length] as Kind;
  const drawn = makers[kind]({ random, words, photos: count });
  await page.setViewportSize({ width: drawn.width, height: drawn.height });
  await page.evaluate(async (html) => {
    document.body.innerHTML = html;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
    await document.fonts.ready;
  }, drawn.html);
  const boxes = await page.evaluate(readBoxes);
  const name = join(out, String(at).padStart(6, '0'));
  writeFileSync(`${name}.jpg`, await page.screenshot({ type: 'jpeg', quality: 88 }));
  const rounded = boxes.map(([label, ...box]) => [label, ...box.map((value) => Math.round(value * 10) / 10)]);
  writeFileSync(
    `${name}.part`,
    JSON.stringify({ kind: drawn.kind, width: drawn.width, height: drawn.height, boxes: rounded }),
  );
  renameSync(`${name}.part`, `${name}.json`);
  if (at % 200 === 0) console.log(at);
}
await browser.close();
server.close();
