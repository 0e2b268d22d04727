/** Black places of a document: the server paints them, reads the new pages again, and gives them out if nothing is left. */
import { useEffect, useRef, useState } from 'react';
import type { DocumentsRequest } from '../../../../../server/api/services/documents.ts';
import type { RedactResult } from '../../../../../server/api/services/redaction.ts';
import { isAbort } from '../../../api/problem.ts';
import type { SourceFile } from '../../../components/source-file.ts';
import { bytesBlob, downloadBlob, siblingName } from '../../../export/download.ts';
import { sha256 } from '../../../format/sha256.ts';
import { type Target, toAreas } from './redaction-plan.ts';
import type { RedactionRecord } from './redaction-report.ts';
import { useRedactCall } from './use-redact-call.ts';

export type RedactionState =
  | { phase: 'choosing' | 'working' }
  | { phase: 'done'; record: RedactionRecord; warnings: readonly string[] }
  | { phase: 'readable'; check: RedactResult['check'] }
  | { phase: 'failed'; error: unknown };

export function useRedaction(source: SourceFile, request: DocumentsRequest) {
  const { ask, progress } = useRedactCall(request);
  const [state, setState] = useState<RedactionState>({ phase: 'choosing' });
  const running = useRef<AbortController | null>(null);
  // Who closes the dialog no longer waits for the file.
  useEffect(() => () => running.current?.abort(), []);

  async function run(painted: readonly Target[], left: readonly Target[]): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    setState({ phase: 'working' });
    try {
      const { file, check, warnings } = await ask({ areas: toAreas(painted) ?? [] }, abort.signal);
      if (file === null) return setState({ phase: 'readable', check });
      const name = siblingName(source.name, 'redacted.pdf');
      downloadBlob(name, bytesBlob(file, 'application/pdf'));
      const [from, to] = await Promise.all([sha256(source.base64), sha256(file)]);
      const files = { source: { name: source.name, sha256: from }, result: { name, sha256: to } };
      const record = { ...files, madeAtMs: Date.now(), painted, left, check };
      setState({ phase: 'done', record, warnings });
    } catch (error) {
      setState(isAbort(error) ? { phase: 'choosing' } : { phase: 'failed', error });
    }
  }

  return { state, progress, run, cancel: () => running.current?.abort() };
}
