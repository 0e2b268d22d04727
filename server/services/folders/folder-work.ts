/**
 * Files of a folder worked through once each, by their content: what is done stands in a journal of the output folder, so a
 * run that was stopped goes on where it was. Why a file failed stands in `errors/`, with a copy of it unless the answers are to
 * be handed on without what is in it.
 */
import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { beliedMessage, beliedName } from '../../api/services/named-otherwise.ts';
import { FullDiskError, isFull } from '../../full-disk.ts';
import { makeNamedFolder } from '../../make-folders.ts';
import { whyUnread } from '../../read-failure.ts';
import { StartError } from '../../start-error.ts';
import { FolderJournal } from './folder-journal.ts';

/** A file to be written, its name behind that of its source. */
export interface FolderOutput {
  suffix: string;
  /** The end of the source's name that the suffix takes the place of, where it has it. */
  inPlaceOf?: string;
  data: string | Uint8Array;
}

export interface FolderJob {
  /** Names the journal: work of one kind is done once in an output folder. */
  kind: string;
  from: string;
  out: string;
  /** @throws Error whose message tells why the file is put aside */
  work(bytes: Buffer, name: string): Promise<FolderOutput[]>;
  /** Of the work, where it can be chosen: a file is done anew under another choice. */
  choice?: unknown;
  /**
   * Its files hold what the answers are to be free of: none is copied beside them, and an earlier answer, which may be free of
   * less, does not outlast what took its place or failed to.
   */
  secret?: boolean;
  /** Ends a pass; a file that it interrupts is neither done nor failed. */
  signal?: AbortSignal;
  /** Told of each file when it is through. */
  report(outcome: FolderOutcome): void;
}

export interface FolderOutcome {
  name: string;
  result: 'done' | 'failed' | 'known';
  reason?: string;
  /** Files through and files seen, in this run. */
  at: number;
  of: number;
}

/** A file that grows is still being written. */
const settleMs = 1_500;

/** Source files below, hidden ones and the output folder left out; links are not followed. */
async function filesBelow(folder: string, out: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || resolve(path) === resolve(out)) continue;
    if (entry.isDirectory()) found.push(...(await filesBelow(path, out)));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

/** Links followed, where there is something. */
const realPath = (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

/** Complete or not there at all. @throws FullDiskError, which ends the run: no other file would fit either */
async function writeWhole(path: string, data: string | Uint8Array): Promise<void> {
  const part = join(dirname(path), `.${basename(path)}.part`);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(part, data);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw isFull(error) ? new FullDiskError(dirname(path)) : error;
  }
}

const withoutEnd = (name: string, end: string): string =>
  name.endsWith(end) ? name.slice(0, name.length - end.length) : name;

export class FolderRun {
  readonly #job: FolderJob;
  readonly #single: boolean;
  readonly #journal: FolderJournal;
  /** Failed in this run. */
  readonly #failed = new Set<string>();
  /** Paths by size and time of change, as they were when they were worked on. */
  readonly #seen = new Map<string, string>();

  private constructor(job: FolderJob, single: boolean, journal: FolderJournal) {
    this.#job = job;
    this.#single = single;
    this.#journal = journal;
  }

  /** @throws StartError for a path that cannot be read */
  static async open(job: FolderJob): Promise<FolderRun> {
    const from = await stat(job.from).catch((error: NodeJS.ErrnoException) => {
      throw new StartError(`${job.from} ${whyUnread(error)}.`);
    });
    const [source, target] = await Promise.all([job.from, job.out].map(realPath));
    // Its own answers would be work for the next pass.
    if (source === target)
      throw new StartError(`${job.out} is the folder that is read; name another for the answers.`);
    makeNamedFolder(job.out, 0o777);
    return new FolderRun(job, from.isFile(), await FolderJournal.open(job.out, job.kind));
  }

  /** Works through what is there and has not changed for a moment. @returns how many failed */
  async pass({ settled = true }: { settled?: boolean } = {}): Promise<number> {
    const [from, out] = (await Promise.all([this.#job.from, this.#job.out].map(realPath))) as [
      string,
      string,
    ];
    const files = this.#single ? [from] : await filesBelow(from, out);
    let failed = 0;
    for (const [index, path] of files.entries()) {
      if (this.#job.signal?.aborted) break;
      const { size, mtimeMs } = await stat(path).catch(() => ({ size: -1, mtimeMs: 0 }));
      const state = `${size} ${mtimeMs}`;
      if (size < 0 || this.#seen.get(path) === state) continue;
      if (!settled && Date.now() - mtimeMs < settleMs) continue;
      this.#seen.set(path, state);
      const name = this.#single ? basename(path) : relative(from, path);
      const outcome = await this.#one(path, name);
      if (outcome.result === 'failed') failed++;
      this.#job.report({ name, ...outcome, at: index + 1, of: files.length });
    }
    return failed;
  }

  #digest(bytes: Buffer): string {
    const hash = createHash('sha256').update(bytes);
    const { choice } = this.#job;
    return (choice === undefined ? hash : hash.update(JSON.stringify(choice))).digest('hex');
  }

  async #one(path: string, name: string): Promise<Pick<FolderOutcome, 'result' | 'reason'>> {
    const bytes = await readFile(path).catch(() => null);
    if (!bytes) return { result: 'failed', reason: 'it cannot be read' };
    const sha256 = this.#digest(bytes);
    if (this.#journal.has(sha256) || this.#failed.has(sha256)) return { result: 'known' };
    const { out, work, secret } = this.#job;
    const files: string[] = [];
    try {
      const belied = beliedName(name, bytes);
      if (belied) throw new Error(beliedMessage(belied));
      for (const { suffix, inPlaceOf = '', data } of await work(bytes, name)) {
        const file = `${withoutEnd(name, inPlaceOf)}${suffix}`;
        await writeWhole(join(out, file), data);
        files.push(file);
      }
    } catch (error) {
      this.#job.signal?.throwIfAborted();
      if (error instanceof FullDiskError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const gone = (await this.#removeEarlier(name, []))
        ? '; the answer of an earlier choice was removed'
        : '';
      this.#failed.add(sha256);
      if (!secret) await writeWhole(join(out, 'errors', name), bytes);
      await writeWhole(join(out, 'errors', `${name}.error.txt`), `${reason}${gone}\n`);
      await this.#journal.failed(name);
      return { result: 'failed', reason: `${reason}${gone}` };
    }
    await this.#removeEarlier(name, files);
    if (this.#journal.hasFailed(name)) await this.#removeError(name);
    await this.#journal.done(name, sha256, files);
    return { result: 'done' };
  }

  /** @returns true where there was one */
  async #removeEarlier(name: string, kept: readonly string[]): Promise<boolean> {
    if (!this.#job.secret) return false;
    const { out } = this.#job;
    // A journal that somebody wrote reaches nothing else.
    const earlier = this.#journal
      .filesOf(name)
      .filter((file) => !kept.includes(file) && resolve(out, file).startsWith(resolve(out) + sep));
    for (const file of earlier) await rm(join(out, file), { force: true });
    return earlier.length > 0;
  }

  async #removeError(name: string): Promise<void> {
    const errors = join(this.#job.out, 'errors');
    for (const file of [name, `${name}.error.txt`]) await rm(join(errors, file), { force: true });
    // Folders that are empty now; one that is not stays.
    for (let folder = dirname(join(errors, name)); folder.startsWith(errors); folder = dirname(folder))
      if (
        !(await rmdir(folder).then(
          () => true,
          () => false,
        ))
      )
        break;
  }
}
