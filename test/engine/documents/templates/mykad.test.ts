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

  test('a letter that names a card is none', async () => {
    const letter = await makePdf((_page, text) => {
      text('Dear Sir, we confirm that the bearer, MyKad number 900131-14-0007,', 60, 60);
      text('has worked with our office since March as a surveyor and that her', 60, 80);
      text('salary is paid into the account named in the form enclosed below.', 60, 100);
    });
    expect((await parse(letter)).type).toBe('generic');
    expect((await parse(letter, { template: 'mykad' })).fields).toMatchObject({
      number: { value: '900131-14-0007' },
    });
  });
});
