/** The data folder as the commands use it: beside a running server, or without one. */
import { existsSync, mkdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '../../config.ts';
import { closeToOthers, prepareDataFolder } from '../../db/data-folder.ts';
import { openDatabase } from '../../db/open.ts';
import { createStores, type Stores } from '../../db/stores.ts';
import { actAs } from '../../services/audit/actor.ts';
import { createAuditLog } from '../../services/audit/audit-log.ts';
import { removeTelemetryFiles } from '../../telemetry-files.ts';
import { version } from '../../version.ts';

/** Runs `work` on the stores and closes them. @throws StartError */
export async function withStores<T>(work: (stores: Stores, config: Config) => Promise<T> | T): Promise<T> {
  const config = readConfig();
  removeTelemetryFiles(config.telemetryFolder);
  // An existing database can be read on a full disk too.
  if (existsSync(join(config.home, 'lokal.db'))) closeToOthers(config.home);
  else prepareDataFolder(config.home);
  const db = openDatabase(join(config.home, 'lokal.db'));
  try {
    return await actAs('command line', () => work(createStores(db), config));
  } finally {
    db.close();
  }
}

/** The packs of the data folder, with hosts of this process's own. */
export async function withPacks<T>(
  work: (packs: Awaited<ReturnType<typeof openOwnPacks>>) => Promise<T>,
): Promise<T> {
  return withStores(async (stores, config) => {
    const packs = await openOwnPacks(stores, config);
    try {
      return await work(packs);
    } finally {
      await packs.close();
    }
  });
}

/** @param config its `home` may be another folder than the stores’ own */
export async function openOwnPacks(stores: Stores, config: Config) {
  const [
    { openPacks },
    { createSettingsService, defaultSettings },
    { createEventBus },
    { createMemorySpeed },
    { createProviderList },
    { nodeSpawn },
    { createRuleService, readUserRules },
    { createTrust },
  ] = await Promise.all([
    import('../../open-packs.ts'),
    import('../../services/console/settings.ts'),
    import('../../services/console/events.ts'),
    import('../../hosts/memory-speed.ts'),
    import('../../hosts/providers.ts'),
    import('../../hosts/port.ts'),
    import('../../services/console/rules.ts'),
    import('../../services/console/trust.ts'),
  ]);
  const imported = join(config.home, 'packs');
  mkdirSync(imported, { recursive: true });
  const audit = createAuditLog(stores.audit, Date.now);
  const settings = createSettingsService(stores.settings, defaultSettings(totalmem()), audit);
  const trust = createTrust({ store: stores.trust, settings: settings.get, audit, now: Date.now });
  const tried = createProviderList({
    home: config.home,
    runtimeVersion: version,
    env: config.hostEnv,
    customKernels: config.customKernels,
  });
  await tried.loadKernels();
  const opened = openPacks({
    folders: { starters: config.folders.starterPacks, imported, uploads: join(config.home, 'uploads') },
    bindings: stores.bindings,
    options: stores.packOptions,
    customKernels: tried.kernels,
    memorySpeed: createMemorySpeed(config.home, config.hostEnv),
    caches: config.modelCaches,
    settings,
    events: createEventBus(),
    spawn: nodeSpawn(config.hostEnv),
    // An import is tried on the processor alone: what it proves must hold on every machine.
    providers: () => ['cpu'],
    rules: () => readUserRules(stores),
    audit,
    trust,
  });
  return {
    ...opened,
    stores,
    audit,
    trust,
    settings,
    documentTemplates: stores.documentTemplates,
    rules: createRuleService({ engines: opened.engines, stores, audit }),
  };
}
