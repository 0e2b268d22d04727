/** Other people's parts in Lokal: each package of an install and of the interface, its licence and its texts. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installRoot, root } from '../start/paths.ts';

interface LockEntry {
  version?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface Rules {
  allowed: string[];
  /** Only with a notice, an offer of source and the way to replace them, which a rule's first text holds. */
  withNotice: string[];
  texts: { name: string; files: string[]; as?: string }[];
}

export interface Part {
  name: string;
  version: string;
  licence: string;
  texts: string[];
}

const folder = join(root, 'build', 'licences');
export const rules = JSON.parse(readFileSync(join(folder, 'parts.json'), 'utf8')) as Rules;

const lockFile = (): Record<string, LockEntry> =>
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

/** @throws Error naming every package whose licence is not allowed or whose text is nowhere */
export function collectParts(lock: Record<string, LockEntry> = lockFile()): Part[] {
  const parts: Part[] = [];
  const problems: string[] = [];
  for (const path of [...shippedPaths(lock)].sort()) {
    const { version = '', license = 'none' } = lock[path] ?? {};
    const name = nameOf(path);
    const rule = rules.texts.find((each) => new RegExp(each.name).test(name));
    const texts = rule ? ruleTexts(rule, path) : ownTexts(path);
    const problem = checkPart({ name, version, licence: license, texts });
    if (problem) problems.push(`${name}@${version}: ${problem}`);
    parts.push({ name, version, licence: license, texts });
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  // npm may lay one version into several folders.
  const once = [...new Map(parts.map((part) => [`${part.name}@${part.version}`, part])).values()];
  return once.sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
}

/** The obstacle to shipping a part; null where there is none. */
export function checkPart({ licence, texts }: Part): string | null {
  if (rules.withNotice.includes(licence)) {
    const [notice = ''] = texts;
    return /^(LGPL|MPL) PART/.test(notice) && notice.includes('How to replace')
      ? null
      : `${licence} without its notice`;
  }
  if (!rules.allowed.includes(licence))
    return `the licence ${licence} is not on the list of build/licences/parts.json`;
  return texts.some((text) => text.trim().length > 100) ? null : 'no text of its licence';
}

const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '');

/** Packages that npm installs for people, and those that the interface is bundled from. */
function shippedPaths(lock: Record<string, LockEntry>): Set<string> {
  const installed = Object.entries(lock).filter(([path, { dev, link }]) => path !== '' && !dev && !link);
  const paths = new Set(installed.map(([path]) => path));
  for (const name of bundledRoots()) follow(lock, resolve(lock, '', name), paths);
  return paths;
}

/** The packages that the interface imports; its snippets of code for others name packages too. */
function bundledRoots(): Set<string> {
  const names = new Set<string>();
  const files = globSync('renderer/src/**/*.{ts,tsx}', { cwd: root });
  for (const file of files.filter((each) => !each.includes('snippets'))) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, name] of text.matchAll(
      /^(?:import|\}) (?:.* )?(?:from )?'((?:@[^/']+\/)?[^./'@:]+)(?:\/[^']*)?';$/gm,
    ))
      if (name) names.add(name);
  }
  return names;
}

function follow(lock: Record<string, LockEntry>, path: string | null, paths: Set<string>): void {
  if (path === null || (paths.has(path) && lock[path]?.dev !== true)) return;
  if (paths.has(path)) return;
  paths.add(path);
  for (const name of Object.keys(lock[path]?.dependencies ?? {}))
    follow(lock, resolve(lock, path, name), paths);
}

/** As Node looks: in the package's own folder, then upwards. */
function resolve(lock: Record<string, LockEntry>, from: string, name: string): string | null {
  for (let at = from; ; at = at.replace(/(^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (lock[path]) return path;
    if (at === '') return null;
  }
}

const licenceFile = /^(licen[sc]e|copying|notice|copyright)/i;

function ownTexts(path: string): string[] {
  const place = join(installRoot, path);
  if (!existsSync(place)) return [];
  const names = readdirSync(place).filter((name) => licenceFile.test(name) && !/\.(js|ts|json)$/.test(name));
  return names.sort().map((name) => readFileSync(join(place, name), 'utf8'));
}

/** Of the same files on every system, whichever of a package's platforms is installed. */
function ruleTexts({ as, files }: Rules['texts'][number], path: string): string[] {
  const others = as ? ownTexts(path.replace(/node_modules\/(?:@[^/]+\/)?[^/]+$/, `node_modules/${as}`)) : [];
  return [...others, ...files.map((file) => readFileSync(join(folder, file), 'utf8'))];
}
