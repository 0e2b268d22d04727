/** Templates that a person makes. */
import { describe, expect, test } from 'vitest';
import type { OwnTemplate } from '../../../server/engine/documents/types.ts';
import { makePdf, parse, valuesOf } from './helpers.ts';

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

const template: OwnTemplate = {
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
    expect(result.type).toBe('own:peti-sejuk');
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
    const fields = [...template.fields, { name: 'serial', type: 'text' as const, labels: ['Nombor siri'] }];
    const result = await parse(await page(), { template: { ...template, fields } });
    expect(result.fields).not.toHaveProperty('serial');
    expect(result.warnings).toEqual(['Not found on the document: serial.']);
  });
});
