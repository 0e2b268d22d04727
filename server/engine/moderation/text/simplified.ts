/** Traditional Chinese characters and their simplified forms: `traditional.tsv` of the pack, read once at opening. */
import type { EnginePack } from '../../engine.ts';
import { packTsv } from '../../pack-data.ts';

export type Simplified = ReadonlyMap<string, string>;

/** @throws EngineError internal_error for a row that is no pair */
export async function loadSimplified(pack: Pick<EnginePack, 'folder' | 'starter'>): Promise<Simplified> {
  return new Map((await packTsv(pack, 'traditional.tsv', 2)) as [string, string][]);
}
