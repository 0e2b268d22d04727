/** A copy of the database as it is at one moment, taken while a server goes on writing (SQLite's own backup). */
import { chmodSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { openDatabase } from './open.ts';

/** @param target must be new */
export async function copyDatabase(file: string, target: string): Promise<void> {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    await db.backup(target);
  } finally {
    db.close();
  }
  chmodSync(target, 0o600);
}

/** Opens a copy as the server would, and brings it to this version's schema. @throws StartError when it is damaged or newer */
export function checkDatabase(file: string): void {
  openDatabase(file).close();
}
