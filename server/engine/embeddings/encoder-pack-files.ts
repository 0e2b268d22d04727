/** Files of an embedding pack (engine/pack-files.ts). */
import { packFiles } from '../pack-files.ts';

export type { Json } from '../pack-files.ts';
export const { refuse: refusePack, path: pathInPack, readJson } = packFiles('embedding');
