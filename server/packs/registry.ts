/**
 * The packs of this installation: starters in models/packs (read only), imported ones in the data folder; and which pack
 * fills which role. A folder whose manifest cannot be read is no pack: it is reported, never listed.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelId } from '../api/common.ts';
import type { PackTask } from '../api/console/packs.ts';
import { type Manifest, packRef, parseManifest } from './manifest.ts';
import { isRerankManifest, tasksOfPack, tasksOfRole } from './pack-tasks.ts';

export interface Pack {
  ref: string;
  folder: string;
  manifest: Manifest;
  /** Unix seconds. */
  installed: number;
  removable: boolean;
  sizeBytes: number;
}

/** A role, or one task of the role that has several. */
export type BindingName = ModelId | `${ModelId}/${PackTask}`;

/** Keeps bindings (a table of the database). `undefined`: the person never chose. */
export interface BindingStore {
  get(name: BindingName): string | null | undefined;
  set(name: BindingName, ref: string | null): void;
  /** As if the person had never chosen. */
  forget(name: BindingName): void;
}

/** Packs that answer single tasks in place of their role's. */
export type TaskPacks = { [task in PackTask]?: Pack };

export interface PackFolders {
  starters: string;
  imported: string;
}

export interface PackRegistry {
  list(): Pack[];
  /** By `id@version`, or by id alone (its newest installed). */
  find(ref: string): Pack | null;
  bound(role: ModelId): Pack | null;
  /** The pack that Lokal brings for a role. */
  starter(role: ModelId): Pack | null;
  /** The packs chosen for single tasks of a role; none where the role has no tasks. */
  boundTasks(role: ModelId): TaskPacks;
  /**
   * For one task alone where one is named; null: the role's pack answers for it again.
   * @throws Error when the pack is unknown or does not fill the role
   */
  bind(role: ModelId, ref: string | null, task?: PackTask | null): void;
  /** Gives the role back to its starter. */
  unbind(role: ModelId): void;
  /** Folders that look like packs and could not be read. */
  problems(): string[];
  /** Reads the folders again, after an import or a removal. */
  refresh(): void;
}

/** Half-written imports; never listed. */
export const partialSuffix = '.partial';

export function createPackRegistry(folders: PackFolders, bindings: BindingStore): PackRegistry {
  let packs: Pack[] = [];
  let problems: string[] = [];
  /** Of `packs`, by role: every list of models asks for all of them. */
  const starters = new Map<ModelId, Pack | null>();

  function refresh(): void {
    problems = [];
    packs = [
      ...readFolder(folders.imported, true, problems),
      ...readFolder(folders.starters, false, problems),
    ];
    starters.clear();
  }

  function find(ref: string): Pack | null {
    const matches = packs.filter((pack) => pack.ref === ref || pack.manifest.id === ref);
    return matches.sort((a, b) => b.installed - a.installed)[0] ?? null;
  }

  function bound(role: ModelId): Pack | null {
    const chosen = bindings.get(role);
    if (chosen === null) return null;
    if (chosen !== undefined) return find(chosen);
    return starter(role);
  }

  function starter(role: ModelId): Pack | null {
    let pack = starters.get(role);
    if (pack === undefined) {
      pack = packs.find((each) => isStarterOf(each, role)) ?? null;
      starters.set(role, pack);
    }
    return pack;
  }

  function boundTasks(role: ModelId): TaskPacks {
    const chosen = (tasksOfRole[role] ?? []).map(
      (task) => [task, find(bindings.get(`${role}/${task}`) ?? '')] as const,
    );
    return Object.fromEntries(chosen.filter(([, pack]) => pack !== null));
  }

  function bind(role: ModelId, ref: string | null, task?: PackTask | null): void {
    const pack = ref === null ? null : find(ref);
    if (ref !== null && !pack) throw new Error(`there is no pack ${ref}`);
    if (pack && !pack.manifest.roles.includes(role))
      throw new Error(`${pack.ref} does not fill the role ${role}`);
    if (!task) {
      if (pack && isRerankManifest(pack.manifest))
        throw new Error(`${pack.ref} makes no vectors: bind it for the task rerank`);
      bindings.set(role, pack?.ref ?? null);
      return;
    }
    if (!tasksOfRole[role]?.includes(task)) throw new Error(`the role ${role} has no task ${task}`);
    if (pack && !tasksOfPack(pack.manifest).includes(task))
      throw new Error(`${pack.ref} does not answer for ${task}`);
    bindings.set(`${role}/${task}`, pack?.ref ?? null);
  }

  refresh();
  return {
    list: () => [...packs],
    find,
    bound,
    starter,
    boundTasks,
    bind,
    unbind: (role) => bindings.forget(role),
    problems: () => [...problems],
    refresh,
  };
}

export const isStarterOf = ({ manifest }: Pack, role: ModelId): boolean =>
  manifest.status === 'starter' && manifest.roles.includes(role);

function readFolder(root: string, removable: boolean, problems: string[]): Pack[] {
  let names: string[];
  try {
    names = readdirSync(root).sort();
  } catch {
    return []; // no folder yet: no packs
  }
  const packs: Pack[] = [];
  for (const name of names.filter((each) => !each.endsWith(partialSuffix))) {
    const folder = join(root, name);
    if (!statSync(folder).isDirectory()) continue;
    try {
      packs.push(readPack(folder, removable));
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
    }
  }
  return packs;
}

export function readPack(folder: string, removable: boolean): Pack {
  const manifestPath = join(folder, 'manifest.json');
  const manifest = parseManifest(readFileSync(manifestPath, 'utf8'));
  return {
    ref: packRef(manifest),
    folder,
    manifest,
    installed: Math.floor(statSync(manifestPath).mtimeMs / 1000),
    removable,
    sizeBytes: manifest.files.reduce((sum, file) => sum + file.size_bytes, 0),
  };
}
