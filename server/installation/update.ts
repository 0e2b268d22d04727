/**
 * The program replaced by another version, without a network:
 *
 *   unpacked beside it → tried on a copy of the data → the two folders change places → the old one stays as `.previous`
 *
 * Until they change places nothing of the installation has changed. A note in the data folder tells the next run what one
 * that was killed had done, so that at every moment the program's path leads to a whole program.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createZstdDecompress } from 'node:zlib';
import { StartError } from '../start-error.ts';
import { type BackupManifest, bringBack, readBackup, writeBackup } from './backup-folder.ts';
import { exchangeFolders, flushDisks } from './exchange.ts';
import {
  compareContent,
  compareVersions,
  type ProgramDifference,
  readProgramContent,
} from './program-folder.ts';
import { unpackTar } from './tar-reader.ts';

export interface Installation {
  /** The program's folder. */
  root: string;
  /** The data folder. */
  home: string;
  /** For the new program's trial. */
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  arch: string;
  /** Told of each step done, in order. */
  onStep?: (step: UpdateStep) => void;
}

export type UpdateStep =
  | 'unpacked'
  | 'backed up'
  | 'tried'
  | 'noted'
  | 'exchanged'
  | 'kept'
  | 'data returned'
  | 'returned';

/** `update/note.json` in the data folder. */
interface UpdateNote {
  state: 'switching' | 'done' | 'returning';
  from: string;
  to: string;
  root: string;
  /** Of the folder that is to come to `root`: tells afterwards which of the two lies there. */
  inode: number;
  /** Null where there was no data yet. */
  backup: 'made' | null;
}

const systems: Partial<Record<NodeJS.Platform, string>> = { darwin: 'macos', win32: 'windows' };
const trialTimeoutMs = 120_000;

const pathsOf = ({ root, home }: Pick<Installation, 'root' | 'home'>) => ({
  staged: `${root}.new`,
  previous: `${root}.previous`,
  folder: join(home, 'update'),
  note: join(home, 'update', 'note.json'),
  backup: join(home, 'update', 'backup'),
  newBackup: join(home, 'update', 'backup.new'),
  trial: join(home, 'update', 'trial'),
});

export interface StagedUpdate {
  difference: ProgramDifference;
  /** Tries the new program on a copy of the data, then puts it in the old one's place. @throws StartError */
  install(): Promise<void>;
  /** Removes what was unpacked. */
  discard(): Promise<void>;
}

/**
 * Unpacks an archive whose signature was checked, beside the program.
 * @param sha256 what was signed
 * @throws StartError naming what is wrong; nothing is left then
 */
export async function stageUpdate(
  archive: { file: string; sha256: string },
  installation: Installation,
  options: { allowOlder: boolean },
): Promise<StagedUpdate> {
  settleUpdate(installation);
  const { staged } = pathsOf(installation);
  const discard = () => rm(staged, { recursive: true, force: true });
  try {
    await discard();
    const top = await unpackArchive(archive, staged);
    refuseOtherSystem(top, installation);
    const difference = compareContent(readProgramContent(installation.root), readProgramContent(staged));
    const { from, to } = difference;
    if (compareVersions(to, from) < 0 && !options.allowOlder)
      throw new Error(`it is version ${to}, and this is ${from} already; --downgrade takes it`);
    installation.onStep?.('unpacked');
    return { difference, discard, install: () => install(installation, difference) };
  } catch (error) {
    await discard();
    throw toStartError(error);
  }
}

async function unpackArchive(
  { file, sha256 }: { file: string; sha256: string },
  target: string,
): Promise<string> {
  await mkdir(target, { mode: 0o755 });
  // From its first listener on the file flows: nothing is waited for before the pipe, which would miss what came by then.
  const digest = createHash('sha256');
  const source = createReadStream(file, { highWaterMark: 1 << 20 });
  const plain = createZstdDecompress();
  source.on('data', (chunk) => digest.update(chunk));
  source.once('error', (error) => plain.destroy(error));
  try {
    const top = await unpackTar(source.pipe(plain), target);
    // Bytes behind the end of the tar were signed with it.
    for await (const _rest of plain);
    if (digest.digest('hex') !== sha256) throw new Error('it was changed while it was read');
    return top;
  } finally {
    source.destroy();
  }
}

function refuseOtherSystem(top: string, { platform, arch }: Installation): void {
  const [, system] = /^lokal-\d+\.\d+\.\d+(?:-[\w.]+?)?-((?:linux|macos|windows)-\w+)$/.exec(top) ?? [];
  const own = `${systems[platform] ?? platform}-${arch}`;
  if (!system) throw new Error('it is no archive of a release');
  if (system !== own) throw new Error(`it is for ${system}, and this is ${own}`);
}

async function install(installation: Installation, { from, to }: ProgramDifference): Promise<void> {
  const { root, home, onStep } = installation;
  const { staged, folder, note, newBackup } = pathsOf(installation);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await rm(newBackup, { recursive: true, force: true });
    const hasData = existsSync(join(home, 'lokal.db'));
    const copy = hasData ? await writeBackup(home, newBackup, { packs: false }) : null;
    onStep?.('backed up');
    await tryStaged(installation, to, copy);
    onStep?.('tried');
    flushDisks();
    const inode = statSync(staged).ino;
    writeNote(note, { state: 'switching', from, to, root, inode, backup: copy && 'made' });
    onStep?.('noted');
    exchangeFolders(root, staged);
    onStep?.('exchanged');
    await refuseSilent(installation, to);
    settleUpdate(installation);
    onStep?.('kept');
  } catch (error) {
    goBack(installation);
    throw toStartError(error);
  }
}

