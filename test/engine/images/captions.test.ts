import { describe, expect, it } from 'vitest';
import {
  type Attributes,
  measure,
  nameColor,
  noAttributes,
} from '../../../server/engine/images/attributes.ts';
import { readCaptionWords } from '../../../server/engine/images/caption/caption-words.ts';
import { gatherFacts, groundedKind, type Seen } from '../../../server/engine/images/caption/facts.ts';
import { claimable } from '../../../server/engine/images/caption/grounding.ts';
import { writeCaption } from '../../../server/engine/images/caption/write.ts';
import { isNatural } from '../../../server/engine/images/classify-scene.ts';
import { pictureOf } from '../../../server/engine/images/input/picture.ts';
import type { NameTable } from '../../../server/engine/images/models/model.ts';
import { relate } from '../../../server/engine/images/relations.ts';
import type { FoundObject } from '../../../server/engine/images/types.ts';
import type { Box } from '../../../server/engine/vision/geometry.ts';
import { starterPack } from '../../support/images/open-starter.ts';

const words = await readCaptionWords(starterPack());

const names: NameTable = {
  objects: new Map([
    ['table', { en: 'table', ms: 'jadual', zh: '表格' }],
    ['dialog', { en: 'dialog box', ms: 'kotak dialog', zh: '对话框' }],
    ['code', { en: 'code or terminal text', ms: 'kod atau teks terminal', zh: '代码或终端文本' }],
    ['bar_chart', { en: 'bar chart', ms: 'carta bar', zh: '柱状图' }],
    ['page', { en: 'sheet of paper', ms: 'helaian kertas', zh: '纸页' }],
  ]),
  kinds: new Map([
    ['terminal', { group: 'screenshot', en: 'terminal', ms: 'terminal', zh: '终端' }],
    ['invoice', { group: 'document', en: 'invoice', ms: 'invois', zh: '发票' }],
    ['letter', { group: 'document', en: 'letter', ms: 'surat', zh: '信函' }],
    ['chart', { group: 'graphic', en: 'chart', ms: 'carta', zh: '图表' }],
    ['photograph', { group: 'photograph', en: 'photograph', ms: 'gambar foto', zh: '照片' }],
  ]),
  thresholds: new Map([['terminal', 0.6]]),
};

const plain: Attributes = { ...noAttributes, texture: { flat: 0.1, commonest: 0.1 } };
const object = (label: string, bbox: Box = [0.1, 0.1, 0.2, 0.2]): FoundObject => ({
  label,
  confidence: 0.9,
  bbox,
});
const line = (text: string, box: Box = [0.1, 0.1, 0.3, 0.13]) => ({ text, box });
interface Told extends Omit<Seen, 'kind'> {
  scene: Record<string, number>;
}
function write({ scene = {}, ...seen }: Partial<Told>, language: 'en' | 'ms' | 'zh' = 'en'): string {
  const kind = groundedKind(scene, names, words);
  const nothing = { kind, objects: [], attributes: plain, lines: [], axes: [], codes: [] };
  return writeCaption(gatherFacts({ ...nothing, ...seen }, names), language, words);
}

