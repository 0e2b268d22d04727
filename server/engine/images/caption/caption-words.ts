/** Words that captions are written with: data of the vision pack, caption-words.yml. */

import { type Static, Type } from 'typebox';
import type { EnginePack } from '../../engine.ts';
import { packYaml } from '../../pack-data.ts';
import { colorNames } from '../attributes.ts';

export const places = [
  'upper_left',
  'top',
  'upper_right',
  'left',
  'middle',
  'right',
  'lower_left',
  'bottom',
  'lower_right',
] as const;
export type PicturePosition = (typeof places)[number];

const word = Type.String({ minLength: 1 });
const wordFor = <const Key extends string>(keys: readonly Key[]) =>
  Type.Object(Object.fromEntries(keys.map((key) => [key, word])) as Record<Key, typeof word>, {
    additionalProperties: false,
  });

const wordsSchema = Type.Object(
  {
    places: wordFor(places),
    colors: wordFor(colorNames),
    /** From none on. */
    numbers: Type.Array(word, { minItems: 1 }),
    /** Names of groups of pictures, for where no kind stands out. */
    groups: Type.Record(Type.String(), word),
    /** Said beside photographs: the pack names no people and things, others do. */
    photographs: word,
  },
  { additionalProperties: false },
);
const byLanguageSchema = Type.Object(
  { en: wordsSchema, ms: wordsSchema, zh: wordsSchema },
  { additionalProperties: false },
);

export type CaptionWords = Static<typeof wordsSchema>;
export type WordsByLanguage = Static<typeof byLanguageSchema>;

/** @throws EngineError internal_error that names the field that is wrong */
export const readCaptionWords = (pack: Pick<EnginePack, 'folder' | 'starter'>): Promise<WordsByLanguage> =>
  packYaml(pack, 'caption-words.yml', byLanguageSchema);
