import { describe, expect, test } from 'vitest';
import { parseMrz } from '../../../../server/engine/documents/mrz/mrz.ts';
import { checkDigit } from '../../../../server/engine/documents/mrz/mrz-check.ts';
import { makeMrz, misreadMrz } from '../../../support/documents/mrz-maker.ts';
import { makePdf, parse, valuesOf } from '../helpers.ts';

/** The specimens of ICAO Doc 9303, parts 4 to 7. */
const passport = [
  'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
  'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
];
const card = [
  'I<UTOD231458907<<<<<<<<<<<<<<<',
  '7408122F1204159UTO<<<<<<<<<<<6',
  'ERIKSSON<<ANNA<MARIA<<<<<<<<<<',
];
const twoLineCard = ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6'];
const visa = ['V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L8988901C4XXX4009078F96121096ZE184226B<<<<<<'];
const today = new Date('2026-01-01');

const withChar = (line: string, at: number, char: string): string =>
  line.slice(0, at) + char + line.slice(at + 1);

describe('machine-readable zones', () => {
  test('check digits', () => {
    expect(checkDigit('520727')).toBe('3');
    expect(checkDigit('AB2134<<<')).toBe('5');
  });

  test.each([
    ['TD3', passport],
    ['TD1', card],
    ['TD2', twoLineCard],
    ['MRV-A', visa],
  ])('%s', (format, lines) => {
    const mrz = parseMrz(lines, today)!;
    expect(mrz).toMatchObject({ format, valid: true });
    expect(mrz.fields.surname.value).toBe('ERIKSSON');
    expect(mrz.fields.given_names.value).toBe('ANNA MARIA');
    expect(mrz.fields.document_number.valid).toBe(true);
  });

  test('the passport in full', () => {
    const { fields } = parseMrz(passport, today)!;
    const values = valuesOf(fields);
    expect(values).toEqual({
      document_type: 'P',
      issuing_country: 'UTO',
      document_number: 'L898902C3',
      surname: 'ERIKSSON',
      given_names: 'ANNA MARIA',
      nationality: 'UTO',
      birth_date: '1974-08-12',
      sex: 'F',
      expiry_date: '2012-04-15',
      personal_number: 'ZE184226B',
    });
  });

  test.each([
    ['O for 0 in the number', 5, 'O'],
    ['B for 8 in the number', 1, 'B'],
    ['I for 1 in the birth date', 17, 'I'],
    ['O for 0 in the expiry date', 23, 'O'],
  ])('repairs %s', (_name, at, char) => {
    const damaged = [passport[0]!, withChar(passport[1]!, at, char)];
    const mrz = parseMrz(damaged, today)!;
    expect(mrz.valid).toBe(true);
    expect(Object.values(mrz.fields).some((field) => field.repaired)).toBe(true);
    expect(mrz.fields.document_number.value).toBe('L898902C3');
  });

  test('two misread characters are repaired where the composite digit confirms it', () => {
    const damaged = withChar(withChar(passport[1]!, 5, 'O'), 1, 'B');
    const mrz = parseMrz([passport[0]!, damaged], today)!;
    expect(mrz.fields.document_number).toMatchObject({ value: 'L898902C3', valid: true, repaired: true });
  });

  test('MRZs with up to two look-alikes come back, but for what no check digit can tell', () => {
    const seeds = Array.from({ length: 200 }, (_, index) => index + 1);
    const right = seeds.filter((seed) => {
      const { lines, number } = makeMrz(seed);
      const mrz = parseMrz(misreadMrz(lines, seed));
      return mrz?.valid && mrz.fields.document_number.value === number;
    });
    expect(right.length).toBeGreaterThan(190);
  });

  test('a run of fillers that was miscounted, and one read as letters', () => {
    const short = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<K<<C<', passport[1]!.replace('<<<<<10', '<<<10')];
    expect(parseMrz(short, today)).toMatchObject({ format: 'TD3', valid: true, lines: passport });
  });

  test('a number of more than nine characters goes on in the optional data', () => {
    const long = ['I<UTOD23145890<7349<<<<<<<<<<<', '3407127M9507122UTO<<<<<<<<<<<2', card[2]!];
    expect(parseMrz(long, today)?.fields.document_number).toMatchObject({
      value: 'D23145890734',
      valid: true,
    });
  });

  test('what cannot be repaired is said', () => {
    const mrz = parseMrz([passport[0]!, withChar(passport[1]!, 0, 'X')], today)!;
    expect(mrz.valid).toBe(false);
    expect(mrz.fields.document_number.valid).toBe(false);
    expect(mrz.fields.birth_date.valid).toBe(true);
  });

  test.each([[['HELLO WORLD', 'THIS IS TEXT']], [[passport[0]!]], [['P<<<', '<<<<']]])(
    '%j is none',
    (lines) => {
      expect(parseMrz(lines, today)).toBeNull();
    },
  );

  test('found on a page, each field with its check', async () => {
    const page = await makePdf((_page, text) => {
      text('PASSPORT  UTOPIA', 60, 80, 14);
      text(passport[0]!, 60, 500);
      text(passport[1]!, 60, 516);
    });
    const result = await parse(page);
    expect(result.type).toBe('passport');
    expect(result.fields.document_number).toMatchObject({ value: 'L898902C3', mrzValid: true, page: 1 });
    expect(result.fields.surname).not.toHaveProperty('mrzValid');
    expect(result.fields.mrz).toMatchObject({ mrzValid: true });
  });

  test('what the page prints beside it is read by the template of the pack', async () => {
    const page = await makePdf((_page, text) => {
      for (const [row, [label, value]] of [
        ['Place of birth / Lieu de naissance', 'ZENITH'],
        ['Date of issue / Date de délivrance', '17 AUG/AOUT 2018'],
        ['Authority', 'PASSPORT OFFICE UTOPIA'],
      ].entries()) {
        text(label!, 60, 200 + 40 * row, 7);
        text(value!, 60, 212 + 40 * row);
      }
      text(passport[0]!, 60, 500);
      text(passport[1]!, 60, 516);
    });
    const { fields } = await parse(page);
    expect(fields.birth_place).toMatchObject({ value: 'ZENITH', evidence: { rule: 'label' } });
    expect(fields.issue_date).toMatchObject({ value: '2018-08-17' });
    expect(fields.authority).toMatchObject({ value: 'PASSPORT OFFICE UTOPIA' });
  });
});
