/** A backup: the data folder as one folder of plain files, each with its hash. */
import {
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { checkDatabase, copyDatabase } from '../db/backup.ts';
import { FullDiskError, isFull } from '../full-disk.ts';
import { makeNamedFolder } from '../make-folders.ts';
import { hashFile } from '../packs/verify.ts';
import { StartError } from '../start-error.ts';
import { version } from '../version.ts';

const manifestName = 'backup.json';
const databaseName = 'lokal.db';
/** Without them stored answers cannot be read, and reports are signed by another key. */
const keyFiles = ['install-key', 'install-key.sealed', 'signing-key.json'];
const packFolder = 'packs';

export interface BackupManifest {
  kind: 'lokal-backup';
  lokal: string;
  created: string;
  /** Path → SHA-256. */
  files: Record<string, string>;
}

/** @param target new or empty @throws StartError where there is nothing to back up, or the target is full */
export async function writeBackup(
  home: string,
  target: string,
  options: { packs: boolean },
): Promise<BackupManifest> {
  const database = join(home, databaseName);
  if (!existsSync(database)) throw new StartError(`There is nothing to back up in ${home}.`);
  refuseFull(target);
  makeNamedFolder(target);
  try {
    return await writeFiles(home, target, options);
  } catch (error) {
    // Half a backup is none, and would be in the way of the next try.
    for (const name of readdirSync(target)) rmSync(join(target, name), { recursive: true, force: true });
    throw isFull(error) ? new FullDiskError(target) : error;
  }
}

async function writeFiles(
  home: string,
  target: string,
  options: { packs: boolean },
): Promise<BackupManifest> {
  await copyDatabase(join(home, databaseName), join(target, databaseName));
  const packs = options.packs ? filesBelow(home, packFolder) : [];
  for (const path of [...keyFiles.filter((name) => existsSync(join(home, name))), ...packs])
    copy(join(home, path), join(target, path));
  const manifest: BackupManifest = {
    kind: 'lokal-backup',
    lokal: version,
    created: new Date().toISOString(),
    files: await hashesOf(target),
  };
  writeFileSync(join(target, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
  return manifest;
}

/**
 * The database is opened beside the old one first, so that a newer or damaged one changes nothing, and comes to this version's
 * schema unless that is left to another version. What is replaced stays as NAME.before-restore.
 */
export function bringBack(
  source: string,
  home: string,
  { files }: BackupManifest,
  options: { toOwnSchema: boolean } = { toOwnSchema: true },
): void {
  const staged = join(home, '.restore');
  rmSync(staged, { recursive: true, force: true });
  try {
    for (const path of Object.keys(files)) copy(join(source, path), join(staged, path));
    if (options.toOwnSchema) checkDatabase(join(staged, databaseName));
    giveToOwner(home, staged);
    for (const name of new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''))) {
      replace(join(staged, name), join(home, name));
      // Companions of the old database would be read as the new one's.
      if (name === databaseName)
        for (const end of ['-wal', '-shm']) rmSync(join(home, name + end), { force: true });
    }
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** Root may work in a service's data folder: what comes back must be readable by the service's user. */
function giveToOwner(home: string, staged: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(home);
  for (const name of ['', ...readdirSync(staged, { recursive: true, encoding: 'utf8' })])
    chownSync(join(staged, name), uid, gid);
}

function replace(from: string, to: string): void {
  const kept = `${to}.before-restore`;
  rmSync(kept, { recursive: true, force: true });
  if (existsSync(to)) renameSync(to, kept);
  renameSync(from, to);
}

/** @throws StartError when a file is missing or was changed, or a path leads out of the folder */
export async function readBackup(source: string): Promise<BackupManifest> {
  const refuse = (why: string) => new StartError(`${source} is not restored: ${why}.`);
  if (!existsSync(source)) throw refuse('it is not there');
  let manifest: BackupManifest;
  try {
    manifest = JSON.parse(readFileSync(join(source, manifestName), 'utf8')) as BackupManifest;
  } catch {
    throw refuse(`it holds no ${manifestName}, which a whole backup ends with`);
  }
  if (manifest.kind !== 'lokal-backup' || !Object.hasOwn(manifest.files ?? {}, databaseName))
    throw refuse('it is not a backup of Lokal');
  for (const [path, sha256] of Object.entries(manifest.files)) {
    const [top = '', ...rest] = path.split('/');
    const known = rest.length > 0 ? top === packFolder : [databaseName, ...keyFiles].includes(top);
    if (!known || rest.some((part) => part === '' || part.startsWith('.') || part.includes('\\')))
      throw refuse(`${JSON.stringify(path)} is no path of a backup`);
    if (!existsSync(join(source, path))) throw refuse(`${path} is missing`);
    if ((await hashFile(join(source, path))) !== sha256) throw refuse(`${path} was changed`);
  }
  return manifest;
}

function refuseFull(target: string): void {
  if (existsSync(target) && (!statSync(target).isDirectory() || readdirSync(target).length > 0))
    throw new StartError(`${target} is there already; a backup goes into a new folder.`);
}

/** Relative to `folder`, with slashes; what an import under way keeps there begins with a dot and is left. */
function filesBelow(folder: string, below: string): string[] {
  const found = globSync(`${below}/**/*`, { cwd: folder, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(resolve(folder).length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  cpSync(from, to);
}

async function hashesOf(folder: string): Promise<Record<string, string>> {
  const paths = [
    ...readdirSync(folder).filter((name) => name !== packFolder),
    ...filesBelow(folder, packFolder),
  ];
  return Object.fromEntries(
    await Promise.all(paths.sort().map(async (path) => [path, await hashFile(join(folder, path))])),
  );
}
