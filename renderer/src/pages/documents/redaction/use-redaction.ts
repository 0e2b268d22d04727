/** Redacts, then reads the new file again: what can still be read is told, and the file is not handed out. */
import { useState } from 'react';
import type { DocumentsRequest } from '../../../../../server/api/documents.ts';
import { useClient } from '../../../api/api-context.tsx';
import { downloadBlob, siblingName } from '../../../export/download.ts';
import { type SourceFile, toBase64 } from '../source-file.ts';
import { redactionWidthPx, redactPdf } from './redact-pdf.ts';
import { stillReadable, type Target } from './redaction-plan.ts';

export type RedactionState =
  | { phase: 'choosing' }
  | { phase: 'painting' | 'checking' }
  | { phase: 'done'; pages: number }
  | { phase: 'readable'; left: Target[] }
  | { phase: 'failed'; error: unknown };

/** Pages that can be checked in one request. */
export const maxPages = 20;

export function useRedaction(source: SourceFile, request: DocumentsRequest) {
  const client = useClient();
  const [state, setState] = useState<RedactionState>({ phase: 'choosing' });

  async function draw(page: number): Promise<{ png: string; pages: number }> {
    const body = { file: source.base64, page, width: redactionWidthPx };
    return (await client.call('POST /console/documents/page', { body })).data;
  }

  async function readable(pdf: Blob, targets: Target[]): Promise<Target[]> {
    const body = { model: request.model, file: await toBase64(pdf), output_format: 'text' as const };
    const { data } = await client.call('POST /v1/documents/parse', { body });
    return stillReadable(targets, data.text ?? '');
  }

  async function run(targets: Target[]): Promise<void> {
    try {
      setState({ phase: 'painting' });
      const { pages } = await draw(1);
      const numbers = Array.from({ length: Math.min(pages, maxPages) }, (_, index) => index + 1);
      const bytes = await redactPdf({
        pages: numbers,
        targets,
        draw: async (page) => (await draw(page)).png,
      });
      const pdf = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/pdf' });
      setState({ phase: 'checking' });
      const left = await readable(pdf, targets);
      if (left.length > 0) return setState({ phase: 'readable', left });
      downloadBlob(siblingName(source.name, 'redacted.pdf'), pdf);
      setState({ phase: 'done', pages: numbers.length });
    } catch (error) {
      setState({ phase: 'failed', error });
    }
  }

  return { state, run, reset: () => setState({ phase: 'choosing' }) };
}
