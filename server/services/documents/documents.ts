/** POST /v1/documents/parse, and pictures and lines of pages for the console's playground. */
import type {
  PageImage,
  PageImageRequest,
  PageLines,
  PageLinesRequest,
  Settings,
} from '../../api/console/console.ts';
import {
  customTemplateName,
  type DocumentsRequest,
  type DocumentsResult,
} from '../../api/services/documents.ts';
import type { DocumentTemplateStore } from '../../db/choices/document-templates.ts';
import type { ParseParams, ParseResult, Template } from '../../engine/documents/types.ts';
import { ApiError } from '../../errors.ts';
import type { EngineCall, Engines } from '../../hosts/engines.ts';
import { type Caller, recordUse } from '../caller.ts';
import { decodeBase64, fileOrUrl } from '../files/request-file.ts';
import type { UrlFetcher } from '../files/url-fetch.ts';
import {
  callOf,
  enginesFor,
  type InferenceDeps,
  identify,
  recordServedPack,
  resolveModel,
} from '../model-call.ts';
import { toWire } from './document-answer.ts';
import { documentsRole, extractByChat } from './document-fields.ts';
import { toCsv, toWorkbook } from './document-tables.ts';

export interface DocumentsDeps extends InferenceDeps {
  urls: UrlFetcher;
  templates: Pick<DocumentTemplateStore, 'get'>;
  settings: () => Pick<Settings, 'document_fields'>;
  onProgress: (requestId: string, page: number, pages: number) => void;
}

export interface DocumentsService {
  parse(body: DocumentsRequest, caller: Caller): Promise<DocumentsResult>;
  pageImage(body: PageImageRequest, signal: AbortSignal): Promise<PageImage>;
  pageLines(body: PageLinesRequest, signal: AbortSignal): Promise<PageLines>;
}

/** A document that takes longer holds a page that hangs its reader; the host is then ended. */
export const parseDeadlineMs = 300_000;
const imageDeadlineMs = 60_000;

export function createDocuments(deps: DocumentsDeps): DocumentsService {
  /** A test key answers from the request alone: its own templates are those of its fixture. */
  function templateOf({ template }: DocumentsRequest, caller: Caller): ParseParams['template'] {
    if (template === undefined) return null;
    const name = customTemplateName(template);
    if (name === null) return template as Template;
    if (caller.principal.class !== 'live') return 'generic';
    const custom = deps.templates.get(name);
    if (custom) return custom;
    throw new ApiError('invalid_value', `There is no template ${template} on this machine.`, {
      param: 'template',
    });
  }

  async function parse(body: DocumentsRequest, caller: Caller): Promise<DocumentsResult> {
    resolveModel(body.model, [documentsRole], caller);
    const bytes = await fileOrUrl(body, 'file', { caller, urls: deps.urls });
    const engines = await enginesFor(deps, caller, [bytes]);
    const byChat = caller.principal.class === 'live' && deps.settings().document_fields === 'chat';
    const drawn = body.output_format === 'searchable_pdf';
    const template = templateOf(body, caller);
    const params: ParseParams = {
      bytes,
      template,
      pages: body.pages ?? null,
      outputFormat: engineFormatOf(body),
      ...(body.include_hidden && { includeHidden: true }),
      ...(byChat || drawn ? { withLines: true } : {}),
    };
    const { lines = [], ...read } = await lastItem(engines, params, {
      call: callOf(caller, parseDeadlineMs),
      onProgress: (page, pages) => deps.onProgress(caller.requestId, page, pages),
    });
    recordServedPack(engines, documentsRole, caller);
    recordUse(caller, { pages: read.pages });
    const custom = template !== null && typeof template === 'object' ? template : null;
    const result = byChat
      ? await extractByChat(read, { template: custom, lines }, { engines, caller })
      : read;
    const call = callOf(caller, parseDeadlineMs);
    const searchable = drawn
      ? await engines.call(documentsRole, 'searchablePdf', { bytes, pages: params.pages, lines }, call)
      : null;
    const { id, created } = identify(caller, body);
    const { pages, type: readAs, ...rest } = result;
    const tables = rest.tables;
    // The type repeats the prefix that was asked with, `custom:` or `own:`.
    const type = custom && body.template ? body.template : readAs;
    return {
      id: `req_doc_${id}`,
      model: documentsRole,
      created,
      type,
      ...toWire(rest),
      ...(searchable && { searchable_pdf: Buffer.from(searchable.pdf).toString('base64') }),
      ...(body.output_format === 'csv' && { csv: tables.map(toCsv) }),
      ...(body.output_format === 'xlsx' && { xlsx: Buffer.from(toWorkbook(tables)).toString('base64') }),
      usage: { pages },
    };
  }

  async function pageImage(body: PageImageRequest, signal: AbortSignal): Promise<PageImage> {
    const bytes = decodeBase64(body.file, 'file');
    const call = { signal, deadlineMs: imageDeadlineMs };
    const { pages } = await deps.engines.call(documentsRole, 'pageCount', { bytes }, call);
    const params = { bytes, page: body.page, widthPx: body.width ?? 1200 };
    const { png } = await deps.engines.call(documentsRole, 'pageImage', params, call);
    return { page: body.page, pages, png: Buffer.from(png).toString('base64') };
  }

  function pageLines({ file, page }: PageLinesRequest, signal: AbortSignal): Promise<PageLines> {
    const params = { bytes: decodeBase64(file, 'file'), page };
    return deps.engines.call(documentsRole, 'pageLines', params, {
      signal,
      deadlineMs: imageDeadlineMs,
    });
  }

  return { parse, pageImage, pageLines };
}

/** Tables are in every answer of the engine; their files are made of them here. */
const engineFormatOf = ({ output_format: format = 'json' }: DocumentsRequest): ParseParams['outputFormat'] =>
  format === 'csv' || format === 'xlsx' ? 'json' : format;

/** Reads a document through; progress goes out on the way. @throws ApiError what the engine refuses it with */
export async function lastItem(
  engines: Engines,
  params: ParseParams,
  options: { call: EngineCall; onProgress: (page: number, pages: number) => void },
): Promise<ParseResult> {
  for await (const item of engines.stream(documentsRole, 'parse', params, options.call)) {
    if (item.kind === 'result') return item.result;
    options.onProgress(item.page, item.pages);
  }
  throw new ApiError('internal_error', 'The document engine gave no result.');
}
