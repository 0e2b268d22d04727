import { packFiles } from '../../pack-files.ts';

const files = packFiles('moderation');
export const pathInPack = files.path;

/** A pack that cannot serve; the text says why and never where the pack lies. */
export const refuseClassifierPack = (detail: string) => files.refuse(`${detail}.`);

/** @throws EngineError when the file is missing or no JSON */
export async function readClassifierJson(folder: string, path: string): Promise<Record<string, unknown>> {
  const value = await files.readJson(folder, path);
  if (value === undefined) throw refuseClassifierPack(`${path} is missing`);
  return value;
}
