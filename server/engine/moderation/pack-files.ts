import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../engine.ts';

/** A pack that cannot serve; the text says why and never where the pack lies. */
export function refusePack(detail: string): EngineError {
  return new EngineError('model_not_installed', `The moderation pack cannot be used: ${detail}.`);
}

/** A path the manifest names, inside the pack's folder. */
export function pathInPack(folder: string, path: string): string {
  if (path.split(/[/\\]/).includes('..') || /^([/\\]|[A-Za-z]:)/.test(path))
    throw refusePack(`${path} lies outside it`);
  return join(folder, path);
}

/** @throws EngineError when the file is missing or no JSON */
export async function readJson(folder: string, path: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(pathInPack(folder, path), 'utf8')) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw refusePack(`${path} is missing or no JSON`);
  }
}
