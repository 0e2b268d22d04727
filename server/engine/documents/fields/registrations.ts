/** Tax and company registration numbers, bank accounts: found by their form and checked where they carry a check. */

import { isIban } from '../../identifiers/iban.ts';
import type { DocumentText, PlacedSegment } from './reading.ts';

export type RegistrationKind =
  | 'tax_id'
  | 'sst_number'
  | 'registration_number'
  | 'iban'
  | 'bic'
  | 'email'
  | 'phone'
  | 'website';

export interface Registration {
  kind: RegistrationKind;
  value: string;
  raw: string;
  confidence: number;
  piece: PlacedSegment;
}

interface Form {
  kind: RegistrationKind;
  pattern: RegExp;
  confidence: number;
  check?: (value: string) => boolean;
}

const squeeze = (text: string): string => text.replace(/\s/g, '');

/** The first group is the value. */
const forms: Form[] = [
  { kind: 'iban', pattern: /\b([A-Z]{2}\d{2}(?:\s?[A-Z0-9]{2,4}){3,8})\b/, confidence: 0.98, check: isIban },
  {
    kind: 'bic',
    pattern: /\b(?:BIC|SWIFT)(?:\s*code)?[\s:/]*([A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)\b/,
    confidence: 0.95,
  },
  { kind: 'sst_number', pattern: /\b([A-Z]\d{2}-\d{4}-\d{8})\b/, confidence: 0.98 },
  {
    kind: 'sst_number',
    pattern: /\bSST\s*(?:reg(?:istration)?\.?)?\s*(?:no|id|number)?\.?\s*[:.]?\s*([A-Z]?\d[\d-]{8,})/i,
    confidence: 0.9,
  },
  {
    kind: 'tax_id',
    pattern:
      /\b(?:GST|GSTIN)\s*(?:reg(?:istration)?\.?)?\s*(?:id|no|number)?\.?\s*(?:no\.?)?\s*[:.)]?\s*(\d{9,15})\b/i,
    confidence: 0.95,
  },
  { kind: 'tax_id', pattern: /\b(\d{2}[A-Z]{5}\d{4}[A-Z]\d[A-Z\d]{2})\b/, confidence: 0.97 },
  { kind: 'tax_id', pattern: /\bTIN\s*(?:no\.?)?\s*[:.]?\s*([A-Z]{0,2}\s?\d{9,13})\b/, confidence: 0.95 },
  {
    kind: 'tax_id',
    pattern: /\bNIP\s*[:.]?\s*((?:PL)?\s?\d{3}[-\s]?\d{2,3}[-\s]?\d{2}[-\s]?\d{2,3})\b/,
    confidence: 0.95,
  },
  { kind: 'tax_id', pattern: /\b((?:DE)\s?\d{3}\s?\d{3}\s?\d{3})\b/, confidence: 0.95 },
  { kind: 'tax_id', pattern: /\b(NL\s?\d{9}\s?B\s?\d{2})\b/, confidence: 0.97 },
  {
    kind: 'tax_id',
    pattern: /\b(FR\s?[A-Z0-9]{2}\s?\d{3}\s?\d{3}\s?\d{3}|FR\s?\d{3}\s?\d{3}\s?\d{3}\s?\d{2})\b/,
    confidence: 0.93,
  },
  {
    kind: 'tax_id',
    pattern:
      /\b((?:BE\s?0?\d{3}[.\s]?\d{3}[.\s]?\d{3}|ATU\d{8}|GB\s?\d{3}\s?\d{4}\s?\d{2}|IT\s?\d{11}|ES[A-Z0-9]\d{7}[A-Z0-9]|PL\s?\d{10}))\b/,
    confidence: 0.95,
  },
  {
    kind: 'tax_id',
    pattern:
      /\b(?:VAT|TVA|BTW|USt-?Id(?:Nr)?\.?|tax\s+id)\s*(?:reg\.?)?\s*(?:no|nr|number|id)?\.?\s*[:.]?\s*([A-Z]{0,2}\d[\dA-Z\s]{6,14}\d)\b/i,
    confidence: 0.85,
  },
  { kind: 'registration_number', pattern: /\b(\d{12}\s*\(\s*[A-Z0-9]{2,9}-[A-Z]\s*\))/, confidence: 0.98 },
  {
    kind: 'registration_number',
    pattern:
      /\b(?:co\.?\s*reg|company\s*(?:reg|no)|reg(?:istration)?\.?\s*no|roc|brn|ssm|business\s*reg(?:istration)?|no\.?\s*(?:pendaftaran|syarikat))[a-z.]*\s*(?:no\.?)?\s*[:.)]?\s*\(?([A-Z0-9]{2,12}(?:-[A-Z0-9]{1,2})?)\)?/i,
    confidence: 0.9,
    check: (value) => /\d{5,}/.test(value),
  },
  { kind: 'registration_number', pattern: /\(?\b(\d{5,7}\s?-\s?[A-Z])\b\)?/, confidence: 0.9 },
  {
    kind: 'registration_number',
    pattern: /\b((?:JM|SA|PG|KT|LA|TR|CT|RA|IP|NS|AS|PPK)\d{7}\s?-\s?[A-Z])\b/,
    confidence: 0.9,
  },
  {
    kind: 'registration_number',
    pattern: /\b(?:KvK|RCS|RSC|SIREN|HRB|KRS|REGON)\b[\s:A-Za-z]{0,14}(\d[\d\s]{4,12}\d)\b/,
    confidence: 0.9,
  },
  { kind: 'email', pattern: /\b([\w.+-]+@[\w-]+(?:\.[\w-]+)+)\b/, confidence: 0.98 },
  {
    kind: 'website',
    pattern: /\b((?:https?:\/\/|www\.)[\w-]+(?:\.[\w-]+)+(?:\/[\w./-]*)?)/i,
    confidence: 0.95,
  },
  {
    kind: 'phone',
    pattern:
      /\b(?:tel(?:ephone|efon|éfono)?|phone|h\/?p|hotline|tél|telefoon|mobile)\b\.?\s*(?:no)?\.?\s*[:.]?\s*(\+?\(?\d[\d\s()./-]{6,18}\d)/i,
    confidence: 0.9,
  },
];

/** A label and its number may stand apart: `NIP:` and `774-00-01-454`. */
function textOf(piece: PlacedSegment, reading: DocumentText): { text: string; at: PlacedSegment } {
  const right = /[:：]\s*$/.test(piece.text) ? reading.rows[piece.row]!.pieces[piece.order + 1] : undefined;
  return right ? { text: `${piece.text} ${right.text}`, at: right } : { text: piece.text, at: piece };
}

export function findRegistrations(reading: DocumentText): Registration[] {
  const found: Registration[] = [];
  for (const piece of reading.pieces) {
    const { text, at } = textOf(piece, reading);
    if (text.length < 5 || !/\d|@|www|bic|swift/i.test(text)) continue;
    const kinds = new Set<RegistrationKind>();
    for (const { kind, pattern, confidence, check } of forms) {
      const raw = kinds.has(kind) ? undefined : pattern.exec(text)?.[1];
      if (!raw || (check && !check(raw))) continue;
      kinds.add(kind);
      const value = kind === 'phone' ? raw.trim() : squeeze(raw);
      found.push({ kind, value, raw, confidence, piece: at });
    }
  }
  return found;
}
