/** Which files an installer or archive holds, by the patterns of electron-builder.json: one list for all of them. */
import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path/posix';

export interface Target {
  platform: NodeJS.Platform;
  arch: NodeJS.Architecture;
}

const { files } = JSON.parse(readFileSync(new URL('./electron-builder.json', import.meta.url), 'utf8')) as {
  files: string[];
};

/**
 * As electron-builder decides: the last pattern that matches wins. Packages of node_modules are packed unless a pattern
 * excludes them, everything else only where one includes it. @param path relative to the root, with slashes
 */
export function isPacked(path: string, target: Target): boolean {
  let packed = path.startsWith('node_modules/');
  for (const pattern of files) {
    const excludes = pattern.startsWith('!');
    const glob = expand(excludes ? pattern.slice(1) : pattern, target);
    if (matchesGlob(path, glob)) packed = !excludes;
  }
  return packed;
}

const expand = (pattern: string, { platform, arch }: Target): string =>
  pattern.replace(/\$\{(platform|arch)\}/g, (_, name) => (name === 'arch' ? arch : platform));
