/**
 * Templates that a person made: fields found by their labels, else by their place, else by their pattern alone.
 *
 * Patterns run in linear time (RE2), so that no template hangs the parser.
 */

import { RE2JS } from 're2js';
import { findDates } from '../../quantities/dates.ts';
import { findAmounts } from '../../quantities/numbers.ts';
import { type Box, contains, unionBox } from '../../vision/geometry.ts';
import type { Word } from '../document.ts';
import { findLabelled, type LabelRule, type ValueReader } from '../fields/labelled.ts';
import { type DocumentText, type FieldMatch, type PlacedSegment, toEntry } from '../fields/reading.ts';

import type { CustomFieldParams, CustomTemplateParams, FieldEntry, Scalar } from '../types.ts';

type Reader = ValueReader<Scalar>;

/** The signs that numbers and dates of the document follow. */
type Signs = Pick<DocumentText, 'decimal' | 'dayOrder'>;

const typeReaders: Record<CustomFieldParams['type'], (signs: Signs) => Reader> = {
  text: () => (text) => {
    const value = text.trim();
    return value === '' ? null : { value, raw: value, certainty: 0.95 };
  },
  number: (signs) => (text) => {
    const amount = findAmounts(text, signs.decimal)[0];
    return amount ? { value: amount.value, raw: amount.raw, certainty: 1 } : null;
  },
  amount: (signs) => (text) => {
    const amount = findAmounts(text, signs.decimal).find(({ percent }) => !percent);
    return amount ? { value: amount.value, raw: amount.raw, certainty: 1 } : null;
  },
  date: (signs) => (text) => {
    const date = findDates(text, signs.dayOrder)[0];
    return date ? { value: date.iso, raw: date.raw, certainty: date.certain ? 1 : 0.9 } : null;
  },
};

type PatternField = Pick<CustomFieldParams, 'type' | 'pattern'>;

/** Patterns of the pack's own templates serve every document: compiling one takes longer than reading most pages. */
const patterns = new WeakMap<PatternField, RE2JS>();

function patternOf(field: PatternField, source: string): RE2JS {
  const pattern = patterns.get(field) ?? RE2JS.compile(source);
  patterns.set(field, pattern);
  return pattern;
}

/** The pattern's match, its first group if it has one, is read as the field's type. */
export function readerOf(field: PatternField, signs: Signs): Reader {
  const read = typeReaders[field.type](signs);
  if (field.pattern === undefined) return read;
  const pattern = patternOf(field, field.pattern);
  return (text) => {
    const match = pattern.matcher(text);
    if (!match.find()) return null;
    return read((match.groupCount() > 0 ? match.group(1) : match.group()) ?? '');
  };
}

const escaped = (label: string): string =>
  label
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\s+/g, '\\s*');

const rulesOf = ({ labels = [] }: CustomFieldParams): LabelRule[] =>
  labels.map((label) => ({
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])${escaped(label)}(?![\\p{L}\\p{N}])`, 'iu'),
    strength: 0.95,
  }));

interface PlacedLine {
  piece: PlacedSegment;
  words: Word[];
}

/** The words inside a place of the sample, line by line. */
function linesAt({ place }: CustomFieldParams, reading: DocumentText): PlacedLine[] {
  if (!place) return [];
  const bbox = place.bbox as Box;
  return reading.pieces
    .filter((piece) => piece.page.number === place.page)
    .map((piece) => ({
      piece,
      words: piece.words.filter((word) => contains(bbox, piece.page.toView(word.box))),
    }))
    .filter((line) => line.words.length > 0);
}

function atPlace(lines: PlacedLine[], read: Reader): FieldMatch | null {
  const value = read(lines.map((line) => line.words.map((word) => word.text).join(' ')).join(' '));
  if (!value) return null;
  const box = unionBox(lines.flatMap((line) => line.words.map((word) => word.box)));
  return { ...value, rule: 'place', confidence: 0.8 * value.certainty, page: lines[0]!.piece.page, box };
}

/**
 * Beside its label. Of several such labels the one counts whose value stands where it stood on the sample; a value of several
 * lines, such as an address, is then read whole.
 */
function besideLabel(field: CustomFieldParams, reading: DocumentText, read: Reader): FieldMatch | null {
  const candidates = findLabelled(reading, rulesOf(field), read);
  const lines = linesAt(field, reading);
  const placed = candidates.find(({ piece }) => lines.some((line) => line.piece === piece));
  if (placed && lines.length > 1) {
    const whole = atPlace(lines, read);
    if (whole) return { ...whole, rule: 'label', confidence: placed.confidence, label: placed.label! };
  }
  return placed ?? candidates[0] ?? null;
}

/** The first text anywhere that the pattern fits, where nothing else is said. */
function anywhere(field: CustomFieldParams, reading: DocumentText, read: Reader): FieldMatch | null {
  if (field.pattern === undefined || field.labels?.length || field.place) return null;
  for (const piece of reading.pieces) {
    const value = read(piece.text);
    if (value)
      return {
        ...value,
        rule: 'pattern',
        confidence: 0.8 * value.certainty,
        page: piece.page,
        box: piece.box,
      };
  }
  return null;
}

const squeezed = (text: string): string => text.toUpperCase().replace(/\s/g, '');

/** True if the document holds the words of the template. */
function fits({ words = [] }: CustomTemplateParams, reading: DocumentText): boolean {
  const text = squeezed(reading.text);
  return words.every((word) => text.includes(squeezed(word)));
}

/** Null if the document lacks the template's words, or holds none of its fields. */
export function readCustom(
  template: CustomTemplateParams,
  reading: DocumentText,
): Record<string, FieldEntry> | null {
  if (!fits(template, reading)) return null;
  const fields: Record<string, FieldEntry> = {};
  for (const field of template.fields) {
    const read = readerOf(field, reading);
    const found =
      besideLabel(field, reading, read) ??
      atPlace(linesAt(field, reading), read) ??
      anywhere(field, reading, read);
    if (found) fields[field.name] = toEntry(found);
  }
  return Object.keys(fields).length > 0 ? fields : null;
}
