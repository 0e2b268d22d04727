/** Drawn documents of invented people, as a scanner or camera hands them over, read from their pixels. */

import { describe, expect, test } from 'vitest';
import { captured } from '../../../support/documents/specimens/camera.ts';
import { addressLines, drawIdentityCard } from '../../../support/documents/specimens/identity-cards.ts';
import { drawTravelDocument } from '../../../support/documents/specimens/travel-documents.ts';
import { parse, valuesOf } from '../helpers.ts';

describe('drawn specimens', () => {
  test('a photographed visa: the MRZ to the last filler', async () => {
    const { canvas, truth } = drawTravelDocument(3, 'MRV-A', 9);
    const result = await parse(await captured(canvas, { capture: 'photo', turn: 0, seed: 3 }));
    expect(result.type).toBe('passport');
    expect(valuesOf(result.fields)).toMatchObject({
      mrz: truth.lines.join('\n'),
      document_number: truth.number,
      birth_date: truth.birthDate,
    });
    expect(result.fields.mrz).toMatchObject({ mrzValid: true });
  }, 240_000);

  const hardMrzs = [
    { what: 'a line of fillers overlooked', format: 'TD3', seed: 10, capture: 'scan', turn: 270 },
    { what: 'a number that begins with two letters', format: 'MRV-B', seed: 12, capture: 'clean', turn: 0 },
  ] as const;
  for (const { what, format, seed, capture, turn } of hardMrzs)
    test(`an MRZ with ${what}`, async () => {
      const { canvas, truth } = drawTravelDocument(seed, format, 8);
      const { fields } = await parse(await captured(canvas, { capture, turn, seed }));
      expect(fields.mrz?.value).toBe(truth.lines.join('\n'));
    }, 240_000);

  test('a scanned identity card: every line; an impossible number is read and said', async () => {
    const { canvas, truth } = drawIdentityCard(10, 'mykad-2001', 9);
    const result = await parse(await captured(canvas, { capture: 'scan', turn: 0, seed: 10 }));
    expect(result.type).toBe('mykad');
    expect(valuesOf(result.fields)).toMatchObject({
      number: truth.number,
      name: truth.name,
      address: addressLines(truth).join(', '),
      sex: truth.sex,
      birth_date: truth.birthDate,
      citizenship: 'WARGANEGARA',
    });
    expect(result.fields).not.toHaveProperty('birth_place');
    expect(result.warnings.join(' ')).toContain('Nobody can have the number');
  }, 240_000);

  test('another template than the document’s gives no fields but a warning', async () => {
    const { canvas } = drawIdentityCard(10, 'mykad-2001', 9);
    const bytes = await captured(canvas, { capture: 'clean', turn: 0, seed: 10 });
    const result = await parse(bytes, { template: 'passport' });
    expect(result.fields).toEqual({});
    expect(result.warnings.join(' ')).toContain('does not look like a passport');
  }, 240_000);
});
