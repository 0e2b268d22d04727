/** A file that a command was asked for: written whole, or a line that says why not and nothing left there. */
import { existsSync, rmSync, type WriteFileOptions, writeFileSync } from 'node:fs';
import { FullDiskError, isFull } from '../full-disk.ts';

/** @throws FullDiskError; what else the system refuses has the path in it */
export function writeOutput(path: string, data: string | Uint8Array, options?: WriteFileOptions): void {
  const isNew = !existsSync(path);
  try {
    writeFileSync(path, data, options);
  } catch (error) {
    if (!isFull(error)) throw error;
    if (isNew) rmSync(path, { force: true });
    throw new FullDiskError(path);
  }
}
