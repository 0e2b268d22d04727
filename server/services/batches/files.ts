/**
 * Files of keys, sealed, until they are forgotten or their days are over. A key reaches its own alone, which are also those
 * of the keys it has replaced: the owner is the first of them.
 */
import type { Settings } from '../../api/console/console.ts';
import type { FileDeleted, FileList, FileObject, FileQuery, FileRequest } from '../../api/protocols/files.ts';
import { ApiError } from '../../errors.ts';
import type { Caller, Principal } from '../caller.ts';
import { type AnswerIdentity, identify } from '../model-call.ts';
import { createSealedRecords, type SealedHead, type SealedRecordDeps } from '../sealed-records.ts';
import { toListPage } from './list-page.ts';
import { fileNameOf } from './uploads.ts';

export interface FileService {
  /** @throws ApiError conflict while files are not kept or there are too many; missing_field */
  create(body: FileRequest, caller: Caller): FileObject;
  list(query: FileQuery, caller: Caller): FileList;
  /** @throws ApiError not_found */
  get(id: string, owner: string): FileObject;
  /** @throws ApiError not_found */
  content(id: string, owner: string): Buffer;
  /** @throws ApiError not_found */
  remove(id: string, owner: string): FileDeleted;
  /** A file that a batch has written. */
  write(bytes: Buffer, facts: WrittenFile): FileObject;
  /** @throws ApiError conflict */
  checkKept(): void;
  deleteExpired(): void;
}

export interface WrittenFile {
  owner: string;
  identity: AnswerIdentity;
  filename: string;
  purpose: FileObject['purpose'];
  expiresAfterSeconds: number | undefined;
}

export interface FileDeps extends SealedRecordDeps {
  settings: () => Settings;
  ownerOf: (principal: Principal) => string;
}

const daySeconds = 86_400;
/** Of one key, and of all together. */
const mostFiles = 1_000;
const mostBytes = 4 * 1024 ** 3;

export function createFiles({ ownerOf, settings, ...deps }: FileDeps): FileService {
  const records = createSealedRecords(deps, {
    kind: 'file',
    place: (part, id, owner) => `file ${owner} ${id} ${part}`,
  });
  const missing = () => new ApiError('not_found', 'There is no such file (any more).', { param: 'id' });

  /** By the record's own time: the `created_at` of a test key's file tells none. */
  function isOver({ updatedMs, head }: SealedHead): boolean {
    const { created_at, expires_at } = JSON.parse(head) as FileObject;
    return updatedMs + (expires_at - created_at) * 1000 <= deps.now();
  }

  function find(id: string, owner: string) {
    const record = records.find(id, owner);
    if (!record || isOver(record)) throw missing();
    return record;
  }

  function checkKept(): void {
    if (settings().files_days > 0) return;
    throw new ApiError('conflict', 'Files and batches are not kept here (setting files_days).');
  }

  function checkRoom(owner: string, bytes: number): void {
    const heads = records.list();
    const total = heads.reduce((sum, { head }) => sum + (JSON.parse(head) as FileObject).bytes, bytes);
    if (heads.filter((head) => head.owner === owner).length >= mostFiles)
      throw new ApiError('conflict', `There are ${mostFiles} files already; delete some first.`);
    if (total > mostBytes) throw new ApiError('conflict', 'The files are 4 GB already; delete some first.');
  }

  function write(bytes: Buffer, { owner, identity, expiresAfterSeconds, ...facts }: WrittenFile): FileObject {
    const seconds = Math.min(settings().files_days * daySeconds, expiresAfterSeconds ?? Infinity);
    const file: FileObject = {
      id: `file-${identity.id}`,
      object: 'file',
      bytes: bytes.length,
      created_at: identity.created,
      expires_at: identity.created + seconds,
      filename: facts.filename,
      purpose: facts.purpose,
      status: 'processed',
    };
    records.put({ id: file.id, owner, head: JSON.stringify(file), content: bytes });
    return file;
  }

  return {
    checkKept,
    write,

    create(body, caller) {
      checkKept();
      const bytes = caller.files.get(body.file);
      if (!bytes) throw new ApiError('missing_field', 'file must be a file.', { param: 'file' });
      if (bytes.length === 0) throw new ApiError('invalid_value', 'file is empty.', { param: 'file' });
      const owner = ownerOf(caller.principal);
      checkRoom(owner, bytes.length);
      return write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), {
        owner,
        identity: identify(caller, body),
        filename: fileNameOf(body.file),
        purpose: body.purpose,
        expiresAfterSeconds: body.expires_after?.seconds,
      });
    },

    list({ limit = '100', after, order = 'desc', purpose }, { principal }) {
      const newestFirst = records
        .list(ownerOf(principal))
        .filter((head) => !isOver(head))
        .map(({ head }) => JSON.parse(head) as FileObject)
        .filter((file) => purpose === undefined || file.purpose === purpose);
      const all = order === 'asc' ? newestFirst.toReversed() : newestFirst;
      return toListPage(all, { limit: Number(limit), after });
    },

    get: (id, owner) => JSON.parse(find(id, owner).head) as FileObject,
    content: (id, owner) => find(id, owner).content,

    remove(id, owner) {
      find(id, owner);
      records.remove(id, owner);
      return { id, object: 'file', deleted: true };
    },

    /** Switched off, nothing is young enough to stay. */
    deleteExpired() {
      records.prune(settings().files_days, Number.MAX_SAFE_INTEGER);
      for (const head of records.list()) if (isOver(head)) records.remove(head.id, head.owner);
    },
  };
}
