import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isMyKad, parseMyKadNumber, stateOfBirth } from '../../../server/engine/identifiers/mykad.ts';

const today = new Date('2026-06-01');
const codes = new URL('../../../../shared/data/doc-mykad-facts/place_codes.csv', import.meta.url);

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
    expect([stateOfBirth('10'), stateOfBirth('82'), stateOfBirth('71'), stateOfBirth('00')]).toEqual([
      'Selangor',
      'unknown',
      'abroad',
      null,
    ]);
  });

  test.skipIf(!existsSync(codes))('the code table agrees with doc-mykad-facts', () => {
    for (const row of readFileSync(codes, 'utf8').trim().split('\n').slice(1)) {
      const [code, state] = row.trim().split(',');
      expect(stateOfBirth(code!)).toBe(state === 'Unknown' ? 'unknown' : state);
    }
  });

  test.each(['00', '17', '20', '69', '70', '73', '80', '81', '94', '97'])('%s is never given', (code) => {
    expect(stateOfBirth(code)).toBeNull();
    expect(isMyKad(`900131-${code}-1234`)).toBe(false);
    expect(parseMyKadNumber(`900131-${code}-1234`, today)).toBeNull();
  });

  test('the form alone', () => {
    expect(isMyKad('900229-01-1234')).toBe(true);
    expect(isMyKad('901329-01-1234')).toBe(false);
    expect(isMyKad('900229-00-1234')).toBe(false);
  });
});
