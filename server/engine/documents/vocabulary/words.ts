/** The words, templates and weights that this thread reads documents by: its pack's, else those of the starter beside the source. */

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { type DocumentScoring, scoringFile } from '../scoring/document-scoring.ts';
import { type BuiltInTemplates, builtInFiles } from '../templates/built-in.ts';
import { type DocumentVocabulary, toVocabulary, type VocabularyRows, vocabularyFiles } from './vocabulary.ts';

/** Data of a pack, as it crosses to the parsing thread. */
export interface DocumentData {
  rows: VocabularyRows;
  templates: BuiltInTemplates;
  scoring: DocumentScoring;
}

type Current = { words: DocumentVocabulary } & Pick<DocumentData, 'templates' | 'scoring'>;
let current: Current | null = null;

/** Called once, when the parsing thread starts. @throws EngineError internal_error for rows that are not as the schema asks */
export function setDocumentData({ rows, templates, scoring }: DocumentData): void {
  current = { words: toVocabulary(rows), templates, scoring };
}

function starterData(): DocumentData {
  const starter = new URL('../../../../models/packs/parse-starter/', import.meta.url);
  const textOf = (path: string): string => readFileSync(new URL(path, starter), 'utf8');
  const rowsOf = (path: string): string[][] =>
    textOf(path)
      .split(/\r?\n/u)
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split('\t'));
  const rows = Object.entries(vocabularyFiles).map(([name, { path }]) => [name, rowsOf(path)]);
  const templates = Object.entries(builtInFiles).map(([name, path]) => [name, load(textOf(path))]);
  return {
    rows: Object.fromEntries(rows) as VocabularyRows,
    templates: Object.fromEntries(templates) as BuiltInTemplates,
    scoring: JSON.parse(textOf(scoringFile)) as DocumentScoring,
  };
}

function data(): Current {
  if (!current) setDocumentData(starterData());
  return current!;
}

export const documentWords = (): DocumentVocabulary => data().words;
export const builtInTemplates = (): BuiltInTemplates => data().templates;
export const documentScoring = (): DocumentScoring => data().scoring;
