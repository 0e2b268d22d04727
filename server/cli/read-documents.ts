/** Documents through the service in this process, without a server: pages are metered as the command line's. */
import type { DocumentsRequest, DocumentsResult } from '../api/services/documents.ts';
import { ApiError } from '../errors.ts';
import { localOwner } from '../services/caller.ts';
import { createDocuments } from '../services/documents/documents.ts';
import { commandPrincipal } from '../services/keys/playground.ts';
import { createUsageService } from '../services/usage.ts';
import { StartError } from '../start-error.ts';
import { parseInPieces } from './parse-in-pieces.ts';
import { withPacks } from './server/data.ts';

const noUrls = {
  check: (): never => {
    throw new Error('no URL was given');
  },
  fetch: () => Promise.reject(new Error('no URL was given')),
};

/**
 * The answers in the order of the requests, whose `file` is base64; of several, `paths` tell which one is refused.
 * @throws ApiError what the service refuses the first wrong one with; StartError after Ctrl+C
 */
export function readDocuments(
  requests: readonly DocumentsRequest[],
  paths: readonly string[] = [],
): Promise<DocumentsResult[]> {
  const abort = new AbortController();
  process.once('SIGINT', () => abort.abort(new StartError('Stopped.')));
  return withPacks(async ({ engines, documentTemplates: templates, settings, stores }) => {
    const service = createDocuments({
      engines,
      fixtures: engines,
      urls: noUrls,
      templates,
      settings: settings.get,
      onProgress() {},
    });
    const usage = createUsageService(stores.usage, Date.now);
    const results: DocumentsResult[] = [];
    for (const [at, request] of requests.entries()) {
      const file = request.file ?? '';
      const result = await parseInPieces(request, {
        async parse(piece) {
          const caller = localOwner('lokal parse', abort.signal);
          const answer = await service.parse(piece, caller);
          usage.record(commandPrincipal, caller.meter);
          return answer;
        },
        countPages: async () => (await service.pageImage({ file, page: 1, width: 64 }, abort.signal)).pages,
      }).catch((error: unknown) => {
        if (error instanceof ApiError && paths[at]) throw new StartError(`${paths[at]}: ${error.message}.`);
        throw error;
      });
      results.push(result);
    }
    return results;
  });
}
