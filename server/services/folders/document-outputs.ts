/** Files that an answer about a document is written to: its JSON, what was asked for beside it, and its tables. Pure. */
import type { DocumentsResult } from '../../api/services/documents.ts';
import { toCsv } from '../documents/document-tables.ts';
import type { FolderOutput } from './folder-work.ts';

export function documentOutputs({
  searchable_pdf: pdf,
  xlsx,
  csv: _csv,
  ...result
}: DocumentsResult): FolderOutput[] {
  const { text, markdown, chunks, tables } = result;
  const lines = chunks?.map((chunk) => `${JSON.stringify(chunk)}\n`);
  return [
    { suffix: '.json', data: `${JSON.stringify(result, null, 2)}\n` },
    ...(pdf ? [{ suffix: '.searchable.pdf', data: Buffer.from(pdf, 'base64') }] : []),
    ...(xlsx ? [{ suffix: '.xlsx', data: Buffer.from(xlsx, 'base64') }] : []),
    ...(markdown === undefined ? [] : [{ suffix: '.md', data: markdown }]),
    ...(text === undefined ? [] : [{ suffix: '.txt', data: text }]),
    ...(lines ? [{ suffix: '.chunks.jsonl', data: lines.join('') }] : []),
    ...tables.map((table, index) => ({ suffix: `.table-${index + 1}.csv`, data: toCsv(table) })),
  ];
}

/** Of work on documents, for its journal. The usual one has none, as journals had before there was a choice. */
export const documentChoice = (
  format: string,
  template: string | null | undefined,
): { format: string; template: string | null } | undefined =>
  format === 'json' && !template ? undefined : { format, template: template || null };
