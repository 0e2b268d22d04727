/** The documents engine: parses PDFs in a thread of its host. */

import type { CallContext, Engine, OpenEngine } from '../engine.ts';
import { deadlineMs } from './limits.ts';
import { ParsingThread } from './parsing-thread.ts';
import type { PageImageParams, ParseItem, ParseParams } from './types.ts';

async function first<T>(items: AsyncGenerator<unknown>): Promise<T> {
  for await (const item of items) return item as T;
  throw new Error('the parsing thread gave no answer');
}

export interface DocumentsEngine extends Engine {
  methods: {
    /** Progress items, then one result. */
    parse(params: ParseParams, context: CallContext): AsyncGenerator<ParseItem>;
    /** One page as PNG. */
    pageImage(params: PageImageParams, context: CallContext): Promise<{ png: Uint8Array }>;
    pageCount(params: { bytes: Uint8Array }, context: CallContext): Promise<{ pages: number }>;
  };
}

export const openEngine = (async (): Promise<DocumentsEngine> => {
  const thread = new ParsingThread();
  return {
    methods: {
      parse: (params, { signal }) =>
        thread.call({ method: 'parse', params }, signal) as AsyncGenerator<ParseItem>,
      pageImage: async (params, { signal }) => ({
        png: await first<Uint8Array>(thread.call({ method: 'pageImage', params }, signal)),
      }),
      pageCount: async (params, { signal }) => ({
        pages: await first<number>(thread.call({ method: 'pageCount', params }, signal)),
      }),
    },
    info: { reader: 'pdf.js', provider: 'cpu', deadline_ms: deadlineMs },
    close: () => thread.close(),
  };
}) satisfies OpenEngine;
