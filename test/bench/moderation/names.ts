/**
 * Persons, organizations, places, dates and job titles found in sentences of templates and names that no training saw
 * (names.jsonl, written by models/recipes/shield-names/held-back.ts), and in texts by authors who never saw the recipe
 * (names-written.jsonl: set aside before anybody read them, and not for reading).
 */
import { readFileSync } from 'node:fs';
import type { ClassifyResult } from '../../../server/engine/moderation/types.ts';
import { addTallies, type LabelledSpan, type SpanTally, spanRates, tallySpans } from './span-rates.ts';

const kinds = ['name', 'organization', 'place', 'date', 'job_title'] as const;
type Kind = (typeof kinds)[number];

export interface NamedText {
  language: string;
  text: string;
  spans: LabelledSpan[];
  /** Bare years and days, which the authors do not mark: dates there are neither right nor wrong. */
  undecided: { start: number; end: number }[];
}

export const namedTexts = (file: 'names.jsonl' | 'names-written.jsonl'): NamedText[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const {
        spans,
        undecided = [],
        ...row
      } = JSON.parse(line) as {
        language: string;
        text: string;
        spans: [number, number, Kind][];
        undecided?: [number, number][];
      };
      return {
        ...row,
        spans: spans.map(([start, end, kind]) => ({ start, end, kind })),
        undecided: undecided.map(([start, end]) => ({ start, end })),
      };
    });

/** `recall` and `precision` are those of persons in all three languages, `all` those of every kind. */
export async function nameFigures(
  ask: (text: string) => Promise<Pick<ClassifyResult, 'spans'>>,
  texts: readonly NamedText[],
): Promise<object> {
  const none: SpanTally = { right: 0, said: 0, wanted: 0 };
  const tallies = new Map<string, SpanTally>();
  for (const { language, text, spans, undecided } of texts) {
    const ours = (await ask(text)).spans;
    for (const kind of kinds) {
      const tally = tallySpans(
        ours.filter((span) => span.kind === kind),
        spans.filter((span) => span.kind === kind),
        kind === 'date' ? undecided : [],
      );
      for (const key of [kind, `${kind} ${language}`, 'all', language])
        tallies.set(key, addTallies(tallies.get(key) ?? none, tally));
    }
  }
  const ratesOf = (key: string) => {
    const { recall, precision } = spanRates(tallies.get(key) ?? none);
    return { recall, precision };
  };
  return {
    ...ratesOf('name'),
    all: ratesOf('all'),
    all_per_language: Object.fromEntries(['en', 'ms', 'zh'].map((each) => [each, ratesOf(each)])),
    per_language: Object.fromEntries(['en', 'ms', 'zh'].map((each) => [each, ratesOf(`name ${each}`)])),
    per_kind: Object.fromEntries(kinds.map((kind) => [kind, ratesOf(kind)])),
  };
}
