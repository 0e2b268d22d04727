/** Rules of the pack beside its model: sentences that tell harm by themselves, and calm reports that the model mistakes for it. */
import { type Static, Type } from 'typebox';
import type { EnginePack } from '../engine.ts';
import { compilePattern, expandFragments, packYaml } from '../pack-data.ts';
import { type Category, categories, type Scores } from './categories.ts';
import { foldText } from './text/fold.ts';
import type { Simplified } from './text/simplified.ts';

const Text = Type.String({ minLength: 1 });
const Score = Type.Number({ minimum: 0, maximum: 1 });
const strict = { additionalProperties: false };
const matched = {
  categories: Type.Array(Type.Enum([...categories]), { minItems: 1 }),
  /** Patterns that all must match. */
  all: Type.Array(Text, { minItems: 1 }),
  /** Speaks against it. */
  unless: Type.Optional(Text),
};

const HarmFile = Type.Object(
  {
    fragments: Type.Record(Type.String({ pattern: '^[a-z][a-z_]*$' }), Text),
    rules: Type.Array(Type.Object({ ...matched, score: Score, unless_score: Type.Optional(Score) }, strict)),
    reports: Type.Array(Type.Object({ ...matched, at_most: Score }, strict)),
  },
  strict,
);

type Matched = Pick<Static<typeof HarmFile>['rules'][number], keyof typeof matched>;

export interface SentenceRules {
  /** Scores of a sentence by itself. */
  scoresOf(sentence: string): Partial<Scores>;
  /** The scores that the model gave a text, held down where it calmly tells a thing that happened. */
  calmed(text: string, scores: Scores): Scores;
}

const file = 'harm.yml';

interface Compiled {
  categories: readonly Category[];
  all: RegExp[];
  unless: RegExp | null;
}

/** @throws EngineError internal_error that names the file and what is wrong in it */
export async function loadSentenceRules(
  pack: Pick<EnginePack, 'folder' | 'starter'>,
  simplified: Simplified,
): Promise<SentenceRules> {
  const plain = (text: string) => foldText(text, simplified).units.join('').replaceAll('’', "'");
  const table = await packYaml(pack, file, HarmFile);
  const compile = (pattern: string) => compilePattern(file, expandFragments(pattern, table.fragments), 'u');
  const compiled = <Rule extends Matched>(rule: Rule): Omit<Rule, keyof Matched> & Compiled => ({
    ...rule,
    all: rule.all.map(compile),
    unless: rule.unless === undefined ? null : compile(rule.unless),
  });
  const rules = table.rules.map(compiled);
  const reports = table.reports.map(compiled);
  return {
    scoresOf(sentence) {
      const text = plain(sentence);
      const scores: Partial<Scores> = {};
      for (const { categories: named, score, unless_score: spokenAgainst = 0, ...rule } of rules) {
        if (!hasAll(rule, text)) continue;
        const own = rule.unless?.test(text) ? spokenAgainst : score;
        for (const category of named) scores[category] = Math.max(scores[category] ?? 0, own);
      }
      return scores;
    },
    calmed(text, scores) {
      const folded = plain(text);
      const held = { ...scores };
      for (const { categories: named, at_most: atMost, ...rule } of reports) {
        if (named.every((category) => held[category] <= atMost)) continue;
        if (!hasAll(rule, folded) || rule.unless?.test(folded)) continue;
        for (const category of named) held[category] = Math.min(held[category], atMost);
      }
      return held;
    },
  };
}

const hasAll = ({ all }: Pick<Compiled, 'all'>, text: string): boolean =>
  all.every((pattern) => pattern.test(text));
