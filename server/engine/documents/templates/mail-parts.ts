/** The part of a mail that fields are read from: its message, or one of the attached files. Fields of several papers are not mixed. */

import type { Document, DocumentPart, Page } from '../document.ts';
import { type DocumentText, toDocumentText } from '../fields/reading.ts';
import type { FieldEntry } from '../types.ts';

interface Answer {
  type: string;
  fields: Record<string, FieldEntry>;
  confidence: number;
  warnings: string[];
}

function documentOf(document: Document, { first, last }: DocumentPart): Document {
  const isInside = ({ number }: Page): boolean => number >= first && number <= last;
  const on = <E extends { page: Page }>(elements: readonly E[]): E[] =>
    elements.filter(({ page }) => isInside(page));
  const { parts: _, ...whole } = document;
  return {
    ...whole,
    pages: document.pages.filter(isInside),
    tables: on(document.tables),
    widgets: document.widgets.filter(({ page }) => page >= first && page <= last),
    checkboxes: on(document.checkboxes),
    barcodes: on(document.barcodes),
    stamps: on(document.stamps),
    inkSignatures: on(document.inkSignatures),
  };
}

/** Sum of what is known, each as far as it is sure. */
const evidenceOf = ({ fields }: Answer): number =>
  Object.values(fields).reduce((sum, { confidence }) => sum + confidence, 0);

const namedPart = ({ name }: DocumentPart): string =>
  name === null ? 'the message itself' : `the attached file “${name}”`;

/** The answer for the part with the most evidence of a narrow kind; null where none is of one, or there are no parts. */
export function likeliestPart<A extends Answer>(
  document: Document,
  apply: (document: Document, text: DocumentText) => A,
): A | null {
  const { parts = [] } = document;
  if (parts.length < 2) return null;
  const answers = parts
    .map((part) => {
      const own = documentOf(document, part);
      return { part, answer: apply(own, toDocumentText(own.pages)) };
    })
    .filter(({ answer }) => answer.type !== 'generic' && Object.keys(answer.fields).length > 0)
    .sort((a, b) => evidenceOf(b.answer) - evidenceOf(a.answer));
  const [best, ...others] = answers;
  if (!best) return null;
  const also = others.map(({ part }) => namedPart(part));
  const told = `The mail has several parts: all fields come from ${namedPart(best.part)}.${
    also.length > 0 ? ` Read on their own, ${also.join(' and ')} would give fields as well.` : ''
  }`;
  return { ...best.answer, warnings: [...best.answer.warnings, told] };
}
