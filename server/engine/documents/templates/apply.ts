/** Chooses the template and fills it. A document that is not of the kind asked for gets no fields and a warning. */

import type { Document } from '../document.ts';
import type { DocumentText } from '../fields/reading.ts';
import type { CustomTemplateParams, FieldEntry, Template } from '../types.ts';
import { documentWords } from '../vocabulary/words.ts';
import { readCustom } from './custom.ts';
import { readGeneric } from './generic.ts';
import { readLikelyInvoice } from './invoice/invoice.ts';
import { checkInvoice, checkTables } from './invoice/invoice-checks.ts';
import { readLetter } from './letter.ts';
import { likeliestPart } from './mail-parts.ts';
import { findCard, readMyKad, tellsOfCard } from './mykad.ts';
import { findMrz, readPassport } from './passport.ts';

type Fields = Record<string, FieldEntry>;

export interface TemplateAnswer {
  type: string;
  fields: Fields;
  confidence: number;
  warnings: string[];
}

const names: Record<Template, string> = {
  mykad: 'a Malaysian identity card',
  passport: 'a passport or another document with a machine-readable zone',
  invoice: 'an invoice or receipt',
  generic: 'a document',
};

type Reading = { document: Document; text: DocumentText };

interface Filled {
  fields: Fields;
  warnings: string[];
}

const filled = (fields: Fields): Filled => ({ fields, warnings: [] });

/** A letter's fields and those behind labels; a label that says the subject again, such as `Re:`, is none. */
function readAny(document: Document, reading: DocumentText): Fields {
  const [letter, labelled] = [readLetter(reading), readGeneric(document, reading)];
  const { subject_label } = documentWords().parties;
  for (const [name, { label, value }] of Object.entries(labelled))
    if (name !== 'subject' && value === letter.subject?.value && subject_label.test(`${label}:`))
      delete labelled[name];
  return { ...letter, ...labelled };
}

/** Fields of one template, null if the document is not of its kind. */
function fill(template: Template, { document, text: reading }: Reading, isTold: boolean): Filled | null {
  switch (template) {
    case 'passport': {
      const mrz = findMrz(reading);
      return mrz && filled(readPassport(mrz, reading));
    }
    case 'mykad': {
      const card = findCard(reading);
      return card && readMyKad(reading, card);
    }
    case 'invoice': {
      const fields = readLikelyInvoice(reading, isTold);
      if (!fields) return null;
      const warnings = [...checkInvoice(fields, reading), ...checkTables(fields, document.tables, reading)];
      return { fields, warnings };
    }
    case 'generic':
      return filled(readAny(document, reading));
  }
}

export function meanFieldConfidence(fields: Fields): number {
  const values = Object.values(fields).map((field) => field.confidence);
  if (values.length === 0) return 0;
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 100) / 100;
}

const nothing = (type: string, kind: string): TemplateAnswer => ({
  type,
  fields: {},
  confidence: 0,
  warnings: [`The document does not look like ${kind}, so no fields were filled.`],
});

function applyCustom(template: CustomTemplateParams, reading: DocumentText): TemplateAnswer {
  const type = `custom:${template.name}`;
  const fields = readCustom(template, reading);
  if (!fields) return nothing(type, `one of the template ${template.name}`);
  const missing = template.fields.filter(({ name }) => !Object.hasOwn(fields, name)).map(({ name }) => name);
  const warnings = missing.length > 0 ? [`Not found on the document: ${missing.join(', ')}.`] : [];
  return { type, fields, confidence: meanFieldConfidence(fields), warnings };
}

/** Rows at its top in which a paper is named. */
const titleRows = 12;

/** Its first row is the title of a contract, and no row near it that of an invoice: a table of fees makes it none. */
function isContract({ rows }: DocumentText): boolean {
  const { contract_title: contract, title } = documentWords().parties;
  const top = rows.slice(0, titleRows).map(({ pieces }) => pieces.map(({ text }) => text).join(' '));
  return contract.test(top[0] ?? '') && !top.some((row) => title.test(row));
}

/** An account's statement: its title, and a table of what went in and out with the balance left. */
function isStatement({ rows }: DocumentText): boolean {
  const { statement_title: title, ledger_head: head, title: other } = documentWords().parties;
  const top = rows.slice(0, titleRows).map(({ text }) => text);
  const isOther = (row: string): boolean => other.test(row) && !title.test(row);
  return top.some((row) => title.test(row)) && !top.some(isOther) && rows.some(({ text }) => head.test(text));
}

function applyBuiltIn({ document, text: reading }: Reading, template: Template | null): TemplateAnswer {
  for (const kind of template ? [template] : (['passport', 'mykad', 'invoice', 'generic'] as const)) {
    if (!template && kind === 'mykad' && tellsOfCard(reading)) continue;
    if (!template && kind === 'invoice' && (isContract(reading) || isStatement(reading))) continue;
    const answer = fill(kind, { document, text: reading }, template !== null);
    if (answer) return { type: kind, ...answer, confidence: meanFieldConfidence(answer.fields) };
  }
  return nothing(template ?? 'generic', names[template ?? 'generic']);
}

/** `template` null tries the narrow kinds first; `generic` fits everything. A mail's fields come from one of its parts. */
export function applyTemplate(
  whole: Reading,
  template: Template | CustomTemplateParams | null,
): TemplateAnswer {
  if (template !== null && typeof template !== 'string') return applyCustom(template, whole.text);
  const part =
    template === 'generic'
      ? null
      : likeliestPart(whole.document, (document, text) => applyBuiltIn({ document, text }, template));
  return part ?? applyBuiltIn(whole, template);
}
