/**
 * Every operation of the server, keyed by method and path. Validation, the OpenAPI document, the access rules and the
 * renderer's typed client all derive from this one object.
 */
import type { Static, TSchema } from 'typebox';
import { AuditExport, AuditReport } from './audit.ts';
import { ChatCompletion, ChatCompletionChunk, ChatRequest } from './chat.ts';
import { ChatRecord, ChatRecordInput, ChatRecordList, ChatRecordSummary } from './chat-records.ts';
import { ConnectionExport, ConnectionList } from './connections.ts';
import {
  ConsoleEvent,
  ConsoleState,
  FirstKeys,
  Ok,
  PageImage,
  PageImageRequest,
  PageLines,
  PageLinesRequest,
  PlaygroundKey,
  RequestLog,
  SessionList,
  SessionRequest,
  SessionStart,
  Settings,
  SettingsPatch,
  UsageReport,
} from './console.ts';
import {
  BindRequest,
  BrowseRequest,
  EstimateRequest,
  FolderListing,
  ImportEstimate,
  ImportRequest,
  PackOptionsRequest,
  PackOverview,
  PackRequest,
  PackSummary,
  TrustedKey,
  TrustList,
  TrustRequest,
  Uploaded,
  UploadPiece,
} from './console-packs.ts';
import { Diagnostics } from './diagnostics.ts';
import { DocumentsRequest, DocumentsResult } from './documents.ts';
import { EmbeddingsRequest, EmbeddingsResult } from './embeddings.ts';
import { ImagesRequest, ImagesResult } from './images.ts';
import {
  ApiKey,
  ApiKeyWithSecret,
  CreateKeyRequest,
  KeyList,
  RotateKeyRequest,
  UpdateKeyRequest,
} from './keys.ts';
import { LicenceList, LicenceText } from './licences.ts';
import { Model, ModelList } from './models.ts';
import { ModerationsRequest, ModerationsResult } from './moderations.ts';
import type { OperationSpec } from './operation-spec.ts';
import { protocolOperations } from './protocol-operations.ts';
import { RuleImport, RuleImportRequest, RuleList, RuleSwitch } from './rules.ts';
import { CustomTemplate, CustomTemplateList, CustomTemplateRename } from './templates.ts';

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

  'POST /console/session': {
    summary: 'Exchange the one-time token for a session: a cookie and a secret for X-Console-Secret',
    access: 'open',
    body: SessionRequest,
    response: SessionStart,
  },
  'DELETE /console/session': { summary: 'End this session', access: 'console', response: Ok },
  'GET /console/sessions': {
    summary: 'Sessions of the console, the latest used first',
    access: 'console',
    response: SessionList,
  },
  'DELETE /console/sessions/{id}': { summary: 'End a session', access: 'console', response: Ok },
  'DELETE /console/sessions': {
    summary: 'End all sessions, this one too, and all links that were not opened yet',
    access: 'console',
    response: Ok,
  },
  'GET /console/state': {
    summary: 'Version, base URL, first run',
    access: 'console',
    response: ConsoleState,
  },
  'POST /console/first-keys': {
    summary: 'The first live and test key, once',
    access: 'console',
    response: FirstKeys,
    status: 201,
  },
  'POST /console/playground-key': {
    summary: 'A short-lived live key for this session’s playgrounds',
    access: 'console',
    response: PlaygroundKey,
    status: 201,
  },
  'GET /console/keys': { summary: 'All keys', access: 'console', response: KeyList },
  'POST /console/keys': {
    summary: 'Create a key; the answer alone carries the secret',
    access: 'console',
    body: CreateKeyRequest,
    response: ApiKeyWithSecret,
    status: 201,
  },
  'PATCH /console/keys/{id}': {
    summary: 'Change a key',
    access: 'console',
    body: UpdateKeyRequest,
    response: ApiKey,
  },
  'DELETE /console/keys/{id}': { summary: 'Revoke a key', access: 'console', response: ApiKey },
  'POST /console/keys/{id}/rotate': {
    summary: 'Issue a replacement',
    access: 'console',
    body: RotateKeyRequest,
    response: ApiKeyWithSecret,
    status: 201,
  },
  'GET /console/usage': {
    summary: 'Usage of the last 30 days, per key, model and day',
    access: 'console',
    response: UsageReport,
  },
  'GET /console/requests': {
    summary: 'The latest requests, newest first',
    access: 'console',
    response: RequestLog,
  },
  'DELETE /console/requests': { summary: 'Clear the request log', access: 'console', response: Ok },
  'GET /console/events': {
    summary: 'Live requests, host states and progress, as server-sent events',
    access: 'console',
    response: Ok,
    event: ConsoleEvent,
  },
  'GET /console/packs': {
    summary: 'Roles, their packs and host states',
    access: 'console',
    response: PackOverview,
  },
  'POST /console/packs/browse': {
    summary: 'A folder of this machine, to find a model in',
    access: 'console',
    body: BrowseRequest,
    response: FolderListing,
  },
  'PUT /console/packs/uploads/{id}': {
    summary: 'Hand over a piece of a file to import',
    access: 'console',
    body: UploadPiece,
    response: Uploaded,
  },
  'DELETE /console/packs/uploads/{id}': {
    summary: 'Forget files that were handed over',
    access: 'console',
    response: Ok,
  },
  'POST /console/packs/estimate': {
    summary: 'What an import would take; nothing is written',
    access: 'console',
    body: EstimateRequest,
    response: ImportEstimate,
  },
  'POST /console/packs/import': {
    summary: 'Import a pack from this machine',
    access: 'console',
    body: ImportRequest,
    response: PackSummary,
    status: 201,
  },
  'POST /console/packs/bind': {
    summary: 'Bind a role to a pack',
    access: 'console',
    body: BindRequest,
    response: PackOverview,
  },
  'POST /console/packs/options': {
    summary: 'Set the sizes of a chat pack; it is loaded anew with the next request',
    access: 'console',
    body: PackOptionsRequest,
    response: PackOverview,
  },
  'POST /console/packs/unload': {
    summary: 'Stop a pack’s host now',
    access: 'console',
    body: PackRequest,
    response: PackOverview,
  },
  'POST /console/packs/remove': {
    summary: 'Remove an imported pack',
    access: 'console',
    body: PackRequest,
    response: PackOverview,
  },
  'GET /console/diagnostics': {
    summary: 'State, settings and the latest failures, without payloads or secrets',
    access: 'console',
    response: Diagnostics,
  },
  'GET /console/trust': {
    summary: 'Signers whose packs count as known',
    access: 'console',
    response: TrustList,
  },
  'POST /console/trust': {
    summary: 'Trust a signer',
    access: 'console',
    body: TrustRequest,
    response: TrustedKey,
    status: 201,
  },
  'DELETE /console/trust/{id}': {
    summary: 'Trust a signer no more; installed packs stay',
    access: 'console',
    response: Ok,
  },
  'GET /console/rules': {
    summary: 'Sigma rules of svc-guard-max, built-in and imported',
    access: 'console',
    response: RuleList,
  },
  'POST /console/rules/import': {
    summary: 'Import Sigma rules from files or a zip',
    access: 'console',
    body: RuleImportRequest,
    response: RuleImport,
  },
  'POST /console/rules/switch': {
    summary: 'Switch rules on or off',
    access: 'console',
    body: RuleSwitch,
    response: Ok,
  },
  'DELETE /console/rules': { summary: 'Forget all imported rules', access: 'console', response: Ok },
  'GET /console/audit': {
    summary: 'The record of administrative acts, newest first',
    access: 'console',
    response: AuditReport,
  },
  'GET /console/audit/export': {
    summary: 'The whole record as JSON lines, signed',
    access: 'console',
    response: AuditExport,
  },
  'GET /console/connections': {
    summary: 'Connections out of this machine that were asked for, newest first',
    access: 'console',
    response: ConnectionList,
  },
  'GET /console/connections/export': {
    summary: 'The whole ledger of connections as JSON lines',
    access: 'console',
    response: ConnectionExport,
  },
  'GET /console/licences': {
    summary: 'Parts of other people in Lokal, with their licences',
    access: 'console',
    response: LicenceList,
  },
  'GET /console/licences/{id}': {
    summary: 'Notices and licence texts of a part, by its name',
    access: 'console',
    response: LicenceText,
  },
  'GET /console/settings': { summary: 'Settings', access: 'console', response: Settings },
  'PATCH /console/settings': {
    summary: 'Change settings',
    access: 'console',
    body: SettingsPatch,
    response: Settings,
  },
  'GET /console/chats': {
    summary: 'Kept conversations, newest first',
    access: 'console',
    response: ChatRecordList,
  },
  'GET /console/chats/{id}': { summary: 'A kept conversation', access: 'console', response: ChatRecord },
  'PUT /console/chats/{id}': {
    summary: 'Keep a conversation, where the history is on',
    access: 'console',
    body: ChatRecordInput,
    response: ChatRecordSummary,
  },
  'DELETE /console/chats/{id}': { summary: 'Forget a conversation', access: 'console', response: Ok },
  'DELETE /console/chats': { summary: 'Forget all conversations', access: 'console', response: Ok },
  'GET /console/chat-presets': {
    summary: 'Presets of the chat playground',
    access: 'console',
    response: ChatRecordList,
  },
  'GET /console/chat-presets/{id}': { summary: 'A preset', access: 'console', response: ChatRecord },
  'PUT /console/chat-presets/{id}': {
    summary: 'Save a preset',
    access: 'console',
    body: ChatRecordInput,
    response: ChatRecordSummary,
  },
  'DELETE /console/chat-presets/{id}': { summary: 'Forget a preset', access: 'console', response: Ok },
  'GET /console/templates': {
    summary: 'Own document templates',
    access: 'console',
    response: CustomTemplateList,
  },
  'POST /console/templates': {
    summary: 'Keep a document template; one of the same name is replaced',
    access: 'console',
    body: CustomTemplate,
    response: CustomTemplate,
  },
  'PATCH /console/templates/{id}': {
    summary: 'Give a document template another name, which no other one may have',
    access: 'console',
    body: CustomTemplateRename,
    response: CustomTemplate,
  },
  'DELETE /console/templates/{id}': {
    summary: 'Forget a document template',
    access: 'console',
    response: Ok,
  },
  'POST /console/documents/page': {
    summary: 'A page of a document as a picture, for the playground',
    access: 'console',
    body: PageImageRequest,
    response: PageImage,
  },
  'POST /console/documents/lines': {
    summary: 'The lines of a page with their places, for marking fields of a template',
    access: 'console',
    body: PageLinesRequest,
    response: PageLines,
  },
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
