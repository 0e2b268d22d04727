import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseMyKadNumber } from '../../../../server/engine/documents/mykad/mykad-number.ts';
import { placeOf } from '../../../../server/engine/documents/mykad/mykad-places.ts';
import { dataFolder, makePdf, parse, valuesOf } from '../helpers.ts';

const today = new Date('2026-06-01');
const codes = new URL('doc-mykad-facts/place_codes.csv', dataFolder);

describe('MyKad numbers', () => {
  test('parts', () => {
    expect(parseMyKadNumber('900131-14-0007', today)).toEqual({
      number: '900131-14-0007',
      birthDate: '1990-01-31',
      centuryCertainty: 1,
      birthPlace: 'Wilayah Persekutuan Kuala Lumpur',
      sex: 'male',
    });
    expect(parseMyKadNumber('No. 050229011234', today)).toBeNull();
    expect(parseMyKadNumber('040229011234', today)).toMatchObject({ birthDate: '2004-02-29', sex: 'female' });
  });

  test.each(['901331-14-0007', '900131-00-0007', '900131-17-0007', '12345', '1900131140007'])(
    '%s is none',
    (text) => {
      expect(parseMyKadNumber(text, today)).toBeNull();
    },
  );

  test('places of birth', () => {
    expect([placeOf('10'), placeOf('82'), placeOf('71'), placeOf('00')]).toEqual([
      'Selangor',
      'unknown',
      'abroad',
      null,
    ]);
  });

  test.skipIf(!existsSync(codes))('the code table agrees with doc-mykad-facts', () => {
    for (const row of readFileSync(codes, 'utf8').trim().split('\n').slice(1)) {
      const [code, state] = row.trim().split(',');
      expect(placeOf(code!)).toBe(state === 'Unknown' ? 'unknown' : state);
    }
  });

  test('a card that is text', async () => {
    const card = await makePdf((_page, text) => {
      text('KAD PENGENALAN MALAYSIA', 60, 60);
      text('900131-14-0007', 60, 100, 14);
      text('CONTOH BIN REKAAN', 60, 160);
      text('12 JALAN TIADA', 60, 176);
      text('TAMAN REKAAN', 60, 190);
      text('43000 KAJANG', 60, 204);
      text('SELANGOR', 60, 218);
      text('WARGANEGARA', 300, 204);
      text('LELAKI', 300, 218);
    });
    const result = await parse(card);
    expect(result.type).toBe('mykad');
    const values = valuesOf(result.fields);
    expect(values).toMatchObject({
      number: '900131-14-0007',
      name: 'CONTOH BIN REKAAN',
      postcode: '43000',
      city: 'KAJANG',
      state: 'SELANGOR',
      citizenship: 'WARGANEGARA',
      sex: 'male',
      birth_date: '1990-01-31',
    });
  });
});
