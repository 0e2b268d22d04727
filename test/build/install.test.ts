/** What `npm ci` depends on, and the command that it makes runnable. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../build/start/paths.ts';

interface LockedPackage {
  resolved?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
}

const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const locked = Object.entries<LockedPackage>(json('package-lock.json').packages).filter(
  ([path]) => path !== '',
);

describe('package-lock.json', () => {
  it('names no registry host and pins every package by its hash', () => {
    expect(locked.length).toBeGreaterThan(100);
    expect(locked.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
    const unpinned = locked.filter(([, entry]) => !entry.integrity && !entry.link && !entry.inBundle);
    expect(unpinned.map(([path]) => path)).toEqual([]);
  });

  it('holds no install script that package.json has not decided on', () => {
    const decided = Object.keys(json('package.json').allowScripts);
    const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripted.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13));
    expect(names.filter((name) => !decided.includes(name))).toEqual([]);
  });
});
