/** The whole HTTP side over a database of its own and fake engines; the clock is the test's. */
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { afterEach } from 'vitest';
import type { SettingsPatch } from '../../../server/api/console/console.ts';
import type { ApiKeyWithSecret, CreateKeyRequest } from '../../../server/api/keys.ts';
import { buildApp } from '../../../server/app.ts';
import { type Database, openDatabase } from '../../../server/db/open.ts';
import { createStores, type Stores } from '../../../server/db/stores.ts';
import type { ClassifyResult } from '../../../server/engine/moderation/types.ts';
import { ApiError } from '../../../server/errors.ts';
import { createAuditLog } from '../../../server/services/audit/audit-log.ts';
import { createEventBus } from '../../../server/services/console/events.ts';
import type { PackService } from '../../../server/services/console/packs.ts';
import type { ProgramService } from '../../../server/services/console/program.ts';
import { createSettingsService, defaultSettings } from '../../../server/services/console/settings.ts';
import { createTrust } from '../../../server/services/console/trust.ts';
import { createServices, type Services } from '../../../server/services/create-services.ts';
import { createFailureLog } from '../../../server/services/failure-log.ts';
import { installSigningKey } from '../../../server/signing/keys.ts';
import { type FakeMethods, fakeEngines } from '../fake-engines.ts';
import { temporaryFolder } from './folder.ts';

export interface TestApp {
  app: FastifyInstance;
  services: Services;
  stores: Stores;
  db: Database;
  file: string;
  clock: Clock;
  /** Lines of the server's log. */
  log: string[];
  key(request?: Partial<CreateKeyRequest>): ApiKeyWithSecret;
  /** A session's cookie and secret, as headers. */
  session(): { cookie: string; 'x-console-secret': string };
}

export interface TestAppOptions {
  methods?: FakeMethods;
  settings?: SettingsPatch;
  graceMs?: number;
  /** An existing database: what a restart finds. */
  file?: string;
  installKey?: Buffer;
  packs?: Partial<PackService>;
  interfaceFolder?: string;
  /** Where THIRD-PARTY-NOTICES.txt lies. */
  root?: string;
  program?: Partial<ProgramService>;
}

export class Clock {
  ms = Date.parse('2030-01-01T00:00:00Z');
  readonly now = () => this.ms;
  get seconds(): number {
    return Math.floor(this.ms / 1000);
  }
  advance(ms: number): void {
    this.ms += ms;
  }
}

const opened: { app: FastifyInstance; db: Database }[] = [];
afterEach(async () => {
  for (const { app, db } of opened.splice(0)) {
    await app.close();
    db.close();
  }
});

export function openTestApp(options: TestAppOptions = {}): TestApp {
  const file = options.file ?? join(temporaryFolder(), 'lokal.db');
  const db = openDatabase(file);
  const stores = createStores(db);
  const clock = new Clock();
  const log: string[] = [];
  const audit = createAuditLog(stores.audit, clock.now);
  const settings = createSettingsService(stores.settings, defaultSettings(8 * 1024 ** 3), audit);
  if (options.settings) settings.update(options.settings);
  const engines = fakeEngines(options.methods);
  const events = createEventBus();
  const logger = pino({ level: 'warn' }, { write: (line: string) => void log.push(line) });
  const services = createServices({
    stores,
    engines,
    packs: { ...noPacks, ...options.packs },
    settings,
    events,
    failures: createFailureLog({ store: stores.failures, events, log: logger, now: clock.now }),
    installKey: options.installKey ?? randomBytes(32),
    audit,
    trust: createTrust({ store: stores.trust, settings: settings.get, audit, now: clock.now }),
    signingKey: () => installSigningKey(dirname(file)),
    now: clock.now,
  });
  const app = buildApp({
    services,
    facts: {
      version: '0.0.0',
      platform: 'test',
      dataFolder: '/nowhere',
      root: options.root ?? '/nowhere',
      baseUrl: () => 'http://localhost/v1',
      warnings: () => [],
      engines,
      now: clock.now,
    },
    program: {
      state: () => ({
        version: '0.0.0',
        folder: '/nowhere',
        previous: null,
        hindrance: 'A test.',
        last: null,
      }),
      check: () => Promise.reject(new ApiError('conflict', 'A test.')),
      update: () => Promise.reject(new ApiError('conflict', 'A test.')),
      undo: () => {},
      ...options.program,
    },
    hosts: { names: ['lokal.example'], anyAddress: false },
    interfaceFolder: options.interfaceFolder ?? '/nowhere',
    log: logger,
    graceMs: options.graceMs ?? 1_000,
  });
  opened.push({ app, db });
  return {
    app,
    services,
    stores,
    db,
    file,
    clock,
    log,
    key: (request = {}) => services.keys.create({ name: 'A key', plan: 'enterprise', ...request }, 'owner'),
    session: () => {
      const { cookie, secret } = services.sessions.exchange(services.sessions.issueToken());
      // Injected requests have no port.
      return { cookie: `lokal_session_0=${cookie}`, 'x-console-secret': secret };
    },
  };
}

const noPacks: PackService = {
  overview: () => ({ roles: [], packs: [] }),
  browse: () => Promise.reject(new Error('not in this test')),
  machine: () => Promise.reject(new Error('not in this test')),
  found: () => Promise.resolve([]),
  checksums: () => Promise.reject(new Error('not in this test')),
  upload: () => Promise.reject(new Error('not in this test')),
  forgetUpload: () => Promise.resolve(),
  estimate: () => Promise.reject(new Error('not in this test')),
  import: () => Promise.reject(new Error('not in this test')),
  bind() {},
  setOptions: () => Promise.resolve(),
  unload: () => Promise.resolve(),
  remove: () => Promise.resolve([]),
  export: () => Promise.resolve(),
  refresh() {},
};

export interface Sent {
  method?: InjectOptions['method'];
  headers?: Record<string, string>;
  body?: unknown;
  /** The client's address. */
  from?: string;
}

/** A request with a key, or with none where `key` is null. */
export function send(
  { app }: Pick<TestApp, 'app'>,
  path: string,
  key: { secret: string } | null,
  sent: Sent = {},
): Promise<LightMyRequestResponse> {
  const { body, from } = sent;
  return app.inject({
    method: sent.method ?? (body === undefined ? 'GET' : 'POST'),
    url: path,
    headers: { ...(key ? { authorization: `Bearer ${key.secret}` } : {}), ...sent.headers },
    ...(body === undefined ? {} : { payload: body as object }),
    ...(from ? { remoteAddress: from } : {}),
  });
}

export const codeOf = (response: LightMyRequestResponse): string => response.json().error?.code;

/** A moderation that the fake engine answers through `methods.moderation.classify`. */
export const moderation = { model: 'svc-shield-base', input: 'some text' };

export const calmAnswer: ClassifyResult = { flagged: false, scores: {}, flaggedCategories: {}, spans: [] };
