/** The OpenAPI 3.1 document, made from the operations table and the error table: there is nothing to keep in step by hand. */
import type { TSchema } from 'typebox';
import { ErrorEnvelope } from '../api/common.ts';
import { takesForm } from '../api/operation-spec.ts';
import { type OperationSpec, operations, splitOperation } from '../api/operations.ts';
import { type ErrorCode, type ErrorKind, errorTable } from '../errors.ts';
import {
  alwaysAnswered,
  answeredByModels,
  answeredToKeys,
  answeredToWait,
  requestHeaders,
} from './headers.ts';

type Json = Record<string, unknown>;

export interface OpenApiDocument extends Json {
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json> } & Json;
}

const about = [
  'Chat, images, documents, moderation, threat analysis and embeddings on your own machine.',
  'A test key (sk-svc-test-…) never loads a model: its answers are fixtures computed from the request alone.',
  'With one, `fixture:error=CODE` shows that error and `fixture:delay=2s` a slow answer: in `user` for chat and',
  'embeddings, at the start of `input` for moderations, in a file that decodes to it for documents and images.',
  '`fixture-flag:CATEGORY` in a text flags that category of svc-shield-base.',
  'A field that is `null` is a field not given.',
].join(' ');

/** Operations for programs: the console is left out. */
export function buildOpenApi(version: string, baseUrl: string): OpenApiDocument {
  const schemas: Record<string, Json> = {};
  const paths: OpenApiDocument['paths'] = {};
  for (const [key, spec] of Object.entries(operations) as [string, OperationSpec][]) {
    if (spec.access !== 'api') continue;
    const { method, path } = splitOperation(key);
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(key, spec, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lokal',
      version,
      description: about,
    },
    servers: [{ url: baseUrl }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', bearerFormat: 'sk-svc-…' } },
      schemas: { ...schemas, Error: plain(ErrorEnvelope) },
      responses: describeErrors(),
      parameters: requestHeaders,
      headers: { ...alwaysAnswered, ...answeredToKeys, ...answeredByModels, ...answeredToWait },
    },
    'x-error-codes': Object.entries(errorTable as Record<ErrorCode, ErrorKind>).map(
      ([code, { status, type, when }]) => ({
        code,
        status,
        type,
        when,
      }),
    ),
  };
}

function describeOperation(key: string, spec: OperationSpec, schemas: Record<string, Json>): Json {
  const { path } = splitOperation(key);
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const headers = [...(spec.inference || spec.writes ? ['IdempotencyKey'] : []), 'Region', 'RequestId'];
  return {
    operationId: operationId(spec.summary, path),
    summary: spec.summary,
    'x-scope': spec.scope,
    ...(spec.dialect === 'ollama' ? { security: [{}, { key: [] }] } : {}),
    parameters: [
      ...ids,
      ...describeQuery(spec),
      ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(spec.body
      ? { requestBody: { required: true, content: bodyContent(spec, named(withNulls(spec.body), schemas)) } }
      : {}),
    responses: {
      [spec.status ?? 200]: {
        description: 'Success',
        headers: refer({ ...alwaysAnswered, ...answeredToKeys, ...(spec.inference ? answeredByModels : {}) }),
        content: successContent(spec, schemas),
      },
      ...Object.fromEntries(
        statuses().map((status) => [status, { $ref: `#/components/responses/E${status}` }]),
      ),
    },
  };
}

const fileOf = ({ fileField }: OperationSpec): Json =>
  fileField ? { encoding: { [fileField]: { contentType: 'application/octet-stream' } } } : {};

/** A file that JSON has in base64 may be the part of a form. */
const bodyContent = (spec: OperationSpec, schema: Json): Json => ({
  ...(spec.multipart ? {} : json(schema)),
  ...(takesForm(spec) ? { 'multipart/form-data': { schema, ...fileOf(spec) } } : {}),
});

function describeQuery({ query }: OperationSpec): Json[] {
  const { properties = {}, required = [] } = (query ? plain(query) : {}) as JsonSchema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

const operationId = (summary: string, path: string): string =>
  `${path
    .replace(/^\/(v1\/)?/, '')
    .replaceAll(/\W+/g, '_')
    .replace(/_$/, '')}_${summary.split(' ')[0]?.toLowerCase().replace(/\W/g, '')}`;

const refer = (headers: Json): Json =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function successContent(spec: OperationSpec, schemas: Record<string, Json>): Json {
  if (spec.binary) return { 'application/octet-stream': { schema: plain(spec.response) } };
  const content = json(named(spec.response, schemas));
  if (!spec.event) return content;
  return { ...content, 'text/event-stream': { schema: named(spec.event, schemas) } };
}

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

/** As requests are read: a field that may be left out may be null (plugins/http/body/null-fields.ts). */
function withNulls<T extends TSchema | JsonSchema>(schema: T): T {
  const { properties, required = [], items, anyOf } = schema as JsonSchema;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const inner = withNulls(field);
    return [name, required.includes(name) ? inner : orNull(inner)];
  });
  return {
    ...schema,
    ...(properties ? { properties: Object.fromEntries(fields) } : {}),
    ...(items ? { items: withNulls(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(withNulls) } : {}),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const branches = schema.anyOf ?? [schema];
  if (branches.some(({ type }) => type === 'null')) return schema;
  const { description, default: preset, anyOf: _, ...rest } = schema as JsonSchema & Json;
  return {
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: preset }),
    anyOf: [...(schema.anyOf ?? [rest]), { type: 'null' }],
  };
}

/** A titled schema goes to components and is referred to by its title. */
function named(schema: TSchema, schemas: Record<string, Json>): Json {
  const value = plain(schema);
  if (typeof value.title !== 'string') return value;
  schemas[value.title] = value;
  return { $ref: `#/components/schemas/${value.title}` };
}

/** Schemas without what is for TypeScript only. */
const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema)) as Json;
const json = (schema: Json): Json => ({ 'application/json': { schema } });

const kinds = Object.values<ErrorKind>(errorTable);
/** 499 is logged only; no client ever reads it. */
const statuses = (): number[] =>
  [...new Set(kinds.map(({ status }) => status))].filter((status) => status !== 499).sort();

/** The limits know their own time to wait. */
const mayWait = (code: ErrorCode): boolean =>
  code === 'rate_limit_error' || (errorTable[code] as ErrorKind).retryAfter !== undefined;

function describeErrors(): Json {
  return Object.fromEntries(
    statuses().map((status) => {
      const codes = (Object.entries(errorTable) as [ErrorCode, ErrorKind][]).filter(
        ([, kind]) => kind.status === status,
      );
      const description = codes.map(([code, { when }]) => `- \`${code}\`: ${when}`).join('\n');
      const headers = refer({
        ...alwaysAnswered,
        ...(codes.some(([code]) => mayWait(code)) ? answeredToWait : {}),
      });
      return [`E${status}`, { description, headers, content: json({ $ref: '#/components/schemas/Error' }) }];
    }),
  );
}
