/** What crosses between the host and its parsing thread. */

export type ThreadRequest =
  | { id: number; method: 'parse'; params: import('./types.ts').ParseParams }
  | { id: number; method: 'pageImage'; params: import('./types.ts').PageImageParams }
  | { id: number; method: 'pageCount'; params: { bytes: Uint8Array } };

export type ThreadReply =
  | { id: number; kind: 'item'; item: unknown }
  | { id: number; kind: 'end' }
  | { id: number; kind: 'error'; code: string; message: string; param: string | null };
