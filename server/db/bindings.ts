/** Table `bindings`: the pack a person chose for a role. */
import type { BindingStore } from '../packs/registry.ts';
import type { Database } from './open.ts';

export function createBindingStore(db: Database): BindingStore {
  const get = db.prepare<[string], string | null>('SELECT pack FROM bindings WHERE role = ?').pluck();
  const set = db.prepare<[string, string | null]>('INSERT OR REPLACE INTO bindings VALUES (?, ?)');
  return {
    get: (role) => get.get(role),
    set: (role, ref) => void set.run(role, ref),
  };
}
