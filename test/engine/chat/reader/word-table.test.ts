import { expect, test } from 'vitest';
import { WordTable } from '../../../../server/engine/chat/reader/word-table.ts';
import { wordTableBytes } from '../../../support/chat/word-table.ts';

test('finds words by their hash', () => {
  const table = new WordTable(
    wordTableBytes({
      rent: { vector: [1, 2, 3, 4], weight: 1 },
      租金: { vector: [5, 6, 7, -8], weight: 0.2 },
    }),
  );
  expect([...table.find('租金')!.vector]).toEqual([5, 6, 7, -8]);
  expect(table.find('rent')!.weight).toBe(1);
  expect(table.find('lease')).toBeNull();
});

test('refuses bytes of another length', () => {
  const bytes = wordTableBytes({ rent: { vector: [1, 2, 3, 4], weight: 1 } });
  expect(() => new WordTable(bytes.subarray(0, bytes.length - 1))).toThrow(RangeError);
  expect(() => new WordTable(new Uint8Array(4))).toThrow(RangeError);
});
