/** Reads the vocabulary of a pack once, when its engine opens. */

import type { EnginePack } from '../../engine.ts';
import { packTsv } from '../../pack-data.ts';
import { toVocabulary, type VocabularyRows, vocabularyFiles } from './vocabulary.ts';

/**
 * The rows of the pack's own files, else of its role's starter's, checked.
 * @throws EngineError internal_error that names the file and what is wrong with it
 */
export async function readVocabulary(pack: Pick<EnginePack, 'folder' | 'starter'>): Promise<VocabularyRows> {
  const entries = await Promise.all(
    Object.entries(vocabularyFiles).map(async ([name, { path, columns }]) => [
      name,
      await packTsv(pack, path, columns),
    ]),
  );
  const rows = Object.fromEntries(entries) as VocabularyRows;
  toVocabulary(rows);
  return rows;
}
