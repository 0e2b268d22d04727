/**
 * Records of one kind, sealed under the installation's key (which the system's key store guards where there is one), so that a
 * copy of the database alone tells nothing. What was sealed under a key that is lost counts as not kept.
 */
import type { SealedHeadRow, SealedKind, SealedRecordStore } from '../db/sealed-records.ts';
import { seal, unseal } from './idempotency/install-key.ts';

export interface SealedRecordDeps {
  store: SealedRecordStore;
  installKey: Buffer;
  now: () => number;
}

export interface SealedKindRules {
  kind: SealedKind;
  /** Authenticated with each part, so that none can be moved to another record. */
  place: (part: 'head' | 'content', id: string, owner: string) => string;
}

export interface SealedHead {
  id: string;
  owner: string;
  updatedMs: number;
  /** Empty where a record has none. */
  head: string;
}

export interface SealedRecord extends SealedHead {
  content: Buffer;
}

export interface SealedRecords {
  /** Newest first; of every owner where none is named. */
  list(owner?: string): SealedHead[];
  find(id: string, owner?: string): SealedRecord | undefined;
  /** @returns when it was changed */
  put(record: { id: string; owner?: string; head?: string; content: Buffer }): number;
  setHead(id: string, head: string, owner?: string): void;
  remove(id: string, owner?: string): boolean;
  clear(): void;
  /** Keeps those of the last days, and of them the newest; of 0 days none. */
  prune(days: number, keep: number): void;
}

const dayMs = 86_400_000;
const personal = '';

export function createSealedRecords(
  { store, installKey, now }: SealedRecordDeps,
  { kind, place }: SealedKindRules,
): SealedRecords {
  const sealHead = (id: string, owner: string, head: string) =>
    head === '' ? Buffer.alloc(0) : seal(installKey, Buffer.from(head), place('head', id, owner));

  function openHead({ id, owner, updatedMs, head }: SealedHeadRow): SealedHead | undefined {
    if (head.length === 0) return { id, owner, updatedMs, head: '' };
    const text = unseal(installKey, head, place('head', id, owner))?.toString();
    return text === undefined ? undefined : { id, owner, updatedMs, head: text };
  }

  return {
    list: (owner) => store.list(kind, owner).flatMap((row) => openHead(row) ?? []),

    find(id, owner = personal) {
      const row = store.find(kind, owner, id);
      const head = row && openHead(row);
      const content = row && unseal(installKey, row.content, place('content', id, owner));
      return head && content && { ...head, content };
    },

    put({ id, owner = personal, head = '', content }) {
      const updatedMs = now();
      store.put(kind, {
        id,
        owner,
        updatedMs,
        head: sealHead(id, owner, head),
        content: seal(installKey, content, place('content', id, owner)),
      });
      return updatedMs;
    },

    setHead: (id, head, owner = personal) =>
      store.setHead(kind, { id, owner, head: sealHead(id, owner, head) }),
    remove: (id, owner = personal) => store.remove(kind, owner, id),
    clear: () => store.clear(kind),
    prune: (days, keep) => store.prune(kind, now() - days * dayMs, keep),
  };
}
