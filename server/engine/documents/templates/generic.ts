import type { Reading } from '../fields/reading.ts';
import type { Document } from '../parse.ts';
import type { FieldEntry } from '../types.ts';

export function readGeneric(_document: Document, _reading: Reading): Record<string, FieldEntry> {
  return {};
}
