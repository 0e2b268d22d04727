/** Drawn things as SVG: charts, diagrams, maps, marks. Each is one element with its label in `data-label`. */
import type { Random, Words } from './random.ts';

const fonts = ['Liberation Sans', 'DejaVu Sans', 'Liberation Serif', 'Noto Sans', 'Nimbus Sans', 'Liberation Mono'];

function svg(label: string, width: number, height: number, body: string, style = ''): string {
  return `<svg data-label="${label}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" style="display:block;${style}">${body}</svg>`;
}

function palette(random: Random, count: number): string[] {
  const hue = random.int(0, 359);
  const kind = random.next();
  return random.some(count, (at) => {
    if (kind < 0.15) return `hsl(0 0% ${15 + (at * 65) / count}%)`;
    if (kind < 0.45) return `hsl(${hue} ${random.int(40, 90)}% ${25 + (at * 50) / count}%)`;
    return `hsl(${hue + at * (random.chance(0.5) ? 47 : 360 / count)} ${random.int(45, 90)}% ${random.int(35, 65)}%)`;
  });
}

interface Frame {
  x: number;
  y: number;
  w: number;
  h: number;
  ink: string;
  font: string;
  size: number;
}

/** Axes, grid, ticks, title and legend round a plot; returns where the plot lies. */
function axes(random: Random, words: Words, w: number, h: number, ink: string, colours: string[]): [Frame, string] {
  const size = Math.max(6, Math.min(w, h) * random.range(0.028, 0.05));
  const frame = { x: size * 4, y: size * 2.6, w: w - size * 6, h: h - size * 6, ink, font: random.pick(fonts), size };
  const parts: string[] = [];
  const text = (x: number, y: number, value: string, anchor = 'middle', grow = 1) =>
    parts.push(`<text x="${x}" y="${y}" font-family="${frame.font}" font-size="${size * grow}" text-anchor="${anchor}" fill="${ink}">${value}</text>`);
  if (random.chance(0.7)) text(w / 2, size * 1.7, words.phrase(random.int(2, 5)), 'middle', 1.25);
  const legend = random.chance(0.45) && colours.length > 1;
  if (legend && random.chance(0.6)) {
    frame.w -= size * 7;
    colours.forEach((colour, at) => {
      const y = frame.y + size * (1 + at * 1.6);
      parts.push(`<rect x="${frame.x + frame.w + size}" y="${y}" width="${size}" height="${size}" fill="${colour}"/>`);
      text(frame.x + frame.w + size * 2.4, y + size * 0.9, words.phrase(1).slice(0, 9), 'start', 0.85);
    });
  } else if (legend) {
    colours.slice(0, 5).forEach((colour, at) => {
      const x = frame.x + at * size * 7;
      parts.push(`<rect x="${x}" y="${h - size * 1.1}" width="${size * 0.8}" height="${size * 0.8}" fill="${colour}"/>`);
      text(x + size * 1.2, h - size * 0.4, words.phrase(1).slice(0, 8), 'start', 0.8);
    });
  }
  const lines = random.int(3, 8);
  const grid = random.chance(0.65);
  for (let at = 0; at <= lines; at++) {
    const y = frame.y + frame.h * (1 - at / lines);
    if (grid) parts.push(`<line x1="${frame.x}" x2="${frame.x + frame.w}" y1="${y}" y2="${y}" stroke="${ink}" stroke-opacity="0.2" ${random.chance(0.3) ? 'stroke-dasharray="3 3"' : ''}/>`);
    if (random.chance(0.92)) text(frame.x - size * 0.4, y + size * 0.3, String(at * random.pick([1, 5, 10, 20, 250])), 'end', 0.8);
  }
  if (random.chance(0.85))
    parts.push(`<path d="M${frame.x} ${frame.y}V${frame.y + frame.h}H${frame.x + frame.w}" fill="none" stroke="${ink}"/>`);
  if (random.chance(0.3)) text(frame.x + frame.w / 2, h - size * 0.3, words.phrase(2));
  return [frame, parts.join('')];
}

