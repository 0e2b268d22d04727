/** Packs as the person sees them: what is installed, which role each fills, how its host is. */
import { existsSync } from 'node:fs';
import { type ModelId, modelIds, modelStatus } from '../../api/common.ts';
import type {
  ChatPackOptions,
  EstimateRequest,
  FileChecksum,
  FolderListing,
  FoundModel,
  HostState,
  ImportEstimate,
  MachineFigures,
  PackOverview,
  PackSummary,
  PackTask,
  RoleBinding,
} from '../../api/console/packs.ts';
import type { PackOptionStore } from '../../db/choices/pack-options.ts';
import { defaultThresholds } from '../../engine/default-thresholds.ts';
import { ApiError } from '../../errors.ts';
import { browse } from '../../packs/browse.ts';
import { writeBundle } from '../../packs/bundle.ts';
import { checksumsOf } from '../../packs/checksums.ts';
import type { ImportOptions } from '../../packs/import.ts';
import { tasksOfPack, tasksOfRole } from '../../packs/pack-tasks.ts';
import { isStarterOf, type Pack, type PackRegistry } from '../../packs/registry.ts';
import { readPackHead } from '../../packs/signature.ts';
import type { FilePiece, Uploads } from '../../packs/uploads.ts';
import type { SigningKey } from '../../signing/keys.ts';
import { type AuditLog, changesBetween } from '../audit/audit-log.ts';
import { exactlyOne } from '../files/request-file.ts';
import type { TrustService } from './trust.ts';

export interface PackService {
  overview(): PackOverview;
  /** @throws ApiError invalid_value */
  browse(path: string | null, name?: string): Promise<FolderListing>;
  /** @param again measures anew what is measured once */
  machine(again: boolean): Promise<MachineFigures>;
  /** Models of other programs on this machine. */
  found(): Promise<FoundModel[]>;
  /** @throws ApiError invalid_value */
  checksums(source: ImportSource, signal: AbortSignal): Promise<FileChecksum[]>;
  /** Takes a piece of a file; returns the file's bytes so far. @throws ApiError */
  upload(id: string, piece: FilePiece): Promise<number>;
  forgetUpload(id: string): Promise<void>;
  /** Writes nothing. @throws ApiError as importPack does */
  estimate(source: ImportSource, signal: AbortSignal): Promise<ImportEstimate>;
  /** An upload is gone afterwards, however it ends. @throws ApiError as importPack does */
  import(source: ImportSource, options: ImportOptions): Promise<PackSummary>;
  /** @throws ApiError invalid_value */
  bind(role: ModelId, ref: string | null, task?: PackTask): void;
  /** Ends its host, so that the next request opens it with them. @throws ApiError not_found, invalid_value */
  setOptions(ref: string, options: ChatPackOptions): Promise<void>;
  /** @throws ApiError not_found */
  unload(ref: string): Promise<void>;
  /**
   * Roles and tasks that it serves go back to the starter, and are named.
   * @throws ApiError not_found; conflict where a role has no starter to go back to
   */
  remove(ref: string): Promise<RoleAfterRemoval[]>;
  /** Writes the pack as one file. @throws ApiError not_found, conflict when the file is there */
  export(ref: string, file: string, key?: SigningKey): Promise<void>;
  /** Reads folders again, after another process changed them. */
  refresh(): void;
}

/** The pack that answers for a role, or for a task of it, once another is removed. */
export interface RoleAfterRemoval {
  role: ModelId;
  task?: PackTask;
  /** null: the pack of the role. */
  pack: string | null;
}

/** A path of this machine, or an upload; one of the two. */
export type ImportSource = EstimateRequest;

export interface PackServiceDeps {
  registry: PackRegistry;
  /** State of a pack's host; null where no hosts run (the command line). */
  state: (pack: Pack) => HostState | null;
  unload: (ref: string) => Promise<void>;
  estimate: (path: string, signal: AbortSignal) => Promise<ImportEstimate>;
  /** `source` names the import in its events. */
  importPack: (path: string, options: ImportOptions & { source: string }) => Promise<Pack>;
  machine: (again: boolean) => Promise<MachineFigures>;
  found: () => Promise<FoundModel[]>;
  uploads: Uploads;
  options: PackOptionStore;
  removePack: (pack: Pack) => Promise<void>;
  audit: AuditLog;
  trust: TrustService;
}

