import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from '../helpers.ts';

test('bold print of fonts that a file embeds heads its parts', async () => {
  const file = new URL('../../../bench/documents/letters/d10.pdf', import.meta.url);
  const { markdown } = await parse(readFileSync(file), { outputFormat: 'markdown', template: 'generic' });
  expect(markdown).toMatch(/^#+ Part A: About you$/m);
});
