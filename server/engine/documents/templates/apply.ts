/** Chooses the template and fills it. */

import type { Document } from '../parse.ts';
import type { FieldEntry, Template } from '../types.ts';

export interface TemplateAnswer {
  type: string;
  fields: Record<string, FieldEntry>;
  confidence: number;
  warnings: string[];
}

export function applyTemplate(_document: Document, template: Template | null): TemplateAnswer {
  return { type: template ?? 'generic', fields: {}, confidence: 0, warnings: [] };
}
