/** POST /v1/documents/redact: reads a document, blacks places out of its pictures, and reads those again. */
import { customTemplateName } from '../../api/services/documents.ts';
import type { RedactRequest, RedactResult } from '../../api/services/redaction.ts';
import type { DocumentTemplateStore } from '../../db/choices/document-templates.ts';
import type { PageLine, ParseParams, ParseResult, Template } from '../../engine/documents/types.ts';
import { selectPages } from '../../engine/page-range.ts';
import { ApiError } from '../../errors.ts';
import type { Engines } from '../../hosts/engines.ts';
import { type Caller, recordUse } from '../caller.ts';
import { documentsRole } from '../documents/document-fields.ts';
import { lastItem, parseDeadlineMs } from '../documents/documents.ts';
import { fileOrUrl } from '../files/request-file.ts';
import type { UrlFetcher } from '../files/url-fetch.ts';
import {
  callOf,
  checkVisible,
  enginesFor,
  type InferenceDeps,
  identify,
  recordServedPack,
  resolveModel,
} from '../model-call.ts';
import { isLabelText } from './label-text.ts';
import { findPersonalSpans } from './personal-spans.ts';
import {
  areaRedaction,
  fieldRedactions,
  patternSpans,
  placeText,
  type Redaction,
  readablePlace,
  readThrough,
  repeatedRedactions,
  spanRedactions,
  stillReadable,
  unsureWarnings,
} from './redaction-plan.ts';

export interface RedactDeps extends InferenceDeps {
  urls: UrlFetcher;
  templates: Pick<DocumentTemplateStore, 'get'>;
  onProgress: (requestId: string, page: number, pages: number) => void;
}

/** The warning for a document that is given back as it was. */
const nothingFound = 'Nothing to black out was found; all of the text can be read.';

export type RedactService = (body: RedactRequest, caller: Caller) => Promise<RedactResult>;

export function createRedact(deps: RedactDeps): RedactService {
  function templateOf({ template }: RedactRequest, caller: Caller): ParseParams['template'] {
    if (template === undefined) return null;
    const name = customTemplateName(template);
    if (name === null) {
      if (['mykad', 'invoice', 'passport', 'generic'].includes(template)) return template as Template;
    } else {
      if (caller.principal.class !== 'live') return 'generic';
      const custom = deps.templates.get(name);
      if (custom) return custom;
    }
    throw new ApiError('invalid_value', `There is no template ${template} on this machine.`, {
      param: 'template',
    });
  }

  return async (body, caller) => {
    resolveModel(body.model, [documentsRole], caller);
    const nothingElse = !(body.fields?.length || body.patterns?.length || body.areas?.length);
    const pii = body.pii ?? nothingElse;
    if (pii === false && nothingElse)
      throw new ApiError('missing_field', 'Name fields, pii, patterns or areas to black out.', {
        param: 'fields',
      });
    if (pii !== false) checkShield(caller);
    const bytes = await fileOrUrl(body, 'file', { caller, urls: deps.urls });
    const engines = await enginesFor(deps, caller, [bytes]);
    const asked = { engines, caller };
    const pages = body.pages ?? null;
    const passes = body.preview ? 1 : 2;
    const tell = (pass: number) => (page: number, of: number) =>
      deps.onProgress(caller.requestId, pass * of + page, passes * of);
    const read = await readWith({ bytes, template: templateOf(body, caller), pages }, asked, tell(0));
    const redactions = await planOf(body, pii, read, asked);
    const head = () => {
      const { id, created } = identify(caller, body);
      return { id: `req_red_${id}`, model: documentsRole, created };
    };
    const warnings = [
      ...read.warnings,
      ...unsureWarnings(read.lines ?? []),
      ...(redactions.length === 0 ? [nothingFound] : []),
    ];
    const usage = { pages: read.pages };
    if (body.preview) {
      recordServedPack(engines, documentsRole, caller);
      recordUse(caller, usage);
      return { ...head(), file: null, redactions, check: null, warnings, usage };
    }
    const areas = redactions.map(({ page, bbox }) => ({ page, bbox }));
    const call = callOf(caller, parseDeadlineMs);
    const { pdf } = await engines.call(documentsRole, 'redact', { bytes, pages, areas }, call);
    const again = await readWith({ bytes: pdf, template: 'generic', pages: null }, asked, tell(1));
    const lines = ownPages(again.lines ?? [], pages);
    const placed = placeText(lines);
    const left = [
      ...stillReadable(redactions, again.text ?? '').map(({ label, ...own }) => ({
        label,
        ...readablePlace({ label, ...own }, placed),
      })),
      ...readThrough(redactions, read.lines ?? [], lines),
    ];
    recordServedPack(engines, documentsRole, caller);
    recordUse(caller, usage);
    return {
      ...head(),
      file: left.length === 0 ? Buffer.from(pdf).toString('base64') : null,
      redactions: redactions.map(({ text: _, ...redaction }) => redaction),
      check: {
        passed: left.length === 0,
        readable: left.map(({ label, page, bbox }) => ({ label, page, bbox })),
      },
      warnings,
      usage,
    };
  };
}

/** Lines of the new pages by the numbers that those have in the document. */
function ownPages(lines: readonly PageLine[], pages: string | null): PageLine[] {
  if (pages === null) return [...lines];
  const numbers = selectPages(pages, Number.POSITIVE_INFINITY);
  return lines.map((line) => ({ ...line, page: numbers[line.page - 1] ?? line.page }));
}

type Asked = { engines: Engines; caller: Caller };

const readWith = (
  params: Pick<ParseParams, 'bytes' | 'template' | 'pages'>,
  { engines, caller }: Asked,
  onProgress: (page: number, pages: number) => void,
): Promise<ParseResult> =>
  lastItem(
    engines,
    { ...params, outputFormat: 'text', withLines: true },
    { call: callOf(caller, parseDeadlineMs), onProgress },
  );

/** @throws ApiError invalid_value for a pattern that is none of RE2 */
async function planOf(
  body: RedactRequest,
  pii: boolean | readonly string[],
  read: ParseResult,
  asked: Asked,
): Promise<Redaction[]> {
  const placed = placeText(read.lines ?? []);
  const personalAsk = { engines: asked.engines, call: callOf(asked.caller) };
  const kinds = typeof pii === 'boolean' ? null : pii;
  const found = pii === false ? [] : await findPersonalSpans(placed.text, kinds, personalAsk);
  const personal = found.filter(({ start, end }) => !isLabelText(placed.text.slice(start, end)));
  const redactions = [
    ...fieldRedactions(body.fields ?? [], read),
    ...spanRedactions(personal, placed, 'pii'),
    ...spanRedactions(patternSpans(body.patterns ?? [], placed), placed, 'pattern'),
    ...(body.areas ?? []).map(areaRedaction),
  ];
  return [...redactions, ...repeatedRedactions(redactions, placed)];
}

/** @throws ApiError insufficient_scope for a key that may not moderate, model_not_found for one narrowed to other models */
function checkShield(caller: Caller): void {
  if (!caller.principal.scopes.has('moderations')) {
    const message =
      'Personal data is found by svc-shield-base: this API key does not have the scope “moderations”; with "pii": false it is not looked for.';
    throw new ApiError('insufficient_scope', message, { param: 'pii' });
  }
  checkVisible('svc-shield-base', caller);
}
