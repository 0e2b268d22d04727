/** Joins the registry of packs, the supervisor of their hosts and the person's view of both. */

import { availableParallelism, totalmem } from 'node:os';
import type { PackOptionStore } from './db/choices/pack-options.ts';
import type { EngineKind } from './engine/contract.ts';
import type { CustomKernels } from './engine/engine.ts';
import type { UserRules } from './engine/threat/types.ts';
import type { EngineFailure } from './hosts/engine-failure.ts';
import type { MemorySpeed } from './hosts/memory-speed.ts';
import type { SpawnHost } from './hosts/port.ts';
import { Supervisor } from './hosts/supervisor.ts';
import { estimateImport, freeBytes } from './packs/estimate.ts';
import { findModels, type ModelCaches } from './packs/found-models.ts';
import { type ImportPhase, importPack, removePack } from './packs/import.ts';
import { type BindingStore, createPackRegistry, type PackFolders } from './packs/registry.ts';
import { createUploads } from './packs/uploads.ts';
import type { AuditLog } from './services/audit/audit-log.ts';
import type { EventBus } from './services/console/events.ts';
import { createPackService, type PackService } from './services/console/packs.ts';
import type { SettingsService } from './services/console/settings.ts';
import type { TrustService } from './services/console/trust.ts';

export interface PackDeps {
  folders: PackFolders & { uploads: string };
  bindings: BindingStore;
  settings: SettingsService;
  events: EventBus;
  spawn: SpawnHost;
  providers: (kind: EngineKind) => string[];
  options: PackOptionStore;
  customKernels: () => CustomKernels;
  memorySpeed: MemorySpeed;
  /** Folders in which other programs keep their models. */
  caches: ModelCaches;
  /** For the threat engine, read at each of its openings. */
  rules: () => UserRules;
  onFailure?: (failure: EngineFailure) => void;
  audit: AuditLog;
  trust: TrustService;
}

export function openPacks(deps: PackDeps): {
  engines: Supervisor;
  packs: PackService;
  /** Removes what an earlier run left of uploads; for the one process that holds the data folder. */
  clean: () => Promise<void>;
  close: () => Promise<void>;
} {
  const { folders, bindings, settings, events, spawn, providers, options, rules, trust, customKernels } =
    deps;
  const registry = createPackRegistry(folders, bindings);
  const supervisor = new Supervisor({
    registry,
    spawn,
    providers,
    rules,
    chatOptions: options.get,
    settings: () => ({
      idleUnloadSeconds: settings.get().idle_unload_seconds,
      memoryCeilingMb: settings.get().memory_ceiling_mb,
      customKernels: customKernels(),
      threads: settings.get().threads || availableParallelism(),
      requireConfinement: settings.get().require_confinement,
    }),
    ...(deps.onFailure && { onFailure: deps.onFailure }),
    onState: (host) => events.publish({ type: 'host', host }),
  });

  const uploads = createUploads(folders.uploads);
  const packs = createPackService({
    registry,
    state: (pack) => supervisor.state(pack),
    unload: (ref) => supervisor.unload(ref),
    estimate: (path, signal) =>
      estimateImport(
        path,
        {
          packs: folders.imported,
          describe: (source, cause) => supervisor.describe(source, cause),
          judge: (head) => head && trust.judge(head.signature),
        },
        signal,
      ),
    importPack: (path, { source, ...given }) => {
      return importPack(
        path,
        {
          packs: folders.imported,
          tryPack: (pack, signal) => supervisor.tryPack(pack, signal),
          convert: (conversion) => supervisor.convert(conversion),
          admit: trust.admit,
          onPhase: announce(events, source),
        },
        given,
      );
    },
    machine: async (again) => ({
      memory_mb: Math.floor(totalmem() / mebibyte),
      ceiling_mb: settings.get().memory_ceiling_mb,
      processors: availableParallelism(),
      free_disk_bytes: await freeBytes(folders.imported),
      read_bytes_per_second: await deps.memorySpeed.read(again),
    }),
    found: () => findModels(deps.caches),
    uploads,
    options,
    removePack,
    audit: deps.audit,
    trust,
  });
  return { engines: supervisor, packs, clean: uploads.clear, close: () => supervisor.close() };
}

const mebibyte = 1_048_576;

const announce =
  (events: EventBus, source: string) =>
  (phase: ImportPhase, done = phase === 'done' ? 1 : 0) =>
    events.publish({ type: 'import', source, phase, done });
