/** Everything a host process may reach besides the program itself: the least that its engine needs for its pack. */
import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineOptions, EnginePack } from './engine.ts';

export interface HostGrant {
  /** Absolute folders and files to read. */
  reads: string[];
  /** Absolute folders to read and write; they are there. */
  writes: string[];
  /** Graphics devices and what their drivers read; the CPU alone needs none. */
  devices: boolean;
}

/** @param pack of a conversion: the folder it writes, and in `source` what it reads */
export function grantOf(pack: EnginePack, options: EngineOptions): HostGrant {
  const { source } = pack;
  const devices = options.providers.some((name) => name !== 'cpu');
  if (source !== undefined) {
    const writes = pack.folder === '' ? [] : [pack.folder];
    return { reads: [source, ...linkedFiles(source), ...linkedFiles(join(source, 'onnx'))], writes, devices };
  }
  const packs = [pack, ...Object.values(pack.tasks ?? {})];
  const folders = packs.flatMap(({ folder, starter }) => (starter ? [folder, starter.folder] : [folder]));
  return { reads: [...new Set(folders)], writes: [], devices };
}

/** A hub's cache holds links to files in a folder beside it. A file has none, and a link to nothing is for its reader to name. */
function linkedFiles(folder: string): string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  const links = entries.filter((entry) => entry.isSymbolicLink());
  return links.flatMap(({ name }) => attempt(() => realpathSync(join(folder, name))) ?? []);
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
