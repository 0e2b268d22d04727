/** Packages that run and say no licence: a release has none. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/paths.ts';

export async function countUnknownLicences(): Promise<number> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; license?: string }>;
  };
  const running = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  return running.filter(([, { license }]) => !license || /unknown|unlicensed|see license/i.test(license))
    .length;
}
