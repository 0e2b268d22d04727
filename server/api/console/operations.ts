/** Operations of the console: what its page may ask with a session. */

import {
  ApiKey,
  ApiKeyWithSecret,
  CreateKeyRequest,
  KeyList,
  RotateKeyRequest,
  UpdateKeyRequest,
} from '../keys.ts';
import type { OperationSpec } from '../operation-spec.ts';
import { KeyBatchList } from '../protocols/batches.ts';
import { FileContent } from '../protocols/files.ts';
import { ChatRecord, ChatRecordInput, ChatRecordList, ChatRecordSummary } from './chat-records.ts';
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
  AddEngineRequest,
  ChangeEngineRequest,
  EngineList,
  EngineRoute,
  EngineRouteView,
  RemoteEngine,
} from './engines.ts';
import { AuditExport, AuditReport } from './installation/audit.ts';
import { ConnectionExport, ConnectionList } from './installation/connections.ts';
import { Diagnostics } from './installation/diagnostics.ts';
import { LicenceList, LicenceText } from './installation/licences.ts';
import { ProgramState, ProgramUpdateCheck, ProgramUpdateRequest } from './installation/program.ts';
import { McpCallRequest, McpCallResult, McpServer, McpServerInput, McpServerList } from './mcp-servers.ts';
import {
  BindRequest,
  BrowseRequest,
  ChecksumList,
  ChecksumRequest,
  EstimateRequest,
  FolderListing,
  FoundModels,
  ImportEstimate,
  ImportRequest,
  MachineFigures,
  PackOptionsRequest,
  PackOverview,
  PackRequest,
  PackSummary,
  TrustedKey,
  TrustList,
  TrustRequest,
  Uploaded,
  UploadPiece,
} from './packs.ts';
import { RuleImport, RuleImportRequest, RuleList, RuleSwitch } from './rules.ts';
import { CustomTemplate, CustomTemplateList, CustomTemplateRename } from './templates.ts';
import { WatchedFolder, WatchedFolderInput, WatchedFolderList } from './watched-folders.ts';
import {
  WorkRecord,
  WorkRecordInput,
  WorkRecordList,
  WorkRecordPatch,
  WorkRecordSummary,
} from './work-records.ts';

