/** The tools: each hands its arguments to one service, in the name of the key that asks. */
import { type Static, type TObject, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Closed, languages } from '../../api/common.ts';
import { documentOutputFormats } from '../../api/services/documents.ts';
import { imageTasks } from '../../api/services/images.ts';
import { KindName, maxAnonymizeCharacters } from '../../api/services/redaction.ts';
import { ApiError } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import type { DocumentsService } from '../documents/documents.ts';
import type { EmbeddingsService } from '../embeddings.ts';
import type { ImagesService } from '../images/images.ts';
import type { ModerationsService } from '../moderations/moderations.ts';
import type { AnonymizeService } from '../redaction/anonymize.ts';
import type { RedactService } from '../redaction/redact.ts';
import type { RerankService } from '../rerank.ts';
import { type AllowedFiles, readAllowedFile } from './allowed-file.ts';

export interface ToolDeps {
  anonymize: Pick<AnonymizeService, 'anonymize'>;
  redact: RedactService;
  documents: Pick<DocumentsService, 'parse'>;
  embeddings: EmbeddingsService;
  images: ImagesService;
  moderations: ModerationsService;
  rerank: RerankService;
  fileRules: () => AllowedFiles;
}

export interface McpTool {
  name: string;
  description: string;
  inputSchema: TObject;
  /** @throws ApiError what the service throws, and invalid_value for arguments outside the schema */
  call(values: unknown, caller: Caller): Promise<object>;
}

function tool<Schema extends TObject>(
  facts: { name: string; description: string; inputSchema: Schema },
  run: (values: Static<Schema>, caller: Caller) => Promise<object>,
): McpTool {
  let checker: ReturnType<typeof Compile<Schema>> | undefined;
  return {
    ...facts,
    call(values, caller) {
      // Compiled when first called: a start need not wait for it.
      checker ??= Compile(facts.inputSchema);
      const [error] = checker.Errors(values);
      if (!error) return run(values as Static<Schema>, caller);
      const param = error.instancePath.slice(1).replaceAll('/', '.') || null;
      const place = param ?? 'The arguments';
      return Promise.reject(new ApiError('invalid_value', `${place}: ${error.message}.`, { param }));
    },
  };
}

const path = Type.Optional(
  Type.String({ description: 'Absolute path of a file inside a folder that the person has allowed.' }),
);

