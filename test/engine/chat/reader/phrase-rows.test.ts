import { expect, test } from 'vitest';
import { rowsOfPhrases } from '../../../../server/engine/chat/reader/phrase-rows.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

const rows = (properties: object, text: string) =>
  rowsOfPhrases({ properties, required: Object.keys(properties) }, text, settings)?.map((row) => ({
    ...row,
  }));

const string = { type: 'string' };
const number = { type: 'number' };

test('what stands behind the last thing is no thing', () =>
  expect(
    rows(
      { product: string, quantity: number },
      'Please send us 12 boxes of A4 paper, 4 chairs and 30 files to our office at 8 Tanner Row, York.',
    ),
  ).toEqual([
    { product: 'A4 paper', quantity: 12 },
    { product: 'chairs', quantity: 4 },
    { product: 'files', quantity: 30 },
  ]));

test('a unit has a field of its own', () => {
  expect(rows({ 名称: string, 数量: number, 单位: string }, '采购：手套20盒，乙醇6瓶。')).toEqual([
    { 名称: '手套', 数量: 20, 单位: '盒' },
    { 名称: '乙醇', 数量: 6, 单位: '瓶' },
  ]);
});

test('a word that things are counted in is no part of their name', () =>
  expect(rows({ nama: string, kuantiti: number }, '10 buah kerusi dan 3 buah meja')).toEqual([
    { nama: 'kerusi', kuantiti: 10 },
    { nama: 'meja', kuantiti: 3 },
  ]));
