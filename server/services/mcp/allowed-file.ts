/** Files that a tool may read: those inside the folders that the settings name, links followed first. */
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import { ApiError } from '../../errors.ts';

export interface AllowedFiles {
  folders: readonly string[];
  maxBytes: number;
}

/** No link put there since, and no wait for the other end of a pipe; Windows has neither flag. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** @throws ApiError invalid_value for a path outside of them, or that is no file; payload_too_large */
export async function readAllowedFile(path: string, { folders, maxBytes }: AllowedFiles): Promise<Buffer> {
  // One message for what is outside and what is not there: a tool is no way to look around.
  const refused = new ApiError(
    'invalid_value',
    'path is not a file inside a folder that the settings allow (mcp_folders).',
    {
      param: 'path',
    },
  );
  const real = isAbsolute(path) ? await realpath(path).catch(() => null) : null;
  if (real === null || !(await isInside(real, folders))) throw refused;
  const file = await open(real, openFlags).catch(() => null);
  if (!file) throw refused;
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw refused;
    if (stat.size > maxBytes) {
      throw new ApiError('payload_too_large', `The file is larger than ${maxBytes} bytes.`, {
        param: 'path',
      });
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function isInside(real: string, folders: readonly string[]): Promise<boolean> {
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  return roots.some((root) => {
    if (root === null) return false;
    const way = relative(root, real);
    return way !== '' && !way.startsWith('..') && !isAbsolute(way);
  });
}
