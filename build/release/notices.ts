/** THIRD-PARTY-NOTICES.txt beside the artefacts; it lies in each of them too. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNotices } from '../licences/ensure-notices.ts';
import { root } from '../start/paths.ts';
import type { Build } from './archive.ts';

const name = 'THIRD-PARTY-NOTICES.txt';

export async function writeNotices({ out }: Build): Promise<string> {
  ensureNotices();
  copyFileSync(join(root, name), join(out, name));
  return join(out, name);
}
