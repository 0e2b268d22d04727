/** Redacts, then reads the new pages again: what can still be read is told, and the file is not handed out. */
import { useEffect, useRef, useState } from 'react';
import type { DocumentsRequest } from '../../../../../server/api/services/documents.ts';
import { useClient } from '../../../api/api-context.tsx';
import { isAbort } from '../../../api/problem.ts';
import { type SourceFile, toBase64 } from '../../../components/source-file.ts';
import { downloadBlob, siblingName } from '../../../export/download.ts';
import { type PaintedPage, paintPage, redactionWidthPx, toPdf } from './redact-pdf.ts';
import { stillReadable, type Target } from './redaction-plan.ts';

export type RedactionState =
  | { phase: 'choosing' }
  | { phase: 'painting' | 'checking'; page: number; pages: number }
  | { phase: 'done'; pages: number }
  | { phase: 'readable'; left: Target[] }
  | { phase: 'failed'; error: unknown };

/** Pages that are checked in one request: their pictures must fit the largest body. */
const pagesAtOnce = 8;

/** `knownPages`: how many the document has, as far as that is known yet. */
export function useRedaction(source: SourceFile, request: DocumentsRequest, knownPages: number) {
  const client = useClient();
  const [state, setState] = useState<RedactionState>({ phase: 'choosing' });
  const running = useRef<AbortController | null>(null);
  // Who closes the dialog no longer waits for the file.
  useEffect(() => () => running.current?.abort(), []);

  async function paint(targets: Target[], signal: AbortSignal): Promise<PaintedPage[]> {
    const painted: PaintedPage[] = [];
    for (let page = 1, pages = Math.max(1, knownPages); page <= pages; page++) {
      setState({ phase: 'painting', page, pages });
      const body = { file: source.base64, page, width: redactionWidthPx };
      const { data } = await client.call('POST /console/documents/page', { body, signal });
      pages = data.pages;
      const here = targets.filter((target) => target.page === page);
      painted.push(await paintPage(data.png, here));
    }
    return painted;
  }

  async function readable(painted: PaintedPage[], targets: Target[], signal: AbortSignal): Promise<Target[]> {
    const texts: string[] = [];
    for (let from = 0; from < painted.length; from += pagesAtOnce) {
      setState({ phase: 'checking', page: from + 1, pages: painted.length });
      const file = await toBase64(await toPdf(painted.slice(from, from + pagesAtOnce)));
      const body = { model: request.model, file, template: 'generic', output_format: 'text' as const };
      const { data } = await client.call('POST /v1/documents/parse', { body, signal });
      texts.push(data.text ?? '');
    }
    return stillReadable(targets, texts.join('\n'));
  }

  async function run(targets: Target[]): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    try {
      const painted = await paint(targets, abort.signal);
      const left = await readable(painted, targets, abort.signal);
      if (left.length > 0) return setState({ phase: 'readable', left });
      downloadBlob(siblingName(source.name, 'redacted.pdf'), await toPdf(painted));
      setState({ phase: 'done', pages: painted.length });
    } catch (error) {
      if (!isAbort(error)) setState({ phase: 'failed', error });
    }
  }

  return { state, run };
}
