/** All services over the stores and the engines, and the writing of what they gather in memory. */

import type { Stores } from '../db/stores.ts';
import type { FromFile } from '../engines/engines-file.ts';
import { createRemoteEngines } from '../engines/remote-engines.ts';
import { createRouter } from '../engines/router.ts';
import type { Engines } from '../hosts/engines.ts';
import type { SigningKey } from '../signing/keys.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { createBatches } from './batches/batches.ts';
import { createFiles } from './batches/files.ts';
import type { Caller } from './caller.ts';
import { createChat } from './chat/chat.ts';
import { createDescribedPictures } from './chat/described-pictures.ts';
import { guardrailFor } from './chat/guardrails.ts';
import { createChatRecords } from './console/chats.ts';
import { type ConnectionLedger, createConnectionLedger } from './console/connections.ts';
import type { EventBus } from './console/events.ts';
import type { PackService } from './console/packs.ts';
import { createRuleService } from './console/rules.ts';
import { createConsoleSessions } from './console/sessions.ts';
import type { SettingsService } from './console/settings.ts';
import type { TrustService } from './console/trust.ts';
import { createWorkRecords } from './console/work-records.ts';
import { createDocuments } from './documents/documents.ts';
import { createEmbeddings } from './embeddings.ts';
import type { FailureLog } from './failure-log.ts';
import { createUrlFetcher } from './files/url-fetch.ts';
import { createFixtureEngines } from './fixtures/engines.ts';
import { createWatchedFolders } from './folders/watched-folders.ts';
import { createIdempotencyService } from './idempotency/idempotency.ts';
import { createImages } from './images/images.ts';
import { createKeyDirectory, type KeyDirectory } from './keys/key-directory.ts';
import { createKeyService } from './keys/key-service.ts';
import { ownersOf, personOf, playgroundId } from './keys/playground.ts';
import { createConcurrencyLimiter } from './limits/concurrency-limiter.ts';
import { createRateLimits } from './limits/rate-limits.ts';
import { createMcp } from './mcp/create-mcp.ts';
import { createMcpServers } from './mcp-client/mcp-servers.ts';
import { createModels } from './models.ts';
import { createModerations } from './moderations/moderations.ts';
import { createCompletions } from './protocols/completions.ts';
import { createMessages } from './protocols/messages/create-messages.ts';
import { createOllama } from './protocols/ollama/create-ollama.ts';
import { createResponses } from './protocols/responses/create-responses.ts';
import { createKeptResponses } from './protocols/responses/kept-responses.ts';
import { createAnonymize } from './redaction/anonymize.ts';
import { createRedact } from './redaction/redact.ts';
import { createRequestLogService } from './request-log.ts';
import { createRerank } from './rerank.ts';
import { createTokenize } from './tokenize.ts';
import { createUsageService } from './usage.ts';

export interface ServiceDeps {
  stores: Stores;
  engines: Engines;
  packs: PackService;
  settings: SettingsService;
  events: EventBus;
  installKey: Buffer;
  audit: AuditLog;
  failures: FailureLog;
  trust: TrustService;
  /** All that programs started for the person see of the environment. */
  programEnv?: NodeJS.ProcessEnv;
  /** Remote engines and routes of the file given at start. */
  fileEngines?: FromFile | null;
  /** The installation's own, made on first use. */
  signingKey: () => SigningKey;
  /** Unix milliseconds. */
  now: () => number;
}

export type Services = ReturnType<typeof createServices>;

const urlTimeoutMs = 30_000;

