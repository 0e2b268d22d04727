/** Corrections of the answer that is shown; a new answer begins without any. */
import { useCallback, useState } from 'react';
import type { DocumentsResult } from '../../../../../server/api/documents.ts';
import type { Corrections } from './corrections.ts';

const none: Corrections = new Map();

export interface CorrectionsState {
  corrections: Corrections;
  correct: (place: string, text: string) => void;
}

export function useCorrections(result: DocumentsResult | null): CorrectionsState {
  const [state, setState] = useState<{ of: DocumentsResult | null; corrections: Corrections }>({
    of: result,
    corrections: none,
  });
  const corrections = state.of === result ? state.corrections : none;
  const correct = useCallback(
    (place: string, text: string) =>
      setState((previous) => {
        const known = previous.of === result ? previous.corrections : none;
        return { of: result, corrections: new Map(known).set(place, text) };
      }),
    [result],
  );
  return { corrections, correct };
}
