/** What `npm ci` depends on, and the command that it makes runnable. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../build/start/paths.ts';

interface LockedPackage {
  resolved?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
  /** Systems that a platform package is for. */
  os?: string[];
}

const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const locked = Object.entries<LockedPackage>(json('package-lock.json').packages).filter(
  ([path]) => path !== '',
);

describe('package-lock.json', () => {
  it('names no registry host', () => {
    expect(locked.length).toBeGreaterThan(100);
    expect(locked.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
  });

  it('pins every package by its hash, save for systems whose packages the registry did not offer', () => {
    const unpinned = locked.filter(([, { integrity, os }]) => !integrity && !os);
    expect(unpinned.map(([path]) => path)).toEqual([]);
  });

  // npm 11 refuses to install from a lock file that lacks one, whatever system it is for.
  it('has an entry for every optional package', () => {
    const paths = new Set(locked.map(([path]) => path));
    const missing = locked.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !paths.has(`node_modules/${name}`) && !paths.has(`${path}/node_modules/${name}`),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('holds no install script that package.json has not decided on', () => {
    const decided = Object.keys(json('package.json').allowScripts);
    const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripted.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13));
    expect(names.filter((name) => !decided.includes(name))).toEqual([]);
  });
});
