/** Drawn things as SVG: charts, diagrams, maps. Each is one element with its label in `data-label`. */
import type { Random, Words } from './random.ts';

export const fonts = [
  'Liberation Sans',
  'DejaVu Sans',
  'Liberation Serif',
  'Noto Sans',
  'Nimbus Sans',
  'Liberation Mono',
];

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
function axes(
  random: Random,
  words: Words,
  w: number,
  h: number,
  ink: string,
  colors: string[],
): [Frame, string] {
  const size = Math.max(6, Math.min(w, h) * random.range(0.028, 0.05));
  const frame = {
    x: size * 4,
    y: size * 2.6,
    w: w - size * 6,
    h: h - size * 6,
    ink,
    font: random.pick(fonts),
    size,
  };
  const parts: string[] = [];
  const text = (x: number, y: number, value: string, anchor = 'middle', grow = 1) =>
    parts.push(
      `<text x="${x}" y="${y}" font-family="${frame.font}" font-size="${size * grow}" text-anchor="${anchor}" fill="${ink}">${value}</text>`,
    );
  if (random.chance(0.7)) text(w / 2, size * 1.7, words.phrase(random.int(2, 5)), 'middle', 1.25);
  const legend = random.chance(0.45) && colors.length > 1;
  if (legend && random.chance(0.6)) {
    frame.w -= size * 7;
    colors.forEach((color, at) => {
      const y = frame.y + size * (1 + at * 1.6);
      parts.push(
        `<rect x="${frame.x + frame.w + size}" y="${y}" width="${size}" height="${size}" fill="${color}"/>`,
      );
      text(frame.x + frame.w + size * 2.4, y + size * 0.9, words.phrase(1).slice(0, 9), 'start', 0.85);
    });
  } else if (legend) {
    colors.slice(0, 5).forEach((color, at) => {
      const x = frame.x + at * size * 7;
      parts.push(
        `<rect x="${x}" y="${h - size * 1.1}" width="${size * 0.8}" height="${size * 0.8}" fill="${color}"/>`,
      );
      text(x + size * 1.2, h - size * 0.4, words.phrase(1).slice(0, 8), 'start', 0.8);
    });
  }
  const lines = random.int(3, 8);
  const grid = random.chance(0.65);
  for (let at = 0; at <= lines; at++) {
    const y = frame.y + frame.h * (1 - at / lines);
    if (grid)
      parts.push(
        `<line x1="${frame.x}" x2="${frame.x + frame.w}" y1="${y}" y2="${y}" stroke="${ink}" stroke-opacity="0.2" ${random.chance(0.3) ? 'stroke-dasharray="3 3"' : ''}/>`,
      );
    if (random.chance(0.92))
      text(frame.x - size * 0.4, y + size * 0.3, String(at * random.pick([1, 5, 10, 20, 250])), 'end', 0.8);
  }
  if (random.chance(0.85))
    parts.push(
      `<path d="M${frame.x} ${frame.y}V${frame.y + frame.h}H${frame.x + frame.w}" fill="none" stroke="${ink}"/>`,
    );
  if (random.chance(0.3)) text(frame.x + frame.w / 2, h - size * 0.3, words.phrase(2));
  return [frame, parts.join('')];
}

function barChart(random: Random, words: Words, w: number, h: number, ink: string): string {
  const series = random.chance(0.55) ? 1 : random.int(2, 4);
  const colors = palette(random, series);
  const groups = random.int(3, 14);
  const [frame, around] = axes(random, words, w, h, ink, colors);
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
          ? `<rect x="${frame.x + from * frame.w}" y="${frame.y + along}" width="${value * frame.w}" height="${thick}" fill="${colors[at]}" ${outline}/>`
          : `<rect x="${frame.x + along}" y="${frame.y + frame.h * (1 - from - value)}" width="${thick}" height="${value * frame.h}" fill="${colors[at]}" ${outline}/>`,
      );
    }
    if (!lying)
      parts.push(
        `<text x="${frame.x + ((group + 0.5) * frame.w) / groups}" y="${frame.y + frame.h + frame.size}" font-size="${frame.size * 0.8}" font-family="${frame.font}" text-anchor="middle" fill="${ink}">${random.chance(0.5) ? 2000 + group : words.phrase(1).slice(0, 5)}</text>`,
      );
  }
  return svg('bar_chart', w, h, parts.join(''));
}

function lineChart(random: Random, words: Words, w: number, h: number, ink: string): string {
  const series = random.int(1, 5);
  const colors = palette(random, series);
  const [frame, around] = axes(random, words, w, h, ink, colors);
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
      parts.push(
        `<path d="M${frame.x} ${frame.y + frame.h}L${path.join('L')}L${frame.x + frame.w} ${frame.y + frame.h}Z" fill="${colors[at]}" fill-opacity="${random.range(0.15, 0.8)}"/>`,
      );
    parts.push(
      `<path d="M${path.join('L')}" fill="none" stroke="${colors[at]}" stroke-width="${thick}" ${random.chance(0.15) ? 'stroke-dasharray="6 4"' : ''}/>`,
    );
    if (points < 20 && random.chance(0.5))
      for (const point of path)
        parts.push(
          `<circle cx="${point.split(' ')[0]}" cy="${point.split(' ')[1]}" r="${thick * 1.7}" fill="${colors[at]}"/>`,
        );
  }
  return svg('line_chart', w, h, parts.join(''));
}

