/** Templates that a person makes. */
import { describe, expect, test } from 'vitest';
import { pageLines } from '../../../../server/engine/documents/parse-document.ts';
import type { CustomTemplateParams } from '../../../../server/engine/documents/types.ts';
import { failure, makePdf, parse, valuesOf } from '../helpers.ts';

const page = () =>
  makePdf((_page, text) => {
    text('PETI SEJUK PUSAT', 50, 50, 14);
    text('Rujukan: PSP/2026/77', 50, 90);
    text('Suhu akhir', 50, 120);
    text('-18.5', 180, 120);
    text('Diperiksa pada 3 Mac 2026', 50, 150);
    text('Catatan', 50, 180);
    text('Pintu kedua perlu diganti', 50, 196);
  });

const template: CustomTemplateParams = {
  name: 'peti-sejuk',
  words: ['peti sejuk'],
  fields: [
    { name: 'reference', type: 'text', labels: ['Rujukan'] },
    { name: 'temperature', type: 'number', labels: ['Suhu akhir'] },
    { name: 'checked', type: 'date', labels: ['Diperiksa pada'] },
    { name: 'year', type: 'number', pattern: 'PSP/(\\d{4})/' },
    { name: 'note', type: 'text', place: { page: 1, bbox: [0.05, 0.215, 0.6, 0.24] } },
  ],
};

describe('own templates', () => {
  test('fields by label, by place and by pattern', async () => {
    const result = await parse(await page(), { template });
    expect(result.type).toBe('custom:peti-sejuk');
    expect(valuesOf(result.fields)).toEqual({
      reference: 'PSP/2026/77',
      temperature: -18.5,
      checked: '2026-03-03',
      year: 2026,
      note: 'Pintu kedua perlu diganti',
    });
    expect(result.warnings).toEqual([]);
  });

  test('a document without the template’s words gets no fields but a warning', async () => {
    const result = await parse(await page(), { template: { ...template, words: ['invoice'] } });
    expect(result.fields).toEqual({});
    expect(result.warnings.join(' ')).toContain('does not look like one of the template peti-sejuk');
  });

  test('fields that are not there are named, not invented', async () => {
    const absent = { type: 'text' as const, labels: ['Nombor siri'] };
    const fields = [...template.fields, { name: 'serial', ...absent }, { name: 'constructor', ...absent }];
    const result = await parse(await page(), { template: { ...template, fields } });
    expect(result.fields).not.toHaveProperty('serial');
    expect(result.warnings).toEqual(['Not found on the document: serial, constructor.']);
  });

  const twice = () =>
    makePdf((_page, text) => {
      text('Nombor: 11', 50, 90);
      text('Nombor: 22', 50, 400);
      text('Alamat:', 50, 500);
      text('12 Jalan Ampang', 120, 500);
      text('50450 Kuala Lumpur', 120, 514);
    });
  const field = { name: 'value', labels: ['Nombor'], type: 'number' as const };

  test('of two values with one label the marked one counts', async () => {
    const place = { page: 1, bbox: [0.1, 0.46, 0.4, 0.49] };
    for (const [marked, value] of [
      [{ ...field, place }, 22],
      [field, 11],
    ] as const) {
      const { fields } = await parse(await twice(), { template: { name: 'two', fields: [marked] } });
      expect(fields.value?.value).toBe(value);
    }
  });

  test('a marked value of several lines is read whole', async () => {
    const address: CustomTemplateParams['fields'][number] = {
      name: 'address',
      type: 'text',
      labels: ['Alamat'],
      place: { page: 1, bbox: [0.18, 0.58, 0.6, 0.62] },
    };
    const { fields } = await parse(await twice(), { template: { name: 'two', fields: [address] } });
    expect(fields.address).toMatchObject({
      value: '12 Jalan Ampang 50450 Kuala Lumpur',
      label: 'Alamat',
    });
  });
});

describe('lines of a page', () => {
  const context = { models: () => Promise.reject(new Error('there is nothing to recognize')) };

  test('text and places, wide gaps apart', async () => {
    const lines = await pageLines({ bytes: await page(), page: 1 }, context);
    expect(lines.map(({ text }) => text)).toContain('Suhu akhir');
    const [value] = lines.filter(({ text }) => text === '-18.5');
    expect(value!.bbox[0]).toBeCloseTo(180 / 595, 2);
    expect(value!.words).toEqual([{ text: '-18.5', bbox: value!.bbox }]);
  });

  test('a page that is not there is refused', async () => {
    const refused = await failure(pageLines({ bytes: await page(), page: 2 }, context));
    expect(refused).toMatchObject({ code: 'invalid_page_range', param: 'page' });
  });
});
