import Sqlite from 'better-sqlite3';

/** Null where SQLite cannot be loaded here. */
export function sqliteVersion(): string | null {
  try {
    const db = new Sqlite(':memory:');
    try {
      return db.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? null;
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}
