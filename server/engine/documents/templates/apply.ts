/** Chooses the template and fills it. */

import { toReading } from '../fields/reading.ts';
import type { Document } from '../parse.ts';
import type { FieldEntry, Template } from '../types.ts';
import { readGeneric } from './generic.ts';
import { invoiceLikelihood, readInvoice } from './invoice.ts';

export interface TemplateAnswer {
  type: string;
  fields: Record<string, FieldEntry>;
  confidence: number;
  warnings: string[];
}

/** Below this a document is not of the kind that a template reads. */
const minLikelihood = 0.45;

function meanConfidence(fields: Record<string, FieldEntry>): number {
  const values = Object.values(fields).map((field) => field.confidence);
  if (values.length === 0) return 0;
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 100) / 100;
}

export function applyTemplate(document: Document, template: Template | null): TemplateAnswer {
  const reading = toReading(document.pages);
  if (template === null || template === 'invoice') {
    const fields = readInvoice(reading);
    const likelihood = invoiceLikelihood(reading, fields);
    if (likelihood >= minLikelihood)
      return { type: 'invoice', fields, confidence: meanConfidence(fields), warnings: [] };
    if (template === 'invoice')
      return {
        type: 'invoice',
        fields: {},
        confidence: 0,
        warnings: [
          'The document does not look like an invoice or receipt, so no invoice fields were filled.',
        ],
      };
  }
  const fields = readGeneric(document, reading);
  return { type: template ?? 'generic', fields, confidence: meanConfidence(fields), warnings: [] };
}
