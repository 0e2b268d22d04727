/**
 * Files that a browser hands over, since it does not tell where they lie: piece by piece into a folder of their own, from
 * which they are imported like any other. What is not imported goes with the next start.
 */
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ApiError } from '../errors.ts';
import { toImportError } from './import.ts';
import { checkPackPath } from './manifest.ts';

export interface FilePiece {
  /** Relative, with `/`. */
  path: string;
  /** Bytes of this file that were sent before. */
  offset: number;
  bytes: Uint8Array;
}

export interface Uploads {
  /** Appends; returns the file's bytes so far. @throws ApiError invalid_value, conflict for a piece out of turn */
  write(id: string, piece: FilePiece): Promise<number>;
  /** The folder, or the single file in it. @throws ApiError not_found */
  source(id: string): Promise<string>;
  remove(id: string): Promise<void>;
  /** Removes what an earlier run left behind. */
  clear(): Promise<void>;
}

const mostFiles = 1_000;

export function createUploads(root: string): Uploads {
  function folderOf(id: string): string {
    if (!/^[0-9a-f]{16}$/.test(id))
      throw new ApiError('invalid_value', 'An upload is named by 16 hexadecimal digits.', { param: 'id' });
    return join(root, id);
  }

  return {
    async write(id, { path, offset, bytes }) {
      const folder = folderOf(id);
      try {
        checkPackPath(path);
      } catch {
        throw new ApiError('invalid_value', 'The path leaves the upload.', { param: 'path' });
      }
      const target = join(folder, path);
      try {
        await mkdir(dirname(target), { recursive: true });
        if (offset === 0) await checkRoom(folder);
        return await append(target, offset, bytes);
      } catch (error) {
        throw toImportError(error, path);
      }
    },
    async source(id) {
      const folder = folderOf(id);
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
      if (!entries) throw new ApiError('not_found', 'There is no such upload.', { param: 'upload' });
      const [only] = entries;
      // A dropped folder is a folder in the upload's own.
      return only && entries.length === 1 ? join(folder, only.name) : folder;
    },
    remove: (id) => rm(folderOf(id), { recursive: true, force: true }),
    clear: () => rm(root, { recursive: true, force: true }),
  };
}

async function checkRoom(folder: string): Promise<void> {
  const held = await readdir(folder, { recursive: true });
  if (held.length >= mostFiles) throw new Error(`it holds more than ${mostFiles} files`);
}

async function append(path: string, offset: number, bytes: Uint8Array): Promise<number> {
  const file = await open(path, offset === 0 ? 'w' : 'r+');
  try {
    const { size } = await file.stat();
    if (size !== offset)
      throw new ApiError('conflict', `The file has ${size} bytes so far.`, { param: 'offset' });
    await file.writev([bytes], offset);
    return offset + bytes.length;
  } finally {
    await file.close();
  }
}
