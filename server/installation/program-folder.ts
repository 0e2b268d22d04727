/** A program as an archive unpacks it: what is in it, how two of them differ, and where one cannot be replaced. */
import { accessSync, constants, existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '../start-error.ts';

export interface ProgramContent {
  version: string;
  /** Name → version. */
  packages: Map<string, string>;
  /** Id → version. */
  packs: Map<string, string>;
  /** Names of the database's changes. */
  migrations: string[];
  /** Points of CHANGELOG.md. */
  changes: string[];
}

/** @throws Error when it is no program of Lokal */
export function readProgramContent(root: string): ProgramContent {
  const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, string>;
  const { name, version = '' } = json('package.json');
  if (name !== 'lokal') throw new Error('it is not a program of Lokal');
  const packages = globSync('node_modules/{*,@*/*}/package.json', { cwd: root }).map(json);
  const packs = globSync('models/packs/*/manifest.json', { cwd: root }).map(json);
  const migrations = join(root, 'dist', 'server', 'db', 'migrations');
  const changelog = join(root, 'CHANGELOG.md');
  return {
    version,
    packages: new Map(packages.map((each) => [each.name ?? '', each.version ?? ''])),
    packs: new Map(packs.map((each) => [each.id ?? '', each.version ?? ''])),
    migrations: existsSync(migrations) ? readdirSync(migrations).sort() : [],
    changes: existsSync(changelog) ? readPoints(readFileSync(changelog, 'utf8')) : [],
  };
}

const readPoints = (markdown: string): string[] =>
  markdown
    .split(/\n(?=- |#|\n)/)
    .map((part) => part.trim().replace(/\s*\n\s*/g, ' '))
    .filter((part) => part.startsWith('- '))
    .map((part) => part.slice(2));

export interface MapDifference {
  added: string[];
  removed: string[];
  /** `name 1.0.0 → 1.1.0` */
  changed: string[];
}

export interface ProgramDifference {
  from: string;
  to: string;
  changes: string[];
  packages: MapDifference;
  packs: MapDifference;
  /** Of the database, that the new one makes at its first start. */
  migrations: string[];
}

export const compareContent = (old: ProgramContent, next: ProgramContent): ProgramDifference => ({
  from: old.version,
  to: next.version,
  changes: next.changes.filter((point) => !old.changes.includes(point)),
  packages: compareMaps(old.packages, next.packages),
  packs: compareMaps(old.packs, next.packs),
  migrations: next.migrations.filter((name) => !old.migrations.includes(name)),
});

export function compareMaps(old: Map<string, string>, next: Map<string, string>): MapDifference {
  const only = (one: Map<string, string>, other: Map<string, string>) =>
    [...one].filter(([name]) => !other.has(name)).map(([name, version]) => `${name} ${version}`);
  const changed = [...next].filter(([name, version]) => old.has(name) && old.get(name) !== version);
  return {
    added: only(next, old).sort(),
    removed: only(old, next).sort(),
    changed: changed.map(([name, version]) => `${name} ${old.get(name)} → ${version}`).sort(),
  };
}

/** As semantic versions compare: negative where `left` is the older. */
export function compareVersions(left: string, right: string): number {
  const [one, other] = [left, right].map((version) => version.split(/-(.*)/s)) as [string[], string[]];
  const numbers = (version = '') => version.split('.').map(Number);
  for (const [index, number] of numbers(one[0]).entries()) {
    const difference = number - (numbers(other[0])[index] ?? 0);
    if (difference !== 0) return difference;
  }
  // 1.0.0-rc.1 comes before 1.0.0.
  if (one[1] === undefined || other[1] === undefined)
    return Number(one[1] === undefined) - Number(other[1] === undefined);
  return one[1].localeCompare(other[1], 'en', { numeric: true });
}

/** Of dpkg: the files that the package put on this system. */
const debianList = '/var/lib/dpkg/info/lokal.list';

/** @throws StartError saying how this installation is updated instead */
export function refuseOtherInstallation(root: string, packageList: string = debianList): void {
  const refuse = (why: string) => new StartError(`Not updated: ${why}.`);
  if (/[\\/]app\.asar(\.unpacked)?$/.test(root))
    throw refuse('this is the desktop app; its installer replaces it');
  if (existsSync(packageList) && readFileSync(packageList, 'utf8').split('\n').includes(join(root, 'lokal')))
    throw refuse(
      'this program came with a Debian package; apt-get install ./lokal_VERSION_ARCH.deb updates it',
    );
  if (!existsSync(join(root, 'bin')) || !existsSync(join(root, 'dist', 'server', 'cli.js')))
    throw refuse(`${root} is a checkout; git pull and npm ci update it`);
  for (const folder of [root, dirname(root)])
    try {
      accessSync(folder, constants.W_OK);
    } catch {
      throw refuse(`the folder ${folder} cannot be written by this user`);
    }
}
