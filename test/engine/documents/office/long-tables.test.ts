/** Tables that fill more than one page of a file that tells them: one table, whose head stands over each passage. */
import { describe, expect, test } from 'vitest';
import { parse, valuesOf } from '../helpers.ts';

const ids = Array.from({ length: 400 }, (_, index) => `SKU-${String(index).padStart(4, '0')}`);
const stock = Buffer.from(`SKU,Qty\n${ids.map((id, index) => `${id},${3 * index}`).join('\n')}\n`);

describe('a list that fills several pages', () => {
  test('is one table with its head above all rows', async () => {
    const { tables, pages } = await parse(stock);
    expect(pages).toBeGreaterThan(2);
    expect(tables.map(({ rows }) => rows.length)).toEqual([401]);
    expect(tables[0]!.rows[0]).toEqual(['SKU', 'Qty']);
    expect(tables[0]!.cells.at(-1)).toMatchObject({ row: 400, col: 1, text: '1197', page: pages });
    expect(tables[0]!.cells[0]).not.toHaveProperty('page');
  });

  test('has its head over each passage and over the pages asked for', async () => {
    const { chunks } = await parse(stock, { outputFormat: 'chunks' });
    expect(chunks!.length).toBeGreaterThan(3);
    for (const { text } of chunks!) expect(text).toMatch(/^SKU \| Qty\nSKU-\d{4} \| \d+\n/);
    const { markdown } = await parse(stock, { outputFormat: 'markdown', pages: '2' });
    expect(markdown).toMatch(/^\| SKU \| Qty \|\n\| --- \| --- \|\n\| SKU-\d{4} \|/);
    const whole = await parse(stock, { outputFormat: 'markdown' });
    expect(whole.markdown!.match(/SKU \| Qty/g)).toHaveLength(1);
  });

  test('has no fields', async () => {
    const { fields } = await parse(stock, { template: 'generic' });
    expect(valuesOf(fields)).toEqual({});
  });
});

test('a head with an empty place stands once over its rows', async () => {
  const rows = Array.from({ length: 200 }, (_, index) => `SKU-${index},,${index},${2 * index}`);
  const { chunks } = await parse(Buffer.from(`SKU,,Qty,Sum\n${rows.join('\n')}\n`), {
    outputFormat: 'chunks',
  });
  expect(chunks!.length).toBeGreaterThan(1);
  for (const { text } of chunks!) expect(text.match(/Qty/g)).toHaveLength(1);
});

test('a number of 400,000 digits with a letter behind it is read', async () => {
  const rows = Array.from({ length: 9 }, (_, index) => `SKU ${index}\t4`);
  const bytes = Buffer.from(`Part\tCode\nlong\t${'1'.repeat(400_000)}x\n${rows.join('\n')}\n`);
  expect((await parse(bytes, { template: 'generic' })).tables[0]!.rows).toHaveLength(11);
});

test('a table of two columns under a head has no fields, labels with their values have', async () => {
  const page = (rows: string) =>
    Buffer.from(`<!doctype html><html><body><table>${rows}</table></body></html>`);
  const list =
    '<tr><th>Method</th><th>Days</th></tr><tr><td>Card</td><td>5</td></tr><tr><td>Wire</td><td>2</td></tr>';
  expect(valuesOf((await parse(page(list), { template: 'generic' })).fields)).toEqual({});
  const pairs = '<tr><th>Name</th><td>Anna Weber</td></tr><tr><th>City</th><td>Rome</td></tr>';
  expect(valuesOf((await parse(page(pairs), { template: 'generic' })).fields)).toEqual({
    name: 'Anna Weber',
    city: 'Rome',
  });
});
