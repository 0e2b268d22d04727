/** Files that an answer about a document is written to: its JSON, what was asked for beside it, and its tables. Pure. */
import type { DocumentsResult } from '../../api/services/documents.ts';
import type { FolderOutput } from './folder-work.ts';

const toCsv = (rows: readonly string[][]): string =>
  rows
    .map((row) =>
      row.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','),
    )
    .join('\r\n');

export function documentOutputs({ searchable_pdf: pdf, ...result }: DocumentsResult): FolderOutput[] {
  const { text, markdown, chunks, tables } = result;
  const lines = chunks?.map((chunk) => `${JSON.stringify(chunk)}\n`);
  return [
    { suffix: '.json', data: `${JSON.stringify(result, null, 2)}\n` },
    ...(pdf ? [{ suffix: '.searchable.pdf', data: Buffer.from(pdf, 'base64') }] : []),
    ...(markdown === undefined ? [] : [{ suffix: '.md', data: markdown }]),
    ...(text === undefined ? [] : [{ suffix: '.txt', data: text }]),
    ...(lines ? [{ suffix: '.chunks.jsonl', data: lines.join('') }] : []),
    ...tables.map(({ rows }, index) => ({
      suffix: `.table-${index + 1}.csv`,
      data: `${toCsv(rows)}\r\n`,
    })),
  ];
}
