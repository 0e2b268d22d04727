/** Scores of one text: by one request, or piece by piece where it is longer than a request takes. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModerationsRequest, SafetyResult } from '../../../../server/api/services/moderations.ts';
import { cutText, type TextPart } from '../../../../server/api/services/text-pieces.ts';
import { useClient } from '../../api/api-context.tsx';
import { patiently } from '../../api/patience.ts';
import { usePageWork } from '../../work/work-context.ts';
import { joinOutcomes } from './categories.ts';

/** An answer outlives a visit to other pages for so long. */
const keptMs = 10 * 60_000;

/** Of one text. */
export type TextRequest = ModerationsRequest & { input: string };

export function useSafety(body: TextRequest) {
  const client = useClient();
  const page = usePageWork();
  const queries = useQueryClient();
  /** Pieces done of all, of a text that takes several. */
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
  const queryKey = ['safety', body];

  const ask = async (input: string, signal: AbortSignal): Promise<SafetyResult> => {
    const call = () => client.call('POST /v1/moderations', { body: { ...body, input }, signal });
    return (await patiently(call, signal)).data as SafetyResult;
  };

  async function askAll(pieces: readonly TextPart[], signal: AbortSignal): Promise<SafetyResult> {
    const job = page.start({ cancel: () => void queries.cancelQueries({ queryKey }) });
    const answers: SafetyResult[] = [];
    try {
      for (const { text } of pieces) {
        setProgress({ done: answers.length, total: pieces.length });
        job.progress(answers.length, pieces.length);
        answers.push(await ask(text, signal));
      }
      job.end('done');
    } catch (error) {
      job.end(signal.aborted ? 'cancelled' : 'failed', error);
      throw error;
    } finally {
      setProgress(null);
    }
    const outcomes = answers.flatMap(({ results }) => results);
    return { ...answers[0]!, results: [joinOutcomes(outcomes, pieces)] };
  }

  const answer = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const pieces = cutText(body.input) ?? [];
      return pieces.length > 1 ? askAll(pieces, signal) : ask(body.input, signal);
    },
    enabled: body.input.trim() !== '',
    placeholderData: keepPreviousData,
    gcTime: keptMs,
    retry: false,
    // A text is not read, and metered, again because its page or window was looked at.
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return { answer, progress, cancel: () => void queries.cancelQueries({ queryKey }) };
}
