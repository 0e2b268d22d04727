/** Patterns of personal data and words of names: `pii.yml` and `names.tsv` of the pack, read once at opening. */
import Type, { type Static } from 'typebox';
import type { EnginePack } from '../../engine.ts';
import { compilePattern, expandFragments, packTsv, packYaml, refuseFile } from '../../pack-data.ts';
import { piiCheck, piiCheckNames } from './checks.ts';
import { fromRules, type PatternRule, piiKinds, type Recognizer } from './match.ts';
import { NameWords, nameWordKinds } from './name-words.ts';

const Text = Type.String({ minLength: 1 });
const Score = Type.Number({ minimum: 0, maximum: 1 });
const Name = Type.String({ pattern: '^[a-z][a-z0-9_]*$' });
const strict = { additionalProperties: false };

const Rule = Type.Object(
  {
    kind: Type.Enum([...piiKinds]),
    pattern: Text,
    flags: Type.Optional(Type.String({ pattern: '^i?[uv]?$' })),
    /** Without a word of `context` near, and with one. */
    score: Score,
    context_score: Type.Optional(Score),
    context: Type.Optional(Name),
    /** Words right before it that say it is something else. */
    against: Type.Optional(Name),
    valid: Type.Optional(Type.Enum(piiCheckNames)),
  },
  strict,
);

const Family = Type.Object(
  {
    not_after: Type.Optional(
      Type.Object({ words: Name, reach: Type.Integer({ minimum: 1 }), up_to: Type.Optional(Score) }, strict),
    ),
    rules: Type.Array(Rule, { minItems: 1 }),
  },
  strict,
);

const familyNames = [
  'identity',
  'finance',
  'emails',
  'phones',
  'network',
  'secrets',
  'dates',
  'addresses',
  'persons',
  'beside',
  'local',
] as const;
type FamilyName = (typeof familyNames)[number];

const PiiFile = Type.Object(
  {
    words: Type.Record(Name, Text),
    not_last: Text,
    not_code: Text,
    place_words: Text,
    fragments: Type.Record(Name, Text),
    families: Type.Object(
      Object.fromEntries(familyNames.map((name) => [name, Family])) as Record<FamilyName, typeof Family>,
      strict,
    ),
  },
  strict,
);

export interface PiiKnowledge {
  find: Record<FamilyName, Recognizer>;
  names: NameWords;
  /** A code such as a plate: “JQR 8812”. */
  code: RegExp;
  /** The words before a name that a street, quarter or building bears, with a title before it. */
  ofAPlace: RegExp;
}

const file = 'pii.yml';

/** @throws EngineError internal_error that names the file and what is wrong in it */
export async function loadPiiKnowledge(pack: Pick<EnginePack, 'folder' | 'starter'>): Promise<PiiKnowledge> {
  const [table, rows] = await Promise.all([packYaml(pack, file, PiiFile), packTsv(pack, 'names.tsv', 2)]);
  const names = toNameWords(rows, compilePattern(file, table.not_last, 'iu'));
  const words = Object.entries(table.words).map(([name, text]) => [name, compilePattern(file, text, 'i')]);
  const tools = {
    names,
    words: Object.fromEntries(words),
    fragments: { ...table.fragments, surname: names.surnames },
  };
  const find = Object.entries(table.families).map(([name, family]) => [name, toRecognizer(family, tools)]);
  return {
    find: Object.fromEntries(find),
    names,
    code: compilePattern(file, String.raw`^(?!${table.not_code})\p{Lu}{1,3} ?\d{1,4}$`, 'u'),
    ofAPlace: compilePattern(
      file,
      String.raw`(?:^|[\s,(])(?:${table.place_words}) (?:\p{Lu}[\p{L}'’]*\.? ){0,3}$`,
      'u',
    ),
  };
}

function toNameWords(rows: readonly string[][], notLast: RegExp): NameWords {
  const odd = rows.find(([kind]) => !nameWordKinds.some((known) => known === kind));
  if (odd) throw refuseFile('names.tsv', `${odd[0]} is no kind of word`);
  const sets = nameWordKinds.map((kind) => [
    kind,
    new Set(rows.flatMap(([of, word]) => (of === kind && word ? [word] : []))),
  ]);
  return new NameWords(Object.fromEntries(sets), notLast);
}

interface RuleTools {
  names: NameWords;
  words: Record<string, RegExp>;
  fragments: Record<string, string>;
}

function toRecognizer({ rules, not_after: not }: Static<typeof Family>, tools: RuleTools): Recognizer {
  return fromRules(
    rules.map((rule) => toRule(rule, tools)),
    not ? { words: wordsOf(not.words, tools), reach: not.reach, upTo: not.up_to ?? 1 } : null,
  );
}

function toRule(rule: Static<typeof Rule>, tools: RuleTools): PatternRule {
  const { kind, score, context_score: contextScore = score, context, against, valid } = rule;
  return {
    kind,
    score,
    contextScore,
    pattern: compilePattern(file, expandFragments(rule.pattern, tools.fragments), `dg${rule.flags ?? ''}`),
    context: context ? wordsOf(context, tools) : null,
    against: against ? wordsOf(against, tools) : null,
    valid: valid ? piiCheck(valid, tools.names) : null,
  };
}

function wordsOf(name: string, { words }: RuleTools): RegExp {
  const found = words[name];
  if (!found) throw refuseFile(file, `${name} is none of its words`);
  return found;
}
