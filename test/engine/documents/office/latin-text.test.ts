import { expect, test } from 'vitest';
import { parse } from '../helpers.ts';

test('text in Latin-1 is read, with a warning; UTF-8 without one', async () => {
  const words = 'Grüße aus Köln, dünner Café au lait';
  const latin = await parse(Buffer.from(words, 'latin1'), { outputFormat: 'text' });
  expect(latin.text).toContain(words);
  expect(latin.warnings).toEqual([expect.stringContaining('windows-1252')]);
  const told = await parse(Buffer.from(words), { outputFormat: 'text' });
  expect(told.text).toContain(words);
  expect(told.warnings).toEqual([]);
});
