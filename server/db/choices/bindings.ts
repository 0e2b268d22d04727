/** Table `bindings`: the pack a person chose for a role. Read with every request, so kept in memory as well. */
import type { BindingName, BindingStore } from '../../packs/registry.ts';
import type { Database } from '../open.ts';

export interface CachedBindingStore extends BindingStore {
  /** Forgets what is in memory, after another process changed the table. */
  renew(): void;
}

export function createBindingStore(db: Database): CachedBindingStore {
  const all = db.prepare<[], { role: BindingName; pack: string | null }>('SELECT role, pack FROM bindings');
  const set = db.prepare<[string, string | null]>('INSERT OR REPLACE INTO bindings VALUES (?, ?)');
  const remove = db.prepare<[string]>('DELETE FROM bindings WHERE role = ?');
  const load = () => new Map(all.all().map(({ role, pack }) => [role, pack]));
  let known = load();
  return {
    get: (role) => known.get(role),
    set(role, ref) {
      set.run(role, ref);
      known.set(role, ref);
    },
    forget(role) {
      remove.run(role);
      known.delete(role);
    },
    renew() {
      known = load();
    },
  };
}
