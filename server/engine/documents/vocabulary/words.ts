/** The vocabulary that this thread reads documents by: its pack's, else that of the starter beside the source. */

import { readFileSync } from 'node:fs';
import { type DocumentVocabulary, toVocabulary, type VocabularyRows, vocabularyFiles } from './vocabulary.ts';

let current: DocumentVocabulary | null = null;

/** Called once, when the parsing thread starts. @throws EngineError internal_error for rows that are not as the schema asks */
export function setVocabulary(rows: VocabularyRows): void {
  current = toVocabulary(rows);
}

function starterRows(): VocabularyRows {
  const starter = new URL('../../../../models/packs/parse-starter/', import.meta.url);
  const rowsOf = (path: string): string[][] =>
    readFileSync(new URL(path, starter), 'utf8')
      .split(/\r?\n/u)
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split('\t'));
  return Object.fromEntries(
    Object.entries(vocabularyFiles).map(([name, { path }]) => [name, rowsOf(path)]),
  ) as VocabularyRows;
}

export function documentWords(): DocumentVocabulary {
  current ??= toVocabulary(starterRows());
  return current;
}
