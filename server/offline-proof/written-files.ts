/** Files of a folder: those that are hashed, and those that something wrote where nothing should. */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * All files below a folder, without a look into those of `skipped`: a program's own folder may lie below a watched one, with more
 * files than can be listed several times a second.
 */
export function filesBelow(folder: string, skipped: ReadonlySet<string> = new Set()): string[] {
  if (skipped.has(folder)) return [];
  return list(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path, skipped);
    return entry.isFile() ? [path] : [];
  });
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
