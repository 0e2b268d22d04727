/**
 * Opens the database, after looking at it read-only: a damaged file, or one of a newer Lokal, is refused and left as
 * it is. Migrations run in one transaction, so a failed one leaves the old schema.
 */
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import Sqlite from 'better-sqlite3';
import { StartError } from '../start-error.ts';

export type Database = Sqlite.Database;

const migrationsFolder = new URL('./migrations/', import.meta.url);

/** @throws StartError */
export function openDatabase(file: string): Database {
  const migrations = readMigrations();
  if (existsSync(file)) inspect(file, migrations.length);
  try {
    // Readable by this user alone; SQLite gives its companions the same rights.
    closeSync(openSync(file, 'a', 0o600));
    const db = new Sqlite(file);
    db.pragma('journal_mode = WAL');
    // A power cut may lose the last moments of usage, never consistency.
    db.pragma('synchronous = NORMAL');
    db.pragma('busy_timeout = 5000');
    migrate(db, migrations);
    return db;
  } catch (error) {
    throw new StartError(`The database ${file} cannot be opened: ${reasonOf(error)}.`);
  }
}

/** In the order of their names, which start with their number. */
function readMigrations(): string[] {
  const names = readdirSync(migrationsFolder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => readFileSync(new URL(name, migrationsFolder), 'utf8'));
}

function inspect(file: string, knownVersion: number): void {
  let version: number;
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true });
    try {
      version = db.pragma('user_version', { simple: true }) as number;
      const [verdict] = db.pragma('quick_check(1)') as { quick_check: string }[];
      if (verdict?.quick_check !== 'ok') throw new Error('its structure is damaged');
    } finally {
      db.close();
    }
  } catch (error) {
    throw new StartError(
      `The database ${file} cannot be read: ${reasonOf(error)}. It was left as it is; move it away to start afresh.`,
    );
  }
  if (version > knownVersion) {
    throw new StartError(
      `The database ${file} was written by a newer Lokal (schema ${version}, this one knows ${knownVersion}). It was left as it is; update Lokal.`,
    );
  }
}

function migrate(db: Database, migrations: string[]): void {
  db.transaction(() => {
    const from = db.pragma('user_version', { simple: true }) as number;
    for (const sql of migrations.slice(from)) db.exec(sql);
    db.pragma(`user_version = ${migrations.length}`);
  }).immediate();
}

/** SQLite's reasons in words; its own text never holds data, a file system's may hold a path, which helps here. */
function reasonOf(error: unknown): string {
  const code = (error as { code?: string }).code ?? '';
  if (code.startsWith('SQLITE_NOTADB')) return 'it is not a database';
  if (code.startsWith('SQLITE_CORRUPT')) return 'it is damaged';
  if (code.startsWith('SQLITE_FULL')) return 'the disk is full';
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN')) return 'no permission';
  return error instanceof Error ? error.message : basename(String(error));
}
