import { expect, test } from 'vitest';
import { tableOf } from '../../../../server/engine/chat/reader/grid.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

const cellsOf = (text: string) => {
  const grid = tableOf(text, settings.tables.summing);
  return grid && { header: grid.header, rows: grid.rows.map(({ cells }) => cells.map((cell) => cell.text)) };
};

test('takes tables apart however they are written', () => {
  const wanted = {
    header: ['item', 'price'],
    rows: [
      ['lamp', '12.50'],
      ['chair', '40'],
    ],
  };
  expect(cellsOf('Stock\n\n| item | price |\n|---|---:|\n| lamp | 12.50 |\n| chair | 40 |\n')).toEqual(
    wanted,
  );
  expect(cellsOf('item\tprice\nlamp\t12.50\nchair\t40')).toEqual(wanted);
  expect(cellsOf('a,b,c\n"x, y",1,2\nz,3,4')?.rows[0]).toEqual(['x, y', '1', '2']);
  expect(cellsOf('Stall   Keeper   Rent\n1       Amina    25\n2       Bryn     40')?.header).toEqual([
    'Stall',
    'Keeper',
    'Rent',
  ]);
});

test('knows a head by the numbers under it, and rows without one', () => {
  expect(cellsOf('Swimmer;100 m free;club\nAda;62.4;Otters\nPia;60.9;Gate')?.header).toHaveLength(3);
  expect(cellsOf('Parcel      4.85\nStamps x 4  6.20\nEnvelope    1.15\nTotal       12.20')).toEqual({
    header: [],
    rows: [
      ['Parcel', '4.85'],
      ['Stamps x 4', '6.20'],
      ['Envelope', '1.15'],
    ],
  });
});

test('knows a head over numbers in separated values of two columns', () => {
  expect(cellsOf('item,price\nlamp,12.50\nchair,40')).toEqual({
    header: ['item', 'price'],
    rows: [
      ['lamp', '12.50'],
      ['chair', '40'],
    ],
  });
  expect(tableOf('well,no\nyes,maybe\nfine,go')).toBeNull();
});

test('takes prose for no table', () => {
  expect(tableOf('One lamp. Two chairs.')).toBeNull();
  expect(tableOf('老唐:行,我等你们,十一点\n阿澈:记得带杖,下过雨,滑\n米拉:他想来,十五岁,可以吗')).toBeNull();
});

test('cells know their place', () => {
  const text = 'x\n| a | b |\n| c | d |\n| e | f |';
  const cell = tableOf(text)!.rows[1]!.cells[1]!;
  expect(text.slice(cell.start, cell.end).trim()).toBe('f');
});