function barChart(random: Random, words: Words, w: number, h: number, ink: string): string {
  const series = random.chance(0.55) ? 1 : random.int(2, 4);
  const colours = palette(random, series);
  const groups = random.int(3, 14);
  const [frame, around] = axes(random, words, w, h, ink, colours);
  const gap = random.range(0.1, 0.5);
  const lying = random.chance(0.25);
  const stacked = series > 1 && random.chance(0.4);
  const outline = random.chance(0.15) ? `stroke="${ink}"` : '';
  const parts = [around];
  for (let group = 0; group < groups; group++) {
    let base = 0;
    for (let at = 0; at < series; at++) {
      const value = random.range(0.05, 1) * (stacked ? 1 / series : 1);
      const step = (lying ? frame.h : frame.w) / groups;
      const thick = (step * (1 - gap)) / (stacked ? 1 : series);
      const along = step * (group + gap / 2) + (stacked ? 0 : at * thick);
      const from = stacked ? base : 0;
      base += value;
      parts.push(
        lying
          ? `<rect x="${frame.x + from * frame.w}" y="${frame.y + along}" width="${value * frame.w}" height="${thick}" fill="${colours[at]}" ${outline}/>`
          : `<rect x="${frame.x + along}" y="${frame.y + frame.h * (1 - from - value)}" width="${thick}" height="${value * frame.h}" fill="${colours[at]}" ${outline}/>`,
      );
    }
    if (!lying)
      parts.push(`<text x="${frame.x + ((group + 0.5) * frame.w) / groups}" y="${frame.y + frame.h + frame.size}" font-size="${frame.size * 0.8}" font-family="${frame.font}" text-anchor="middle" fill="${ink}">${random.chance(0.5) ? 2000 + group : words.phrase(1).slice(0, 5)}</text>`);
  }
  return svg('bar_chart', w, h, parts.join(''));
}

function lineChart(random: Random, words: Words, w: number, h: number, ink: string): string {
  const series = random.int(1, 5);
  const colours = palette(random, series);
  const [frame, around] = axes(random, words, w, h, ink, colours);
  const points = random.int(5, 60);
  const parts = [around];
  for (let at = 0; at < series; at++) {
    let value = random.next();
    const rough = random.range(0.02, 0.25);
    const drift = random.range(-0.03, 0.03);
    const path = random.some(points, (step) => {
      value = Math.min(1, Math.max(0, value + drift + random.range(-rough, rough)));
      return `${(frame.x + (step * frame.w) / (points - 1)).toFixed(1)} ${(frame.y + frame.h * (1 - value)).toFixed(1)}`;
    });
    const thick = random.range(0.8, 3);
    if (random.chance(0.2))
      parts.push(`<path d="M${frame.x} ${frame.y + frame.h}L${path.join('L')}L${frame.x + frame.w} ${frame.y + frame.h}Z" fill="${colours[at]}" fill-opacity="${random.range(0.15, 0.8)}"/>`);
    parts.push(`<path d="M${path.join('L')}" fill="none" stroke="${colours[at]}" stroke-width="${thick}" ${random.chance(0.15) ? 'stroke-dasharray="6 4"' : ''}/>`);
    if (points < 20 && random.chance(0.5))
      for (const point of path) parts.push(`<circle cx="${point.split(' ')[0]}" cy="${point.split(' ')[1]}" r="${thick * 1.7}" fill="${colours[at]}"/>`);
  }
  return svg('line_chart', w, h, parts.join(''));
}

function scatterChart(random: Random, words: Words, w: number, h: number, ink: string): string {
  const series = random.int(1, 3);
  const colours = palette(random, series);
  const [frame, around] = axes(random, words, w, h, ink, colours);
  const radius = random.range(1.5, Math.max(2, Math.min(w, h) / 70));
  const parts = [around];
  for (let at = 0; at < series; at++) {
    const [cx, cy, slope, spread] = [random.range(0.3, 0.7), random.range(0.3, 0.7), random.range(-1, 1), random.range(0.05, 0.25)];
    const hollow = random.chance(0.3);
    for (let dot = random.int(15, 150); dot > 0; dot--) {
      const dx = (random.next() + random.next() + random.next() - 1.5) * 0.6;
      const x = frame.x + frame.w * Math.min(0.99, Math.max(0.01, cx + dx));
      const y = frame.y + frame.h * Math.min(0.99, Math.max(0.01, 1 - cy - slope * dx - (random.next() + random.next() - 1) * spread));
      const r = random.chance(0.1) ? radius * 1.5 : radius;
      parts.push(hollow ? `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${colours[at]}"/>` : `<circle cx="${x}" cy="${y}" r="${r}" fill="${colours[at]}" fill-opacity="0.8"/>`);
    }
  }
  if (random.chance(0.3)) parts.push(`<line x1="${frame.x}" y1="${frame.y + frame.h * random.next()}" x2="${frame.x + frame.w}" y2="${frame.y + frame.h * random.next()}" stroke="${ink}"/>`);
  return svg('scatter_chart', w, h, parts.join(''));
}

