/** Space on the disk of the data folder. Loads nothing, since each command asks it first. */
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const leastFreeBytes = 16 * 1024 * 1024;

/** True: enough to start a server, or to keep what could be made again. */
export function hasRoom(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= leastFreeBytes;
}

const ballastBytes = 256 * 1024;
const ballastOf = (folder: string): string => join(folder, 'ballast');

/**
 * Keeps a small file that is given up on a full disk, so that an administrator's act, such as revoking a key, still finds room.
 * Without effect where the disk is full already.
 */
export function keepBallast(folder: string): void {
  const file = ballastOf(folder);
  if (existsSync(file)) return;
  try {
    writeFileSync(file, Buffer.alloc(ballastBytes, 1), { mode: 0o600 });
  } catch {
    rmSync(file, { force: true });
  }
}

/** Runs `work` on the database of `folder`, and where the disk took it not a second time without the ballast. */
export function withBallast<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const ballast = ballastOf(folder);
    const { code = '' } = error as { code?: string };
    // SQLite's own companions are refused as an error of reading and writing.
    if (!/^SQLITE_(FULL|IOERR)/.test(code) || !existsSync(ballast)) throw error;
    rmSync(ballast, { force: true });
    return work();
  }
}
