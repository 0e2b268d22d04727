/** All stores over one connection. */

import { createConsoleCredentialStore } from './access/console-credentials.ts';
import { createConsoleSessionStore } from './access/console-sessions.ts';
import { createIdempotencyStore } from './access/idempotency.ts';
import { createKeyStore } from './access/key-store.ts';
import { createTrustStore } from './access/trust.ts';
import { createBatchLineStore } from './batch-lines.ts';
import { createBindingStore } from './choices/bindings.ts';
import { createDocumentTemplateStore } from './choices/document-templates.ts';
import { createPackOptionStore } from './choices/pack-options.ts';
import { createRemoteEngineStore } from './choices/remote-engines.ts';
import { createRuleFileStore } from './choices/rule-files.ts';
import { createRulesOffStore } from './choices/rules-off.ts';
import { createSettingsStore } from './choices/settings.ts';
import { createAuditStore } from './journal/audit.ts';
import { createConnectionStore } from './journal/connections.ts';
import { createFailureStore } from './journal/failures.ts';
import { createRequestLogStore } from './journal/request-log.ts';
import { createUsageStore } from './journal/usage.ts';
import type { Database } from './open.ts';
import { createSealedRecordStore } from './sealed-records.ts';

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