function pieChart(random: Random, words: Words, w: number, h: number, ink: string): string {
  const slices = random.int(2, 8);
  const colours = palette(random, slices);
  const legend = random.chance(0.5);
  const radius = Math.min(legend ? w * 0.3 : w * 0.4, h * 0.38);
  const [cx, cy] = [legend ? w * 0.36 : w / 2, h * 0.54];
  const hole = random.chance(0.4) ? random.range(0.4, 0.75) : 0;
  const size = Math.max(6, Math.min(w, h) * 0.045);
  const shares = random.some(slices, () => random.range(0.1, 1));
  const sum = shares.reduce((a, b) => a + b);
  let angle = random.range(0, 6);
  const edge = random.chance(0.5) ? 'stroke="white" stroke-width="1.5"' : '';
  const parts: string[] = [];
  shares.forEach((share, at) => {
    const next = angle + (share / sum) * 2 * Math.PI;
    const [x0, y0, x1, y1] = [Math.cos(angle), Math.sin(angle), Math.cos(next), Math.sin(next)].map((v) => v * radius) as [number, number, number, number];
    parts.push(`<path d="M${cx + x0 * hole} ${cy + y0 * hole}L${cx + x0} ${cy + y0}A${radius} ${radius} 0 ${next - angle > Math.PI ? 1 : 0} 1 ${cx + x1} ${cy + y1}L${cx + x1 * hole} ${cy + y1 * hole}${hole ? `A${radius * hole} ${radius * hole} 0 ${next - angle > Math.PI ? 1 : 0} 0 ${cx + x0 * hole} ${cy + y0 * hole}` : ''}Z" fill="${colours[at]}" ${edge}/>`);
    const middle = (angle + next) / 2;
    if (random.chance(0.6)) parts.push(`<text x="${cx + Math.cos(middle) * radius * 0.72}" y="${cy + Math.sin(middle) * radius * 0.72}" font-size="${size * 0.8}" text-anchor="middle" fill="${ink}">${Math.round((share / sum) * 100)}%</text>`);
    if (legend) {
      parts.push(`<rect x="${w * 0.72}" y="${h * 0.22 + at * size * 1.6}" width="${size}" height="${size}" fill="${colours[at]}"/>`);
      parts.push(`<text x="${w * 0.72 + size * 1.4}" y="${h * 0.22 + at * size * 1.6 + size * 0.85}" font-size="${size}" fill="${ink}">${words.phrase(1).slice(0, 9)}</text>`);
    }
    angle = next;
  });
  if (random.chance(0.6)) parts.push(`<text x="${w / 2}" y="${size * 1.5}" font-size="${size * 1.3}" text-anchor="middle" fill="${ink}">${words.phrase(3)}</text>`);
  return svg('pie_chart', w, h, parts.join(''));
}

export function chart(random: Random, words: Words, w: number, h: number, ink = '#222'): string {
  return random.pick([barChart, lineChart, pieChart, scatterChart])(random, words, w, h, ink);
}

