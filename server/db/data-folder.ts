/** The data folder: made, checked for writing and space, and held by one running Lokal at a time. */
import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { makeFolders, whyRefused } from '../make-folders.ts';
import { StartError } from '../start-error.ts';

const leastFreeBytes = 16 * 1024 * 1024;

/** @throws StartError when the folder cannot be made or written, or its disk is full */
export function prepareDataFolder(folder: string): void {
  try {
    makeFolders(folder);
    closeToOthers(folder);
    const probe = join(folder, `.probe-${process.pid}`);
    try {
      writeFileSync(probe, Buffer.alloc(64 * 1024), { flush: true });
    } finally {
      rmSync(probe, { force: true });
    }
  } catch (error) {
    throw new StartError(`The data folder ${folder} ${whyRefused(error)}; LOKAL_HOME names another.`);
  }
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < leastFreeBytes) {
    throw new StartError(
      `The data folder ${folder} has less than 16 MB of free space; LOKAL_HOME names another.`,
    );
  }
}

/**
 * Takes from other users what an earlier version, or the person, left open to them: the folder and what lies in it directly;
 * nobody passes through a closed folder to what is deeper. A folder with a sticky bit is shared by many and not ours to close.
 */
function closeToOthers(folder: string): void {
  const { mode } = statSync(folder);
  if (process.platform === 'win32' || (mode & 0o1000) !== 0) return;
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) {
    const stats = lstatSync(path);
    if (stats.isSymbolicLink() || (stats.mode & 0o077) === 0) continue;
    try {
      chmodSync(path, stats.mode & 0o700);
    } catch (error) {
      // Another user's file in our folder stays as it is.
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    }
  }
}

/**
 * Holds the folder for this process; the returned function lets go. The lock is SQLite's own on a file of its own: the
 * system drops it with the process, so a crash leaves nothing to clean up.
 * @throws StartError when another process holds it
 */
export function lockDataFolder(folder: string): () => void {
  const file = join(folder, 'instance.lock');
  closeSync(openSync(file, 'a', 0o600));
  const db = new Sqlite(file, { timeout: 0 });
  try {
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (!(error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error;
    throw new StartError(`Lokal is already running on the data folder ${folder}.`);
  }
  return () => db.close();
}

const addressFile = 'server.url';

/** Notes where the running server listens, for `lokal console-url`. */
export function writeAddress(folder: string, url: string): { remove(): void } {
  const file = join(folder, addressFile);
  writeFileSync(file, url, { mode: 0o600 });
  return { remove: () => rmSync(file, { force: true }) };
}

/** @throws StartError when no server runs on the folder */
export function readAddress(folder: string): string {
  try {
    return readFileSync(join(folder, addressFile), 'utf8');
  } catch {
    throw new StartError(`No Lokal is running on the data folder ${folder}; \`lokal serve\` starts one.`);
  }
}
