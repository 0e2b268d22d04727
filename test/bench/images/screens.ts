/** Held-back screenshots, drawn: windows, dialogs, terminals, editors, sheets, chats, pages, phones. */
import { charts, codeText, table } from './graphics.ts';
import { button, choices, code, field, logo, photo } from './marks.ts';
import { Sheet } from './sheet.ts';

type Area = [x: number, y: number, w: number, h: number];

const shell = [
  '$ cargo build --release',
  '   Compiling core v0.4.1',
  '    Finished release in 12.31s',
  '$ df -h',
  'Filesystem      Size  Used Avail Use% Mounted on',
  '/dev/sda1       234G  120G  102G  55% /',
  'tmpfs           7.8G  1.2M  7.8G   1% /run',
  '$ kubectl get pods',
  'NAME          READY   STATUS    RESTARTS   AGE',
  'api-7f9c      1/1     Running   0          4d',
  'worker-xx2p   0/1     Pending   3          1h',
  '$ tail /var/log/syslog',
  'kernel: eth0: link up, 1000Mbps',
  'sshd[812]: Accepted publickey for admin',
  'cron[99]: job finished',
  '$ ',
];

function clipped(sheet: Sheet, [x, y, w, h]: Area, draw: () => void): void {
  const before = sheet.boxes.length;
  sheet.ctx.save();
  sheet.ctx.beginPath();
  sheet.ctx.rect(x, y, w, h);
  sheet.ctx.clip();
  draw();
  sheet.ctx.restore();
  for (const { box } of sheet.boxes.slice(before)) {
    box[2] = Math.min(box[2], x + w);
    box[3] = Math.min(box[3], y + h);
  }
}

function terminal(sheet: Sheet, area: Area): void {
  const { dice } = sheet;
  const [x, y, w, h] = area;
  const dark = dice.maybe(0.8);
  clipped(sheet, area, () => {
    sheet.fill(x, y, w, h, dark ? dice.one(['#101014', '#0b2239', '#2d0922']) : '#fffdf2');
    const size = dice.between(11, 16);
    codeText(
      sheet,
      x + 8,
      y + 8,
      size,
      Math.floor(Math.min(dice.whole(8, 30), (h - 16) / (size * 1.35))),
      dark ? ['#d7d7d7', '#d7d7d7', '#7ee787'] : ['#2a2a2a'],
      shell,
    );
  });
}

function editor(sheet: Sheet, area: Area): void {
  const { dice } = sheet;
  const [x, y, w, h] = area;
  const dark = dice.maybe(0.6);
  clipped(sheet, area, () => {
    sheet.fill(x, y, w, h, dark ? '#1c2128' : '#ffffff');
    const side = w * 0.2;
    sheet.fill(x, y, side, h, dark ? '#15191f' : '#eef0f2');
    for (let row = 0; row < h / 22 - 2; row++)
      sheet.text(`${dice.one(['> ', '  '])}${sheet.words(1)}`, x + 10, y + 12 + row * 22, 12, {
        color: dark ? '#aab' : '#445',
      });
    sheet.fill(x + side, y, w - side, 28, dark ? '#22272e' : '#dfe3e8');
    sheet.text(`${sheet.words(1)}.rs`, x + side + 14, y + 7, 12, { color: dark ? '#ccd' : '#334' });
    const size = dice.between(11, 14);
    const count = Math.floor((h - 50) / (size * 1.35));
    for (let row = 0; row < count; row++)
      sheet.text(String(row + 1), x + side + 34, y + 36 + row * size * 1.35, size, {
        color: '#778',
        align: 'right',
        face: 'DejaVu Sans Mono',
      });
    codeText(
      sheet,
      x + side + 46,
      y + 36,
      size,
      count,
      dark ? ['#adbac7', '#f47067', '#96d0ff', '#dcbdfb'] : ['#24292f', '#0550ae', '#8250df'],
    );
    sheet.fill(x, y + h - 20, w, 20, dice.one(['#316dca', '#444c56']));
  });
}

