import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createUsageStore } from '../../server/db/journal/usage.ts';
import { openDatabase, readMigrations } from '../../server/db/open.ts';
import { createSealedRecordStore } from '../../server/db/sealed-records.ts';
import { StartError } from '../../server/start-error.ts';
import { temporaryFolder } from '../support/app/folder.ts';

const file = () => join(temporaryFolder(), 'lokal.db');

describe('openDatabase', () => {
  it('makes the tables once and opens them again', () => {
    const path = file();
    const first = openDatabase(path);
    first.prepare("INSERT INTO settings VALUES ('a', '1')").run();
    const version = first.pragma('user_version', { simple: true });
    first.close();
    const second = openDatabase(path);
    expect(second.pragma('user_version', { simple: true })).toBe(version);
    expect(second.prepare('SELECT value FROM settings').pluck().get()).toBe('1');
    expect(second.pragma('journal_mode', { simple: true })).toBe('wal');
    second.close();
  });

  it('refuses a file of no bytes beside an install key, and leaves it', () => {
    const path = file();
    writeFileSync(path, '');
    openDatabase(path).close();
    writeFileSync(path, '');
    writeFileSync(join(dirname(path), 'install-key'), 'k');
    expect(() => openDatabase(path)).toThrow('is empty, and there was one');
    expect(readFileSync(path)).toHaveLength(0);
  });

  it('brings a database that counted its migrations, at every count, to what a new one has', () => {
    const all = readMigrations();
    const tables = (db: Sqlite.Database) =>
      db.prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name').all();
    const fresh = openDatabase(file());
    for (let count = 1; count <= 16; count += 1) {
      const path = file();
      const older = new Sqlite(path);
      for (const { sql } of all.slice(0, count)) older.exec(sql);
      older.pragma(`user_version = ${count}`);
      older.close();
      const db = openDatabase(path);
      expect(tables(db)).toEqual(tables(fresh));
      expect(db.prepare('SELECT name FROM migrations').pluck().all()).toEqual(all.map(({ name }) => name));
      db.close();
    }
    fresh.close();
  });

  it.each([
    ['counts', 16],
    ['names', 0],
  ])('runs a migration whose number is lower than the last of a database that %s', (_what, version) => {
    const path = file();
    const all = readMigrations();
    openDatabase(path).close();
    if (version > 0) {
      const older = new Sqlite(path);
      older.exec('DROP TABLE migrations');
      older.pragma(`user_version = ${version}`);
      older.close();
    }
    const late = { name: '005-late.sql', sql: 'CREATE TABLE late (id TEXT)' };
    const added = [...all, late].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (let opened = 0; opened < 2; opened += 1) {
      const db = openDatabase(path, added);
      expect(db.prepare('SELECT count(*) FROM late').pluck().get()).toBe(0);
      db.close();
    }
    expect(() => openDatabase(path)).toThrow('written by a newer Lokal');
    const swapped = [...all.slice(0, -1), late];
    expect(() => openDatabase(path, [...swapped, { ...late, name: '999-other.sql' }])).toThrow(
      all.at(-1)!.name,
    );
  });

  it('keeps the use that was metered before it was told apart by who answered', () => {
    const path = file();
    const older = new Sqlite(path);
    const folder = new URL('../../server/db/migrations/', import.meta.url);
    const names = readdirSync(folder).sort();
    const before = names.filter((name) => name < '060');
    for (const name of before) older.exec(readFileSync(new URL(name, folder), 'utf8'));
    older.pragma(`user_version = ${before.length}`);
    older.exec("INSERT INTO usage VALUES ('2026-01-01', 'k', 'm', 'K', 2, 3, 4, 5, 6, 7)");
    older.close();
    const db = openDatabase(path);
    const row = { upstream: null, requests: 2, estimated: 0, prompt_tokens: 3, frames: 6, pages: 7 };
    expect(createUsageStore(db).since('2026-01-01')).toMatchObject([row]);
    db.close();
  });

  it('refuses what is no database and leaves it as it is', () => {
    const path = file();
    writeFileSync(
      path,
      'this is a shopping list, not a database, and it is long enough to be one\n'.repeat(100),
    );
    const before = readFileSync(path);
    expect(() => openDatabase(path)).toThrow(StartError);
    expect(() => openDatabase(path)).toThrow('it is not a database');
    expect(readFileSync(path)).toEqual(before);
  });

  it('refuses a damaged database and leaves it as it is', () => {
    const path = file();
    const db = openDatabase(path);
    const insert = db.prepare('INSERT INTO request_log (entries) VALUES (?)');
    for (let row = 0; row < 500; row++) insert.run('x'.repeat(500));
    db.close();
    const bytes = readFileSync(path);
    // Pages in the middle are overwritten; the header stays good.
    bytes.fill(0xff, 8_192, bytes.length - 4_096);
    writeFileSync(path, bytes);
    expect(() => openDatabase(path)).toThrow(StartError);
    expect(readFileSync(path)).toEqual(bytes);
  });

  it('does not advise to start afresh where one cannot be opened', () => {
    // SQLite opens no path of more than 512 bytes.
    const path = join(temporaryFolder(), ...Array.from({ length: 6 }, () => 'x'.repeat(100)), 'lokal.db');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'x');
    expect(() => openDatabase(path)).toThrow(/or its disk is read-only\. It was left as it is\.$/);
  });

  it('refuses a database of a newer Lokal and leaves it as it is', () => {
    const path = file();
    openDatabase(path).close();
    const newer = new Sqlite(path);
    newer.pragma('user_version = 99');
    newer.close();
    const before = readFileSync(path);
    expect(() => openDatabase(path)).toThrow('written by a newer Lokal (schema 99');
    expect(readFileSync(path)).toEqual(before);
  });

  it('rolls a failed migration back', () => {
    const path = file();
    const taken = new Sqlite(path);
    taken.exec('CREATE TABLE bindings (other TEXT)');
    taken.close();
    expect(() => openDatabase(path)).toThrow(StartError);
    const after = new Sqlite(path, { readonly: true });
    const tables = after.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    after.close();
    expect(tables).toEqual(['bindings']);
  });

  it('brings what was kept in three tables into one', () => {
    const path = file();
    const before = new Sqlite(path);
    const folder = new URL('../../server/db/migrations/', import.meta.url);
    const older = readdirSync(folder).filter((name) => name < '041');
    for (const name of older.sort()) before.exec(readFileSync(new URL(name, folder), 'utf8'));
    before.pragma(`user_version = ${older.length}`);
    before.exec(`
      INSERT INTO chat_records VALUES ('a', 'preset', 1, x'01', x'02');
      INSERT INTO work_records VALUES ('b', 2, x'03', x'04');
      INSERT INTO responses VALUES ('c', 'key_1', 3, x'05');`);
    before.close();
    const db = openDatabase(path);
    const { find } = createSealedRecordStore(db);
    const [one, two, three, four, five] = [1, 2, 3, 4, 5].map((byte) => Buffer.of(byte));
    expect(find('preset', '', 'a')).toMatchObject({ updatedMs: 1, head: one, content: two });
    expect(find('work', '', 'b')).toMatchObject({ updatedMs: 2, head: three, content: four });
    expect(find('response', 'key_1', 'c')).toMatchObject({ updatedMs: 3, content: five });
    db.close();
  });
});
