/** Reads a file of a source whose length is bounded: a device or a pipe of that name would never end. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const longest = 16 * 1024 * 1024;

/** @throws Error that names what is wrong with it; with `code: 'ENOENT'` where nothing is there */
export function readSmallFile(path: string): Buffer {
  // A pipe that nobody writes to would keep an open call waiting.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const info = fstatSync(file);
    if (!info.isFile()) throw new Error(`${basename(path)} is no file`);
    if (info.size > longest) throw new Error(`${basename(path)} is too long`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