/** Boxes joined by arrows: flow charts, networks, trees. */
export function diagram(random: Random, words: Words, w: number, h: number, ink = '#222'): string {
  const columns = random.int(2, 4);
  const rows = random.int(2, 4);
  const fill = random.pick(['none', '#fff', random.colour([30, 80], [75, 92]), random.colour([30, 80], [35, 60])]);
  const parts: string[] = [];
  const nodes: [number, number][] = [];
  const [bw, bh] = [(w / columns) * random.range(0.5, 0.75), (h / rows) * random.range(0.35, 0.6)];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) if (random.chance(0.85)) nodes.push([((column + 0.5) * w) / columns, ((row + 0.5) * h) / rows]);
  const thick = random.range(1, 2.5);
  const marker = `m${random.int(0, 1e9)}`;
  parts.push(`<defs><marker id="${marker}" markerWidth="8" markerHeight="8" refX="7" refY="3" orient="auto"><path d="M0 0L7 3L0 6Z" fill="${ink}"/></marker></defs>`);
  for (let at = 1; at < nodes.length; at++) {
    const [from, to] = [nodes[random.chance(0.6) ? at - 1 : random.int(0, at - 1)] as [number, number], nodes[at] as [number, number]];
    const bent = random.chance(0.4) ? `H${to[0]}V${to[1] - bh / 2}` : `L${to[0]} ${to[1] - (from[1] < to[1] ? bh / 2 : 0)}`;
    parts.push(`<path d="M${from[0]} ${from[1]}${bent}" fill="none" stroke="${ink}" stroke-width="${thick}" marker-end="url(#${marker})"/>`);
  }
  const round = random.pick([0, 4, 14]);
  for (const [x, y] of nodes) {
    const kind = random.next();
    const shape = `fill="${fill === 'none' ? '#fff' : fill}" stroke="${ink}" stroke-width="${thick}"`;
    if (kind < 0.65) parts.push(`<rect x="${x - bw / 2}" y="${y - bh / 2}" width="${bw}" height="${bh}" rx="${round}" ${shape}/>`);
    else if (kind < 0.82) parts.push(`<path d="M${x - bw / 2} ${y}L${x} ${y - bh / 2}L${x + bw / 2} ${y}L${x} ${y + bh / 2}Z" ${shape}/>`);
    else parts.push(`<ellipse cx="${x}" cy="${y}" rx="${bw / 2}" ry="${bh / 2}" ${shape}/>`);
    parts.push(`<text x="${x}" y="${y + 3}" font-size="${Math.max(6, bh * 0.22)}" text-anchor="middle" fill="#111">${words.phrase(1).slice(0, 12)}</text>`);
  }
  return svg('diagram', w, h, parts.join(''));
}

/** Streets, water, parks, names and pins. */
export function map(random: Random, words: Words, w: number, h: number): string {
  const dark = random.chance(0.15);
  const [land, road, edge, water, park] = dark
    ? ['#242f3e', '#38414e', '#212a37', '#17263c', '#263c3f']
    : random.pick([
        ['#f2efe9', '#fff', '#cfc8bc', '#aad3df', '#c8e6b0'],
        ['#e8e6e1', '#fffbe6', '#d9b36c', '#9cc0f9', '#b7dba2'],
        ['#f7f3e3', '#e0a070', '#a05030', '#b5d8ea', '#dce8c0'],
        ['#fdfdfd', '#bbb', '#888', '#d5e5ee', '#eee'],
      ]);
  const parts = [`<rect width="${w}" height="${h}" fill="${land}"/>`];
  const wander = (x: number, y: number, angle: number, step: number, count: number, bend: number) => {
    let path = `M${x.toFixed(0)} ${y.toFixed(0)}`;
    for (let at = 0; at < count; at++) {
      angle += random.range(-bend, bend);
      x += Math.cos(angle) * step;
      y += Math.sin(angle) * step;
      path += `L${x.toFixed(0)} ${y.toFixed(0)}`;
    }
    return path;
  };
  const reach = Math.max(w, h);
  for (let at = random.int(0, 4); at > 0; at--)
    parts.push(`<path d="${wander(random.range(0, w), random.range(0, h), random.range(0, 6), reach * 0.06, 9, 0.9)}Z" fill="${park}"/>`);
  for (let at = random.int(0, 2); at > 0; at--)
    parts.push(random.chance(0.5)
      ? `<path d="${wander(-10, random.range(0, h), random.range(-0.6, 0.6), reach / 14, 22, 0.35)}" fill="none" stroke="${water}" stroke-width="${reach * random.range(0.01, 0.07)}" stroke-linejoin="round"/>`
      : `<path d="${wander(random.range(0, w), random.range(0, h), random.range(0, 6), reach * 0.1, 9, 1.1)}Z" fill="${water}"/>`);
  const main = random.range(0, 3);
  for (let at = random.int(5, 26); at > 0; at--) {
    const angle = main + (random.chance(0.5) ? 0 : Math.PI / 2) + random.range(-0.25, 0.25);
    const [cx, cy] = [random.range(0, w), random.range(0, h)];
    const path = wander(cx - Math.cos(angle) * reach, cy - Math.sin(angle) * reach, angle, reach / 10, 20, random.range(0.02, 0.25));
    const thick = random.chance(0.2) ? random.range(5, 9) : random.range(1.5, 4);
    parts.push(`<path d="${path}" fill="none" stroke="${edge}" stroke-width="${thick + 1.6}"/><path d="${path}" fill="none" stroke="${thick > 5 && !dark ? '#f9d27a' : road}" stroke-width="${thick}"/>`);
  }
  for (let at = random.int(2, 14); at > 0; at--)
    parts.push(`<text x="${random.range(0, w)}" y="${random.range(10, h)}" font-size="${random.range(7, 14)}" font-family="Noto Sans" fill="${dark ? '#c8b47a' : '#445'}" ${dark ? '' : 'stroke="#fff" stroke-width="2" paint-order="stroke"'} ${random.chance(0.3) ? `transform="rotate(${random.int(-40, 40)} ${w / 2} ${h / 2})"` : ''}>${words.phrase(2)}</text>`);
  for (let at = random.int(0, 5); at > 0; at--) {
    const [x, y, s] = [random.range(10, w - 10), random.range(20, h - 5), random.range(5, 10)];
    parts.push(`<path d="M${x} ${y}c${-s * 1.6} ${-s * 2} ${-s} ${-s * 3} 0 ${-s * 3}s${s * 1.6} ${s} 0 ${s * 3}z" fill="${random.pick(['#d33', '#26c', '#e80', '#0a5'])}"/>`);
  }
  return svg('map', w, h, parts.join(''), 'overflow:hidden');
}

