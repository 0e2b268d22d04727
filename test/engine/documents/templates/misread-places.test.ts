import { expect, test } from 'vitest';
import {
  withKnownCodes,
  withKnownPlaces,
} from '../../../../server/engine/documents/templates/invoice/parties/misread-places.ts';

test.each([
  ['2, JLN ANUM, 57000 KUAi A LUMPUR.', '2, JLN ANUM, 57000 KUALA LUMPUR.'],
  ['40150 Shah Alam, Selangor D.f', '40150 Shah Alam, Selangor D.E.'],
  ['81100 JOHQR BAHRU, JOHOR', '81100 JOHOR BAHRU, JOHOR'],
])('one misread letter of a place is put right: %s', (read, written) => {
  expect(withKnownPlaces(read)).toBe(written);
});

test.each([
  'No 3, Jalan Subang Jasa, 40000 Shah Alam',
  '42699 Shah Alam W. Persekutuan',
  '117 Jalan Wangsa Delima 6, 98308 Petaling Jaya, Selangor',
  'Sri Kembangan, 43300 Selangor Darul Ehsan.',
  'KUAi A LUMPUR',
])('streets, names as they are and addresses without a postcode are left alone: %s', (address) => {
  expect(withKnownPlaces(address)).toBe(address);
});

test.each([
  ['Moreton-in-Marsh GL56 oAF', 'Moreton-in-Marsh GL56 0AF'],
  ['CA11 OZR', 'CA11 0ZR'],
  ['Dublin, 0H 43017', 'Dublin, OH 43017'],
  ['UNIT B2 OLD MILL, LEEDS LS1 4AB', 'UNIT B2 OLD MILL, LEEDS LS1 4AB'],
])('noughts and letters of postcodes: %s', (read, written) => {
  expect(withKnownCodes(read)).toBe(written);
});