function spreadsheet(sheet: Sheet, area: Area): void {
  const { dice } = sheet;
  const [x, y, w, h] = area;
  clipped(sheet, area, () => {
    sheet.fill(x, y, w, h, '#ffffff');
    sheet.fill(x, y, w, 34, dice.one(['#1e7145', '#f1f3f4', '#3b5998']));
    for (let at = 0; at < 14; at++) sheet.rounded(x + 12 + at * 30, y + 42, 18, 18, 3, '#b8c0c8');
    const [top, wide, high] = [y + 70, dice.whole(70, 110), dice.whole(19, 25)];
    const [rows, columns] = [Math.ceil((h - 70) / high), Math.ceil(w / wide)];
    const [usedRows, usedColumns] = [dice.whole(6, rows), dice.whole(3, columns)];
    sheet.fill(x, top, w, high, '#eceff1');
    sheet.fill(x, top, 30, h, '#eceff1');
    for (let row = 0; row <= rows; row++) {
      sheet.line(
        [
          [x, top + row * high],
          [x + w, top + row * high],
        ],
        '#cfd4d8',
      );
      if (row)
        sheet.text(String(row), x + 15, top + row * high + 4, high * 0.55, {
          align: 'center',
          color: '#555',
        });
      for (let column = 0; column < columns; column++) {
        const left = x + 30 + column * wide;
        if (row === 0) {
          sheet.line(
            [
              [left, top],
              [left, y + h],
            ],
            '#cfd4d8',
          );
          sheet.text(String.fromCharCode(65 + column), left + wide / 2, top + 4, high * 0.55, {
            align: 'center',
            color: '#555',
          });
        } else if (row < usedRows && column < usedColumns)
          clipped(sheet, [left, top + row * high, wide - 4, high], () => {
            sheet.text(
              row === 1 || column === 0 ? sheet.words(1) : sheet.figure(),
              left + 5,
              top + row * high + 4,
              high * 0.55,
              { bold: row === 1 },
            );
          });
      }
    }
    sheet.mark('table', x, top, w, y + h - top);
    if (dice.maybe(0.25)) {
      sheet.fill(x + w * 0.5, y + h * 0.45, w * 0.42, h * 0.45, '#ffffff');
      dice.one(charts)(sheet, x + w * 0.5, y + h * 0.45, w * 0.42, h * 0.45);
    }
  });
}

function chat(sheet: Sheet, area: Area): void {
  const { dice } = sheet;
  const [x, y, w, h] = area;
  clipped(sheet, area, () => {
    const dark = dice.maybe(0.3);
    sheet.fill(x, y, w, h, dark ? '#17212b' : dice.one(['#e6ebee', '#ffffff', '#f3ede4']));
    sheet.fill(x, y, w, 50, dark ? '#242f3d' : '#ffffff');
    sheet.rounded(x + 12, y + 8, 34, 34, 17, dice.hue(55, 55));
    sheet.text(sheet.words(2), x + 58, y + 16, 16, { bold: true, color: dark ? '#fff' : '#111' });
    for (let top = y + 66; top < y + h - 110; ) {
      const own = dice.maybe(0.5);
      const [wide, rows] = [w * dice.between(0.3, 0.6), dice.whole(1, 3)];
      const left = own ? x + w - wide - 16 : x + 16;
      sheet.rounded(
        left,
        top,
        wide,
        16 + rows * 20,
        12,
        own ? (dark ? '#2b5278' : '#d3f0c4') : dark ? '#202b36' : '#ffffff',
      );
      for (let row = 0; row < rows; row++)
        clipped(
          sheet,
          [left, top, wide - 8, 16 + rows * 20],
          () =>
            void sheet.text(sheet.words(row === rows - 1 ? 2 : 8), left + 12, top + 9 + row * 20, 14, {
              color: dark ? '#eee' : '#222',
            }),
        );
      top += 30 + rows * 20;
    }
    sheet.fill(x, y + h - 52, w, 52, dark ? '#242f3d' : '#f5f5f5');
    sheet.rounded(x + 14, y + h - 42, w - 70, 32, 16, dark ? '#17212b' : '#ffffff');
    sheet.text(sheet.words(2), x + 28, y + h - 34, 14, { color: '#999' });
    sheet.mark('text_field', x + 14, y + h - 42, w - 70, 32);
    sheet.rounded(x + w - 46, y + h - 42, 32, 32, 16, '#3390ec');
  });
}

