/** Between the engine and the thread that makes its masks. */
import type { VocabularyData } from '../../grammar/vocabulary.ts';
import type { Failure } from '../../protocol.ts';
import type { OutputRequest } from './compiled-output.ts';

export interface MaskThreadData {
  vocabulary: VocabularyData;
  template: string | null;
}

/** `id` is the question's, `request` the request's. */
export type ToMaskThread =
  | { type: 'compile'; id: number; request: number; output: OutputRequest }
  | {
      type: 'masks';
      id: number;
      request: number;
      choice: number;
      /** Tokens taken since the choice was last asked about. */
      accepted: readonly number[];
      draft: readonly number[];
    }
  | { type: 'close'; request: number };

export type FromMaskThread = { id: number } & ({ masks: (Uint32Array | null)[] } | { failure: Failure });
