/** A pack as its host gets it: with what a person set for it, and with the packs that answer single tasks in its place. */
import type { EnginePack } from '../engine/engine.ts';
import type { Pack, TaskPacks } from '../packs/registry.ts';

/** @param starter the starter pack of its role */
export const toEnginePack = (pack: Pack, starter: Pack | null): EnginePack => ({
  ref: pack.ref,
  folder: pack.folder,
  manifest: pack.manifest,
  ...(starter &&
    starter.ref !== pack.ref && { starter: { folder: starter.folder, manifest: starter.manifest } }),
});

export interface Serving {
  /** The starter pack of the role. */
  starter: Pack | null;
  /** Packs that answer single tasks in its place. */
  taskPacks: TaskPacks;
  /** A person's settings of a chat pack, over its manifest's `chat` block; null: as the manifest says. */
  chatOptions: Record<string, unknown> | undefined;
}

export function servingPack(pack: Pack, { starter, taskPacks, chatOptions }: Serving): EnginePack {
  const plain = toEnginePack(pack, starter);
  const tasks = Object.entries(taskPacks).map(([task, each]) => [task, toEnginePack(each, starter)] as const);
  if (tasks.length > 0) return { ...plain, tasks: Object.fromEntries(tasks) };
  if (pack.manifest.engine !== 'chat' || !chatOptions) return plain;
  const chosen = Object.entries(chatOptions).filter(([, value]) => value !== null);
  const { chat } = plain.manifest as { chat?: object };
  return { ...plain, manifest: { ...plain.manifest, chat: { ...chat, ...Object.fromEntries(chosen) } } };
}

/** Tells compositions apart: a host serves one for as long as it lives. */
export const taskPacksKey = (taskPacks: TaskPacks): string =>
  Object.entries(taskPacks)
    .map(([task, { ref }]) => `${task}=${ref}`)
    .join();

/** Megabytes of all packs that the host will hold, each counted once. */
export function neededMb(pack: Pack, taskPacks: TaskPacks): number {
  const all = new Map([pack, ...Object.values(taskPacks)].map((each) => [each.ref, each]));
  return [...all.values()].reduce((sum, { manifest }) => sum + (manifest.memory_mb ?? 0), 0);
}
