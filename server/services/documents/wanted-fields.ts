/** Which fields a chat pack is asked for, and as what JSON: those of the template that the rules did not find. */

import type { CustomTemplateParams, ParseResult, WantedField } from '../../engine/documents/types.ts';

/**
 * Identity documents are left out: check digits and printed places tell their fields, and a guess beside them would look
 * as sure as they are. Lists such as line items are tables, which the rules read.
 */
const invoiceFields: WantedField[] = [
  { name: 'invoice_number', type: 'text' },
  { name: 'invoice_date', type: 'date' },
  { name: 'due_date', type: 'date' },
  { name: 'purchase_order', type: 'text' },
  { name: 'payment_terms', type: 'text' },
  { name: 'seller_name', type: 'text' },
  { name: 'seller_address', type: 'text' },
  { name: 'buyer_name', type: 'text' },
  { name: 'buyer_address', type: 'text' },
  { name: 'subtotal', type: 'amount' },
  { name: 'tax', type: 'amount' },
  { name: 'total', type: 'amount' },
];

/** None where the document is not of the template's kind: then nothing was found, and nothing shall be. */
export function wantedFields(result: ParseResult, template: CustomTemplateParams | null): WantedField[] {
  if (Object.keys(result.fields).length === 0) return [];
  const all = template?.fields ?? (result.type === 'invoice' ? invoiceFields : []);
  return all.filter(({ name }) => !Object.hasOwn(result.fields, name));
}

const longestValue = 200;

/** Every value a text as it is printed, or null. */
export const toSchema = (wanted: readonly WantedField[]): Record<string, unknown> => ({
  type: 'object',
  properties: Object.fromEntries(
    wanted.map(({ name }) => [
      name,
      { anyOf: [{ type: 'string', minLength: 1, maxLength: longestValue }, { type: 'null' }] },
    ]),
  ),
  required: wanted.map(({ name }) => name),
  additionalProperties: false,
});
