/** Answers of a chat pack, held against the pages: values that do not stand there, or cannot be read as their type, are dropped. */

import { readDayOrder } from '../../quantities/dates.ts';
import { readCurrency, readDecimalSign } from '../../quantities/numbers.ts';
import { meanFieldConfidence } from '../templates/apply.ts';
import { readerOf } from '../templates/custom.ts';
import type { FieldEntry, FieldEvidence, GroundedFields, GroundParams } from '../types.ts';
import { findValue, type Taken } from './find-value.ts';

/** Lines do not tell where their words come from. */
const evidence: FieldEvidence = { rule: 'chat', sources: [] };

/** That a value stands on the page does not say that it is the field's; a person should look. */
const confidence = 0.6;

export function groundValues({ answer, wanted, lines, found }: GroundParams): GroundedFields {
  const texts = lines.map(({ text }) => text);
  const signs = {
    decimal: readDecimalSign(texts),
    dayOrder: readDayOrder(texts, readCurrency(texts.join('\n'))?.code ?? null),
  };
  const fields: Record<string, FieldEntry> = {};
  const dropped: string[] = [];
  const taken: Taken[] = Object.values(found).map(({ page, bbox }) => ({ page, bbox }));
  for (const field of wanted) {
    const text = answer[field.name];
    if (typeof text !== 'string' || text.trim() === '') continue;
    const place = findValue(text, lines, taken);
    const read = place && readerOf(field, signs)(place.raw);
    if (place && read) {
      const { page, bbox, raw, words } = place;
      fields[field.name] = { value: read.value, confidence, page, bbox, raw, evidence };
      taken.push(...words.map((word) => ({ page, bbox: word })));
    } else dropped.push(field.name);
  }
  return { fields, dropped, confidence: meanFieldConfidence({ ...found, ...fields }) };
}
