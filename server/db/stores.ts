/** All stores over one connection. */
import { createAuditStore } from './audit.ts';
import { createBatchLineStore } from './batch-lines.ts';
import { createBindingStore } from './bindings.ts';
import { createConnectionStore } from './connections.ts';
import { createConsoleCredentialStore } from './console-credentials.ts';
import { createConsoleSessionStore } from './console-sessions.ts';
import { createDocumentTemplateStore } from './document-templates.ts';
import { createFailureStore } from './failures.ts';
import { createIdempotencyStore } from './idempotency.ts';
import { createKeyStore } from './key-store.ts';
import type { Database } from './open.ts';
import { createPackOptionStore } from './pack-options.ts';
import { createRemoteEngineStore } from './remote-engines.ts';
import { createRequestLogStore } from './request-log.ts';
import { createRuleFileStore } from './rule-files.ts';
import { createRulesOffStore } from './rules-off.ts';
import { createSealedRecordStore } from './sealed-records.ts';
import { createSettingsStore } from './settings.ts';
import { createTrustStore } from './trust.ts';
import { createUsageStore } from './usage.ts';

export type Stores = ReturnType<typeof createStores>;

export const createStores = (db: Database) => ({
  /** Runs work in one transaction: all of its writes or none. */
  atomically: <T>(work: () => T): T => db.transaction(work).immediate(),
  audit: createAuditStore(db),
  failures: createFailureStore(db),
  keys: createKeyStore(db),
  usage: createUsageStore(db),
  requestLog: createRequestLogStore(db),
  idempotency: createIdempotencyStore(db),
  settings: createSettingsStore(db),
  bindings: createBindingStore(db),
  packOptions: createPackOptionStore(db),
  ruleFiles: createRuleFileStore(db),
  rulesOff: createRulesOffStore(db),
  batchLines: createBatchLineStore(db),
  sealedRecords: createSealedRecordStore(db),
  documentTemplates: createDocumentTemplateStore(db),
  consoleCredentials: createConsoleCredentialStore(db),
  consoleSessions: createConsoleSessionStore(db),
  remoteEngines: createRemoteEngineStore(db),
  trust: createTrustStore(db),
  connections: createConnectionStore(db),
});
