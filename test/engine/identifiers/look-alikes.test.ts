import { expect, test } from 'vitest';
import { digitsFor, lettersByDigitOf, lettersFor } from '../../../server/engine/identifiers/look-alikes.ts';

test('each caller selects from the one table', () => {
  expect(lettersFor('0158')).toEqual({ '0': 'O', '1': 'I', '5': 'S', '8': 'B' });
  expect(digitsFor('OoDIlZ|')).toEqual({ O: '0', o: '0', D: '0', I: '1', l: '1', Z: '2', '|': '1' });
  expect(lettersByDigitOf('OQDILZ')).toEqual({ '0': 'OQD', '1': 'IL', '2': 'Z' });
});
