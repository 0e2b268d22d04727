import { describe, expect, it } from 'vitest';
import { type Attributes, measure, nameColour } from '../../../server/engine/images/attributes.ts';
import { gatherEvidence, type Seen } from '../../../server/engine/images/caption/evidence.ts';
import { writeCaption } from '../../../server/engine/images/caption/write.ts';
import { pictureOf } from '../../../server/engine/images/input/picture.ts';
import type { NameTable } from '../../../server/engine/images/models/model.ts';
import { relate } from '../../../server/engine/images/relations.ts';
import type { Box, FoundObject } from '../../../server/engine/images/types.ts';

const names: NameTable = {
  objects: new Map([
    ['table', { en: 'table', ms: 'jadual', zh: '表格' }],
    ['dialog', { en: 'dialog box', ms: 'kotak dialog', zh: '对话框' }],
    ['code', { en: 'code or terminal text', ms: 'kod atau teks terminal', zh: '代码或终端文本' }],
    ['page', { en: 'sheet of paper', ms: 'helaian kertas', zh: '纸页' }],
  ]),
  kinds: new Map([
    ['terminal', { group: 'screenshot', en: 'terminal', ms: 'terminal', zh: '终端' }],
    ['invoice', { group: 'document', en: 'invoice', ms: 'invois', zh: '发票' }],
    ['photograph', { group: 'photograph', en: 'photograph', ms: 'gambar foto', zh: '照片' }],
  ]),
  attributes: new Map([['outdoors', { en: 'outdoors', ms: 'luar bangunan', zh: '室外' }]]),
  thresholds: new Map([
    ['terminal', 0.6],
    ['outdoors', 0.5],
  ]),
};

const plain: Attributes = { scene: { dark: 0, blurred: 0, portrait_shaped: 0 }, colours: [] };
const object = (label: string, bbox: Box = [0.1, 0.1, 0.2, 0.2]): FoundObject => ({
  label,
  confidence: 0.9,
  bbox,
});
const write = (seen: Partial<Seen>, language: 'en' | 'ms' | 'zh' = 'en') =>
  writeCaption(
    gatherEvidence({ scene: {}, objects: [], attributes: plain, codes: [], ...seen }, names),
    language,
  );

describe('captions from evidence', () => {
  it('claims a kind only above its threshold', () => {
    expect(write({ scene: { terminal: 0.55, invoice: 0.3 } })).toBe('A picture.');
    expect(write({ scene: { terminal: 0.65, invoice: 0.3 } })).toBe('A screenshot of a terminal.');
    expect(write({ scene: { invoice: 0.9 } })).toBe('An invoice.');
  });

  it('claims objects that are more likely there than not', () => {
    const unsure = { ...object('table'), confidence: 0.45 };
    expect(write({ objects: [unsure, object('dialog')] })).toBe(
      'A picture with a dialog box at the upper left.',
    );
  });

  it('speaks three languages', () => {
    const seen: Partial<Seen> = {
      scene: { terminal: 0.9 },
      objects: [object('table'), object('table'), object('dialog', [0.7, 0.7, 0.9, 0.9])],
      attributes: { ...plain, colours: [{ name: 'black', share: 0.8 }] },
      text: 'npm  test',
      codes: ['https://example.my'],
    };
    expect(write(seen)).toBe(
      'A screenshot of a terminal with a dialog box at the lower right and two tables, mostly black. It reads “npm test”. A code holds “https://example.my”.',
    );
    expect(write(seen, 'ms')).toBe(
      'Tangkapan skrin terminal dengan kotak dialog di kanan bawah dan dua jadual, kebanyakannya hitam. Tertulis “npm test”. Kod mengandungi “https://example.my”.',
    );
    expect(write(seen, 'zh')).toBe(
      '一张终端截图，其中有右下方的一个对话框和两个表格，以黑色为主。文字内容：“npm test”。码中内容：“https://example.my”。',
    );
  });

  it('says of photographs alone where and when they were taken', () => {
    expect(write({ scene: { photograph: 0.9, outdoors: 0.8 } })).toBe('A photograph (outdoors).');
    expect(write({ scene: { invoice: 0.9, outdoors: 0.8 } })).toBe('An invoice.');
  });

  it('calls photographs dark, not screens with a dark theme', () => {
    const dark: Attributes = { ...plain, scene: { ...plain.scene, dark: 0.9 } };
    expect(write({ scene: { photograph: 0.9 }, attributes: dark })).toBe('A dark photograph.');
    expect(write({ scene: { terminal: 0.9 }, attributes: dark })).toBe('A screenshot of a terminal.');
    expect(write({ attributes: dark })).toBe('A picture.');
    const nameless = gatherEvidence({ scene: {}, objects: [], attributes: dark, codes: [] }, undefined);
    expect(writeCaption(nameless, 'en')).toBe('A dark picture.');
  });

  it('counts what can be counted', () => {
    const many = (label: string, count: number) => Array.from({ length: count }, () => object(label));
    expect(write({ objects: many('dialog', 3) })).toBe('A picture with three dialog boxes.');
    expect(write({ objects: many('code', 2) })).toBe('A picture with code or terminal text.');
    expect(write({ objects: many('tennis_racket', 12) })).toBe('A picture with 12 tennis rackets.');
    expect(write({ objects: [object('page')] })).toBe('A picture.');
  });

  it('quotes no more than a line', () => {
    const caption = write({ text: 'word '.repeat(100) });
    expect(caption.length).toBeLessThan(120);
    expect(caption).toContain('…');
  });
});

