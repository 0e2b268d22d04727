/** Personal data in the text of the open document, as the server finds it; who closes the dialog stops the search. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DocumentsRequest } from '../../../../../server/api/services/documents.ts';
import type { SourceFile } from '../../../components/source-file.ts';
import { type Target, toPersonalTargets } from './redaction-plan.ts';
import { type RedactProgress, useRedactCall } from './use-redact-call.ts';

export interface PersonalSearch {
  found: Target[];
  progress: RedactProgress | null;
  done: boolean;
  error: unknown;
}

export function usePersonalData(source: SourceFile, request: DocumentsRequest): PersonalSearch {
  const { ask, progress } = useRedactCall(request);
  const { data, error, isFetching } = useQuery({
    queryKey: ['personal-data', source.id, request.pages],
    queryFn: ({ signal }) => ask({ pii: true, preview: true }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const found = useMemo(() => toPersonalTargets(data?.redactions ?? []), [data]);
  return { found, progress, done: !isFetching, error };
}