export function logo(random: Random, words: Words, height: number): string {
  const tone = random.chance(0.2) ? '#111' : random.colour([50, 95], [25, 55]);
  const second = random.colour([40, 95], [35, 75]);
  const s = 40;
  const shapes = [
    () => `<circle cx="20" cy="20" r="${random.int(12, 20)}" fill="${tone}"/><circle cx="${random.int(14, 26)}" cy="${random.int(14, 26)}" r="${random.int(4, 11)}" fill="${random.pick([second, '#fff'])}"/>`,
    () => `<path d="M20 2L38 36H2Z" fill="${tone}"/><path d="M20 ${random.int(12, 20)}L30 36H10Z" fill="${random.pick([second, '#fff'])}"/>`,
    () => `<rect x="3" y="3" width="34" height="34" rx="${random.pick([0, 6, 17])}" fill="${tone}"/><text x="20" y="29" font-size="25" font-weight="bold" text-anchor="middle" fill="#fff">${words.capitals(1)}</text>`,
    () => `<path d="${random.some(6, (at) => `M20 20L${20 + 18 * Math.cos(at * 1.047)} ${20 + 18 * Math.sin(at * 1.047)}L${20 + 18 * Math.cos(at * 1.047 + 0.7)} ${20 + 18 * Math.sin(at * 1.047 + 0.7)}Z`).join('')}" fill="${tone}"/>`,
    () => `<path d="M4 30Q20 ${random.int(-12, 10)} 36 30T${random.int(36, 39)} 36H4Z" fill="${tone}"/><circle cx="28" cy="10" r="6" fill="${second}"/>`,
    () => random.some(3, (at) => `<rect x="${4 + at * 12}" y="${random.int(4, 22)}" width="9" height="36" fill="${at === 1 ? second : tone}"/>`).join(''),
    () => `<path d="M20 2L36 10V22Q36 34 20 39Q4 34 4 22V10Z" fill="${tone}"/><path d="M20 8L25 19H35L27 25L30 35L20 29L10 35L13 25L5 19H15Z" fill="${random.pick(['#fff', second])}" transform="translate(7 7) scale(0.65)"/>`,
  ];
  const mark = `<svg width="${height}" height="${height}" viewBox="0 0 ${s} ${s}" style="overflow:hidden">${random.pick(shapes)()}</svg>`;
  const name = random.chance(0.65)
    ? `<span style="font:${random.pick(['bold', 'normal', 'italic bold'])} ${height * random.range(0.4, 0.75)}px '${random.pick(fonts)}';color:${random.pick([tone, second, 'inherit'])};letter-spacing:${random.pick([0, 0, 2])}px;white-space:nowrap">${words.phrase(1).slice(0, 10)}</span>`
    : '';
  return `<span data-label="logo" style="display:inline-flex;gap:${height * 0.15}px;align-items:center;${name && random.chance(0.15) ? 'flex-direction:column' : ''}">${mark}${name}</span>`;
}

