import { describe, expect, it } from 'vitest';
import { detectPii } from '../../support/moderation/shield-pack.ts';

const found = (text: string, kind: string): string[] =>
  detectPii(text)
    .filter((match) => match.kind === kind && match.score >= 0.3)
    .map(({ start, end }) => text.slice(start, end));

describe('an address is found whole', () => {
  it.each([
    'No. 8, Lorong Seri Setia 3,\nTaman Melati,\n53100 Kuala Lumpur\nMalaysia',
    'Lot 14, Jalan Industri 5\n93350 Kuching\nSarawak',
    'Unit 5-2, Persiaran Gurney\n10250 George Town\nPenang',
    'No. 3A, Jalan SS 2/24,\nSS 2,\n47300 Petaling Jaya,\nSelangor',
    'Level 12, Menara Damai\nJalan Kenari\n50400 Kuala Lumpur',
    '21 Baker Street\nLondon NW1 6XE\nUnited Kingdom',
    '1600 Pennsylvania Avenue\nSuite 200\nWashington, DC 20500',
    '14 Orchard Road\n#05-21 Plaza\nSingapore 238826',
    '北京市海淀区中关村大街27号\n3单元502室',
  ])('%j', (address) => {
    expect(found(address, 'address')).toEqual([address]);
    expect(found(`Deliver to\n${address}\nTel: 012-345 6789\nTotal 100.00`, 'address')).toEqual([address]);
  });

  it.each([
    ['He lives at 12 Jalan Ampang, 50450 Kuala Lumpur.', '12 Jalan Ampang, 50450 Kuala Lumpur'],
    ['My house is 12, Jalan Ampang and I like it.', '12, Jalan Ampang'],
    ['Send it to Jalan Ampang 12, please.', 'Jalan Ampang 12'],
  ])('and no more than it: %s', (text, address) => {
    expect(found(text, 'address')).toEqual([address]);
    expect(found(text, 'date')).toEqual([]);
  });

  it('a street alone is a place', () => {
    expect(found('There is a jam on Jalan Ampang today.', 'address')).toEqual([]);
    expect(found('There is a jam on Jalan Ampang today.', 'place')).toEqual(['Jalan Ampang']);
  });
});

describe('names', () => {
  it.each([
    ['Dear Mr Ahmad Faizal bin Rahman, please call me.', 'Ahmad Faizal bin Rahman'],
    ['Dear Encik Zulkifli bin Hassan,\nthank you.', 'Zulkifli bin Hassan'],
    ['Please ask 陈美玲 about the file.', '陈美玲'],
    ['王小明 will join us on Monday.', '王小明'],
    ['Signed by Nur Aisyah binti\nAbdul Karim today.', 'Nur Aisyah binti\nAbdul Karim'],
  ])('%j', (text, name) => expect(found(text, 'name')).toEqual([name]));
});

it('a number that a line cuts is found whole', () => {
  expect(found('card 4111 1111\n1111 1111', 'card')).toEqual(['4111 1111\n1111 1111']);
  expect(found('Maybank account 5140 1234\n5678', 'bank_account')).toEqual(['5140 1234\n5678']);
});
