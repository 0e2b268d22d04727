/** Joins the registry of packs, the supervisor of their hosts and the person's view of both. */
import { availableParallelism } from 'node:os';
import { Host } from './hosts/host.ts';
import type { SpawnHost } from './hosts/port.ts';
import { createSupervisor, type Supervisor } from './hosts/supervisor.ts';
import { importPack, removePack } from './packs/import.ts';
import { type BindingStore, createPackRegistry, type Pack, type PackFolders } from './packs/registry.ts';
import type { EventBus } from './services/console/events.ts';
import { createPackService, type PackService } from './services/console/packs.ts';
import type { SettingsService } from './services/console/settings.ts';

export interface PackDeps {
  folders: PackFolders;
  bindings: BindingStore;
  settings: SettingsService;
  events: EventBus;
  spawn: SpawnHost;
}

const trialLimitMs = 300_000;

export function openPacks({ folders, bindings, settings, events, spawn }: PackDeps): {
  engines: Supervisor;
  packs: PackService;
  close: () => Promise<void>;
} {
  const registry = createPackRegistry(folders, bindings);
  const engineOptions = () => ({
    threads: settings.get().threads || availableParallelism(),
    providers: ['cpu'],
  });
  const supervisor = createSupervisor({
    registry,
    spawn,
    settings: () => ({
      idleUnloadSeconds: settings.get().idle_unload_seconds,
      memoryCeilingMb: settings.get().memory_ceiling_mb,
      engine: engineOptions(),
    }),
    onState: (host) => events.publish({ type: 'host', host }),
  });

  /** Loads a staged pack once in a host of its own. */
  async function tryPack({ ref, folder, manifest }: Pack, signal: AbortSignal): Promise<void> {
    const ignore = { onExit() {}, onMemory() {} };
    const host = new Host(spawn, manifest.engine, { ref, folder, manifest }, engineOptions(), ignore);
    const stop = () => host.kill();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await host.start(trialLimitMs);
    } finally {
      signal.removeEventListener('abort', stop);
      await host.close();
    }
  }

  const packs = createPackService({
    registry,
    state: (pack) => supervisor.state(pack),
    unload: (ref) => supervisor.unload(ref),
    importPack: (path, signal) =>
      importPack(path, { packs: folders.imported, tryPack, onPhase: announce(events, path) }, signal),
    removePack,
  });
  return { engines: supervisor, packs, close: () => supervisor.close() };
}

const phases = ['copying', 'verifying', 'loading', 'done'];

const announce = (events: EventBus, path: string) => (phase: string) =>
  events.publish({ type: 'import', path, phase, done: (phases.indexOf(phase) + 1) / phases.length });
