/** Table `settings`: the person's changes to the defaults, one JSON value a name. */
import type { Database } from '../open.ts';

export interface SettingsStore {
  all(): Record<string, unknown>;
  set(values: Record<string, unknown>): void;
}

export function createSettingsStore(db: Database): SettingsStore {
  const all = db.prepare<[], { name: string; value: string }>('SELECT name, value FROM settings');
  const set = db.prepare<[string, string]>('INSERT OR REPLACE INTO settings VALUES (?, ?)');
  return {
    all: () => Object.fromEntries(all.all().map(({ name, value }) => [name, JSON.parse(value)])),
    set: db.transaction((values: Record<string, unknown>) => {
      for (const [name, value] of Object.entries(values)) set.run(name, JSON.stringify(value));
    }),
  };
}
