/**
 * Every operation of the server, keyed by method and path. Validation, the OpenAPI document, the access rules and the
 * renderer's typed client all derive from this one object.
 */
import type { Static, TSchema } from 'typebox';
import { consoleOperations } from './console/operations.ts';
import {
  ApiKey,
  ApiKeyWithSecret,
  CreateKeyRequest,
  KeyList,
  RotateKeyRequest,
  UpdateKeyRequest,
} from './keys.ts';
import type { OperationSpec } from './operation-spec.ts';
import { batchOperations } from './protocols/batch-operations.ts';
import { protocolOperations } from './protocols/protocol-operations.ts';
import { ChatCompletion, ChatCompletionChunk, ChatRequest } from './services/chat.ts';
import { DocumentsRequest, DocumentsResult } from './services/documents.ts';
import { EmbeddingsRequest, EmbeddingsResult } from './services/embeddings.ts';
import { ImagesRequest, ImagesResult } from './services/images.ts';
import { Model, ModelList } from './services/models.ts';
import { ModerationsRequest, ModerationsResult } from './services/moderations.ts';
import { redactionOperations } from './services/redaction.ts';

const mebibyte = 1024 * 1024;

export const operations = {
  'POST /v1/chat/completions': {
    summary: 'Chat completion, streamed or whole, with tools and JSON modes',
    access: 'api',
    scope: 'chat',
    inference: true,
    body: ChatRequest,
    // A window of a million tokens is about four.
    maxBodyBytes: 8 * mebibyte,
    response: ChatCompletion,
    event: ChatCompletionChunk,
  },
  'POST /v1/images/analyze': {
    summary: 'Captions, objects and scene of an image or of video frames',
    access: 'api',
    scope: 'images',
    inference: true,
    body: ImagesRequest,
    fileField: 'image',
    response: ImagesResult,
  },
  'POST /v1/moderations': {
    summary: 'Content safety (svc-shield-base) or threat analysis (svc-guard-max) of text',
    access: 'api',
    scope: 'moderations',
    inference: true,
    body: ModerationsRequest,
    // 32 inputs of 32 KB, and their escapes.
    maxBodyBytes: 4 * mebibyte,
    response: ModerationsResult,
  },
  'POST /v1/documents/parse': {
    summary: 'Fields, tables, checkboxes and signatures of a PDF or scan',
    access: 'api',
    scope: 'documents',
    inference: true,
    body: DocumentsRequest,
    fileField: 'file',
    response: DocumentsResult,
  },
  ...redactionOperations,
  'POST /v1/embeddings': {
    summary: 'Vectors of 1,024 numbers for texts in English, Malay and Chinese',
    access: 'api',
    scope: 'embeddings',
    inference: true,
    body: EmbeddingsRequest,
    // 96 windows of 8,192 tokens.
    maxBodyBytes: 8 * mebibyte,
    response: EmbeddingsResult,
  },
  ...protocolOperations,
  ...batchOperations,
  'GET /v1/models': {
    summary: 'The models this key may see',
    access: 'api',
    scope: 'models',
    response: ModelList,
  },
  'GET /v1/models/{id}': {
    summary: 'One model, where this key may see it',
    access: 'api',
    scope: 'models',
    response: Model,
  },
  'GET /v1/keys': { summary: 'All keys', access: 'api', scope: 'keys', response: KeyList },
  'POST /v1/keys': {
    summary: 'Create a key; the answer alone carries the secret',
    access: 'api',
    scope: 'keys',
    writes: true,
    body: CreateKeyRequest,
    response: ApiKeyWithSecret,
    status: 201,
  },
  'GET /v1/keys/{id}': { summary: 'One key', access: 'api', scope: 'keys', response: ApiKey },
  'PATCH /v1/keys/{id}': {
    summary: 'Change a key',
    access: 'api',
    scope: 'keys',
    writes: true,
    body: UpdateKeyRequest,
    response: ApiKey,
  },
  'DELETE /v1/keys/{id}': {
    summary: 'Revoke a key',
    access: 'api',
    scope: 'keys',
    writes: true,
    response: ApiKey,
  },
  'POST /v1/keys/{id}/rotate': {
    summary: 'Issue a replacement that inherits everything; both work until the overlap ends',
    access: 'api',
    scope: 'keys',
    writes: true,
    body: RotateKeyRequest,
    response: ApiKeyWithSecret,
    status: 201,
  },

  ...consoleOperations,
} as const satisfies Record<string, OperationSpec>;

export type { OperationSpec };
export type OperationKey = keyof typeof operations;
export type Operation<K extends OperationKey> = (typeof operations)[K];
/** The body's type on the wire; `undefined` where the operation takes none. */
export type BodyOf<K extends OperationKey> =
  Operation<K> extends { body: infer B extends TSchema } ? Static<B> : undefined;
export type ResponseOf<K extends OperationKey> =
  Operation<K> extends { response: infer R extends TSchema } ? Static<R> : never;

/** `{id}` segments become `:id`, as the router wants them. */
export function splitOperation(key: string): { method: string; path: string } {
  const [method = '', path = ''] = key.split(' ', 2);
  return { method, path };
}
