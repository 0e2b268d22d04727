/** Two folders change places in one step of the system, so that a path leads to a whole program at every moment. */
import { renameSync } from 'node:fs';
import koffi from 'koffi';

/** From the working folder (fcntl.h), and exchange (linux/fs.h, sys/stdio.h). */
const atWorkingFolder = -100;
const exchangeFlag = 2;

/** @throws Error of the system; both lie where they lay then */
export function exchangeFolders(left: string, right: string): void {
  if (!exchangeAtOnce(left, right)) exchangeByRenames(left, right);
}

/** False where the system or the file system cannot (NFS, musl). */
function exchangeAtOnce(left: string, right: string): boolean {
  try {
    if (process.platform === 'linux') {
      const rename = koffi
        .load('libc.so.6')
        .func('int renameat2(int from, const char *left, int to, const char *right, unsigned int flags)');
      return rename(atWorkingFolder, left, atWorkingFolder, right, exchangeFlag) === 0;
    }
    if (process.platform === 'darwin') {
      const rename = koffi
        .load('libSystem.dylib')
        .func('int renamex_np(const char *left, const char *right, unsigned int flags)');
      return rename(left, right, exchangeFlag) === 0;
    }
  } catch {
    // A C library without the function.
  }
  return false;
}

/** Between the first two there is nothing at `left` for a moment. */
export function exchangeByRenames(left: string, right: string): void {
  const aside = `${left}.aside`;
  renameSync(left, aside);
  try {
    renameSync(right, left);
  } catch (error) {
    renameSync(aside, left);
    throw error;
  }
  renameSync(aside, right);
}

/** Everything written so far is on the disks: a power cut after the exchange finds whole files. */
export function flushDisks(): void {
  try {
    if (process.platform === 'win32') return;
    koffi.load(process.platform === 'darwin' ? 'libSystem.dylib' : 'libc.so.6').func('void sync()')();
  } catch {
    // The exchange itself is atomic without it.
  }
}