function scatterChart(random: Random, words: Words, w: number, h: number, ink: string): string {
  const series = random.int(1, 3);
  const colors = palette(random, series);
  const [frame, around] = axes(random, words, w, h, ink, colors);
  const radius = random.range(1.5, Math.max(2, Math.min(w, h) / 70));
  const parts = [around];
  for (let at = 0; at < series; at++) {
    const [cx, cy, slope, spread] = [
      random.range(0.3, 0.7),
      random.range(0.3, 0.7),
      random.range(-1, 1),
      random.range(0.05, 0.25),
    ];
    const hollow = random.chance(0.3);
    for (let dot = random.int(15, 150); dot > 0; dot--) {
      const dx = (random.next() + random.next() + random.next() - 1.5) * 0.6;
      const x = frame.x + frame.w * Math.min(0.99, Math.max(0.01, cx + dx));
      const y =
        frame.y +
        frame.h *
          Math.min(0.99, Math.max(0.01, 1 - cy - slope * dx - (random.next() + random.next() - 1) * spread));
      const r = random.chance(0.1) ? radius * 1.5 : radius;
      parts.push(
        hollow
          ? `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${colors[at]}"/>`
          : `<circle cx="${x}" cy="${y}" r="${r}" fill="${colors[at]}" fill-opacity="0.8"/>`,
      );
    }
  }
  if (random.chance(0.3))
    parts.push(
      `<line x1="${frame.x}" y1="${frame.y + frame.h * random.next()}" x2="${frame.x + frame.w}" y2="${frame.y + frame.h * random.next()}" stroke="${ink}"/>`,
    );
  return svg('scatter_chart', w, h, parts.join(''));
}

function pieChart(random: Random, words: Words, w: number, h: number, ink: string): string {
  const slices = random.int(2, 8);
  const colors = palette(random, slices);
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
    const [x0, y0, x1, y1] = [Math.cos(angle), Math.sin(angle), Math.cos(next), Math.sin(next)].map(
      (v) => v * radius,
    ) as [number, number, number, number];
    parts.push(
      `<path d="M${cx + x0 * hole} ${cy + y0 * hole}L${cx + x0} ${cy + y0}A${radius} ${radius} 0 ${next - angle > Math.PI ? 1 : 0} 1 ${cx + x1} ${cy + y1}L${cx + x1 * hole} ${cy + y1 * hole}${hole ? `A${radius * hole} ${radius * hole} 0 ${next - angle > Math.PI ? 1 : 0} 0 ${cx + x0 * hole} ${cy + y0 * hole}` : ''}Z" fill="${colors[at]}" ${edge}/>`,
    );
    const middle = (angle + next) / 2;
    if (random.chance(0.6))
      parts.push(
        `<text x="${cx + Math.cos(middle) * radius * 0.72}" y="${cy + Math.sin(middle) * radius * 0.72}" font-size="${size * 0.8}" text-anchor="middle" fill="${ink}">${Math.round((share / sum) * 100)}%</text>`,
      );
    if (legend) {
      parts.push(
        `<rect x="${w * 0.72}" y="${h * 0.22 + at * size * 1.6}" width="${size}" height="${size}" fill="${colors[at]}"/>`,
      );
      parts.push(
        `<text x="${w * 0.72 + size * 1.4}" y="${h * 0.22 + at * size * 1.6 + size * 0.85}" font-size="${size}" fill="${ink}">${words.phrase(1).slice(0, 9)}</text>`,
      );
    }
    angle = next;
  });
  if (random.chance(0.6))
    parts.push(
      `<text x="${w / 2}" y="${size * 1.5}" font-size="${size * 1.3}" text-anchor="middle" fill="${ink}">${words.phrase(3)}</text>`,
    );
  return svg('pie_chart', w, h, parts.join(''));
}

export function chart(random: Random, words: Words, w: number, h: number, ink = '#222'): string {
  return random.pick([barChart, lineChart, pieChart, scatterChart])(random, words, w, h, ink);
}

