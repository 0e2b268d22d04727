/** Keeps THIRD-PARTY-NOTICES.txt equal to what is installed. It is made, not kept: its texts lie here and in the packages. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile, root } from '../start/paths.ts';
import { collectParts } from './collect.ts';
import { writeNotices } from './notices.ts';

const file = join(root, 'THIRD-PARTY-NOTICES.txt');

/** @returns how many parts it names; null where an installation without the build tools keeps the one it came with */
export function ensureNotices(): number | null {
  if (!packageFile('vite', 'package.json')) return null;
  const parts = collectParts();
  const text = writeNotices(parts);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  return parts.length;
}
