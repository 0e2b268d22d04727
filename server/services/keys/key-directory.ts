/**
 * Finds the key behind a secret. All keys are held in memory, ready for use; the copy is renewed when this process
 * changes a key and, checked at look-ups, when another one (`lokal keys`) did. So a revocation is effective on the next
 * request, and `onRevoked` tells of it for those under way.
 */
import type { KeyRow, KeyStore } from '../../db/access/key-store.ts';
import { ApiError, type ErrorCode } from '../../errors.ts';
import type { Principal } from '../caller.ts';
import { type AddressRange, isWithin, parseRange } from './cidr.ts';
import { hashSecret, isWellFormed } from './secret.ts';

export interface KnownKey {
  row: KeyRow;
  principal: Principal;
  ranges: AddressRange[];
}

export interface KeyDirectory {
  /**
   * The key that `secret` opens, for a request from `address`.
   * @throws ApiError invalid_api_key; then ip_not_allowed, before anything else about the key; then revoked_api_key or
   * expired_api_key
   */
  admit(secret: string, address: string): KnownKey;
  /** The key of that id or the newest valid one that replaces it, as if its secret had been sent. @throws ApiError as `admit` */
  admitById(id: string, address: string): KnownKey;
  /** ip_not_allowed where `secret` opens a key that may not be used from `address`; null for any other secret. */
  foreignAddress(secret: string, address: string): ApiError | null;
  all(): KnownKey[];
  find(id: string): KnownKey | undefined;
  /** This key and those it replaced, back to the first: what belongs to a key belongs to those that replace it. */
  rotationsTo(id: string): string[];
  /** The last of `rotationsTo`, which owns what all of them have. */
  firstOf(id: string): string;
  /** The newest valid key of those that began with `firstId`. @throws ApiError as `admit`, of the newest */
  principalOf(firstId: string): Principal;
  /** After a change by this process. */
  renew(): void;
  /** Looks for changes of other processes. */
  poll(): void;
  /** A key of this process's memory alone: found by its secret, never listed or stored. @param owner to drop it by */
  addEphemeral(row: KeyRow, owner: string): void;
  dropEphemeral(owner: string): void;
  /** Notes that a key was used now; written by the next `flush`. */
  touch(key: KnownKey): void;
  flush(): void;
  /** Tells of each key that stopped being valid by revocation. */
  onRevoked(listener: (keyId: string) => void): void;
}

export interface KeyDirectoryDeps {
  store: KeyStore;
  now: () => number;
  /** Another process has changed the database. */
  onForeignChange?: () => void;
}

const mostRecent = 1_000;

