/** The composition root: opens the data folder, joins stores, engines and services, and listens. */
import { X509Certificate } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { buildApp } from './app.ts';
import { type Config, isLoopback } from './config.ts';
import { type CommandAccess, lockDataFolder, prepareDataFolder, writeAddress } from './db/data-folder.ts';
import { type Database, openDatabase } from './db/open.ts';
import { createStores, type Stores } from './db/stores.ts';
import { readEnginesFile } from './engines/engines-file.ts';
import { createMemorySpeed } from './hosts/memory-speed.ts';
import { nodeSpawn, type SpawnHost } from './hosts/port.ts';
import { createProviderList } from './hosts/providers.ts';
import { listen } from './listen.ts';
import { openPacks } from './open-packs.ts';
import { createAuditLog } from './services/audit/audit-log.ts';
import { createEventBus } from './services/console/events.ts';
import { createProgramService } from './services/console/program.ts';
import { readUserRules } from './services/console/rules.ts';
import { createSettingsService, defaultSettings } from './services/console/settings.ts';
import { createTrust } from './services/console/trust.ts';
import { createServices, type Services } from './services/create-services.ts';
import { createFailureLog } from './services/failure-log.ts';
import { loadInstallKey, type SecretBox } from './services/idempotency/install-key.ts';
import { importSecret } from './services/keys/bootstrap.ts';
import { installSigningKey } from './signing/keys.ts';
import { removeTelemetryFiles } from './telemetry-files.ts';
import { version } from './version.ts';

/** Present in the desktop app and absent in a plain Node process. */
export interface Platform {
  spawn?: SpawnHost;
  secretBox?: SecretBox;
  /** The command line of this start. */
  args?: readonly string[];
}

export interface RunningServer {
  /** The address it listens at, e.g. `http://127.0.0.1:8787`. */
  url: string;
  issueConsoleToken(): string;
  /** Lets requests under way finish, within limits, and frees the data folder. */
  close(): Promise<void>;
}

export interface StartedServer extends RunningServer {
  /** For the commands of this machine. */
  access: CommandAccess;
}

const graceMs = 10_000;
/** Requests get `graceMs` and their last answers a second; what then still hangs is left behind. */
const closeLimitMs = graceMs + 3_000;

/** @throws StartError */
export async function startServer(config: Config, platform: Platform = {}): Promise<StartedServer> {
  removeTelemetryFiles(config.telemetryFolder);
  // Files that the server and its hosts write are for this user alone.
  process.umask(0o077);
  prepareDataFolder(config.home);
  const unlock = lockDataFolder(config.home);
  let db: Database | undefined;
  try {
    db = openDatabase(join(config.home, 'lokal.db'));
    return await serve(config, platform, { db, unlock });
  } catch (error) {
    db?.close();
    unlock();
    throw error;
  }
}

interface DataFolder {
  db: Database;
  unlock: () => void;
}

async function serve(config: Config, platform: Platform, data: DataFolder): Promise<StartedServer> {
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: false }));
  const stores = createStores(data.db);
  const { services, engines, providers, closeEngines } = await open(config, platform, { stores, log });
  if (config.bootstrapKey)
    importSecret(config.bootstrapKey, {
      keys: stores.keys,
      directory: services.keyDirectory,
      audit: services.audit,
    });
  let url = '';
  const warnings: string[] = [];
  const app = buildApp({
    services,
    facts: {
      version,
      platform: process.platform,
      dataFolder: config.home,
      root: config.folders.root,
      baseUrl: () => `${url}/v1`,
      warnings: () => warnings,
      engines,
      now: Date.now,
    },
    hosts: { names: config.hostNames, anyAddress: !isLoopback(config.host) },
    program: createProgramService({
      root: config.folders.root,
      home: config.home,
      version,
      env: config.env,
      platform: process.platform,
      args: () => portLast(platform.args?.length ? platform.args : ['serve'], new URL(url).port),
      audit: services.audit,
      stop: () => process.kill(process.pid, 'SIGTERM'),
    }),
    interfaceFolder: config.folders.interface,
    log,
    graceMs,
    ...(config.tls ? { tls: config.tls } : {}),
  });
  const listening = await listen(app, config).catch(async (error: unknown) => {
    await closeEngines();
    throw error;
  });
  url = listening.url;
  if (listening.warning) {
    warnings.push(listening.warning);
    log.warn(listening.warning);
  }
  // Not awaited: the first start on a machine tries its drivers while the CPU already serves.
  void providers.load();
  const access = {
    url: listening.localUrl,
    secret: services.sessions.commandSecret,
    fingerprint: config.tls ? new X509Certificate(config.tls.cert).fingerprint256 : null,
  };
  const address = writeAddress(config.home, url, access);
  return {
    url,
    access,
    issueConsoleToken: () => services.sessions.issueToken(),
    close: async () => {
      address.remove();
      try {
        await within(app.close(), closeLimitMs);
      } finally {
        await closeEngines().finally(() => {
          data.db.close();
          data.unlock();
        });
      }
    },
  };
}

/** The same port again, so that a page finds the server after a restart. */
const portLast = (args: readonly string[], port: string): string[] =>
  args.at(-2) === '--port' && args.at(-1) === port ? [...args] : [...args, '--port', port];

async function open(config: Config, platform: Platform, { stores, log }: { stores: Stores; log: Logger }) {
  const installKey = await loadInstallKey(config.home, {
    store: stores.sealedRecords,
    box: platform.secretBox,
    replace: config.newInstallKey,
  });
  const audit = createAuditLog(stores.audit, Date.now);
  const settings = createSettingsService(stores.settings, defaultSettings(totalmem()), audit);
  const events = createEventBus();
  const fileEngines = config.enginesFile === null ? null : readEnginesFile(config.enginesFile);
  const failures = createFailureLog({ store: stores.failures, events, log, now: Date.now });
  const imported = join(config.home, 'packs');
  mkdirSync(imported, { recursive: true });
  const providers = createProviderList({
    home: config.home,
    runtimeVersion: version,
    env: config.hostEnv,
    customKernels: config.customKernels,
  });
  const trust = createTrust({ store: stores.trust, settings: settings.get, audit, now: Date.now });
  const { engines, packs, clean, close } = openPacks({
    folders: { starters: config.folders.starterPacks, imported, uploads: join(config.home, 'uploads') },
    bindings: stores.bindings,
    options: stores.packOptions,
    customKernels: providers.kernels,
    memorySpeed: createMemorySpeed(config.home, config.hostEnv),
    caches: config.modelCaches,
    settings,
    events,
    spawn: platform.spawn ?? nodeSpawn(config.hostEnv),
    providers: (kind) => providers.for(kind),
    rules: () => readUserRules(stores),
    audit,
    trust,
    onFailure: failures.ofEngine,
  });
  await clean();
  const services: Services = createServices({
    stores,
    engines,
    packs,
    settings,
    events,
    installKey,
    audit,
    failures,
    trust,
    programEnv: config.programEnv,
    fileEngines,
    signingKey: () => installSigningKey(config.home),
    now: Date.now,
  });
  return { services, engines, providers, closeEngines: close };
}

/** Settles with `work`, or when its time is up. */
async function within(work: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
