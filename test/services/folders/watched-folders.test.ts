/** Watched folders: read as files come, kept across restarts, stopped; failures told with their reason. */
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WatchedFolder } from '../../../server/api/console/watched-folders.ts';
import type { DocumentsRequest, DocumentsResult } from '../../../server/api/services/documents.ts';
import type { SealedRecordStore, SealedRow } from '../../../server/db/sealed-records.ts';
import type { AuditLog } from '../../../server/services/audit/audit-log.ts';
import type { Caller } from '../../../server/services/caller.ts';
import { createWatchedFolders } from '../../../server/services/folders/watched-folders.ts';
import { codeOf, openTestApp, send, type TestApp } from '../../support/app/test-app.ts';

let root: string;
let from: string;
let to: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'watched-'));
  [from, to] = [join(root, 'in'), join(root, 'out')];
  await mkdir(from);
});
afterEach(() => rm(root, { recursive: true }));

const ask = (
  app: TestApp,
  path = '',
  body?: object,
  method: 'GET' | 'DELETE' | 'POST' = body ? 'POST' : 'GET',
) =>
  send(app, `/console/watched-folders${path}`, null, {
    headers: app.session(),
    method,
    ...(body ? { body } : {}),
  });
const state = async (app: TestApp): Promise<WatchedFolder | undefined> => (await ask(app)).json().data[0];

/** Written long enough ago to be whole. */
async function drop(name: string, content: string): Promise<void> {
  await writeFile(join(from, name), content);
  const past = new Date(Date.now() - 60_000);
  await utimes(join(from, name), past, past);
}

test('a folder is watched, its failures told, and it is stopped and forgotten', async () => {
  const app = openTestApp();
  await drop('broken.pdf', '%PDF-1.7 broken');
  const added = await ask(app, '', { from, to });
  expect(added.statusCode).toBe(201);
  expect(added.json()).toMatchObject({ from, to, state: 'watching', output_format: 'json' });
  await vi.waitFor(async () => expect((await state(app))?.failed).toBe(1), {
    timeout: 20_000,
    interval: 200,
  });
  expect((await state(app))!.errors[0]).toMatchObject({
    name: 'broken.pdf',
    reason: expect.stringMatching(/./),
  });
  expect(await readdir(join(to, 'errors'))).toContain('broken.pdf');
  expect(await readFile(join(to, 'errors', 'broken.pdf.error.txt'), 'utf8')).toMatch(/\S/);
  const { id } = added.json();
  expect((await ask(app, `/${id}/stop`, {})).json().state).toBe('stopped');
  expect((await ask(app, `/${id}`, undefined, 'DELETE')).statusCode).toBe(200);
  expect(await state(app)).toBeUndefined();
});

test('folders that cannot be watched are refused by the field', async () => {
  const app = openTestApp();
  const refused = async (body: object) => (await ask(app, '', body)).json().error;
  expect(await refused({ from: 'in', to })).toMatchObject({ code: 'invalid_value', param: 'from' });
  expect(await refused({ from: join(root, 'none'), to })).toMatchObject({ param: 'from' });
  expect(await refused({ from, to: from })).toMatchObject({ code: 'invalid_value', param: 'to' });
  await ask(app, '', { from, to });
  expect(await refused({ from, to })).toMatchObject({ code: 'conflict', param: 'from' });
  const far = { headers: app.session(), from: '192.168.1.20', body: { from, to } };
  expect(codeOf(await send(app, '/console/watched-folders', null, far))).toBe('ip_not_allowed');
});

test('what is dropped is read once, and watched on after a restart unless it was stopped', async () => {
  const rows = new Map<string, SealedRow>();
  const store = {
    list: () => [...rows.values()],
    find: (_kind: string, _owner: string, id: string) => rows.get(id),
    put: (_kind: string, row: SealedRow) => void rows.set(row.id, row),
  } as unknown as SealedRecordStore;
  const parsed: string[] = [];
  const used: string[] = [];
  const documents = {
    parse: async ({ file }: DocumentsRequest, caller: Caller) => {
      parsed.push(Buffer.from(file!, 'base64').toString());
      caller.meter.model = 'svc-parse-pro';
      caller.meter.pages = 3;
      return { markdown: '# A', tables: [{ rows: [['a', 'b,c']] }] } as unknown as DocumentsResult;
    },
  };
  const audit = { act: (_entry: object, work: () => unknown) => work() } as unknown as AuditLog;
  const open = () =>
    createWatchedFolders({
      store,
      audit,
      documents,
      usage: { record: ({ keyId }, { pages }) => used.push(`${keyId} ${pages}`) },
      installKey: Buffer.alloc(32),
      now: Date.now,
      pollMs: 20,
    });
  const wait = (count: number) => vi.waitFor(() => expect(parsed).toHaveLength(count), { timeout: 10_000 });
  await drop('a.txt', 'one');
  const first = open();
  const { id } = first.add({ from, to, output_format: 'markdown' });
  await wait(1);
  await vi.waitFor(() => expect(first.list().data[0]!.done).toBe(1));
  expect((await readdir(to)).toSorted()).toEqual([
    '.lokal-watch.jsonl',
    'a.txt.json',
    'a.txt.md',
    'a.txt.table-1.csv',
  ]);
  expect(await readFile(join(to, 'a.txt.table-1.csv'), 'utf8')).toBe('a,"b,c"\r\n');
  first.close();
  await drop('b.txt', 'two');
  await drop('again.txt', 'one');
  const second = open();
  second.resume();
  await wait(2);
  expect(parsed).toEqual(['one', 'two']);
  expect(used).toEqual(['key_0 3', 'key_0 3']);
  expect(second.stop(id).state).toBe('stopped');
  second.close();
  const third = open();
  third.resume();
  expect(third.list().data[0]!.state).toBe('stopped');
});
