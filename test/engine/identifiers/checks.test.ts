import { expect, test } from 'vitest';
import { isAadhaar } from '../../../server/engine/identifiers/aadhaar.ts';
import { isBitcoinAddress } from '../../../server/engine/identifiers/bitcoin.ts';
import { isChineseId } from '../../../server/engine/identifiers/chinese-id.ts';
import { passesLuhn } from '../../../server/engine/identifiers/luhn.ts';
import { isNationalInsurance } from '../../../server/engine/identifiers/national-insurance.ts';
import { isNhsNumber } from '../../../server/engine/identifiers/nhs.ts';
import { isNik } from '../../../server/engine/identifiers/nik.ts';
import { isNric } from '../../../server/engine/identifiers/nric.ts';

test('check digits of cards', () => {
  expect(passesLuhn('4111111111111111')).toBe(true);
  expect(passesLuhn('4111111111111112')).toBe(false);
});

test('Chinese resident numbers', () => {
  expect(isChineseId('11010519491231002X')).toBe(true);
  expect(isChineseId('11010519491231002x')).toBe(true);
  expect(isChineseId('110105194912310021')).toBe(false);
  expect(isChineseId('11010519491331002X')).toBe(false);
});

test('Singapore numbers', () => {
  for (const number of ['S1234567D', 's1234567d', 'F1234567N', 'M5398242L'])
    expect([number, isNric(number)]).toEqual([number, true]);
  expect(isNric('S1234567A')).toBe(false);
});

test('Bitcoin addresses', () => {
  for (const address of [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  ])
    expect([address, isBitcoinAddress(address)]).toEqual([address, true]);
  expect(isBitcoinAddress('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb')).toBe(false);
  expect(isBitcoinAddress('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp')).toBe(false);
});

test('British, Indian and Indonesian numbers', () => {
  expect(['AB 12 34 56 C', 'ab123456c', 'QQ 12 34 56 C'].every(isNationalInsurance)).toBe(true);
  expect(['GB123456A', 'DA123456A', 'AO123456A', 'AB123456E', 'QA123456A'].some(isNationalInsurance)).toBe(
    false,
  );
  expect(isNhsNumber('943 476 5919')).toBe(true);
  expect(['943 476 5918', '1111111111', '123'].some(isNhsNumber)).toBe(false);
  expect(isAadhaar('2345 6789 0124')).toBe(true);
  expect(['2345 6789 0123', '2354 6789 0124', '0345 6789 0124'].some(isAadhaar)).toBe(false);
  expect(['3171011708450001', '3171015708450001'].every(isNik)).toBe(true);
  expect(['9971011708450001', '3171013208450001', '3171011713450001'].some(isNik)).toBe(false);
});
