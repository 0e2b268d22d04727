/** `lokal backup` and `lokal restore`: the data folder as one folder of plain files, each with its hash. */
import {
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
import { readConfig } from '../config.ts';
import { checkDatabase, copyDatabase } from '../db/backup.ts';
import { lockDataFolder, prepareDataFolder } from '../db/data-folder.ts';
import { hashFile } from '../packs/verify.ts';
import { StartError } from '../start-error.ts';
import { version } from '../version.ts';
import { type Command, required } from './command.ts';

const manifestName = 'backup.json';
const databaseName = 'lokal.db';
/** Without them stored answers cannot be read, and reports are signed by another key. */
const keyFiles = ['install-key', 'install-key.sealed', 'signing-key.json'];
const packFolder = 'packs';

interface Manifest {
  kind: 'lokal-backup';
  lokal: string;
  created: string;
  /** Path → SHA-256. */
  files: Record<string, string>;
}

const backupHelp = `Usage: lokal backup FOLDER [--without-packs]

Copies keys, usage, settings, templates, rules and imported packs into FOLDER, which must be new or empty. A server may run
meanwhile: what it writes after the start of the copy is not in it. The copy holds secrets; keep it as you keep the data folder.

  --without-packs   leave imported packs out; they can be imported again
  --json            print one line of JSON
  --help            this text`;

export const backup: Command = {
  help: backupHelp,
  options: { 'without-packs': { type: 'boolean' } },
  async run(input) {
    const target = resolve(required(input, 0, 'FOLDER'));
    const { home } = readConfig();
    const database = join(home, databaseName);
    if (!existsSync(database)) throw new StartError(`There is nothing to back up in ${home}.`);
    refuseFull(target);
    mkdirSync(target, { recursive: true, mode: 0o700 });
    await copyDatabase(database, join(target, databaseName));
    const packs = input.values['without-packs'] === true ? [] : filesBelow(home, packFolder);
    for (const path of [...keyFiles.filter((name) => existsSync(join(home, name))), ...packs])
      copy(join(home, path), join(target, path));
    const manifest: Manifest = {
      kind: 'lokal-backup',
      lokal: version,
      created: new Date().toISOString(),
      files: await hashesOf(target),
    };
    writeFileSync(join(target, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
      flush: true,
    });
    const files = Object.keys(manifest.files).length;
    const bytes = Object.keys(manifest.files).reduce(
      (sum, path) => sum + statSync(join(target, path)).size,
      0,
    );
    input.print({ folder: target, files, bytes }, [
      `${files} files, ${(bytes / 1e6).toFixed(1)} MB, in ${target}.`,
      'It holds the secrets of this installation. `lokal restore` brings it back.',
    ]);
  },
};

const restoreHelp = `Usage: lokal restore FOLDER

Brings a backup back into the data folder. The server must be stopped. Every file is checked first, and what is replaced is
kept beside it as NAME.before-restore.

  --json   print one line of JSON
  --help   this text`;

export const restore: Command = {
  help: restoreHelp,
  options: {},
  async run(input) {
    const source = resolve(required(input, 0, 'FOLDER'));
    const manifest = await readManifest(source);
    const { home } = readConfig();
    prepareDataFolder(home);
    const unlock = lockDataFolder(home);
    try {
      await bringBack(source, home, manifest);
    } finally {
      unlock();
    }
    const files = Object.keys(manifest.files).length;
    input.print({ folder: home, files, created: manifest.created, lokal: manifest.lokal }, [
      `${files} files of ${manifest.created} are back in ${home}.`,
    ]);
  },
};

/** The database is opened beside the old one first, so that a newer or damaged one changes nothing. */
async function bringBack(source: string, home: string, { files }: Manifest): Promise<void> {
  const staged = join(home, '.restore');
  rmSync(staged, { recursive: true, force: true });
  try {
    for (const path of Object.keys(files)) copy(join(source, path), join(staged, path));
    checkDatabase(join(staged, databaseName));
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

function replace(from: string, to: string): void {
  const kept = `${to}.before-restore`;
  rmSync(kept, { recursive: true, force: true });
  if (existsSync(to)) renameSync(to, kept);
  renameSync(from, to);
}

/** @throws StartError when a file is missing or was changed, or a path leads out of the folder */
async function readManifest(source: string): Promise<Manifest> {
  const refuse = (why: string) => new StartError(`${source} is not restored: ${why}.`);
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(join(source, manifestName), 'utf8')) as Manifest;
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