async function web(sheet: Sheet, area: Area): Promise<void> {
  const { dice } = sheet;
  const [x, y, w, h] = area;
  sheet.fill(x, y, w, h, '#ffffff');
  let left = x + 24 + logo(sheet, x + 24, y + 14, 32) + 40;
  for (let at = 0; at < 4 && left < x + w - 100; at++)
    left += sheet.text(sheet.words(1), left, y + 22, 15) + 28;
  let top = sheet.heading(x + w * 0.07, y + 80, Math.min(30, w * 0.035));
  for (let part = 0; top < y + h - 150 && part < 5; part++) {
    const kind = dice.whole(0, 4);
    if (kind === 0) top = sheet.paragraph(x + w * 0.07, top, w * 0.8, 14, dice.whole(2, 4));
    else if (kind === 1) {
      const wide = w * 0.26;
      const high = Math.min(wide * 0.6, y + h - top - 40);
      for (let at = 0; at < 3; at++) {
        await photo(sheet, x + w * 0.07 + at * wide * 1.1, top, wide, high);
        sheet.text(sheet.words(2), x + w * 0.07 + at * wide * 1.1, top + high + 6, 14, { bold: true });
      }
      top += high + 40;
    } else if (kind === 2) {
      button(sheet, x + w * 0.07, top, 34);
      top += 54;
    } else if (kind === 3) {
      for (let row = 0; row < 2; row++) {
        sheet.text(sheet.words(1), x + w * 0.07, top, 13);
        field(sheet, x + w * 0.07, top + 18, w * 0.4, 30);
        top += 58;
      }
      sheet.mark('form', x + w * 0.07, top - 116, w * 0.4, 106);
    } else if (y + h - top > 190) top = table(sheet, x + w * 0.07, top, w * 0.7, 5, 4, 13);
  }
}

const programs = { terminal, code_editor: editor, spreadsheet, chat, web_page: web };
type Program = keyof typeof programs;

async function window(sheet: Sheet, program: Program, [x, y, w, h]: Area): Promise<void> {
  const { dice, ctx } = sheet;
  ctx.save();
  ctx.shadowColor = '#00000066';
  ctx.shadowBlur = 18;
  sheet.fill(x, y, w, h, '#888888');
  ctx.restore();
  sheet.fill(x, y, w, 30, dice.one(['#dcdfe3', '#2f3237', '#ffffff', '#3d6db5']));
  sheet.text(sheet.words(2), x + 44, y + 8, 13, { color: '#777' });
  for (const [at, tone] of ['#e0443e', '#dea123', '#1aab29'].entries())
    sheet.rounded(x + w - 66 + at * 20, y + 9, 12, 12, 6, tone);
  const before = sheet.boxes.length;
  await programs[program](sheet, [x, y + 30, w, h - 30]);
  for (const { box } of sheet.boxes.slice(before)) {
    box[2] = Math.min(box[2], x + w);
    box[3] = Math.min(box[3], y + h);
  }
  sheet.mark('window', x, y, w, h);
}

const sizes = [
  [1200, 750],
  [1080, 720],
  [1360, 768],
] as const;
function screen(seed: number): Sheet {
  const [width, height] = sizes[seed % 3]!;
  return new Sheet(seed, width, height);
}

const full =
  (program: Program) =>
  async (seed: number): Promise<Sheet> => {
    const sheet = screen(seed);
    if (seed % 2) await window(sheet, program, [0, 0, sheet.width, sheet.height]);
    else await programs[program](sheet, [0, 0, sheet.width, sheet.height]);
    return sheet;
  };

function backdrop(sheet: Sheet): void {
  const shade = sheet.ctx.createLinearGradient(0, 0, sheet.width, sheet.height);
  shade.addColorStop(0, sheet.dice.hue(50, 40));
  shade.addColorStop(1, sheet.dice.hue(50, 20));
  sheet.ctx.fillStyle = shade;
  sheet.ctx.fillRect(0, 0, sheet.width, sheet.height);
}

async function desktop(seed: number): Promise<Sheet> {
  const sheet = screen(seed);
  const { dice } = sheet;
  backdrop(sheet);
  const names = Object.keys(programs) as Program[];
  const { width, height } = sheet;
  if (dice.maybe(0.5))
    await window(sheet, dice.one(names), [
      width * dice.between(0.1, 0.3),
      height * dice.between(0.05, 0.2),
      width * 0.58,
      height * 0.62,
    ]);
  else {
    await window(sheet, dice.one(names), [width * 0.03, height * 0.06, width * 0.45, height * 0.6]);
    await window(sheet, dice.one(names), [width * 0.52, height * 0.2, width * 0.44, height * 0.6]);
  }
  sheet.fill(0, height - 40, width, 40, '#20242bee');
  for (let at = 0; at < 7; at++) sheet.rounded(14 + at * 40, height - 34, 28, 28, 6, dice.hue(60, 55));
  return sheet;
}

