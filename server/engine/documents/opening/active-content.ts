/** Things in a PDF that ask to run, or that lie inside unseen: said, never run or read. */

import type { ActivePart } from '../office/flow.ts';
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

const activeNames: Record<ActivePart['kind'], string> = {
  script: 'The document holds scripts or macros, which were not run',
  launch_action: 'The document asks to start a program, which was not done',
  embedded_file: 'The document has files embedded, which were not read',
  external_reference: 'The document refers to files elsewhere, which were not fetched',
};

/** A warning for each kind, with the first of its parts. */
export const activePartWarnings = (parts: readonly ActivePart[]): string[] =>
  [...Map.groupBy(parts, ({ kind }) => kind)].map(([kind, own]) => {
    const told = own.slice(0, maxNames).map(({ detail }) => detail.slice(0, 2 * maxNameLength));
    const more = own.length > maxNames ? ` and ${own.length - maxNames} more` : '';
    return `${activeNames[kind]}: ${told.join(', ')}${more}.`;
  });

/** Scripts and attached files of a PDF; none where a damaged file cannot tell. */
export async function pdfActiveParts(document: PDFDocumentProxy): Promise<ActivePart[]> {
  const [scripts, files] = await Promise.all([
    document.hasJSActions().catch(() => false),
    document.getAttachments().catch(() => null),
  ]);
  return [
    ...(scripts ? [{ kind: 'script' as const, detail: 'JavaScript' }] : []),
    ...[...(files?.keys() ?? [])].map(
      (name): ActivePart => ({ kind: 'embedded_file', detail: name.slice(0, maxNameLength) }),
    ),
  ];
}
