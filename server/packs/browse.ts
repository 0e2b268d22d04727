/** Folders of this machine, for a person who looks for a model: names and sizes, and which of them could be imported. */
import { constants, type Dirent } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { FolderListing } from '../api/console/packs.ts';
import { ApiError } from '../errors.ts';
import { detectSourceKind } from './imports/detect-source-kind.ts';

/** Rows that a dialog can show; a name narrows a folder that has more. */
const mostEntries = 500;

/** @param path absolute; null: the home folder. @param name part of the names that are meant. @throws ApiError invalid_value */
export async function browse(path: string | null, name = ''): Promise<FolderListing> {
  const folder = resolve(path ?? homedir());
  if (path !== null && !isAbsolute(path))
    throw new ApiError('invalid_value', 'A path here is absolute.', { param: 'path' });
  const found = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (!found) throw new ApiError('invalid_value', 'This folder cannot be read.', { param: 'path' });
  const wanted = name.toLowerCase();
  const visible = found
    .filter((entry) => isOffered(entry) && entry.name.toLowerCase().includes(wanted))
    .sort(byKindAndName);
  const entries: FolderListing['entries'] = [];
  const shown = visible.slice(0, mostEntries);
  for (const entry of shown) {
    const described = await toEntry(join(folder, entry.name), entry);
    if (described) entries.push(described);
  }
  const parent = dirname(folder);
  return {
    path: folder,
    parent: parent === folder ? null : parent,
    entries,
    left_out: visible.length - shown.length,
  };
}

const isOffered = (entry: Dirent): boolean =>
  !entry.name.startsWith('.') && (entry.isDirectory() || /\.(gguf|lokalpack)$/i.test(entry.name));

const byKindAndName = (a: Dirent, b: Dirent): number =>
  Number(b.isDirectory()) - Number(a.isDirectory()) || a.name.localeCompare(b.name);

/** Null for what cannot be read. */
async function toEntry(path: string, entry: Dirent): Promise<FolderListing['entries'][number] | null> {
  const { name } = entry;
  const folder = entry.isDirectory();
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
