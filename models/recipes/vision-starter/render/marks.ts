/** Marks on paper and screens as SVG: logos, codes, signatures, stamps. The box is that of the ink. */
import { fonts } from './graphics.ts';
import type { Random, Words } from './random.ts';

export function logo(random: Random, words: Words, height: number): string {
  const tone = random.chance(0.2) ? '#111' : random.color([50, 95], [25, 55]);
  const second = random.color([40, 95], [35, 75]);
  const s = 40;
  const shapes = [
    () =>
      `<circle cx="20" cy="20" r="${random.int(12, 20)}" fill="${tone}"/><circle cx="${random.int(14, 26)}" cy="${random.int(14, 26)}" r="${random.int(4, 11)}" fill="${random.pick([second, '#fff'])}"/>`,
    () =>
      `<path d="M20 2L38 36H2Z" fill="${tone}"/><path d="M20 ${random.int(12, 20)}L30 36H10Z" fill="${random.pick([second, '#fff'])}"/>`,
    () =>
      `<rect x="3" y="3" width="34" height="34" rx="${random.pick([0, 6, 17])}" fill="${tone}"/><text x="20" y="29" font-size="25" font-weight="bold" text-anchor="middle" fill="#fff">${words.capitals(1)}</text>`,
    () =>
      `<path d="${random.some(6, (at) => `M20 20L${20 + 18 * Math.cos(at * 1.047)} ${20 + 18 * Math.sin(at * 1.047)}L${20 + 18 * Math.cos(at * 1.047 + 0.7)} ${20 + 18 * Math.sin(at * 1.047 + 0.7)}Z`).join('')}" fill="${tone}"/>`,
    () =>
      `<path d="M4 30Q20 ${random.int(-12, 10)} 36 30T${random.int(36, 39)} 36H4Z" fill="${tone}"/><circle cx="28" cy="10" r="6" fill="${second}"/>`,
    () =>
      random
        .some(
          3,
          (at) =>
            `<rect x="${4 + at * 12}" y="${random.int(4, 22)}" width="9" height="36" fill="${at === 1 ? second : tone}"/>`,
        )
        .join(''),
    () =>
      `<path d="M20 2L36 10V22Q36 34 20 39Q4 34 4 22V10Z" fill="${tone}"/><path d="M20 8L25 19H35L27 25L30 35L20 29L10 35L13 25L5 19H15Z" fill="${random.pick(['#fff', second])}" transform="translate(7 7) scale(0.65)"/>`,
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
  const finder = (x: number, y: number) =>
    [
      [0, 0],
      [n - 7, 0],
      [0, n - 7],
    ].some(
      ([fx, fy]) =>
        x >= (fx as number) - 1 &&
        x <= (fx as number) + 7 &&
        y >= (fy as number) - 1 &&
        y <= (fy as number) + 7,
    );
  let path = '';
  for (let y = 0; y < n; y++)
    for (let x = 0; x < n; x++)
      if (!finder(x, y) && (y === 6 || x === 6 ? (x + y) % 2 === 0 : random.chance(0.48)))
        path += `M${x} ${y}h1v1h-1z`;
  for (const [x, y] of [
    [0, 0],
    [n - 7, 0],
    [0, n - 7],
  ] as const)
    path += `M${x} ${y}h7v7h-7zm1 1v5h5v-5zM${x + 2} ${y + 2}h3v3h-3z`;
  const quiet = random.pick([0, 1, 2, 4]);
  const ink = random.chance(0.85) ? '#000' : random.color([50, 90], [15, 35]);
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
  const number = text
    ? `<text x="${width / 2}" y="${height * 0.98}" font-size="${height * 0.18}" text-anchor="middle" textLength="${width * 0.8}" font-family="${random.pick(['Liberation Mono', 'OCR B', 'Liberation Sans'])}">${random.digits(random.int(8, 14))}</text>`
    : '';
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
      else
        path += `C${px + loop * random.range(0, 0.08) * width} ${py + random.range(-0.2, 0.2) * height} ${x + skew - loop * random.range(0, 0.08) * width} ${y + random.range(-0.2, 0.2) * height} ${x + skew} ${y}`;
      [px, py] = [x + skew, y];
    }
    parts.push(`<path d="${path}" stroke-width="${thick * random.range(0.8, 1.2)}"/>`);
  };
  stroke(0.05, random.range(0.45, 0.95), 0.5);
  if (random.chance(0.5)) stroke(random.range(0.3, 0.55), 0.95, random.range(0.45, 0.6));
  if (random.chance(0.45))
    parts.push(
      `<path d="M${width * random.range(0, 0.3)} ${height * random.range(0.7, 0.95)}Q${width * 0.5} ${height * random.range(0.6, 1)} ${width * random.range(0.7, 1)} ${height * random.range(0.5, 0.9)}" stroke-width="${thick}"/>`,
    );
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