describe('captions from evidence', () => {
  it('claims a kind only above its threshold and clear of the next', () => {
    expect(write({ scene: { terminal: 0.55, invoice: 0.25 } })).toBe('A picture.');
    expect(write({ scene: { terminal: 0.65, invoice: 0.3 } })).toBe('A screenshot of a terminal.');
    expect(write({ scene: { invoice: 0.9 } })).toBe('An invoice.');
  });

  it('names the group where no kind stands out', () => {
    const scene = { invoice: 0.5, letter: 0.4, document: 0.9 };
    expect(write({ scene })).toBe('A document.');
    expect(write({ scene }, 'ms')).toBe('Dokumen.');
    expect(write({ scene }, 'zh')).toBe('一张文件图片。');
    expect(write({ scene: { terminal: 0.5, screenshot: 0.8 } })).toBe('A screenshot.');
    expect(write({ scene: { ...scene, document: 0.6 } })).toBe('A picture.');
  });

  it('calls a chart by its kind where there is one', () => {
    const chart = {
      scene: { chart: 0.9, graphic: 0.9 },
      axes: ['Hour'],
      lines: [line('Logins'), line('Hour')],
    };
    expect(write({ ...chart, objects: [object('bar_chart')] })).toBe(
      'A bar chart. It reads “Logins”. An axis reads “Hour”.',
    );
    expect(write({ ...chart, axes: [], lines: [] })).toBe('A chart.');
  });

  it('an empty picture is of no kind', () => {
    const white: Attributes = { ...plain, colors: [{ name: 'white', share: 1 }] };
    expect(write({ scene: { terminal: 0.9 }, attributes: white })).toBe('A picture, mostly white.');
  });

  it('does not say what goes without saying', () => {
    const white: Attributes = { ...plain, colors: [{ name: 'white', share: 0.9 }] };
    expect(write({ scene: { terminal: 0.9 }, objects: [object('code')], attributes: white })).toBe(
      'A screenshot of a terminal.',
    );
    expect(write({ attributes: white })).toBe('A picture, mostly white.');
  });

  it('speaks three languages', () => {
    const seen: Partial<Told> = {
      scene: { terminal: 0.9 },
      objects: [object('table'), object('table'), object('dialog', [0.7, 0.7, 0.9, 0.9])],
      attributes: { ...plain, colors: [{ name: 'black', share: 0.8 }] },
      lines: [line('npm  test')],
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

  it('quotes lines apart, and lines of a paragraph as one', () => {
    const lines = [
      line('Delete the', [0.1, 0.1, 0.4, 0.13]),
      line('three files?', [0.1, 0.132, 0.42, 0.162]),
      line('[* Cancel ]', [0.1, 0.5, 0.3, 0.53]),
      line('Cancel', [0.5, 0.8, 0.7, 0.83]),
    ];
    expect(write({ lines })).toBe('A picture. It reads “Delete the three files?” and “Cancel”.');
  });

  it('calls photographs dark, not screens with a dark theme', () => {
    const dark: Attributes = { ...plain, scene: { ...plain.scene, dark: 0.9 } };
    expect(write({ scene: { photograph: 0.9 }, attributes: dark })).toBe('A dark photograph.');
    expect(write({ scene: { terminal: 0.9 }, attributes: dark })).toBe('A screenshot of a terminal.');
    expect(write({ attributes: dark })).toBe('A picture.');
    const nothing = { kind: undefined, objects: [], lines: [], axes: [], codes: [] };
    const nameless = gatherFacts({ ...nothing, attributes: dark }, undefined);
    expect(writeCaption(nameless, 'en', words)).toBe('A dark picture.');
  });

  it('says of a photograph how good it is, in three languages', () => {
    const seen: Partial<Told> = {
      scene: { photograph: 0.9 },
      size: { width: 640, height: 427 },
      attributes: {
        ...plain,
        scene: { ...plain.scene, colorless: 0.9, pixelated: 1 },
        mosaic: [0.05, 0.05, 0.2, 0.2],
      },
    };
    expect(write(seen)).toBe(
      'A black-and-white photograph. It is sharp and well exposed, at 640 × 427 pixels. A part at the upper left is pixelated.',
    );
    expect(write(seen, 'ms')).toBe(
      'Gambar foto yang hitam putih. Gambarnya tajam dan cukup terang, pada 640 × 427 piksel. Satu bahagian di kiri atas dikaburkan dengan petak.',
    );
    expect(write(seen, 'zh')).toBe('一张黑白的照片。清晰，曝光正常，640 × 427 像素。左上方有马赛克。');
    const bad = { ...plain, scene: { ...plain.scene, blurred: 0.9, overexposed: 0.9 } };
    expect(write({ ...seen, attributes: bad })).toBe(
      'A blurred, overexposed photograph. It has 640 × 427 pixels.',
    );
  });

  it('counts what can be counted', () => {
    const many = (label: string, count: number) => Array.from({ length: count }, () => object(label));
    expect(write({ objects: many('dialog', 3) })).toBe('A picture with three dialog boxes.');
    expect(write({ objects: many('code', 2) })).toBe('A picture with code or terminal text.');
    expect(write({ objects: many('tennis_racket', 12) })).toBe('A picture with 12 tennis rackets.');
    expect(write({ objects: [object('page')] })).toBe('A picture.');
  });

  it('counts charts as sheets in Chinese', () => {
    const objects = [object('bar_chart'), object('bar_chart'), object('dialog', [0, 0, 0.9, 0.9])];
    expect(write({ objects }, 'zh')).toBe('一张图片，其中有一个对话框和两张柱状图。');
  });

  it('quotes no more than a line', () => {
    const caption = write({ lines: [line('word '.repeat(100))] });
    expect(caption.length).toBeLessThan(120);
    expect(caption).toContain('…');
  });
});

describe('which objects are claimed', () => {
  const claimed = async (objects: FoundObject[], scene: Record<string, number> = {}, text: string[] = []) =>
    (await claimable(objects, groundedKind(scene, names, words), () => Promise.resolve(text))).map(
      ({ label }) => label,
    );

  it('those more likely there than not', async () => {
    const unsure = { ...object('table'), confidence: 0.45 };
    expect(await claimed([unsure, object('dialog')])).toEqual(['dialog']);
  });

  it('stripes that could not be decoded when they are clear', async () => {
    expect(await claimed([{ ...object('barcode'), confidence: 0.6 }])).toEqual([]);
    expect(await claimed([object('barcode')])).toEqual(['barcode']);
  });

  it('those that fit the kind of picture', async () => {
    const found = [object('button'), object('window'), object('stamp'), object('logo')];
    expect(await claimed(found, { photograph: 0.9 })).toEqual(['logo']);
    expect(await claimed(found, { invoice: 0.9 })).toEqual(['stamp', 'logo']);
    expect(await claimed(found, { terminal: 0.9 })).toEqual(['button', 'logo']);
    expect(await claimed(found)).toEqual(['button', 'window', 'stamp', 'logo']);
  });

  it('a machine-readable zone that reads like one, a card with a portrait', async () => {
    expect(await claimed([object('mrz')], {}, ['Hi, did you send it?'])).toEqual([]);
    expect(await claimed([object('mrz')], {}, ['P<UTOERIKSSON<<ANNA<'])).toEqual(['mrz']);
    const card = object('id_card', [0, 0, 0.5, 0.5]);
    expect(await claimed([card])).toEqual([]);
    expect(await claimed([card, { ...object('photo'), confidence: 0.2 }])).toEqual(['id_card']);
    expect(await claimed([card, object('photo', [0.6, 0.6, 0.7, 0.7])])).toEqual(['photo']);
  });
});

describe('what is measured', () => {
  const size = { width: 64, height: 96 };
  const make = (color: (x: number, y: number) => [number, number, number], { width, height } = size) =>
    pictureOf({
      width,
      height,
      data: Uint8Array.from({ length: width * height * 3 }, (_, at) => {
        const pixel = Math.floor(at / 3);
        return color(pixel % width, Math.floor(pixel / width))[at % 3]!;
      }),
    });
  const gray = (value: number): [number, number, number] => [value, value, value];

  it('no texture of a stripe of one pixel, which looks like no photograph for that', async () => {
    for (const stripe of [
      { width: 1, height: 1 },
      { width: 40, height: 1 },
    ]) {
      const { texture } = await measure(make(() => gray(220), stripe));
      expect(isNatural(texture)).toBe(false);
    }
  });

  it('darkness and shape', async () => {
    const dark = await measure(make(() => gray(12)));
    expect(dark.scene.dark).toBeGreaterThan(0.95);
    expect(dark.scene.portrait_shaped).toBe(1);
    expect(dark.colors[0]).toEqual({ name: 'black', share: 1 });
    const light = await measure(make(() => gray(220), { width: 96, height: 64 }));
    expect(light.scene).toMatchObject({ dark: 0, blurred: 0, portrait_shaped: 0, pixelated: 0 });
  });

  it('blur: an edge is sharp, a slope of twelve pixels is not, a flat picture has none', async () => {
    const sharp = await measure(make((x) => gray(x < 32 ? 20 : 230)));
    const soft = await measure(make((x) => gray(Math.round(125 + 105 * Math.tanh((x - 32) / 6)))));
    expect(sharp.scene.blurred).toBeLessThan(0.1);
    expect(soft.scene.blurred).toBeGreaterThan(0.9);
    expect((await measure(make(() => gray(90)))).scene.blurred).toBe(0);
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
    expect(nameColor(red, green, blue)).toBe(name);
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
