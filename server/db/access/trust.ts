/** Tables `trusted_keys` and `pack_signatures`: known signers, and the latest of their signatures that was imported. */
import type { Database } from '../open.ts';

export interface TrustedKeyRow {
  /** `ed25519:…` */
  publicKey: string;
  /** The person's name for the signer. */
  name: string;
  addedMs: number;
}

export interface PackSignatureRow {
  /** Id of the pack. */
  pack: string;
  publicKey: string;
  version: string;
  /** ISO 8601, UTC, so that texts compare as times do. */
  signed: string;
}

export interface TrustStore {
  keys(): TrustedKeyRow[];
  key(publicKey: string): TrustedKeyRow | undefined;
  insert(row: TrustedKeyRow): void;
  /** True if it was there. */
  remove(publicKey: string): boolean;
  signatures(pack: string): PackSignatureRow[];
  /** The later of the two stays. */
  noteSignature(row: PackSignatureRow): void;
}

export function createTrustStore(db: Database): TrustStore {
  const columns = 'public_key AS publicKey, name, added_ms AS addedMs';
  const keys = db.prepare<[], TrustedKeyRow>(`SELECT ${columns} FROM trusted_keys ORDER BY name, public_key`);
  const key = db.prepare<[string], TrustedKeyRow>(`SELECT ${columns} FROM trusted_keys WHERE public_key = ?`);
  const insert = db.prepare<[TrustedKeyRow]>('INSERT INTO trusted_keys VALUES (@publicKey, @name, @addedMs)');
  const remove = db.prepare<[string]>('DELETE FROM trusted_keys WHERE public_key = ?');
  const signatures = db.prepare<[string], PackSignatureRow>(
    'SELECT pack, public_key AS publicKey, version, signed FROM pack_signatures WHERE pack = ? ORDER BY signed',
  );
  const note = db.prepare<[PackSignatureRow]>(
    `INSERT INTO pack_signatures VALUES (@pack, @publicKey, @version, @signed)
     ON CONFLICT DO UPDATE SET version = excluded.version, signed = excluded.signed WHERE excluded.signed > signed`,
  );
  return {
    keys: () => keys.all(),
    key: (publicKey) => key.get(publicKey),
    insert: (row) => void insert.run(row),
    remove: (publicKey) => remove.run(publicKey).changes > 0,
    signatures: (pack) => signatures.all(pack),
    noteSignature: (row) => void note.run(row),
  };
}