describe('what is measured', () => {
  const size = { width: 64, height: 96 };
  const make = (colour: (x: number, y: number) => [number, number, number], { width, height } = size) =>
    pictureOf({
      width,
      height,
      data: Uint8Array.from({ length: width * height * 3 }, (_, at) => {
        const pixel = Math.floor(at / 3);
        return colour(pixel % width, Math.floor(pixel / width))[at % 3]!;
      }),
    });
  const grey = (value: number): [number, number, number] => [value, value, value];

  it('darkness and shape', async () => {
    const dark = await measure(make(() => grey(12)));
    expect(dark.scene.dark).toBeGreaterThan(0.95);
    expect(dark.scene.portrait_shaped).toBe(1);
    expect(dark.colours[0]).toEqual({ name: 'black', share: 1 });
    const light = await measure(make(() => grey(220), { width: 96, height: 64 }));
    expect(light.scene).toEqual({ dark: 0, blurred: 0, portrait_shaped: 0 });
  });

  it('blur: an edge is sharp, a slope of twelve pixels is not, a flat picture has none', async () => {
    const sharp = await measure(make((x) => grey(x < 32 ? 20 : 230)));
    const soft = await measure(make((x) => grey(Math.round(125 + 105 * Math.tanh((x - 32) / 6)))));
    expect(sharp.scene.blurred).toBeLessThan(0.1);
    expect(soft.scene.blurred).toBeGreaterThan(0.9);
    expect((await measure(make(() => grey(90)))).scene.blurred).toBe(0);
  });

  it.each([
    [[250, 20, 20], 'red'],
    [[255, 150, 0], 'orange'],
    [[120, 70, 30], 'brown'],
    [[245, 230, 40], 'yellow'],
    [[30, 160, 60], 'green'],
    [[40, 90, 220], 'blue'],
    [[130, 50, 200], 'purple'],
    [[250, 170, 180], 'pink'],
    [[128, 130, 127], 'grey'],
    [[250, 250, 248], 'white'],
    [[10, 12, 9], 'black'],
  ] as const)('%j is %s', ([red, green, blue], name) => {
    expect(nameColour(red, green, blue)).toBe(name);
  });
});

describe('relations', () => {
  it('tell the smallest container, and neighbours within it', () => {
    const objects = [
      object('window', [0, 0, 0.8, 0.8]),
      object('dialog', [0.1, 0.1, 0.5, 0.5]),
      object('button', [0.15, 0.4, 0.2, 0.45]),
      object('button', [0.3, 0.4, 0.35, 0.45]),
      object('logo', [0.85, 0.1, 0.95, 0.2]),
    ];
    expect(relate(objects)).toEqual([
      { subject: 1, predicate: 'inside', object: 0 },
      { subject: 2, predicate: 'inside', object: 1 },
      { subject: 3, predicate: 'inside', object: 1 },
      { subject: 0, predicate: 'left_of', object: 4 },
      { subject: 2, predicate: 'left_of', object: 3 },
    ]);
    expect(relate([])).toEqual([]);
  });
});
