/** Folders of this machine, for a person who looks for a model: names and sizes, and which of them could be imported. */
import { constants, type Dirent } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { FolderListing } from '../api/console/packs.ts';
import { ApiError } from '../errors.ts';
import { detectSourceKind } from './imports/detect-source-kind.ts';

const mostEntries = 500;

/** @param path absolute; null: the home folder. @throws ApiError invalid_value */
export async function browse(path: string | null): Promise<FolderListing> {
  const folder = resolve(path ?? homedir());
  if (path !== null && !isAbsolute(path))
    throw new ApiError('invalid_value', 'A path here is absolute.', { param: 'path' });
  const found = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (!found) throw new ApiError('invalid_value', 'This folder cannot be read.', { param: 'path' });
  const visible = found.filter((entry) => !entry.name.startsWith('.')).sort(byKindAndName);
  const entries: FolderListing['entries'] = [];
  for (const entry of visible) {
    if (entries.length === mostEntries) break;
    const described = await toEntry(join(folder, entry.name), entry);
    if (described) entries.push(described);
  }
  const parent = dirname(folder);
  return { path: folder, parent: parent === folder ? null : parent, entries };
}

const byKindAndName = (a: Dirent, b: Dirent): number =>
  Number(b.isDirectory()) - Number(a.isDirectory()) || a.name.localeCompare(b.name);

/** Null for files that are nothing to import and folders that cannot be opened. */
async function toEntry(path: string, entry: Dirent): Promise<FolderListing['entries'][number] | null> {
  const { name } = entry;
  const folder = entry.isDirectory();
  if (!folder && !/\.(gguf|lokalpack)$/i.test(name)) return null;
  if (!(await isReadable(path))) return null;
  const kind = await detectSourceKind(path).catch(() => null);
  const size = folder ? null : (await stat(path)).size;
  return { name, path, folder, kind, size_bytes: size };
}

const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
