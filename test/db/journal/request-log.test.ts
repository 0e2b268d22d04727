import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { RequestEntry } from '../../../server/api/console/console.ts';
import { createRequestLogStore } from '../../../server/db/journal/request-log.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { temporaryFolder } from '../../support/app/folder.ts';

const entries = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ id: String(from + at) }) as RequestEntry);
const ids = (found: RequestEntry[]) => found.map(({ id }) => Number(id));

describe('the stored request log', () => {
  it('keeps as many entries as it is told, to the entry, across its rows', () => {
    const db = openDatabase(join(temporaryFolder(), 'lokal.db'));
    const store = createRequestLogStore(db);
    let next = 0;
    for (const [count, keep] of [
      [250, 1_000],
      [30, 120],
      [1, 120],
      [199, 75],
      [0, 40],
      [5, 3],
    ] as const) {
      const before = ids(store.latest(10_000)).reverse();
      store.append(entries(next, next + count), keep);
      next += count;
      const all = [...before, ...ids(entries(next - count, next))].slice(-keep);
      expect(ids(store.latest(10_000))).toEqual(all.reverse());
    }
    expect(ids(store.latest(2))).toEqual([next - 1, next - 2]);
    store.append([], 0);
    expect(store.latest(10)).toEqual([]);
    db.close();
  });

  it('holds what an older Lokal wrote, a row for each entry', () => {
    const file = join(temporaryFolder(), 'lokal.db');
    const folder = new URL('../../../server/db/migrations/', import.meta.url);
    const before = readdirSync(folder)
      .sort()
      .filter((name) => name < '021');
    const old = new Sqlite(file);
    for (const name of before) old.exec(readFileSync(new URL(name, folder), 'utf8'));
    for (const entry of entries(0, 5))
      old.prepare('INSERT INTO request_log (entry) VALUES (?)').run(JSON.stringify(entry));
    old.pragma(`user_version = ${before.length}`);
    old.close();
    const db = openDatabase(file);
    const store = createRequestLogStore(db);
    store.append(entries(5, 7), 4);
    expect(ids(store.latest(10))).toEqual([6, 5, 4, 3]);
    db.close();
  });
});
