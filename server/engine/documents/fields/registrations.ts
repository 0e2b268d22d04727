/** Tax and company registration numbers, bank accounts: found by their form and checked where they carry a check. */

import { isIban } from '../../identifiers/iban.ts';
import type { RegistrationKind, RegistrationRule } from '../vocabulary/vocabulary.ts';
import { documentWords } from '../vocabulary/words.ts';
import type { DocumentText, PlacedSegment } from './reading.ts';

export interface Registration {
  kind: RegistrationKind;
  value: string;
  raw: string;
  confidence: number;
  piece: PlacedSegment;
}

const squeeze = (text: string): string => text.replace(/\s/g, '');

const checks: Record<RegistrationRule['check'], (value: string) => boolean> = {
  '-': () => true,
  iban: isIban,
  digits: (value) => /\d{5,}/.test(value),
};

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
    for (const { kind, pattern, strength: confidence, check } of documentWords().registrations) {
      const raw = kinds.has(kind) ? undefined : pattern.exec(text)?.[1];
      if (!raw || !checks[check](raw)) continue;
      kinds.add(kind);
      const value = kind === 'phone' ? raw.trim() : squeeze(raw);
      found.push({ kind, value, raw, confidence, piece: at });
    }
  }
  return found;
}