export function createPackService(deps: PackServiceDeps): PackService {
  const { registry } = deps;

  function find(ref: string): Pack {
    const pack = registry.find(ref);
    if (!pack) throw new ApiError('not_found', 'There is no such pack.', { param: 'pack' });
    return pack;
  }

  const summarize = (pack: Pack): PackSummary => ({
    ...toSummary(pack),
    signature: pack.removable ? deps.trust.judgeFolder(pack.folder) : null,
    chat_options: pack.manifest.engine === 'chat' ? { ...usualOptions, ...deps.options.get(pack.ref) } : null,
  });

  /** Undefined for a role without tasks. */
  function tasksOf(role: ModelId): RoleBinding['tasks'] {
    const bound = registry.boundTasks(role);
    const tasks = tasksOfRole[role];
    return tasks && Object.fromEntries(tasks.map((task) => [task, bound[task]?.ref ?? null]));
  }

  /** @throws ApiError conflict */
  function toReturn(pack: Pack): RoleAfterRemoval[] {
    return modelIds.flatMap((role) => {
      const tasks = registry.boundTasks(role);
      const own = (tasksOfRole[role] ?? []).filter((task) => tasks[task]?.ref === pack.ref);
      const returned: RoleAfterRemoval[] = own.map((task) => ({ role, task, pack: null }));
      if (registry.bound(role)?.ref !== pack.ref) return returned;
      const starter = registry.list().find((each) => each.ref !== pack.ref && isStarterOf(each, role));
      if (starter) return [{ role, pack: starter.ref }, ...returned];
      throw new ApiError(
        'conflict',
        `${pack.ref} serves ${role}, which has no starter pack to go back to: bind another pack first, or none.`,
        { param: 'pack' },
      );
    });
  }

  function giveBack({ role, task, pack }: RoleAfterRemoval): void {
    const changes = { pack, ...(task && { task }) };
    deps.audit.act({ action: 'pack.bind', target: role, changes }, () =>
      task ? registry.bind(role, null, task) : registry.unbind(role),
    );
  }

  /** @throws ApiError missing_field, invalid_value, not_found */
  async function pathOf(source: ImportSource): Promise<string> {
    exactlyOne(source, ['path', 'upload']);
    return source.path ?? deps.uploads.source(source.upload!);
  }

  return {
    overview() {
      // Folders may have been changed by the command line or by hand.
      registry.refresh();
      return {
        roles: modelIds.map((role) => {
          const pack = registry.bound(role);
          return {
            role,
            status: modelStatus[role],
            pack: pack?.ref ?? null,
            host: pack && deps.state(pack),
            ...(tasksOfRole[role] && { tasks: tasksOf(role) }),
          };
        }),
        packs: registry.list().map(summarize),
      };
    },

    browse,
    machine: deps.machine,
    found: deps.found,
    async checksums(source, signal) {
      const path = await pathOf(source);
      return checksumsOf(path, signal).catch(() => {
        signal.throwIfAborted();
        throw new ApiError('invalid_value', 'This file or folder cannot be read.', { param: 'path' });
      });
    },
    upload: (id, piece) => deps.uploads.write(id, piece),
    forgetUpload: (id) => deps.uploads.remove(id),
    estimate: async (source, signal) => deps.estimate(await pathOf(source), signal),

    async import(source, options) {
      const path = await pathOf(source);
      try {
        const pack = await deps.importPack(path, { ...options, source: source.upload ?? path });
        deps.trust.note(readPackHead(pack.folder));
        registry.refresh();
        deps.audit.record({ action: 'pack.import', target: pack.ref, changes: toRecord(pack, deps.trust) });
        return summarize(pack);
      } finally {
        if (source.upload !== undefined) await deps.uploads.remove(source.upload);
      }
    },

    bind(role, ref, task) {
      try {
        const changes = { pack: ref, ...(task && { task }) };
        deps.audit.act({ action: 'pack.bind', target: role, changes }, () => registry.bind(role, ref, task));
      } catch (error) {
        throw new ApiError('invalid_value', `${(error as Error).message}.`, { param: 'pack' });
      }
    },

    async setOptions(ref, options) {
      const pack = find(ref);
      if (pack.manifest.engine !== 'chat')
        throw new ApiError('invalid_value', 'Only chat packs have these sizes.', { param: 'pack' });
      const most = pack.manifest.context ?? Number.POSITIVE_INFINITY;
      if ((options.context ?? 0) > most)
        throw new ApiError('invalid_value', `This pack reaches ${most} positions.`, {
          param: 'options.context',
        });
      const changes = changesBetween({ ...usualOptions, ...deps.options.get(pack.ref) }, options);
      deps.audit.act({ action: 'pack.options', target: pack.ref, changes }, () =>
        deps.options.set(pack.ref, options),
      );
      await deps.unload(pack.ref);
    },

    unload: (ref) => deps.unload(find(ref).ref),

    async remove(ref) {
      const pack = find(ref);
      const returned = pack.removable ? toReturn(pack) : [];
      if (pack.removable) {
        for (const each of returned) giveBack(each);
        await deps.unload(pack.ref);
      }
      await deps.removePack(pack);
      deps.audit.record({ action: 'pack.remove', target: pack.ref });
      registry.refresh();
      return returned;
    },

    async export(ref, file, key) {
      const pack = find(ref);
      if (existsSync(file)) throw new ApiError('conflict', 'The file is already there.', { param: 'file' });
      await writeBundle(pack.folder, file, { signWith: key });
      deps.audit.record({ action: 'pack.export', target: pack.ref, changes: { signer: key?.name ?? null } });
    },

    refresh: () => registry.refresh(),
  };
}

/** A pack as the audit log tells of it. */
const toRecord = ({ manifest, folder }: Pack, trust: TrustService) => {
  const { state, signer } = trust.judgeFolder(folder);
  return { publisher: manifest.publisher, licence: manifest.licence, signature: state, signer };
};

const usualOptions: ChatPackOptions = {
  slots: null,
  cache_mb: null,
  context: null,
  speculate: true,
  int8_kv_cache: false,
};

function toSummary({
  ref,
  manifest,
  installed,
  removable,
  sizeBytes,
}: Pack): Omit<PackSummary, 'chat_options' | 'signature'> {
  return {
    ref,
    id: manifest.id,
    version: manifest.version,
    name: manifest.name,
    publisher: manifest.publisher,
    roles: manifest.roles,
    tasks: tasksOfPack(manifest),
    format: manifest.format,
    licence: manifest.licence,
    languages: manifest.languages,
    status: manifest.status,
    size_bytes: sizeBytes,
    memory_mb: manifest.memory_mb ?? null,
    description: manifest.description,
    descriptions: manifest.descriptions ?? {},
    installed,
    removable,
    context: manifest.context ?? null,
    ...(manifest.engine === 'moderation' ? { thresholds: defaultThresholds(manifest) } : {}),
  };
}
