/**
 * Answers under an Idempotency-Key. A request claims its key before it runs: the first one runs, one with the same body
 * replays the stored answer or is told that the first still runs, one with another body is refused.
 *
 * Claims live in this process's memory, because one process holds the data folder: after a crash none is left behind.
 * Finished answers are in the database, sealed, for ten minutes from the first completion.
 */
import { hash } from 'node:crypto';
import type { IdempotencyStore, StoredAnswer } from '../../db/access/idempotency.ts';
import { ApiError } from '../../errors.ts';
import { canonicalJson } from '../canonical-json.ts';
import { seal, unseal } from './install-key.ts';

export const idempotencyWindowMs = 600_000;

export interface ReplayedAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The right to run a request; ended once, by `store`, `commit` or `release`. */
export interface Claim {
  /** Keeps the answer of work that is done; in memory while the disk is full. */
  store(answer: ReplayedAnswer): void;
  /**
   * Runs work that writes to the database, and keeps its answer in the same transaction: both are there afterwards, or
   * neither is.
   * @throws what the work throws, and what the database does
   */
  commit(work: () => ReplayedAnswer): ReplayedAnswer;
  release(): void;
}

export interface IdempotentRequest {
  keyId: string;
  /** Method and route, e.g. `POST /v1/embeddings`. */
  operation: string;
  idempotencyKey: string;
  body: unknown;
}

export interface IdempotencyService {
  /**
   * @throws ApiError idempotency_in_progress, idempotency_key_reused; server_overloaded when as many answers as memory
   * may hold wait for room on the disk
   */
  claim(request: IdempotentRequest): { claim: Claim } | { replay: ReplayedAnswer };
  /** Writes what a full disk kept out of the database. @throws when it still takes nothing */
  flush(): void;
  deleteExpired(): void;
}

export interface IdempotencyDeps {
  store: IdempotencyStore;
  /** Runs work in one transaction of the database. */
  atomically: <T>(work: () => T) => T;
  installKey: Buffer;
  now: () => number;
  /** Bytes of answers that may wait in memory for room on the disk. */
  maxUnwrittenBytes?: number;
}

const defaultMaxUnwrittenBytes = 32 * 1024 * 1024;

export function createIdempotencyService(deps: IdempotencyDeps): IdempotencyService {
  const { store, atomically, installKey, now, maxUnwrittenBytes = defaultMaxUnwrittenBytes } = deps;
  /** Id of each claim under way → fingerprint of its body. */
  const running = new Map<string, string>();
  /** Answers that a full disk kept out of the database: the work is done, and a retry must not do it again. */
  const unwritten = new Map<string, StoredAnswer>();
  let unwrittenBytes = 0;

  function keep(row: StoredAnswer): void {
    try {
      store.put(row);
    } catch {
      unwritten.set(row.id, row);
      unwrittenBytes += row.sealed.length;
    }
  }

  function forget(row: StoredAnswer): void {
    if (unwritten.delete(row.id)) unwrittenBytes -= row.sealed.length;
  }

  function findStored(id: string): { fingerprint: string; answer: ReplayedAnswer } | undefined {
    const row = unwritten.get(id) ?? store.find(id);
    if (!row || row.expires <= now()) return undefined;
    const plain = unseal(installKey, row.sealed, id);
    return plain && { fingerprint: row.fingerprint, answer: unpack(plain) };
  }

  function createClaim(id: string, fingerprint: string): Claim {
    running.set(id, fingerprint);
    const end = () => running.delete(id);
    const toRow = (answer: ReplayedAnswer): StoredAnswer => {
      const sealed = seal(installKey, pack(answer), id);
      return { id, fingerprint, sealed, expires: now() + idempotencyWindowMs };
    };
    return {
      release: end,
      store(answer) {
        if (end()) keep(toRow(answer));
      },
      commit(work) {
        const answer = atomically(() => {
          const made = work();
          store.put(toRow(made));
          return made;
        });
        end();
        return answer;
      },
    };
  }

  return {
    claim({ keyId, operation, idempotencyKey, body }) {
      const id = sha256(JSON.stringify([keyId, operation, idempotencyKey]));
      const fingerprint = sha256(canonicalJson(body ?? null));
      const stored = findStored(id);
      const known = running.get(id) ?? stored?.fingerprint;
      if (known !== undefined && known !== fingerprint) {
        throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was used with another body.');
      }
      if (running.has(id)) {
        throw new ApiError(
          'idempotency_in_progress',
          'A request with this Idempotency-Key is still running.',
        );
      }
      if (stored) return { replay: stored.answer };
      if (unwrittenBytes >= maxUnwrittenBytes) throw diskFull();
      return { claim: createClaim(id, fingerprint) };
    },
    flush() {
      for (const row of unwritten.values()) {
        if (row.expires > now()) store.put(row);
        forget(row);
      }
    },
    deleteExpired() {
      for (const row of unwritten.values()) if (row.expires <= now()) forget(row);
      store.deleteExpired(now());
    },
  };
}

const diskFull = () =>
  new ApiError('server_overloaded', 'Answers under an Idempotency-Key cannot be kept: the disk is full.');

const sha256 = (text: string) => hash('sha256', text, 'base64url');

/** One line of JSON, then the body's bytes as they are. */
function pack({ status, headers, body }: ReplayedAnswer): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ status, headers })}\n`), body]);
}

function unpack(packed: Buffer): ReplayedAnswer {
  const end = packed.indexOf('\n');
  return { ...JSON.parse(packed.toString('utf8', 0, end)), body: packed.subarray(end + 1) };
}
