/**
 * Opens the database, after looking at it read-only: a damaged file, or one of a newer Lokal, is refused and left as
 * it is. Migrations are recorded by name and run in one transaction, so a failed one leaves the old schema.
 */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { StartError } from '../start-error.ts';
import { keepBallast, withBallast } from './room.ts';

export type Database = Sqlite.Database;

const migrationsFolder = new URL('./migrations/', import.meta.url);

/** Those a database of the time stands for that counted its migrations instead of naming them; never extended. */
const counted = [
  ...['001-initial.sql', '002-rules.sql', '003-chat.sql', '004-document-templates.sql'],
  ...['010-console-sessions.sql', '011-audit.sql', '012-trust.sql', '013-connections.sql'],
  ...['020-failures.sql', '021-request-log-rows.sql', '030-work.sql', '040-responses.sql'],
  ...['041-sealed-records.sql', '050-remote-engines.sql', '051-batch-lines.sql', '060-usage-upstream.sql'],
];

interface Migration {
  name: string;
  sql: string;
}

/**
 * @param migrations in the order of their names, which start with their number
 * @throws StartError
 */
export function openDatabase(file: string, migrations = readMigrations()): Database {
  if (existsSync(file)) {
    refuseEmptied(file);
    inspect(file, migrations);
  }
  try {
    // Readable by this user alone; SQLite gives its companions the same rights.
    closeSync(openSync(file, 'a', 0o600));
    const db = new Sqlite(file);
    db.pragma('journal_mode = WAL');
    // A power cut may lose the last moments of usage, never consistency.
    db.pragma('synchronous = NORMAL');
    db.pragma('busy_timeout = 5000');
    // A full disk takes no write, and commands that only read need none.
    if (!isCurrent(db, migrations)) migrate(db, migrations);
    keepBallast(dirname(file));
    return db;
  } catch (error) {
    throw new StartError(`The database ${file} cannot be opened: ${reasonOf(error)}.`);
  }
}

export function readMigrations(): Migration[] {
  const names = readdirSync(migrationsFolder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => ({ name, sql: readFileSync(new URL(name, migrationsFolder), 'utf8') }));
}

/** SQLite takes a file of no bytes for a new database; the key beside it tells that there was one. */
function refuseEmptied(file: string): void {
  const keys = ['install-key', 'install-key.sealed'].map((name) => join(dirname(file), name));
  if (statSync(file).size > 0 || !keys.some((key) => existsSync(key))) return;
  throw new StartError(
    `The database ${file} is empty, and there was one. It was left as it is: restore it from a backup, or move it away to start afresh.`,
  );
}

function inspect(file: string, migrations: readonly Migration[]): void {
  let version: number;
  let done: string[];
  try {
    [version, done] = withBallast(dirname(file), () => look(file));
  } catch (error) {
    const reason = reasonOf(error);
    // A whole database in a place that cannot be written is nothing to start afresh from.
    const remedy = reason === unwritable ? '' : '; move it away to start afresh';
    throw new StartError(`The database ${file} cannot be read: ${reason}. It was left as it is${remedy}.`);
  }
  const unknown = done.find((each) => !migrations.some(({ name }) => name === each));
  if (version > migrations.length || unknown !== undefined) {
    throw new StartError(
      `The database ${file} was written by a newer Lokal (schema ${version}${unknown === undefined ? '' : ` with ${unknown}`}, this one knows ${migrations.length}). It was left as it is; update Lokal.`,
    );
  }
}

/** Its version and the names of its migrations. */
function look(file: string): [number, string[]] {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    const found: [number, string[]] = [versionOf(db), appliedTo(db)];
    const [verdict] = db.pragma('quick_check(1)') as { quick_check: string }[];
    if (verdict?.quick_check !== 'ok') throw new Error('its structure is damaged');
    return found;
  } finally {
    db.close();
  }
}

const isCurrent = (db: Database, migrations: readonly Migration[]): boolean => {
  const done = isNamed(db) ? appliedTo(db) : [];
  return versionOf(db) === migrations.length && migrations.every(({ name }) => done.includes(name));
};

function migrate(db: Database, migrations: readonly Migration[]): void {
  db.transaction(() => {
    const done = appliedTo(db);
    db.exec('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID');
    const record = db.prepare('INSERT OR IGNORE INTO migrations VALUES (?)');
    for (const name of done) record.run(name);
    for (const { name, sql } of migrations) {
      if (done.includes(name)) continue;
      db.exec(sql);
      record.run(name);
    }
    // Keeps a Lokal that counts from opening what it does not know.
    db.pragma(`user_version = ${migrations.length}`);
  }).immediate();
}

function appliedTo(db: Database): string[] {
  if (isNamed(db)) return db.prepare('SELECT name FROM migrations').pluck().all() as string[];
  return counted.slice(0, versionOf(db));
}

const isNamed = (db: Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get() !== undefined;

const versionOf = (db: Database): number => db.pragma('user_version', { simple: true }) as number;

const unwritable = 'no permission, or its disk is read-only';

/** SQLite's reasons in words; its own text never holds data, a file system's may hold a path, which helps here. */
function reasonOf(error: unknown): string {
  const code = (error as { code?: string }).code ?? '';
  if (code.startsWith('SQLITE_NOTADB')) return 'it is not a database';
  if (code.startsWith('SQLITE_CORRUPT')) return 'it is damaged';
  if (code.startsWith('SQLITE_FULL')) return 'the disk is full';
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN')) return unwritable;
  return error instanceof Error ? error.message : basename(String(error));
}