/** The look of a QR code: finders, timing, random modules (it carries no message). */
export function qrCode(random: Random, size: number): string {
  const n = 17 + 4 * random.int(1, 7);
  const finder = (x: number, y: number) => [[0, 0], [n - 7, 0], [0, n - 7]].some(([fx, fy]) => x >= (fx as number) - 1 && x <= (fx as number) + 7 && y >= (fy as number) - 1 && y <= (fy as number) + 7);
  let path = '';
  for (let y = 0; y < n; y++)
    for (let x = 0; x < n; x++) if (!finder(x, y) && (y === 6 || x === 6 ? (x + y) % 2 === 0 : random.chance(0.48))) path += `M${x} ${y}h1v1h-1z`;
  for (const [x, y] of [[0, 0], [n - 7, 0], [0, n - 7]] as const) path += `M${x} ${y}h7v7h-7zm1 1v5h5v-5zM${x + 2} ${y + 2}h3v3h-3z`;
  const quiet = random.pick([0, 1, 2, 4]);
  const ink = random.chance(0.85) ? '#000' : random.colour([50, 90], [15, 35]);
  return `<svg data-label="qr_code" width="${size}" height="${size}" viewBox="${-quiet} ${-quiet} ${n + 2 * quiet} ${n + 2 * quiet}" style="background:#fff;display:inline-block" shape-rendering="crispEdges"><path d="${path}" fill="${ink}" fill-rule="evenodd"/></svg>`;
}

export function barcode(random: Random, width: number, height: number): string {
  let path = '';
  let x = 0;
  const modules = random.int(60, 160);
  const text = random.chance(0.6);
  const tall = text ? height * 0.8 : height;
  while (x < modules) {
    const bar = random.pick([1, 1, 1, 2, 2, 3, 4]);
    path += `M${x} 0h${bar}v${tall}h${-bar}z`;
    x += bar + random.pick([1, 1, 1, 2, 2, 3, 4]);
  }
  const number = text ? `<text x="${width / 2}" y="${height * 0.98}" font-size="${height * 0.18}" text-anchor="middle" textLength="${width * 0.8}" font-family="${random.pick(['Liberation Mono', 'OCR-B', 'Liberation Sans'])}">${random.digits(random.int(8, 14))}</text>` : '';
  return `<svg data-label="barcode" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" style="background:#fff;display:inline-block;overflow:hidden"><g transform="scale(${width / x} 1)"><path d="${path}"/></g>${number}</svg>`;
}

/** Handwriting as one or two wandering splines with a flourish. */
export function signature(random: Random, width: number, height: number): string {
  const ink = random.pick(['#111', '#123', '#14338a', '#0d2c9c', '#222', '#333a66']);
  const thick = random.range(0.8, 2.6);
  const slant = random.range(-0.1, 0.6);
  const parts: string[] = [];
  const stroke = (from: number, to: number, mean: number) => {
    const count = random.int(5, 16);
    let path = '';
    let [px, py] = [0, 0];
    for (let at = 0; at <= count; at++) {
      const x = (from + ((to - from) * at) / count + random.range(-0.04, 0.04)) * width;
      const big = random.chance(0.25) || at === 0;
      const y = (mean + (at % 2 ? 1 : -1) * random.range(0.04, big ? 0.42 : 0.16)) * height;
      const skew = (0.5 - y / height) * slant * height * 0.5;
      const loop = random.chance(0.3) ? -1 : 1;
      if (at === 0) path += `M${x + skew} ${y}`;
      else path += `C${px + loop * random.range(0, 0.08) * width} ${py + random.range(-0.2, 0.2) * height} ${x + skew - loop * random.range(0, 0.08) * width} ${y + random.range(-0.2, 0.2) * height} ${x + skew} ${y}`;
      [px, py] = [x + skew, y];
    }
    parts.push(`<path d="${path}" stroke-width="${thick * random.range(0.8, 1.2)}"/>`);
  };
  stroke(0.05, random.range(0.45, 0.95), 0.5);
  if (random.chance(0.5)) stroke(random.range(0.3, 0.55), 0.95, random.range(0.45, 0.6));
  if (random.chance(0.45)) parts.push(`<path d="M${width * random.range(0, 0.3)} ${height * random.range(0.7, 0.95)}Q${width * 0.5} ${height * random.range(0.6, 1)} ${width * random.range(0.7, 1)} ${height * random.range(0.5, 0.9)}" stroke-width="${thick}"/>`);
  // The box is that of the ink: the group carries the label.
  return `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" style="display:inline-block;overflow:visible"><g data-label="signature" fill="none" stroke="${ink}" stroke-linecap="round" stroke-linejoin="round" stroke-opacity="${random.range(0.75, 1)}">${parts.join('')}</g></svg>`;
}

