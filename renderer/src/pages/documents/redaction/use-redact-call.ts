/** POST /v1/documents/redact for the open document, with its progress. */
import { useCallback, useRef, useState } from 'react';
import type { DocumentsRequest } from '../../../../../server/api/services/documents.ts';
import type { RedactRequest, RedactResult } from '../../../../../server/api/services/redaction.ts';
import { useClient, useConsoleEvents } from '../../../api/api-context.tsx';

export interface RedactProgress {
  page: number;
  pages: number;
}

type Choice = Pick<RedactRequest, 'areas' | 'pii' | 'preview'>;

/** @param request the document as it was parsed: its file and pages */
export function useRedactCall({ file, model, pages }: DocumentsRequest) {
  const client = useClient();
  const [progress, setProgress] = useState<RedactProgress | null>(null);
  const requestId = useRef('');
  useConsoleEvents((event) => {
    if (event.type !== 'progress' || event.request_id !== requestId.current) return;
    setProgress({ page: event.page, pages: event.pages });
  });
  const ask = useCallback(
    async (choice: Choice, signal: AbortSignal): Promise<RedactResult> => {
      requestId.current = crypto.randomUUID();
      setProgress(null);
      const body = { model, ...(file && { file }), ...(pages && { pages }), ...choice };
      const options = { body, signal, requestId: requestId.current };
      return (await client.call('POST /v1/documents/redact', options)).data;
    },
    [client, model, file, pages],
  );
  return { ask, progress };
}
