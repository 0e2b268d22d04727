/** What crosses between the host and its parsing thread. */

import type { ModelReply, ModelRequest } from '../vision/ocr/models/remote-models.ts';
import type { GroundParams, PageImageParams, PageLinesParams, ParseParams } from './types.ts';

export type ThreadRequest =
  | { id: number; method: 'parse'; params: ParseParams }
  | { id: number; method: 'pageImage'; params: PageImageParams }
  | { id: number; method: 'pageLines'; params: PageLinesParams }
  | { id: number; method: 'pageCount'; params: { bytes: Uint8Array } }
  | { id: number; method: 'groundValues'; params: GroundParams };

export type ThreadReply =
  | { id: number; kind: 'item'; item: unknown }
  | { id: number; kind: 'end' }
  | { id: number; kind: 'error'; code: string; message: string; param: string | null };

export type ToThread = { kind: 'request'; request: ThreadRequest } | { kind: 'model'; reply: ModelReply };
export type FromThread = { kind: 'reply'; reply: ThreadReply } | { kind: 'model'; request: ModelRequest };
