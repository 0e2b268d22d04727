/** Things in a PDF that ask to run, or that lie inside unseen: said, never run or read. */

import type { PDFDocumentProxy } from '../pdf/open.ts';

/** Names that one warning tells. */
const maxNames = 5;
const maxNameLength = 60;

/** Warnings for scripts and attached files; none where a damaged file cannot tell. */
export async function activeContentWarnings(document: PDFDocumentProxy): Promise<string[]> {
  const [scripts, files] = await Promise.all([
    document.hasJSActions().catch(() => false),
    document.getAttachments().catch(() => null),
  ]);
  const names = [...(files?.keys() ?? [])].map((name) => name.slice(0, maxNameLength));
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return [
    ...(scripts ? ['The document holds scripts: they were not run.'] : []),
    ...(names.length > 0
      ? [
          `The document has files attached, which were not read: ${names.slice(0, maxNames).join(', ')}${more}.`,
        ]
      : []),
  ];
}