/** The new program says its own version at the old one's path. */
async function refuseSilent({ root, env, home }: Installation, version: string): Promise<void> {
  const said = await run(root, ['--version'], { ...env, LOKAL_HOME: home });
  if (said.trim() !== version) throw new Error(`it says it is ${said.trim().slice(0, 100)}, not ${version}`);
}

/** `doctor` of the new program on a copy of database and keys, which it brings to its own schema. */
async function tryStaged(
  installation: Installation,
  version: string,
  copy: BackupManifest | null,
): Promise<void> {
  const { staged, trial, newBackup } = pathsOf(installation);
  try {
    await rm(trial, { recursive: true, force: true });
    await mkdir(trial, { mode: 0o700 });
    if (copy) bringBack(newBackup, trial, copy, { toOwnSchema: false });
    const output = await run(staged, ['doctor', '--json'], { ...installation.env, LOKAL_HOME: trial });
    const facts = JSON.parse(output) as {
      versions: { lokal: string };
      no_models: string | null;
      problem: string | null;
    };
    const problem = facts.problem ?? facts.no_models;
    if (problem !== null)
      throw new Error(`it does not run on a copy of the data: ${problem.replace(/\.$/, '')}`);
    if (facts.versions.lokal !== version)
      throw new Error(`it says it is ${facts.versions.lokal}, not ${version}`);
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

async function run(root: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(join(root, 'lokal'), args, { env, timeout: trialTimeoutMs });
    return stdout;
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    // A doctor that misses something, such as the packs that a trial has no copy of, says so by its code too.
    if (code === 1 && stdout.startsWith('{')) return stdout;
    const last = stderr.trim().split('\n').at(-1)?.slice(0, 300);
    throw new Error(`it does not run here${last ? `: ${last}` : ''}`);
  }
}

/** After a failure: the old program is at its place, and nothing of the new one is left. */
function goBack(installation: Installation): void {
  const { root } = installation;
  const { staged, note, newBackup } = pathsOf(installation);
  const known = readNote(note);
  if (known?.state === 'switching') {
    if (existsSync(staged) && inodeOf(root) === known.inode) exchangeFolders(root, staged);
    forgetSwitch(installation);
  }
  rmSync(staged, { recursive: true, force: true });
  rmSync(newBackup, { recursive: true, force: true });
}

/** The version that an earlier update kept is still there to return to. */
function forgetSwitch(installation: Pick<Installation, 'root' | 'home'>): void {
  const { root } = installation;
  const { previous, note, backup } = pathsOf(installation);
  if (!existsSync(previous)) {
    rmSync(note, { force: true });
    return;
  }
  const versionOf = (folder: string) => readProgramContent(folder).version;
  const from = versionOf(previous);
  const made = existsSync(backup) ? 'made' : null;
  writeNote(note, { state: 'done', from, to: versionOf(root), root, inode: inodeOf(root), backup: made });
}

/** Brings to its end what a killed run began, as far as it came. */
function settleUpdate(installation: Pick<Installation, 'root' | 'home'>): void {
  const { root } = installation;
  const { staged, previous, note, backup, newBackup } = pathsOf(installation);
  const known = readNote(note);
  if (!known || known.root !== root || known.state === 'done') return;
  const switched = inodeOf(root) === known.inode;
  if (known.state === 'returning') {
    if (!switched) return;
    rmSync(previous, { recursive: true, force: true });
    rmSync(backup, { recursive: true, force: true });
    rmSync(note, { force: true });
    return;
  }
  if (!switched) {
    rmSync(staged, { recursive: true, force: true });
    rmSync(newBackup, { recursive: true, force: true });
    forgetSwitch(installation);
    return;
  }
  if (existsSync(staged)) {
    rmSync(previous, { recursive: true, force: true });
    renameSync(staged, previous);
  }
  if (existsSync(newBackup) || known.backup === null) rmSync(backup, { recursive: true, force: true });
  if (existsSync(newBackup)) renameSync(newBackup, backup);
  writeNote(note, { ...known, state: 'done' });
}

export interface Returned {
  from: string;
  to: string;
  /** Of the data that came back; null where there was none. */
  created: string | null;
}

/** The program and the data as they were before the last update. @throws StartError */
export async function undoUpdate(installation: Installation): Promise<Returned> {
  settleUpdate(installation);
  const { root, home, onStep } = installation;
  const { previous, note, backup } = pathsOf(installation);
  const known = readNote(note);
  if (!known || known.root !== root || !existsSync(previous))
    throw new StartError('There is no update of this program to return from.');
  const { from, to } = known;
  try {
    const created = known.backup === 'made' ? await returnData(backup, home) : null;
    onStep?.('data returned');
    // The old data opens under both programs, so a run that is killed here leaves one that starts.
    writeNote(note, { ...known, state: 'returning', inode: inodeOf(previous) });
    exchangeFolders(root, previous);
    onStep?.('exchanged');
    settleUpdate(installation);
    onStep?.('returned');
    return { from: to, to: from, created };
  } catch (error) {
    throw toStartError(error);
  }
}

async function returnData(backup: string, home: string): Promise<string> {
  const manifest = await readBackup(backup);
  // As it was: a schema of this program is what the earlier one could not read.
  bringBack(backup, home, manifest, { toOwnSchema: false });
  return manifest.created;
}

function readNote(file: string): UpdateNote | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as UpdateNote;
  } catch {
    return null;
  }
}

function writeNote(file: string, note: UpdateNote): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(note)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

const inodeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.ino ?? -1;

function toStartError(error: unknown): StartError {
  if (error instanceof StartError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return new StartError('Not updated: the disk is full.');
  return new StartError(`Not updated: ${message}.`);
}