/** Boxes joined by arrows: flow charts, networks, trees. */
export function diagram(random: Random, words: Words, w: number, h: number, ink = '#222'): string {
  const columns = random.int(2, 4);
  const rows = random.int(2, 4);
  const fill = random.pick([
    'none',
    '#fff',
    random.color([30, 80], [75, 92]),
    random.color([30, 80], [35, 60]),
  ]);
  const parts: string[] = [];
  const nodes: [number, number][] = [];
  const [bw, bh] = [(w / columns) * random.range(0.5, 0.75), (h / rows) * random.range(0.35, 0.6)];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      if (random.chance(0.85)) nodes.push([((column + 0.5) * w) / columns, ((row + 0.5) * h) / rows]);
  const thick = random.range(1, 2.5);
  const marker = `m${random.int(0, 1e9)}`;
  parts.push(
    `<defs><marker id="${marker}" markerWidth="8" markerHeight="8" refX="7" refY="3" orient="auto"><path d="M0 0L7 3L0 6Z" fill="${ink}"/></marker></defs>`,
  );
  for (let at = 1; at < nodes.length; at++) {
    const [from, to] = [
      nodes[random.chance(0.6) ? at - 1 : random.int(0, at - 1)] as [number, number],
      nodes[at] as [number, number],
    ];
    const bent = random.chance(0.4)
      ? `H${to[0]}V${to[1] - bh / 2}`
      : `L${to[0]} ${to[1] - (from[1] < to[1] ? bh / 2 : 0)}`;
    parts.push(
      `<path d="M${from[0]} ${from[1]}${bent}" fill="none" stroke="${ink}" stroke-width="${thick}" marker-end="url(#${marker})"/>`,
    );
  }
  const round = random.pick([0, 4, 14]);
  for (const [x, y] of nodes) {
    const kind = random.next();
    const shape = `fill="${fill === 'none' ? '#fff' : fill}" stroke="${ink}" stroke-width="${thick}"`;
    if (kind < 0.65)
      parts.push(
        `<rect x="${x - bw / 2}" y="${y - bh / 2}" width="${bw}" height="${bh}" rx="${round}" ${shape}/>`,
      );
    else if (kind < 0.82)
      parts.push(
        `<path d="M${x - bw / 2} ${y}L${x} ${y - bh / 2}L${x + bw / 2} ${y}L${x} ${y + bh / 2}Z" ${shape}/>`,
      );
    else parts.push(`<ellipse cx="${x}" cy="${y}" rx="${bw / 2}" ry="${bh / 2}" ${shape}/>`);
    parts.push(
      `<text x="${x}" y="${y + 3}" font-size="${Math.max(6, bh * 0.22)}" text-anchor="middle" fill="#111">${words.phrase(1).slice(0, 12)}</text>`,
    );
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
    parts.push(
      `<path d="${wander(random.range(0, w), random.range(0, h), random.range(0, 6), reach * 0.06, 9, 0.9)}Z" fill="${park}"/>`,
    );
  for (let at = random.int(0, 2); at > 0; at--)
    parts.push(
      random.chance(0.5)
        ? `<path d="${wander(-10, random.range(0, h), random.range(-0.6, 0.6), reach / 14, 22, 0.35)}" fill="none" stroke="${water}" stroke-width="${reach * random.range(0.01, 0.07)}" stroke-linejoin="round"/>`
        : `<path d="${wander(random.range(0, w), random.range(0, h), random.range(0, 6), reach * 0.1, 9, 1.1)}Z" fill="${water}"/>`,
    );
  const main = random.range(0, 3);
  for (let at = random.int(5, 26); at > 0; at--) {
    const angle = main + (random.chance(0.5) ? 0 : Math.PI / 2) + random.range(-0.25, 0.25);
    const [cx, cy] = [random.range(0, w), random.range(0, h)];
    const path = wander(
      cx - Math.cos(angle) * reach,
      cy - Math.sin(angle) * reach,
      angle,
      reach / 10,
      20,
      random.range(0.02, 0.25),
    );
    const thick = random.chance(0.2) ? random.range(5, 9) : random.range(1.5, 4);
    parts.push(
      `<path d="${path}" fill="none" stroke="${edge}" stroke-width="${thick + 1.6}"/><path d="${path}" fill="none" stroke="${thick > 5 && !dark ? '#f9d27a' : road}" stroke-width="${thick}"/>`,
    );
  }
  for (let at = random.int(2, 14); at > 0; at--)
    parts.push(
      `<text x="${random.range(0, w)}" y="${random.range(10, h)}" font-size="${random.range(7, 14)}" font-family="Noto Sans" fill="${dark ? '#c8b47a' : '#445'}" ${dark ? '' : 'stroke="#fff" stroke-width="2" paint-order="stroke"'} ${random.chance(0.3) ? `transform="rotate(${random.int(-40, 40)} ${w / 2} ${h / 2})"` : ''}>${words.phrase(2)}</text>`,
    );
  for (let at = random.int(0, 5); at > 0; at--) {
    const [x, y, s] = [random.range(10, w - 10), random.range(20, h - 5), random.range(5, 10)];
    parts.push(
      `<path d="M${x} ${y}c${-s * 1.6} ${-s * 2} ${-s} ${-s * 3} 0 ${-s * 3}s${s * 1.6} ${s} 0 ${s * 3}z" fill="${random.pick(['#d33', '#26c', '#e80', '#0a5'])}"/>`,
    );
  }
  return svg('map', w, h, parts.join(''), 'overflow:hidden');
}
