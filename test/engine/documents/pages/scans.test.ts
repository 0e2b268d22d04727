import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  lines,
  photographed,
  pixelsOf,
  pngOf,
  scannedPdf,
  textPdf,
  toPng,
  toTiff,
  turned,
} from '../../../support/documents/scans.ts';
import { parse, sample, valuesOf } from '../helpers.ts';

const page = await toPng(await textPdf());
const words = lines.flatMap((line) => line.split(' '));

/** Words of the text that are read exactly. */
const found = (text: string): number => {
  const all = text.split(/\s+/);
  return words.filter((word) => all.includes(word)).length / words.length;
};

const textOf = async (bytes: Uint8Array): Promise<string> =>
  (await parse(bytes, { outputFormat: 'text', template: 'generic' })).text!;

describe('scanned pages', () => {
  test('a picture of an invoice fills the fields that its PDF fills', async () => {
    const pdf = await readFile(sample('invoice'));
    const digital = await parse(pdf);
    const scan = await parse(await toPng(pdf, 1, 1500));
    expect(scan).toMatchObject({ type: 'invoice', pages: 1, warnings: [] });
    const names = ['invoice_number', 'invoice_date', 'due_date', 'total', 'subtotal', 'currency'] as const;
    for (const name of names) {
      expect(valuesOf(scan.fields)[name], name).toEqual(valuesOf(digital.fields)[name]);
      const [ours, theirs] = [scan.fields[name]!.bbox, digital.fields[name]!.bbox];
      for (const [index, value] of ours.entries())
        expect(Math.abs(value - theirs[index]!)).toBeLessThan(0.02);
    }
    expect(scan.tables.length).toBe(digital.tables.length);
  });

  test.each([90, 180, 270, 4])('turned by %i degrees', async (degrees) => {
    const result = await parse(await turned(page, degrees), { outputFormat: 'text', template: 'generic' });
    expect(found(result.text!)).toBeGreaterThanOrEqual(0.9);
    expect(result.text!.indexOf('Quarterly')).toBeLessThan(result.text!.indexOf('Repairs'));
  });

  test('the turn that a camera noted', async () => {
    const bytes = await sharp(page).rotate(90).jpeg().withMetadata({ orientation: 8 }).toBuffer();
    expect(found(await textOf(bytes))).toBeGreaterThanOrEqual(0.9);
  });

  test('a page photographed at an angle is laid flat', async () => {
    const quad = [
      [220, 130],
      [1190, 210],
      [1300, 1500],
      [90, 1560],
    ] as const;
    const photo = photographed(await pixelsOf(page), quad, { width: 1400, height: 1700 });
    const result = await parse(await pngOf(photo), { outputFormat: 'text', template: 'generic' });
    expect(found(result.text!)).toBeGreaterThanOrEqual(0.9);
  });

  test('pages of a TIFF, the asked ones alone', async () => {
    const second = await toPng(await textPdf(['Second sheet of the file']));
    const tiff = await toTiff([page, second]);
    const both = await parse(tiff, { outputFormat: 'text', template: 'generic' });
    expect(both.pages).toBe(2);
    expect(both.text).toMatch(/Quarterly[\s\S]*\f[\s\S]*Second sheet/);
    const one = await parse(tiff, { outputFormat: 'text', template: 'generic', pages: '2' });
    expect(one.pages).toBe(1);
    expect(one.text).toMatch(/^\s*Second sheet of the file\s*$/);
  });
});

describe('scans in a PDF', () => {
  test('a page that is a picture is recognized', async () => {
    const result = await parse(await scannedPdf(page), { outputFormat: 'text', template: 'generic' });
    expect(found(result.text!)).toBeGreaterThanOrEqual(0.9);
    expect(result.warnings).toEqual([]);
  });

  test('a right text layer is kept, a wrong one noticed', async () => {
    // The layer says one word otherwise than the picture: so it is seen which of the two was taken.
    const layer = lines.map((line) => line.replace('Quarterly', 'Quartrly'));
    const kept = await parse(await scannedPdf(page, layer), { outputFormat: 'text', template: 'generic' });
    expect(kept.text).toContain('Quartrly report');
    expect(kept.warnings).toEqual([]);
    const other = [
      'Completely other words stand here',
      'and none of them is on the page',
      'so they are no use to you',
    ];
    const wrong = await parse(await scannedPdf(page, [...other, ...other]), {
      outputFormat: 'text',
      template: 'generic',
    });
    expect(found(wrong.text!)).toBeGreaterThanOrEqual(0.9);
    expect(wrong.text).not.toContain('Completely');
    expect(wrong.warnings.join()).toMatch(/text layer of page 1/);
  });
});