/** Round, oval or boxed rubber stamps, turned and worn. */
export function stamp(random: Random, words: Words, size: number): string {
  const ink = random.pick(['#c01818', '#b0202a', '#1a3a9a', '#2848b0', '#14743a', '#5a2a8a', '#222']);
  const id = `s${random.int(0, 1e9)}`;
  const thick = random.range(2, 4.5);
  const wear = `<filter id="${id}w"><feTurbulence baseFrequency="${random.range(0.03, 0.3)}" numOctaves="3" seed="${random.int(0, 999)}"/><feColorMatrix values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ${random.range(-9, -3)} ${random.range(3, 6)}"/><feComposite in="SourceGraphic" operator="in"/></filter>`;
  const round = random.chance(0.6);
  const [w, h] = round ? [100, random.chance(0.75) ? 100 : 70] : [130, random.int(36, 70)];
  const top = words.phrase(4).toUpperCase().slice(0, 28);
  const body = round
    ? `<ellipse cx="50" cy="${h / 2}" rx="47" ry="${h / 2 - 3}" fill="none" stroke="${ink}" stroke-width="${thick}"/>
       ${random.chance(0.6) ? `<ellipse cx="50" cy="${h / 2}" rx="31" ry="${h / 2 - 19}" fill="none" stroke="${ink}" stroke-width="1.2"/>` : ''}
       <path id="${id}" d="M13 ${h / 2}A37 ${h / 2 - 13} 0 1 1 87 ${h / 2}" fill="none"/><text font-size="10" fill="${ink}" font-weight="bold"><textPath href="#${id}" startOffset="50%" text-anchor="middle">${top}</textPath></text>
       <text x="50" y="${h / 2 + 5}" text-anchor="middle" font-size="${random.int(9, 16)}" font-weight="bold" fill="${ink}">${random.pick([words.date(), words.capitals(4), '★', words.phrase(1).slice(0, 8)])}</text>
       ${random.chance(0.5) ? `<text x="50" y="${h / 2 + 19}" text-anchor="middle" font-size="7" fill="${ink}">${words.phrase(2).slice(0, 14)}</text>` : ''}`
    : `<rect x="3" y="3" width="${w - 6}" height="${h - 6}" rx="${random.pick([0, 4, 10])}" fill="none" stroke="${ink}" stroke-width="${thick}"/>
       <text x="${w / 2}" y="${h * 0.55}" text-anchor="middle" font-size="${Math.min(26, h * 0.45)}" font-weight="bold" fill="${ink}" font-family="${random.pick(fonts)}">${random.pick(['PAID', 'APPROVED', 'COPY', 'DITERIMA', 'LULUS', '已付款', 'RECEIVED', 'URGENT', 'SULIT', words.capitals(6)])}</text>
       ${h > 45 ? `<text x="${w / 2}" y="${h * 0.84}" text-anchor="middle" font-size="10" fill="${ink}">${words.date()}</text>` : ''}`;
  const tall = (size * h) / w;
  return `<svg width="${size}" height="${tall}" viewBox="0 0 ${w} ${h}" style="display:inline-block;overflow:visible;mix-blend-mode:multiply;transform:rotate(${random.int(-35, 35)}deg)"><defs>${wear}</defs><g data-label="stamp" opacity="${random.range(0.55, 1)}" ${random.chance(0.6) ? `filter="url(#${id}w)"` : ''}>${body}</g></svg>`;
}
