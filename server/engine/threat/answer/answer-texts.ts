/** Texts of an answer in three languages: `actions.yml` and `titles.tsv` of the pack. */
import Type, { type Static } from 'typebox';
import { EngineError, type EnginePack } from '../../engine.ts';
import { packTsv, packYaml } from '../../pack-data.ts';

const Line = Type.String({ minLength: 1 });
const strict = { additionalProperties: false };
const Texts = Type.Object({ en: Line, ms: Line, zh: Line }, strict);

export const ActionFile = Type.Object(
  {
    /** `{values}` are indicators worth blocking. */
    indicators: Texts,
    /** `{lines}` are numbers of lines. */
    evidence: Texts,
    nothing: Texts,
    /** Programs that end at once, by their names without folder and ending: no action names them. Earlier packs have no list. */
    brief: Type.Optional(Type.Array(Line)),
    actions: Type.Array(
      Type.Object(
        {
          /** Technique ids (prefixes) that call for it. */
          ttps: Type.Array(Type.String({ pattern: '^T\\d{4}' }), { minItems: 1 }),
          minimum: Type.Enum(['low', 'medium', 'high']),
          /** `{host}`, `{user}`, `{process}`, `{address}`, `{file}` must be known, or the action is left out. */
          text: Texts,
        },
        strict,
      ),
    ),
  },
  strict,
);
export type ActionTexts = Static<typeof ActionFile>;

export type Names = readonly [ms: string, zh: string];

export interface Titles {
  /** By the beginning of a rule id; the first that fits. */
  families: ReadonlyMap<string, Names>;
  /** By ATT&CK tactic. */
  tactics: ReadonlyMap<string, Names>;
  /** By the English title of a rule of ours. */
  rules: ReadonlyMap<string, Names>;
  /** By the English title of a detector of ours. */
  detectors: ReadonlyMap<string, Names>;
  /** By the English description of a rule of ours. */
  descriptions: ReadonlyMap<string, Names>;
}

export interface AnswerTexts {
  actions: ActionTexts;
  titles: Titles;
}

/** @throws EngineError internal_error when the pack lacks a file or it is not as its schema asks */
export async function loadAnswerTexts(pack: Pick<EnginePack, 'folder' | 'starter'>): Promise<AnswerTexts> {
  const maps = {
    family: new Map<string, Names>(),
    tactic: new Map<string, Names>(),
    rule: new Map<string, Names>(),
    description: new Map<string, Names>(),
    title: new Map<string, Names>(),
  };
  for (const [kind = '', key = '', ms = '', zh = ''] of await packTsv(pack, 'titles.tsv', 4)) {
    if (!Object.hasOwn(maps, kind) || ms === '' || zh === '')
      throw new EngineError(
        'internal_error',
        'The pack cannot be used: titles.tsv holds a row of no known kind',
      );
    maps[kind as keyof typeof maps].set(key, [ms, zh]);
  }
  return {
    actions: await packYaml(pack, 'actions.yml', ActionFile),
    titles: {
      families: maps.family,
      tactics: maps.tactic,
      rules: maps.rule,
      descriptions: maps.description,
      detectors: maps.title,
    },
  };
}
