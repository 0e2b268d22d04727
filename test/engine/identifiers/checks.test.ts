import { expect, test } from 'vitest';
import { isBitcoinAddress } from '../../../server/engine/identifiers/bitcoin.ts';
import { isChineseId } from '../../../server/engine/identifiers/chinese-id.ts';
import { passesLuhn } from '../../../server/engine/identifiers/luhn.ts';
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
