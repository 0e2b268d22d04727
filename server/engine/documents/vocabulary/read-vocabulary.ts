/** Reads the words, templates and weights of a pack once, when its engine opens. */

import type { EnginePack } from '../../engine.ts';
import { packTsv, packYaml } from '../../pack-data.ts';
import { packFile } from '../../pack-files.ts';
import { scoringFile, toDocumentScoring } from '../scoring/document-scoring.ts';
import { builtInFiles, builtInSchema } from '../templates/built-in.ts';
import { toVocabulary, type VocabularyRows, vocabularyFiles } from './vocabulary.ts';
import type { DocumentData } from './words.ts';

/**
 * The pack's own files, else of its role's starter's, checked.
 * @throws EngineError internal_error that names the file and what is wrong with it
 */
export async function readVocabulary(pack: Pick<EnginePack, 'folder' | 'starter'>): Promise<DocumentData> {
  const entries = await Promise.all(
    Object.entries(vocabularyFiles).map(async ([name, { path, columns }]) => [
      name,
      await packTsv(pack, path, columns),
    ]),
  );
  const rows = Object.fromEntries(entries) as VocabularyRows;
  toVocabulary(rows);
  return {
    rows,
    templates: { passport: await packYaml(pack, builtInFiles.passport, builtInSchema) },
    scoring: toDocumentScoring(await packFile(pack, scoringFile)),
  };
}
