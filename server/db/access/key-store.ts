/** Table `keys`: one row a key, never its secret. */
import type { KeyClass, ModelId, Plan, Scope } from '../../api/common.ts';
import type { Database } from '../open.ts';

/** Times in Unix seconds. */
export interface KeyRow {
  id: string;
  /** SHA-256 of the secret, base64url. */
  hash: string;
  prefix: string;
  lastFour: string;
  name: string;
  class: KeyClass;
  plan: Plan;
  scopes: Scope[];
  models: ModelId[] | null;
  allowedCidrs: string[];
  created: number;
  expires: number | null;
  lastUsed: number | null;
  revoked: number | null;
  replaces: string | null;
  replacedBy: string | null;
  /** End of a replaced key's overlap. */
  overlapEnds: number | null;
}

/** A row as SQLite has it. */
interface StoredKey extends Omit<KeyRow, 'scopes' | 'models' | 'allowedCidrs'> {
  scopes: string;
  models: string | null;
  allowedCidrs: string;
}

export interface KeyStore {
  all(): KeyRow[];
  insert(row: KeyRow): void;
  /** Writes every column but id, hash and last_used. */
  update(row: KeyRow): void;
  /** Both or neither: a rotation. */
  replace(old: KeyRow, replacement: KeyRow): void;
  touch(lastUsed: ReadonlyMap<string, number>): void;
  /** Changes whenever another process has written to the database. */
  foreignVersion(): number;
}

const columns = `id, hash, prefix, last_four AS lastFour, name, class, plan, scopes, models,
  allowed_cidrs AS allowedCidrs, created, expires, last_used AS lastUsed, revoked, replaces,
  replaced_by AS replacedBy, overlap_ends AS overlapEnds`;

export function createKeyStore(db: Database): KeyStore {
  const all = db.prepare<[], StoredKey>(`SELECT ${columns} FROM keys ORDER BY created, rowid`);
  const insert = db.prepare<[StoredKey]>(
    `INSERT INTO keys VALUES (@id, @hash, @prefix, @lastFour, @name, @class, @plan, @scopes, @models, @allowedCidrs,
     @created, @expires, @lastUsed, @revoked, @replaces, @replacedBy, @overlapEnds)`,
  );
  const update = db.prepare<[StoredKey]>(
    `UPDATE keys SET name = @name, plan = @plan, scopes = @scopes, models = @models, allowed_cidrs = @allowedCidrs,
     expires = @expires, revoked = @revoked, replaced_by = @replacedBy, overlap_ends = @overlapEnds WHERE id = @id`,
  );
  const touch = db.prepare<[number, string]>('UPDATE keys SET last_used = ? WHERE id = ?');
  const version = db.prepare<[], number>('PRAGMA data_version').pluck();
  return {
    all: () => all.all().map(fromStored),
    insert: (row) => void insert.run(toStored(row)),
    update: (row) => void update.run(toStored(row)),
    replace: db.transaction((old: KeyRow, replacement: KeyRow) => {
      insert.run(toStored(replacement));
      update.run(toStored(old));
    }),
    touch: db.transaction((lastUsed: ReadonlyMap<string, number>) => {
      for (const [id, seconds] of lastUsed) touch.run(seconds, id);
    }),
    foreignVersion: () => version.get()!,
  };
}

const fromStored = (row: StoredKey): KeyRow => ({
  ...row,
  scopes: JSON.parse(row.scopes),
  models: row.models === null ? null : JSON.parse(row.models),
  allowedCidrs: JSON.parse(row.allowedCidrs),
});

const toStored = (row: KeyRow): StoredKey => ({
  ...row,
  scopes: JSON.stringify(row.scopes),
  models: row.models && JSON.stringify(row.models),
  allowedCidrs: JSON.stringify(row.allowedCidrs),
});
