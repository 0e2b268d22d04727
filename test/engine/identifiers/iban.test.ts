import { describe, expect, test } from 'vitest';
import { findRegistrations } from '../../../server/engine/documents/fields/registrations.ts';
import { isIban } from '../../../server/engine/identifiers/iban.ts';
import { detectPii } from '../../support/moderation/shield-pack.ts';

describe('IBANs', () => {
  test.each([
    'GB82 WEST 1234 5698 7654 32',
    'NL50 INGB 0683 2513 09',
    'DE89-3704-0044-0532-0130-00',
    'no9386011117947',
    'MT84MALT011000012345MTLCAST001S',
    'SC18SSCB11010000000000001497USD',
    'OM810180000001299123456',
  ])('%s is one', (text) => expect(isIban(text)).toBe(true));

  test.each([
    ['HELLO', 'no digits'],
    ['NL50 INGB 0683 2513 08', 'the check fails'],
    ['GB82WEST12345698765433', 'the check fails'],
    ['DE89 3704 0044 0532 0130', 'two digits short'],
    ['NL09 INGB 0683 2513 0900', 'the check holds, the length is no Dutch one'],
    ['ZZ59 1234 5678 9012 3456', 'no such country'],
  ])('%s is none: %s', (text) => expect(isIban(text)).toBe(false));

  test('documents and personal data agree on a number of a wrong length', () => {
    // 97 divides the rearranged number less one, but Dutch numbers have 18 characters.
    const text = 'NL09 INGB 0683 2513 0900';
    const piece = { text, row: 0, order: 0 };
    const reading = { pieces: [piece], rows: [{ pieces: [piece] }] } as never;
    expect(findRegistrations(reading).filter(({ kind }) => kind === 'iban')).toEqual([]);
    expect(detectPii(text).filter(({ kind }) => kind === 'iban')).toEqual([]);
  });
});
