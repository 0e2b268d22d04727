import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { sameValue } from './documents-papers.ts';

const folder = mkdtempSync(join(tmpdir(), 'lokal-papers-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a folder of papers is scored by kind and field; what is not asked is not counted', async () => {
  writeFileSync(
    join(folder, 'a.txt'),
    'INVOICE\nInvoice No: INV-7\nDate: 2026-03-02\nPens 20.00\nTotal 20.00\n',
  );
  const fields = { number: 'INV-7', date: '2026-03-03', total: 20, buyer_name: null };
  writeFileSync(
    join(folder, 'truth.jsonl'),
    `${JSON.stringify({ file: 'a.txt', kind: 'invoice', fields })}\n`,
  );
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [new URL('run.ts', import.meta.url).pathname, 'documents-papers', '--json'],
    { env: { ...process.env, LOKAL_BENCH_PAPERS: folder, LOKAL_BENCH_SHOW: '1' } },
  );
  expect(JSON.parse(stdout)).toMatchObject({
    papers: 1,
    invoice: { number: [1, 1], date: [0, 1], total: [1, 1] },
    all: [2, 3],
  });
  expect(stderr).toContain('a.txt date: "2026-03-02" for "2026-03-03"');
}, 60_000);

test('names are compared by letters and digits, amounts to the cent, dates exactly', () => {
  expect(sameValue('seller_name', 'Café Ltd.', 'CAFE\u0301 LTD')).toBe(true);
  expect(sameValue('seller_name', 'Café', 'Cafe')).toBe(false);
  expect(sameValue('total', 10, '10.001')).toBe(true);
  expect(sameValue('date', '2026-01-02', '2026-01-03')).toBe(false);
  expect(sameValue('number', 'A-1', undefined)).toBe(false);
});
