import { readFile } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { EngineError } from '../engine.ts';

export type Json = Record<string, unknown>;

/** A pack that cannot serve. The text names the file and what is wrong with it, never where the pack lies. */
export function refusePack(what: string): EngineError {
  return new EngineError('internal_error', `The embedding pack cannot be used: ${what}`);
}

/** Joins a path of the manifest to the pack's folder; throws for one that leaves it. */
export function pathInPack(folder: string, path: string): string {
  const clean = normalize(path);
  if (isAbsolute(clean) || clean.startsWith('..')) throw refusePack(`${path} lies outside the pack.`);
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

/** A JSON file of the pack, or undefined when it has none of that name. */
export async function readJson<T = Json>(folder: string, path: string): Promise<T | undefined> {
  const text = await readText(folder, path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    throw refusePack(`${path} is not JSON.`);
  }
}
