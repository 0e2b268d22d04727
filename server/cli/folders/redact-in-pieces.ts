/** Redaction of a document of any length: as many pages a request as one takes. */
import type { PageImage } from '../../api/console/console.ts';
import type { RedactRequest, RedactResult } from '../../api/services/redaction.ts';
import { maxPages, pageSelections } from '../../engine/page-range.ts';
import type { FolderOutput } from '../../services/folders/folder-work.ts';
import type { LocalApi } from '../server/local-api.ts';

type Api = Pick<LocalApi, 'ask' | 'console'>;

interface Tools {
  api: Api;
  /** Told of each warning that the report holds. */
  warn: (warning: string) => void;
}

/** A PDF and a report of every piece. @throws Error where something can still be read in the new pages */
export async function redactInPieces(
  bytes: Buffer,
  choice: RedactRequest,
  { api, warn }: Tools,
): Promise<FolderOutput[]> {
  const file = bytes.toString('base64');
  const outputs: FolderOutput[] = [];
  const isPdf = bytes.subarray(0, 1024).includes('%PDF-');
  for (const pages of isPdf ? await pagePieces(file, api) : [null])
    outputs.push(...(await redactPiece({ ...choice, file, ...(pages && { pages }) }, { api, warn })));
  return outputs;
}

/** Selections of as many pages as one request takes, of a PDF that has more; null is all of a shorter document. */
async function pagePieces(file: string, api: Api): Promise<(string | null)[]> {
  const body = { file, page: 1, width: 64 };
  const { pages } = await api.console<PageImage>('POST', '/console/documents/page', body);
  return pages <= maxPages ? [null] : pageSelections(pages);
}

/** @throws Error where something can still be read in the new pages */
async function redactPiece(body: RedactRequest, { api, warn }: Tools): Promise<FolderOutput[]> {
  const { file, ...report } = await api.ask<RedactResult>('/v1/documents/redact', body);
  const name = body.pages ? `.pages-${body.pages}` : '';
  if (file === null) {
    const places = (report.check?.readable ?? []).map(({ label, page, bbox }) => {
      const [left, top] = bbox.map((at) => Math.round(at * 100));
      return `${label || 'area'} on page ${page} (${left} % from the left, ${top} % from the top)`;
    });
    throw new Error(`these could still be read in the new pages, so none were written: ${places.join('; ')}`);
  }
  for (const warning of report.warnings) warn(warning);
  return [
    { suffix: `${name}.redacted.pdf`, data: Buffer.from(file, 'base64') },
    { suffix: `${name}.report.json`, data: `${JSON.stringify(report, null, 2)}\n` },
  ];
}
