import { describe, expect, test } from 'vitest';
import { makePdf, parse, valuesOf } from '../helpers.ts';

describe('MyKad cards', () => {
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
