/** `lokal parse` with a template that the person made. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openDatabase } from '../../server/db/open.ts';
import { createStores } from '../../server/db/stores.ts';
import { makePdf } from '../engine/documents/helpers.ts';
import { temporaryFolder } from '../support/app/folder.ts';

const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url));

it('reads a document by it, refuses one that is not there, and reads long ones in parts', {
  timeout: 240_000,
}, async () => {
  const home = temporaryFolder();
  mkdirSync(home, { recursive: true });
  const db = openDatabase(join(home, 'lokal.db'));
  createStores(db).documentTemplates.put({
    name: 'cold-store',
    fields: [{ name: 'reference', type: 'text', labels: ['Rujukan'] }],
  });
  db.close();
  const file = join(home, 'report.pdf');
  writeFileSync(file, await makePdf((_page, text) => text('Rujukan: PSP/2026/77', 50, 90)));
  const run = (name: string) =>
    promisify(execFile)(process.execPath, [cli, 'parse', file, '--template', name, '--json'], {
      env: { ...process.env, LOKAL_HOME: home, NODE_OPTIONS: '' },
    });

  const answer = JSON.parse((await run('custom:cold-store')).stdout);
  expect(answer).toMatchObject({
    type: 'custom:cold-store',
    fields: { reference: { value: 'PSP/2026/77' } },
  });
  await expect(run('custom:missing')).rejects.toMatchObject({
    stderr: expect.stringContaining('There is no template custom:missing'),
  });
  const long = join(home, 'long.pdf');
  const pages = Array.from(
    { length: 21 },
    (_, at) => (_page: unknown, text: (value: string, x: number, y: number) => void) =>
      text(`Note ${at + 1}: kept`, 50, 90),
  );
  writeFileSync(long, await makePdf(...pages));
  const parseLong = (...options: string[]) =>
    promisify(execFile)(process.execPath, [cli, 'parse', long, ...options], {
      env: { ...process.env, LOKAL_HOME: home, NODE_OPTIONS: '' },
    });
  const whole = JSON.parse((await parseLong('--json')).stdout);
  expect(whole.usage.pages).toBe(21);
  expect(whole.fields).toMatchObject({ note_1: { page: 1 }, note_21: { page: 21 } });
  expect(whole.warnings[0]).toContain('20 pages at a time');
  await expect(parseLong('--xlsx', join(home, 'long.xlsx'))).rejects.toMatchObject({
    stderr: expect.stringContaining('name up to 20 of them in --pages, such as 1-20'),
  });
  const kept = openDatabase(join(home, 'lokal.db'));
  expect(createStores(kept).usage.since('2000-01-01')).toMatchObject([
    { key_name: 'Command line', model: 'svc-parse-pro', requests: 3, pages: 22 },
  ]);
  kept.close();
  await expect(run('cold-store')).rejects.toMatchObject({ stderr: expect.stringContaining('custom:NAME') });
});

it('reads what is piped in', { timeout: 60_000 }, async () => {
  const env = { ...process.env, LOKAL_HOME: temporaryFolder(), NODE_OPTIONS: '' };
  const parsing = promisify(execFile)(process.execPath, [cli, 'parse', '-', '--text'], { env });
  parsing.child.stdin?.end('Dear Ana,\nI came.\n');
  expect((await parsing).stdout).toContain('I came.');
});

it('says that a document without tables has none', { timeout: 60_000 }, async () => {
  const home = temporaryFolder();
  mkdirSync(home, { recursive: true });
  const run = async (name: string, content: string) => {
    const file = join(home, name);
    writeFileSync(file, content);
    const answer = await promisify(execFile)(process.execPath, [cli, 'parse', file, '--csv'], {
      env: { ...process.env, LOKAL_HOME: home, NODE_OPTIONS: '' },
    });
    // What the models' runtime says is no word of the command.
    return { ...answer, stderr: answer.stderr.split('\n').filter((line) => line.startsWith('lokal:')) };
  };
  expect(await run('letter.txt', 'Dear Ana,\nI came, I saw, I left.\n')).toMatchObject({
    stdout: '\n',
    stderr: ['lokal: The document has no tables: there is nothing to print.'],
  });
  expect(await run('rows.csv', 'Name;Rate\nAna;12,5\n')).toEqual({
    stdout: 'Name,Rate\r\nAna,"12,5"\r\n\n',
    stderr: [],
  });
});