export const consoleOperations = {
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
  'GET /console/packs/machine': {
    summary: 'Memory, disk and speed of this machine, for advice on models',
    access: 'console',
    response: MachineFigures,
  },
  'POST /console/packs/machine': {
    summary: 'Measure the speed of this machine’s memory anew',
    access: 'console',
    response: MachineFigures,
  },
  'GET /console/packs/found': {
    summary: 'Models that Ollama, LM Studio or a Hugging Face cache have on this machine',
    access: 'console',
    response: FoundModels,
  },
  'POST /console/packs/checksum': {
    summary: 'SHA-256 of the files of a model before it is imported',
    access: 'console',
    body: ChecksumRequest,
    response: ChecksumList,
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
  'GET /console/program': {
    summary: 'The version that runs, the one kept, and what came of the last update',
    access: 'console',
    response: ProgramState,
  },
  'POST /console/program/check': {
    summary: 'What an archive of another version would change; nothing is changed',
    access: 'console',
    body: ProgramUpdateRequest,
    response: ProgramUpdateCheck,
  },
  'POST /console/program/update': {
    summary: 'End this server, put the archive’s version in its place and start that',
    access: 'console',
    body: ProgramUpdateRequest,
    response: Ok,
  },
  'POST /console/program/undo': {
    summary: 'End this server and start the version before the last update, with its data',
    access: 'console',
    response: Ok,
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
  'POST /console/rules/restore': {
    summary: 'Take back the clearing of imported rules, within ten minutes',
    access: 'console',
    response: Ok,
  },
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
  'GET /console/engines': {
    summary: 'Remote engines, how they fare, and the routes of the services',
    access: 'console',
    response: EngineList,
  },
  'POST /console/engines': {
    summary: 'Add a remote engine and try it; it is asked once a trial has passed',
    access: 'console',
    body: AddEngineRequest,
    response: RemoteEngine,
    status: 201,
  },
  'PATCH /console/engines/{id}': {
    summary: 'Change, switch or drain a remote engine; tried anew where how it is reached or asked changes',
    access: 'console',
    body: ChangeEngineRequest,
    response: RemoteEngine,
  },
  'DELETE /console/engines/{id}': {
    summary: 'Remove a remote engine; its running requests end',
    access: 'console',
    response: Ok,
  },
  'POST /console/engines/{id}/trial': {
    summary: 'Try a remote engine now: what it can do, how fast',
    access: 'console',
    response: RemoteEngine,
  },
  'PUT /console/engine-routes': {
    summary: 'Set the targets of a service',
    access: 'console',
    body: EngineRoute,
    response: EngineRouteView,
  },
  'DELETE /console/engine-routes/{role}': {
    summary: 'Forget the targets of a service: the engines that serve it then, by weight',
    access: 'console',
    response: EngineRouteView,
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
  'GET /console/work': {
    summary: 'Kept work of the playgrounds',
    access: 'console',
    response: WorkRecordList,
  },
  'GET /console/work/{id}': { summary: 'A kept piece of work', access: 'console', response: WorkRecord },
  'PUT /console/work/{id}': {
    summary: 'Keep a piece of work, where that is on',
    access: 'console',
    body: WorkRecordInput,
    response: WorkRecordSummary,
  },
  'PATCH /console/work/{id}': {
    summary: 'Rename or pin kept work',
    access: 'console',
    body: WorkRecordPatch,
    response: WorkRecordSummary,
  },
  'DELETE /console/work/{id}': { summary: 'Forget a kept piece of work', access: 'console', response: Ok },
  'DELETE /console/work': { summary: 'Forget all kept work', access: 'console', response: Ok },
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
  'GET /console/watched-folders': {
    summary: 'Folders whose documents are read as they are dropped',
    access: 'console',
    response: WatchedFolderList,
  },
  'POST /console/watched-folders': {
    summary: 'Watch a folder of this machine',
    access: 'console',
    body: WatchedFolderInput,
    response: WatchedFolder,
    status: 201,
  },
  'DELETE /console/watched-folders/{id}': {
    summary: 'Stop and forget a watched folder; its files stay',
    access: 'console',
    response: Ok,
  },
  'POST /console/watched-folders/{id}/start': {
    summary: 'Watch a folder again',
    access: 'console',
    response: WatchedFolder,
  },
  'POST /console/watched-folders/{id}/stop': {
    summary: 'Watch a folder no longer',
    access: 'console',
    response: WatchedFolder,
  },
  'GET /console/mcp-servers': {
    summary: 'Servers of tools for the chat playground, and the calls made',
    access: 'console',
    response: McpServerList,
  },
  'POST /console/mcp-servers': {
    summary: 'Keep a server of tools; nothing is started',
    access: 'console',
    body: McpServerInput,
    response: McpServer,
    status: 201,
  },
  'DELETE /console/mcp-servers/{id}': {
    summary: 'Stop and forget a server of tools',
    access: 'console',
    response: Ok,
  },
  'POST /console/mcp-servers/{id}/start': {
    summary: 'Start a server of tools and read what it offers',
    access: 'console',
    response: McpServer,
  },
  'POST /console/mcp-servers/{id}/stop': {
    summary: 'Stop a server of tools',
    access: 'console',
    response: McpServer,
  },
  'POST /console/mcp-servers/{id}/call': {
    summary: 'Make a call that the person has allowed',
    access: 'console',
    body: McpCallRequest,
    response: McpCallResult,
  },
  'DELETE /console/mcp-servers/{id}/allowed/{tool}': {
    summary: 'Ask again before each call of this tool',
    access: 'console',
    response: McpServer,
  },
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
  'GET /console/batches': {
    summary: 'Batches of all keys, newest first',
    access: 'console',
    response: KeyBatchList,
  },
  'POST /console/batches/{key}/{id}/cancel': {
    summary: 'End a batch; what was answered stays',
    access: 'console',
    response: Ok,
  },
  'DELETE /console/batches/{key}/{id}': {
    summary: 'Forget a batch that is over, and its files',
    access: 'console',
    response: Ok,
  },
  'GET /console/files/{key}/{id}/content': {
    summary: 'Bytes of a file',
    access: 'console',
    binary: true,
    response: FileContent,
  },
} as const satisfies Record<string, OperationSpec>;