export function createKeyDirectory({ store, now, onForeignChange }: KeyDirectoryDeps): KeyDirectory {
  let byHash = new Map<string, KnownKey>();
  let byId = new Map<string, KnownKey>();
  const ephemeral = new Map<string, KnownKey & { owner: string }>();
  const listeners: ((keyId: string) => void)[] = [];
  const touched = new Map<string, number>();
  /**
   * Secret → key for those in use, which saves the hashing. Their secrets pass through this process's memory with every
   * request in any case; nothing of it is ever written.
   */
  const recent = new Map<string, KnownKey>();
  let version = store.foreignVersion();
  let polledAt = Number.NEGATIVE_INFINITY;

  function renew(): void {
    const known = store.all().map(toKnown);
    const before = byId;
    recent.clear();
    byHash = new Map(known.map((key) => [key.row.hash, key]));
    byId = new Map(known.map((key) => [key.row.id, key]));
    for (const key of known) {
      key.row.lastUsed = touched.get(key.row.id) ?? key.row.lastUsed;
      const was = before.get(key.row.id);
      if (key.row.revoked !== null && was && was.row.revoked === null) tell(key.row.id);
    }
  }

  function tell(keyId: string): void {
    for (const listener of listeners) listener(keyId);
  }

  /** Asking SQLite costs as much as all else here, and no command line comes back within five milliseconds. */
  function pollSometimes(): void {
    const at = performance.now();
    if (at - polledAt < 5) return;
    polledAt = at;
    poll();
  }

  function poll(): void {
    const current = store.foreignVersion();
    if (current === version) return;
    version = current;
    renew();
    onForeignChange?.();
  }

  function addEphemeral(row: KeyRow, owner: string): void {
    for (const [hash, key] of ephemeral) if (codeOf(key.row, now())) ephemeral.delete(hash);
    ephemeral.set(row.hash, { ...toKnown(row), owner });
  }

  function dropEphemeral(owner: string): void {
    for (const [hash, key] of ephemeral) if (key.owner === owner) ephemeral.delete(hash);
    recent.clear();
  }

  function lookUp(secret: string): KnownKey {
    if (!isWellFormed(secret)) throw unknownKey();
    const hash = hashSecret(secret);
    const key = byHash.get(hash) ?? ephemeral.get(hash);
    if (!key) throw unknownKey();
    if (recent.size >= mostRecent) recent.clear();
    recent.set(secret, key);
    return key;
  }

  function admit(secret: string, address: string): KnownKey {
    pollSometimes();
    return checked(recent.get(secret) ?? lookUp(secret), address);
  }

  function admitById(id: string, address: string): KnownKey {
    pollSometimes();
    return checked(newestOf(id), address);
  }

  function checked(key: KnownKey, address: string): KnownKey {
    if (isForeign(key, address)) throw ipNotAllowed();
    return checkEnd(key);
  }

  /** @throws ApiError revoked_api_key, expired_api_key */
  function checkEnd(key: KnownKey): KnownKey {
    const code = codeOf(key.row, now());
    if (code) throw new ApiError(code, endedMessage[code]);
    return key;
  }

  function rotationsTo(id: string): string[] {
    const before = byId.get(id)?.row.replaces;
    return before ? [id, ...rotationsTo(before)] : [id];
  }

  /** The newest valid key from this one on, or the newest. @throws ApiError invalid_api_key */
  function newestOf(id: string): KnownKey {
    const keys: KnownKey[] = [];
    for (let key = byId.get(id); key; key = byId.get(key.row.replacedBy ?? '')) keys.push(key);
    const newest = keys.at(-1);
    if (!newest) throw unknownKey();
    return keys.findLast(({ row }) => codeOf(row, now()) === null) ?? newest;
  }

  function foreignAddress(secret: string, address: string): ApiError | null {
    pollSometimes();
    if (!isWellFormed(secret)) return null;
    const hash = hashSecret(secret);
    const key = byHash.get(hash) ?? ephemeral.get(hash);
    return key && isForeign(key, address) ? ipNotAllowed() : null;
  }

  function touch({ row }: KnownKey): void {
    const seconds = Math.floor(now() / 1000);
    if (row.lastUsed === seconds || !byId.has(row.id)) return;
    row.lastUsed = seconds;
    touched.set(row.id, seconds);
  }

  function flush(): void {
    if (touched.size > 0) store.touch(touched);
    touched.clear();
  }

  renew();
  return {
    admit,
    admitById,
    foreignAddress,
    all: () => [...byId.values()],
    find: (id) => byId.get(id),
    rotationsTo,
    firstOf: (id) => rotationsTo(id).at(-1)!,
    principalOf(firstId) {
      pollSometimes();
      return checkEnd(newestOf(firstId)).principal;
    },
    renew,
    poll,
    addEphemeral,
    dropEphemeral,
    touch,
    flush,
    onRevoked: (listener) => void listeners.push(listener),
  };
}

const isForeign = ({ ranges }: KnownKey, address: string): boolean =>
  ranges.length > 0 && !isWithin(address, ranges);

const ipNotAllowed = () =>
  new ApiError('ip_not_allowed', 'This API key may not be used from your IP address.');

/** Unknown and malformed keys get the same words, so that none can be told from the other. */
const unknownKey = () => new ApiError('invalid_api_key', 'The API key is not valid.');

const endedMessage = {
  revoked_api_key: 'The API key was revoked.',
  expired_api_key: 'The API key has expired.',
};

/** Why a key is no longer valid at `nowMs`; null while it is. */
function codeOf(row: KeyRow, nowMs: number): (ErrorCode & keyof typeof endedMessage) | null {
  if (row.revoked !== null) return 'revoked_api_key';
  return nowMs >= endOf(row) * 1000 ? 'expired_api_key' : null;
}

/** Unix seconds at which a key ends by itself: its expiry or, once replaced, its overlap. */
export const endOf = ({ expires, overlapEnds }: KeyRow): number =>
  Math.min(expires ?? Number.POSITIVE_INFINITY, overlapEnds ?? Number.POSITIVE_INFINITY);

function toKnown(row: KeyRow): KnownKey {
  return {
    row,
    ranges: row.allowedCidrs.map(parseRange),
    principal: {
      keyId: row.id,
      name: row.name,
      class: row.class,
      plan: row.plan,
      scopes: new Set(row.scopes),
      models: row.models && new Set(row.models),
    },
  };
}
