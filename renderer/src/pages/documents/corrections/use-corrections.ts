/** Corrections of the answer that is shown; a new answer begins without any. Each step can be undone. */
import { useCallback, useState } from 'react';
import type { DocumentsResult } from '../../../../../server/api/services/documents.ts';
import type { Corrections } from './corrections.ts';

const none: Corrections = new Map();

interface Steps {
  of: DocumentsResult | null;
  /** Every state so far, the shown one last. */
  states: Corrections[];
}

export interface CorrectionsState {
  corrections: Corrections;
  correct: (place: string, text: string) => void;
  /** Puts the answer's own value back. */
  revert: (place: string) => void;
  /** Absent: there is nothing to undo. */
  undo?: () => void;
}

/** @param restored corrections of the result that is there from the start */
export function useCorrections(
  result: DocumentsResult | null,
  restored: Corrections = none,
): CorrectionsState {
  const [steps, setSteps] = useState<Steps>({
    of: result,
    states: restored.size > 0 ? [none, restored] : [none],
  });
  const states = steps.of === result ? steps.states : [none];
  const step = useCallback(
    (change: (map: Map<string, string>) => void) =>
      setSteps((previous) => {
        const known = previous.of === result ? previous.states : [none];
        const next = new Map(known.at(-1));
        change(next);
        return { of: result, states: [...known, next] };
      }),
    [result],
  );
  const undo = () => setSteps({ of: result, states: states.slice(0, -1) });
  return {
    corrections: states.at(-1) ?? none,
    correct: useCallback((place, text) => step((map) => map.set(place, text)), [step]),
    revert: useCallback((place) => step((map) => map.delete(place)), [step]),
    ...(states.length > 1 && { undo }),
  };
}
