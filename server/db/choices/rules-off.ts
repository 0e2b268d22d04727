/** Table `rules_off`: ids of the rules that the person switched off. */
import type { Database } from '../open.ts';

export interface RulesOffStore {
  all(): string[];
  /** Switches all or none. */
  set(ids: string[], off: boolean): void;
  /** Changes with every change, as that of the rule files does. */
  version(): string;
}

export function createRulesOffStore(db: Database): RulesOffStore {
  const all = db.prepare<[], string>('SELECT id FROM rules_off ORDER BY sequence').pluck();
  const add = db.prepare<[string]>('INSERT OR IGNORE INTO rules_off (id) VALUES (?)');
  const remove = db.prepare<[string]>('DELETE FROM rules_off WHERE id = ?');
  const version = db
    .prepare<[], string>("SELECT count(*) || ':' || coalesce(sum(sequence), 0) FROM rules_off")
    .pluck();
  return {
    all: () => all.all(),
    set: db.transaction((ids: string[], off: boolean) => {
      for (const id of ids) (off ? add : remove).run(id);
    }),
    version: () => version.get()!,
  };
}
