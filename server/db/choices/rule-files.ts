/** Table `rule_files`: the Sigma files that the person imported. */
import type { UserRules } from '../../engine/threat/types.ts';
import type { Database } from '../open.ts';

type RuleFile = UserRules['files'][number];

export interface RuleFileStore {
  /** In the order they were imported. */
  all(): RuleFile[];
  /** Adds files, all or none; one of a known name replaces it. */
  add(files: RuleFile[]): void;
  clear(): void;
  size(): { files: number; bytes: number };
  /** Changes with every change: sequences are never used twice, so equal count and sum mean equal rows. */
  version(): string;
}

export function createRuleFileStore(db: Database): RuleFileStore {
  const all = db.prepare<[], RuleFile>('SELECT name, text FROM rule_files ORDER BY sequence');
  const add = db.prepare<[RuleFile]>('INSERT OR REPLACE INTO rule_files (name, text) VALUES (@name, @text)');
  const clear = db.prepare('DELETE FROM rule_files');
  const size = db.prepare<[], { files: number; bytes: number }>(
    'SELECT count(*) AS files, coalesce(sum(octet_length(text)), 0) AS bytes FROM rule_files',
  );
  const version = db
    .prepare<[], string>("SELECT count(*) || ':' || coalesce(sum(sequence), 0) FROM rule_files")
    .pluck();
  return {
    all: () => all.all(),
    add: db.transaction((files: RuleFile[]) => {
      for (const file of files) add.run(file);
    }),
    clear: () => void clear.run(),
    size: () => size.get()!,
    version: () => version.get()!,
  };
}
