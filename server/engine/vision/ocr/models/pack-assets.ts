/**
 * Files of the recognizer that a pack brings: PaddleOCR exports, a graph and its inference.yml for the detector, the
 * recognizer or both. What a pack lacks is taken from what ships.
 */

import { readFile } from 'node:fs/promises';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import type { EnginePack } from '../../../engine.ts';
import { packFiles } from '../../../pack-files.ts';
import { type RecognitionAssets, shippedAssets } from './assets.ts';

/** `recognition` of a pack's manifest: paths inside it. */
interface RecognitionBlock {
  detector?: string;
  recognizer?: string;
  /** inference.yml of the recognizer, which holds its dictionary. */
  settings?: string;
}

const files = packFiles('text recognition');

/** Characters of a recognizer's inference.yml. Everything is read as text: a dictionary holds 0 and no. @throws EngineError internal_error when it has none */
export function dictionaryOf(yaml: string): string[] {
  let settings: unknown;
  try {
    settings = load(yaml, { schema: FAILSAFE_SCHEMA });
  } catch {
    throw files.refuse('inference.yml is not YAML.');
  }
  const dictionary = (settings as { PostProcess?: { character_dict?: unknown } } | null)?.PostProcess
    ?.character_dict;
  if (
    !Array.isArray(dictionary) ||
    dictionary.length === 0 ||
    dictionary.some((text) => typeof text !== 'string')
  )
    throw files.refuse('inference.yml of the recognizer has no character_dict.');
  return dictionary as string[];
}

/** @throws EngineError for a pack whose files cannot be read. */
export async function packAssets(pack: EnginePack): Promise<RecognitionAssets> {
  const block = pack.manifest.recognition as RecognitionBlock | undefined;
  const shipped = await shippedAssets();
  if (!block) return shipped;
  const read = async (path: string): Promise<Uint8Array> => {
    try {
      return await readFile(files.path(pack.folder, path));
    } catch {
      throw files.refuse(`${path} cannot be read.`);
    }
  };
  const detector = block.detector ? await read(block.detector) : shipped.detector;
  if (!block.recognizer) return { ...shipped, detector };
  const settings = Buffer.from(await read(block.settings ?? 'inference.yml')).toString('utf8');
  return { detector, recognizer: await read(block.recognizer), dictionary: dictionaryOf(settings) };
}
