/** THIRD-PARTY-NOTICES.txt beside the artefacts; it lies in each of them too. */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/paths.ts';
import type { Build } from './archive.ts';
import { Unavailable } from './packages.ts';

const name = 'THIRD-PARTY-NOTICES.txt';

export async function writeNotices({ out }: Build): Promise<string> {
  const source = join(root, name);
  if (!existsSync(source)) throw new Unavailable('no third-party notices are generated yet');
  copyFileSync(source, join(out, name));
  return join(out, name);
}
