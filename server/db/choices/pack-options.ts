/** Table `pack_options`: sizes a person set for a pack, over those of its manifest. */
import type { Database } from '../open.ts';

export interface PackOptionStore {
  get(ref: string): Record<string, unknown>;
  set(ref: string, options: Record<string, unknown>): void;
}

export function createPackOptionStore(db: Database): PackOptionStore {
  const get = db.prepare<[string], { options: string }>('SELECT options FROM pack_options WHERE pack = ?');
  const set = db.prepare<[string, string]>('INSERT OR REPLACE INTO pack_options VALUES (?, ?)');
  return {
    get(ref) {
      const row = get.get(ref);
      return row ? named(JSON.parse(row.options) as Record<string, unknown>) : {};
    },
    set: (ref, options) => void set.run(ref, JSON.stringify(options)),
  };
}

/** `small_cache` is what `int8_kv_cache` was called when older rows were written. */
function named({ small_cache, ...options }: Record<string, unknown>): Record<string, unknown> {
  return small_cache === undefined ? options : { int8_kv_cache: small_cache, ...options };
}
