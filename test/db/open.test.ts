import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../server/db/open.ts';
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
});