export function createServices(deps: ServiceDeps) {
  const { stores, settings, events, packs, audit, now } = deps;
  const rules = createRuleService({ engines: deps.engines, stores, audit });
  const sessions = createConsoleSessions(stores, now, audit);
  const keyDirectory = createKeyDirectory({
    store: stores.keys,
    now,
    onForeignChange() {
      stores.bindings.renew();
      packs.refresh();
      sessions.renew();
      // An engine that fails meanwhile reads the rules when it is opened again.
      rules.renew().catch(() => {});
    },
  });
  // Its playground's keys go with a session.
  sessions.onEnded((id) => keyDirectory.dropEphemeral(id));
  const connections = createConnectionLedger(stores.connections, now);
  const usage = createUsageService(stores.usage, now);
  const requestLog = createRequestLogService(stores.requestLog, settings.get);
  const idempotency = createIdempotencyService({
    store: stores.idempotency,
    atomically<T>(work: () => T): T {
      try {
        return stores.atomically(work);
      } catch (error) {
        // Changes that the work told the directory were rolled back with it.
        keyDirectory.renew();
        throw error;
      }
    },
    installKey: deps.installKey,
    now,
  });
  const sealed = { store: stores.sealedRecords, installKey: deps.installKey, settings: settings.get, now };
  const chatRecords = createChatRecords(sealed);
  const workRecords = createWorkRecords(sealed);
  const remoteEngines = createRemoteEngines({
    store: stores.remoteEngines,
    local: deps.engines,
    installKey: deps.installKey,
    audit,
    ledger: connections,
    settings: settings.get,
    events,
    now,
    fromFile: deps.fileEngines ?? null,
  });
  const mcpServers = createMcpServers({ ...sealed, audit, env: deps.programEnv ?? {} });
  const engines = createRouter({
    local: deps.engines,
    remote: remoteEngines,
    settings: settings.get,
    installKey: deps.installKey,
    hasOwnRules: () => stores.ruleFiles.size().files > 0 || stores.rulesOff.all().length > 0,
    now,
  });
  const inference = createInference({ ...deps, engines, keyDirectory }, connections);
  const concurrency = createConcurrencyLimiter(settings.get);
  const ownerOf = ownersOf(keyDirectory);
  const files = createFiles({ ...sealed, ownerOf });
  const batches = createBatches({
    ...sealed,
    files,
    usage,
    lines: stores.batchLines,
    ownerOf,
    principalOf: (owner, keyId) =>
      personOf(owner === playgroundId ? (keyId ?? owner) : owner) ?? keyDirectory.principalOf(owner),
    interactive: concurrency.running,
    atomically: stores.atomically,
    onRevoked: (listener) => keyDirectory.onRevoked((keyId) => listener(keyDirectory.firstOf(keyId))),
    onFailure: (error) => deps.failures.ofRequest(error, 'batch'),
  });
  return {
    ...inference,
    keyDirectory,
    keys: createKeyService({ store: stores.keys, directory: keyDirectory, now, audit }),
    limits: createRateLimits(settings.get, now),
    concurrency,
    files,
    batches,
    idempotency,
    chatRecords,
    workRecords,
    mcpServers,
    watchedFolders: createWatchedFolders({ ...sealed, audit, usage, documents: inference.documents }),
    documentTemplates: stores.documentTemplates,
    sessions,
    audit,
    signingKey: deps.signingKey,
    failures: deps.failures,
    usage,
    requestLog,
    settings,
    events,
    packs,
    rules,
    trust: deps.trust,
    connections,
    remoteEngines,
    /** Of this machine and beyond. */
    engines,
    /** Writes what is gathered in memory: once a second, and at the end. */
    flush(): void {
      keyDirectory.flush();
      usage.flush();
      requestLog.flush();
      idempotency.flush();
    },
    deleteExpired(): void {
      idempotency.deleteExpired();
      chatRecords.deleteExpired();
      workRecords.deleteExpired();
      sessions.deleteExpired();
      inference.keptResponses.deleteExpired();
      files.deleteExpired();
      batches.deleteExpired();
    },
  };
}

type Keys = Pick<KeyDirectory, 'firstOf' | 'rotationsTo'>;

function createInference(deps: ServiceDeps & { keyDirectory: Keys }, connections: ConnectionLedger) {
  const { engines, settings, events, stores, installKey, keyDirectory, now } = deps;
  const guardrails = (caller: Caller) => {
    const { guardrails: rules } = settings.get();
    if (rules.length === 0) return null;
    const bound = deps.packs.overview().roles.find(({ role }) => role === 'svc-lingua-7b');
    return guardrailFor(
      rules,
      keyDirectory.rotationsTo(caller.principal.keyId),
      caller.pack ?? bound?.pack ?? null,
    );
  };
  const urls = createUrlFetcher(
    () => {
      const { sealed, url_fetch: mode, url_allowlist: allowlist } = settings.get();
      return { mode: sealed ? 'sealed' : mode, allowlist };
    },
    () => ({ maxBytes: settings.get().body_limit_mb * 1024 * 1024, timeoutMs: urlTimeoutMs }),
    connections,
  );
  const pictures = createDescribedPictures(now);
  const inference = { engines, fixtures: createFixtureEngines(), guardrails, urls, pictures };
  const onProgress = (requestId: string, page: number, pages: number, timestampsMs?: number[]) =>
    events.publish({
      type: 'progress',
      request_id: requestId,
      page,
      pages,
      ...(timestampsMs && { timestamps_ms: timestampsMs }),
    });
  const embeddings = createEmbeddings(inference);
  const keptResponses = createKeptResponses({
    store: stores.sealedRecords,
    installKey,
    settings: settings.get,
    ownerOf: ownersOf(keyDirectory),
    now,
  });
  const services = {
    anonymize: createAnonymize(inference),
    chat: createChat(inference),
    completions: createCompletions(inference),
    documents: createDocuments({
      ...inference,
      templates: stores.documentTemplates,
      settings: settings.get,
      onProgress,
    }),
    embeddings,
    images: createImages({ ...inference, settings: settings.get, onProgress }),
    messages: createMessages(inference),
    models: createModels(inference),
    moderations: createModerations({ ...inference, settings: settings.get }),
    ollama: createOllama({ ...inference, embeddings }),
    redact: createRedact({ ...inference, templates: stores.documentTemplates, onProgress }),
    rerank: createRerank(inference),
    responses: createResponses({ ...inference, kept: keptResponses }),
    tokenize: createTokenize(inference),
  };
  const mcp = createMcp({
    ...services,
    packOf: (model, { principal }) =>
      (principal.class === 'test' ? inference.fixtures : engines).bound(model)?.ref ?? null,
    customTemplates: () => stores.documentTemplates.all().map(({ name }) => name),
    fileRules: () => {
      const { mcp_folders: folders, body_limit_mb: limitMb } = settings.get();
      return { folders, maxBytes: limitMb * 1024 * 1024 };
    },
  });
  return { ...services, mcp, keptResponses };
}
