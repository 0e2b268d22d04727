/** The data folder: made, checked for writing and space, and held by one running Lokal at a time. */
import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { makeFolders, whyRefused } from '../make-folders.ts';
import { StartError } from '../start-error.ts';
import { hasRoom } from './room.ts';

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
    throw new StartError(`The data folder ${folder} ${whyRefused(error)}; ${adviceOn(error)}.`);
  }
  if (!hasRoom(folder)) {
    throw new StartError(`The data folder ${folder} has less than 16 MB of free space; free some.`);
  }
}

const adviceOn = (error: unknown): string =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
    ? 'free some space'
    : 'LOKAL_HOME names another';

/**
 * Takes from other users what an earlier version, or the person, left open to them: the folder and what lies in it directly;
 * nobody passes through a closed folder to what is deeper. A folder with a sticky bit is shared by many and not ours to close.
 */
export function closeToOthers(folder: string): void {
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
const accessFile = 'server.access';

/** The way of this machine's commands into the running server. */
export interface CommandAccess {
  url: string;
  /** The console's, for as long as the server runs. */
  secret: string;
  /** SHA-256 of its certificate; null: plain HTTP. */
  fingerprint: string | null;
}

/** Notes where the running server listens, for `lokal console-url` and the commands that ask it. */
export function writeAddress(folder: string, url: string, access: CommandAccess): { remove(): void } {
  const notes = { [addressFile]: url, [accessFile]: JSON.stringify(access) };
  const files = Object.keys(notes).map((name) => join(folder, name));
  for (const file of files) rmSync(file, { force: true });
  for (const [name, text] of Object.entries(notes)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  return {
    remove() {
      for (const file of files) rmSync(file, { force: true });
    },
  };
}

/** null where no server runs on the folder, or its end left nothing to read. */
export function readAccess(folder: string): CommandAccess | null {
  try {
    return JSON.parse(readFileSync(join(folder, accessFile), 'utf8')) as CommandAccess;
  } catch {
    return null;
  }
}

/** @throws StartError when no server runs on the folder */
export function readAddress(folder: string): string {
  try {
    return readFileSync(join(folder, addressFile), 'utf8');
  } catch {
    throw new StartError(`No Lokal is running on the data folder ${folder}; \`lokal serve\` starts one.`);
  }
}
