/** A template of one's own, and answers of the documents engine to it. */
import type { CustomTemplateParams, ParseResult } from '../../../server/engine/documents/types.ts';

export const coldStore: CustomTemplateParams = {
  name: 'cold-store',
  fields: [
    { name: 'reference', type: 'text', labels: ['Reference'] },
    { name: 'checked_by', type: 'text' },
    { name: 'total', type: 'amount' },
    { name: 'checked', type: 'date' },
    { name: 'code', type: 'text', pattern: '^[A-Z]{2}-\\d+$' },
  ],
};

/** One page of which nothing was read. */
export const emptyResult = (type: string): ParseResult => ({
  type,
  fields: {},
  tables: [],
  checkboxes: [],
  signatures: [],
  barcodes: [],
  stamps: [],
  confidence: 0,
  warnings: [],
  pages: 1,
});
