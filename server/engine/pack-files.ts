/** Files of a pack as an engine reads them: by paths that stay inside its folder, refused in words that never name it. */
import { access, readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { EngineError, type EnginePack } from './engine.ts';

export type Json = Record<string, unknown>;

export interface PackFiles {
  /** A pack that cannot serve. The text names what is wrong, never where the pack lies. */
  refuse(what: string): EngineError;
  /** Joins a path of the manifest to the pack's folder. @throws EngineError for one that leaves it */
  path(folder: string, path: string): string;
  exists(folder: string, path: string): Promise<boolean>;
  /** Undefined when the pack has no such file. */
  readText(folder: string, path: string): Promise<string | undefined>;
  readJson<T = Json>(folder: string, path: string): Promise<T | undefined>;
}

/** @param kind as a person calls such a pack, e.g. `chat`. @throws nothing itself; its functions as PackFiles says */
export function packFiles(kind: string): PackFiles {
  const refuse = (what: string) =>
    new EngineError('internal_error', `The ${kind} pack cannot be used: ${what}`);

  function pathInPack(folder: string, path: string): string {
    const clean = normalize(path);
    if (/^([/\\]|[A-Za-z]:|\.\.)/.test(clean)) throw refuse(`${path} lies outside the pack.`);
    return join(folder, clean);
  }

  async function readText(folder: string, path: string): Promise<string | undefined> {
    try {
      return await readFile(pathInPack(folder, path), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async function readJson<T = Json>(folder: string, path: string): Promise<T | undefined> {
    const text = await readText(folder, path);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as T;
    } catch {
      throw refuse(`${path} is not JSON.`);
    }
  }

  const exists = (folder: string, path: string): Promise<boolean> =>
    access(pathInPack(folder, path)).then(
      () => true,
      () => false,
    );

  return { refuse, path: pathInPack, exists, readText, readJson };
}

/**
 * The text of a data file (words, tables, templates): the pack's own, else its role's starter's.
 * @throws EngineError internal_error when neither has it, or the name leaves the pack
 */
export async function packFile(pack: Pick<EnginePack, 'folder' | 'starter'>, name: string): Promise<string> {
  const files = packFiles('chosen');
  const own = await files.readText(pack.folder, name);
  const text = own ?? (pack.starter && (await files.readText(pack.starter.folder, name)));
  if (text === undefined) throw files.refuse(`neither it nor the starter pack of its role has ${name}.`);
  return text;
}
