/** Folders on the way to a file, and the reason that a person gets where the system refuses one. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from './start-error.ts';

/** Level by level: Node's own recursive mkdir never ends where a folder takes no others, such as /proc. */
export function makeFolders(folder: string, mode = 0o700): void {
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolders(parent, mode);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) mkdirSync(folder, { mode });
}

/** A folder that a person named. @throws StartError where none can be made */
export function makeNamedFolder(folder: string, mode = 0o700): void {
  try {
    makeFolders(folder, mode);
  } catch (error) {
    throw new StartError(`The folder ${folder} ${whyRefused(error)}.`);
  }
}

/** The end of a sentence that begins with the path. */
export function whyRefused(error: unknown): string {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'is full';
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'is not a folder';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'cannot be written';
  if (code === 'ENOENT' && syscall === 'mkdir') return 'cannot be made';
  return `cannot be used (${code ?? 'unknown reason'})`;
}
