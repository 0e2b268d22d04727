/** One document through the parser, in this process. */

import { parseDocument } from '../../../server/engine/documents/parse-document.ts';
import type { ParseParams, ParseResult } from '../../../server/engine/documents/types.ts';

export async function parse(
  bytes: Uint8Array,
  outputFormat: ParseParams['outputFormat'] = 'json',
): Promise<ParseResult> {
  for await (const item of parseDocument({ bytes, template: null, pages: null, outputFormat }))
    if (item.kind === 'result') return item.result;
  throw new Error('no result');
}
