/**
 * Folders that the person has the server watch: each document dropped there is read once, by its content, and its answer written
 * to another folder. They are kept, and watched again when the server starts, until they are stopped.
 */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  WatchedFolder,
  WatchedFolderInput,
  WatchedFolderList,
} from '../../api/console/watched-folders.ts';
import { ApiError } from '../../errors.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { localOwner } from '../caller.ts';
import type { DocumentsService } from '../documents/documents.ts';
import { playgroundPrincipal } from '../keys/playground.ts';
import { createSealedRecords, type SealedRecordDeps } from '../sealed-records.ts';
import type { UsageService } from '../usage.ts';
import { documentChoice, documentOutputs } from './document-outputs.ts';
import { type FolderOutcome, FolderRun } from './folder-work.ts';

export interface WatchedFolderService {
  list(): WatchedFolderList;
  /** @throws ApiError invalid_value for a folder that cannot be watched, conflict for one that is already */
  add(input: WatchedFolderInput): WatchedFolder;
  /** @throws ApiError not_found */
  remove(id: string): void;
  /** @throws ApiError not_found */
  start(id: string): WatchedFolder;
  /** @throws ApiError not_found */
  stop(id: string): WatchedFolder;
  /** Watches all that were watched when the server ended. */
  resume(): void;
  close(): void;
}

type Kept = Pick<WatchedFolder, 'from' | 'to' | 'template' | 'output_format'> & { watched: boolean };

interface Watch {
  abort: AbortController;
  error: string | null;
  done: number;
  failed: number;
  errors: WatchedFolder['errors'];
}

export interface WatchedFolderDeps extends SealedRecordDeps {
  audit: AuditLog;
  documents: Pick<DocumentsService, 'parse'>;
  usage: Pick<UsageService, 'record'>;
  pollMs?: number;
}

const mostFolders = 32;
const mostErrors = 20;

export function createWatchedFolders(deps: WatchedFolderDeps): WatchedFolderService {
  const { audit, documents, usage, pollMs = 2_000 } = deps;
  const records = createSealedRecords(deps, {
    kind: 'watched_folder',
    place: (part, id) => `watched folder ${id} ${part}`,
  });
  const watches = new Map<string, Watch>();

  function find(id: string): Kept {
    const record = records.find(id);
    if (!record) throw new ApiError('not_found', 'There is no such watched folder.');
    return JSON.parse(record.content.toString()) as Kept;
  }
  const put = (id: string, kept: Kept) => records.put({ id, content: Buffer.from(JSON.stringify(kept)) });

  function show(id: string, { watched, ...kept }: Kept): WatchedFolder {
    const { error = null, done = 0, failed = 0, errors = [] } = watches.get(id) ?? {};
    const state = error !== null ? 'failed' : watched ? 'watching' : 'stopped';
    return { id, ...kept, state, error, done, failed, errors };
  }

  const all = () =>
    records
      .list()
      .map(({ id }) => ({ id, kept: find(id) }))
      .sort((a, b) => a.kept.from.localeCompare(b.kept.from));

  function begin(id: string, kept: Kept): void {
    watches.get(id)?.abort.abort();
    const watch: Watch = { abort: new AbortController(), error: null, done: 0, failed: 0, errors: [] };
    watches.set(id, watch);
    watchFolder(kept, watch).catch((error: unknown) => {
      if (!watch.abort.signal.aborted) watch.error = error instanceof Error ? error.message : String(error);
    });
  }

  async function watchFolder(kept: Kept, watch: Watch): Promise<void> {
    const { signal } = watch.abort;
    const { template, output_format } = kept;
    const run = await FolderRun.open({
      kind: 'watch',
      from: kept.from,
      out: kept.to,
      choice: documentChoice(output_format, template),
      signal,
      async work(bytes) {
        const file = bytes.toString('base64');
        const body = { model: 'svc-parse-pro', file, output_format, ...(template && { template }) };
        const caller = localOwner('watched folder', signal);
        const answer = await documents.parse(body, caller);
        // The person's own work, as what they try in the interface.
        usage.record(playgroundPrincipal, caller.meter);
        return documentOutputs(answer);
      },
      report: (outcome) => note(watch, outcome),
    });
    while (!signal.aborted) {
      await run.pass({ settled: false });
      await sleep(pollMs, undefined, { signal, ref: false });
    }
  }

  const setWatched = (id: string, watched: boolean): Kept => {
    const kept = { ...find(id), watched };
    put(id, kept);
    return kept;
  };

  return {
    list: () => ({ data: all().map(({ id, kept }) => show(id, kept)) }),

    add({ from, to, template, output_format = 'json' }) {
      refuseFolders(from, to);
      const others = all();
      if (others.some(({ kept }) => resolve(kept.from) === resolve(from)))
        throw new ApiError('conflict', 'The folder is watched already.', { param: 'from' });
      if (others.length >= mostFolders)
        throw new ApiError('conflict', `At most ${mostFolders} folders are watched.`);
      const id = randomBytes(8).toString('hex');
      const kept: Kept = {
        from: resolve(from),
        to: resolve(to),
        template: template ?? null,
        output_format,
        watched: true,
      };
      audit.act({ action: 'watched_folder.add', target: id }, () => put(id, kept));
      begin(id, kept);
      return show(id, kept);
    },

    remove(id) {
      find(id);
      watches.get(id)?.abort.abort();
      watches.delete(id);
      audit.act({ action: 'watched_folder.remove', target: id }, () => records.remove(id));
    },

    start(id) {
      const kept = setWatched(id, true);
      begin(id, kept);
      return show(id, kept);
    },

    stop(id) {
      const kept = setWatched(id, false);
      const watch = watches.get(id);
      watch?.abort.abort();
      if (watch) watch.error = null;
      return show(id, kept);
    },

    resume() {
      for (const { id, kept } of all()) if (kept.watched) begin(id, kept);
    },

    close() {
      for (const { abort } of watches.values()) abort.abort();
    },
  };
}

function note(watch: Watch, { name, result, reason = '' }: FolderOutcome): void {
  if (result === 'done') watch.done++;
  if (result !== 'failed') return;
  watch.failed++;
  watch.errors = [{ name, reason }, ...watch.errors].slice(0, mostErrors);
}

/** @throws ApiError invalid_value naming the one of the two that is none, or lies where its answers would be read again */
function refuseFolders(from: string, to: string): void {
  const refuse = (param: 'from' | 'to', message: string): never => {
    throw new ApiError('invalid_value', message, { param });
  };
  if (!isAbsolute(from)) refuse('from', 'Name the folder by its whole path.');
  if (!isAbsolute(to)) refuse('to', 'Name the folder of answers by its whole path.');
  if (!statSync(from, { throwIfNoEntry: false })?.isDirectory()) refuse('from', 'There is no such folder.');
  if (relative(from, to) === '') refuse('to', 'Answers need a folder of their own.');
}