async function dialog(seed: number): Promise<Sheet> {
  const sheet = screen(seed);
  const { dice } = sheet;
  const before = sheet.boxes.length;
  if (dice.maybe(0.5)) backdrop(sheet);
  else {
    await programs[dice.one(Object.keys(programs) as Program[])](sheet, [0, 0, sheet.width, sheet.height]);
    sheet.fill(0, 0, sheet.width, sheet.height, '#00000073');
  }
  const [w, h] = [dice.whole(400, 560), dice.whole(210, 300)];
  const [x, y] = [(sheet.width - w) / 2, (sheet.height - h) / 2];
  // What the box covers by half and more is not asked for.
  const covered = ({ box }: { box: number[] }) =>
    Math.max(0, Math.min(box[2]!, x + w) - Math.max(box[0]!, x)) *
      Math.max(0, Math.min(box[3]!, y + h) - Math.max(box[1]!, y)) >
    0.5 * (box[2]! - box[0]!) * (box[3]! - box[1]!);
  sheet.boxes.splice(before, Infinity, ...sheet.boxes.slice(before).filter((box) => !covered(box)));
  sheet.rounded(x, y, w, h, 8, '#fafafa');
  sheet.text(sheet.words(2), x + 20, y + 16, 18, { bold: true });
  sheet.paragraph(x + 20, y + 56, w - 50, 14, 2);
  if (h > 250) choices(sheet, x + 24, y + 112, 14);
  let right = x + w - 20;
  for (let at = 0; at < 2; at++) right -= button(sheet, right - 110, y + h - 50, 34) + 12;
  sheet.mark('dialog', x, y, w, h);
  return sheet;
}

function keys(sheet: Sheet, y: number, h: number): void {
  const { width } = sheet;
  sheet.fill(0, y, width, h, '#cfd3da');
  for (const [row, text] of ['QWERTYUIOP', 'ASDFGHJKL', 'ZXCVBNM'].entries())
    for (const [at, letter] of [...text].entries()) {
      const left = (width - (text.length * width) / 10) / 2 + (at * width) / 10;
      sheet.rounded(left + 3, y + 10 + (row * h) / 4, width / 10 - 6, h / 4 - 12, 5, '#ffffff');
      sheet.text(letter, left + width / 20, y + 16 + (row * h) / 4, h / 10, { align: 'center' });
    }
  sheet.rounded(width * 0.25, y + 8 + (h * 3) / 4, width * 0.5, h / 4 - 14, 5, '#ffffff');
  sheet.mark('keyboard', 0, y, width, h);
}

async function mobile(seed: number): Promise<Sheet> {
  const sheet = new Sheet(seed, 420, 880);
  const { dice } = sheet;
  sheet.text(`${dice.whole(10, 23)}:${dice.whole(10, 59)}`, 20, 8, 14, { bold: true });
  sheet.text('▮▮▮', 360, 8, 14);
  const kind = seed % 4;
  if (kind === 0) {
    chat(sheet, [0, 32, 420, 618]);
    keys(sheet, 650, 230);
  } else if (kind === 1) {
    let y = sheet.heading(24, 60, 26);
    await photo(sheet, 20, y, 380, 210, 10);
    y = sheet.paragraph(24, y + 230, 370, 16, 4);
    button(sheet, 24, y + 10, 44);
  } else if (kind === 2) {
    sheet.heading(100, 110, 24);
    await code(sheet, 90, 200, 240, 240, true);
    sheet.paragraph(60, 480, 300, 15, 2);
  } else
    for (let row = 0; row < 12; row++) {
      sheet.rounded(18, 60 + row * 64, 38, 38, 9, dice.hue(60, 55));
      sheet.text(sheet.words(2), 72, 70 + row * 64, 17);
      sheet.line(
        [
          [72, 110 + row * 64],
          [420, 110 + row * 64],
        ],
        '#ddd',
      );
    }
  return sheet;
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
