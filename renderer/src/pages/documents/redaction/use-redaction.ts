/** Black places of a document: the server paints them, reads the new pages again, and gives them out if nothing is left. */
import { useEffect, useRef, useState } from 'react';
import type { DocumentsRequest } from '../../../../../server/api/services/documents.ts';
import type { RedactResult } from '../../../../../server/api/services/redaction.ts';
import { isAbort } from '../../../api/problem.ts';
import type { SourceFile } from '../../../components/source-file.ts';
import { bytesBlob, downloadBlob, siblingName } from '../../../export/download.ts';
import { type Target, toAreas } from './redaction-plan.ts';
import { useRedactCall } from './use-redact-call.ts';

/** Places that were blacked out, and what the check of the new pages said. */
export type RedactionReport = Omit<RedactResult, 'file'>;

export type RedactionState =
  | { phase: 'choosing' | 'working' }
  | { phase: 'done' | 'readable'; report: RedactionReport }
  | { phase: 'failed'; error: unknown };

export function useRedaction(source: SourceFile, request: DocumentsRequest) {
  const { ask, progress } = useRedactCall(request);
  const [state, setState] = useState<RedactionState>({ phase: 'choosing' });
  const running = useRef<AbortController | null>(null);
  // Who closes the dialog no longer waits for the file.
  useEffect(() => () => running.current?.abort(), []);

  async function run(targets: readonly Target[]): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    setState({ phase: 'working' });
    try {
      const { file, ...report } = await ask({ areas: toAreas(targets) ?? [] }, abort.signal);
      if (file === null) return setState({ phase: 'readable', report });
      downloadBlob(siblingName(source.name, 'redacted.pdf'), bytesBlob(file, 'application/pdf'));
      setState({ phase: 'done', report });
    } catch (error) {
      setState(isAbort(error) ? { phase: 'choosing' } : { phase: 'failed', error });
    }
  }

  return { state, progress, run, cancel: () => running.current?.abort() };
}