export function createTools(deps: ToolDeps): McpTool[] {
  /** base64 of the file that is named, or what was sent. */
  async function fileOf(given: { path?: string; file?: string }): Promise<string> {
    if (given.path !== undefined)
      return (await readAllowedFile(given.path, deps.fileRules())).toString('base64');
    if (given.file !== undefined) return given.file;
    throw new ApiError('missing_field', 'Send path, or file in base64.', { param: 'path' });
  }

  return [
    tool(
      {
        name: 'parse_document',
        description: 'Fields, tables, checkboxes, signatures and text of a PDF, scan or photographed page.',
        inputSchema: Closed({
          path,
          file: Type.Optional(Type.String({ description: 'base64' })),
          template: Type.Optional(
            Type.String({ description: 'mykad, invoice, passport, generic or custom:NAME' }),
          ),
          pages: Type.Optional(Type.String({ description: 'Such as 3, 1-3 or 1,4-6.' })),
          output_format: Type.Optional(
            Type.Enum(
              documentOutputFormats.filter((format) => format !== 'searchable_pdf' && format !== 'xlsx'),
            ),
          ),
        }),
      },
      async ({ path: named, file, ...rest }, caller) => {
        const content = await fileOf({ ...(named ? { path: named } : {}), ...(file ? { file } : {}) });
        const body = { model: 'svc-parse-pro', ...rest, file: content };
        return deps.documents.parse(body, caller);
      },
    ),
    tool(
      {
        name: 'search_text',
        description: 'Puts texts in the order of their relevance to a query, in English, Malay and Chinese.',
        inputSchema: Closed({
          query: Type.String({ minLength: 1 }),
          texts: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 1_000 }),
          top_n: Type.Optional(Type.Integer({ minimum: 1 })),
        }),
      },
      ({ texts, ...rest }, caller) =>
        deps.rerank({ model: 'svc-embed-base', documents: texts, return_documents: true, ...rest }, caller),
    ),
    tool(
      {
        name: 'moderate',
        description: 'Which of fourteen categories of harm a text falls into, with scores.',
        inputSchema: Closed({ text: Type.String() }),
      },
      async ({ text }, caller) => deps.moderations({ model: 'svc-shield-base', input: text }, caller),
    ),
    tool(
      {
        name: 'find_personal_data',
        description:
          'Names, organizations, places, dates, job titles, identity numbers, addresses and other personal data in a text, each with its place.',
        inputSchema: Closed({ text: Type.String() }),
      },
      async ({ text }, caller) =>
        deps.moderations({ model: 'svc-shield-base', input: text, categories: ['pii_exposure'] }, caller),
    ),
    tool(
      {
        name: 'redact',
        description:
          'A text with its personal data masked, or a document as a PDF of pictures with it blacked out and read again to check.',
        inputSchema: Closed({
          text: Type.Optional(Type.String({ minLength: 1, maxLength: maxAnonymizeCharacters })),
          path,
          file: Type.Optional(Type.String({ description: 'base64 of a PDF or picture' })),
          kinds: Type.Optional(
            Type.Array(KindName, {
              minItems: 1,
              maxItems: 64,
              description: 'Such as email or mykad; all where absent.',
            }),
          ),
          pages: Type.Optional(Type.String({ description: 'Of a document, such as 1-3.' })),
        }),
      },
      async ({ text, path: named, file, kinds, pages }, caller) => {
        if (text !== undefined && (named !== undefined || file !== undefined))
          throw new ApiError('invalid_value', 'Send text, or a document as path or file.', { param: 'text' });
        if (text !== undefined)
          return deps.anonymize.anonymize({ text, ...(kinds ? { kinds } : {}) }, caller);
        const content = await fileOf({ ...(named ? { path: named } : {}), ...(file ? { file } : {}) });
        const asked = { model: 'svc-parse-pro', file: content, pii: kinds ?? true };
        return deps.redact({ ...asked, ...(pages ? { pages } : {}) }, caller);
      },
    ),
    tool(
      {
        name: 'analyze_threat',
        description: 'What a log, an alert or a request tells: severity, indicators, techniques, what to do.',
        inputSchema: Closed({ text: Type.String() }),
      },
      async ({ text }, caller) => deps.moderations({ model: 'svc-guard-max', input: text }, caller),
    ),
    tool(
      {
        name: 'analyze_image',
        description: 'Caption, objects and scene of a picture, or of frames of a video.',
        inputSchema: Closed({
          path,
          image: Type.Optional(Type.String({ description: 'base64' })),
          tasks: Type.Optional(Type.Array(Type.Enum([...imageTasks]), { minItems: 1, uniqueItems: true })),
          language: Type.Optional(Type.Enum([...languages])),
        }),
      },
      async ({ path: named, image, ...rest }, caller) => {
        const content = await fileOf({
          ...(named ? { path: named } : {}),
          ...(image ? { file: image } : {}),
        });
        return deps.images({ model: 'svc-vision-pro', ...rest, image: content }, caller);
      },
    ),
    tool(
      {
        name: 'embed',
        description: 'Vectors of 1,024 numbers for texts in English, Malay and Chinese.',
        inputSchema: Closed({
          texts: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 96 }),
          task: Type.Optional(Type.Enum(['query', 'document'])),
        }),
      },
      ({ texts, ...rest }, caller) =>
        deps.embeddings({ model: 'svc-embed-base', input: texts, ...rest }, caller),
    ),
  ];
}
