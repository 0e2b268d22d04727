/** A document on its way through the stages that see all of its pages. */

import type { Document } from './document.ts';
import type { DocumentText } from './fields/reading.ts';
import type { ParseParams, ParseResult } from './types.ts';

export interface DocumentState {
  readonly document: Document;
  readonly request: Pick<ParseParams, 'template' | 'outputFormat' | 'withLines'>;
  /** Its rows of text in reading order; empty before that stage. */
  readonly text: DocumentText;
  readonly result: ParseResult;
}
