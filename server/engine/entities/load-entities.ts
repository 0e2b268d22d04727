/** The model of the tagger: `entities.json`, `entities.bin`, `entities-words.bin` and `entities-names.bin` of the pack, all its own or all its role's starter's. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Type, { type TSchema } from 'typebox';
import type { EnginePack } from '../engine.ts';
import { packYaml, refuseFile } from '../pack-data.ts';
import { packFiles } from '../pack-files.ts';
import { entityFeatureVersion } from './entity-features.ts';
import { type EntityModel, entityKinds, entityScripts } from './entity-tagger.ts';
import type { EntityWords } from './entity-words.ts';
import { entityTagCount, linkCount } from './tag-chain.ts';

const strict = { additionalProperties: false };

/** An object with these keys, each of them of one form. */
const each = <K extends string, T extends TSchema>(keys: readonly K[], schema: T) =>
  Type.Object(Object.fromEntries(keys.map((key) => [key, schema])) as Record<K, T>, strict);

const EntityFile = Type.Object(
  {
    version: Type.Integer(),
    buckets: Type.Integer({ minimum: 2 }),
    scales: Type.Array(Type.Number(), { minItems: entityTagCount, maxItems: entityTagCount }),
    transitions: Type.Array(Type.Number(), {
      minItems: linkCount * entityTagCount ** 2,
      maxItems: linkCount * entityTagCount ** 2,
    }),
    thresholds: each(entityScripts, each(entityKinds, Type.Number({ minimum: 0, maximum: 1 }))),
  },
  strict,
);

/**
 * Null where neither the pack nor its starter has a tagger: patterns and lists find names alone then.
 * @throws EngineError internal_error for a file that is wrong, or of another version of the features
 */
export async function loadEntityModel(
  pack: Pick<EnginePack, 'folder' | 'starter'>,
): Promise<EntityModel | null> {
  const files = packFiles('chosen');
  for (const folder of [pack.folder, pack.starter?.folder]) {
    if (folder === undefined || !(await files.exists(folder, 'entities.json'))) continue;
    const { version, buckets, scales, transitions, thresholds } = await packYaml(
      { folder },
      'entities.json',
      EntityFile,
    );
    if (version !== entityFeatureVersion)
      throw refuseFile('entities.json', `feature version ${version}, this is ${entityFeatureVersion}`);
    const bytes = await readFile(join(folder, 'entities.bin')).catch(() => Buffer.alloc(0));
    if (bytes.length !== buckets * entityTagCount)
      throw refuseFile('entities.bin', `it has not ${entityTagCount} weights for each of ${buckets} buckets`);
    return {
      weights: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
      scales: Float32Array.from(scales),
      transitions: Float64Array.from(transitions),
      words: await readWords(folder, 'entities-words.bin'),
      names: await readWords(folder, 'entities-names.bin'),
      thresholds,
    };
  }
  return null;
}

async function readWords(folder: string, name: string): Promise<EntityWords> {
  const bytes = await readFile(join(folder, name)).catch(() => Buffer.alloc(0));
  if (bytes.length === 0 || bytes.length % 4 !== 0)
    throw refuseFile(name, 'it is not a table of 32-bit numbers');
  return new Uint32Array(Uint8Array.from(bytes).buffer);
}
