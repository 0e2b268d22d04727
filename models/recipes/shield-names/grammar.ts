/** Texts with labelled spans from templates: `[a|b]` is one of several, `{slot}` a word of a list, `{PER}` and its like an entity, `{=JOB:nurse}` an entity of these words. */
import { readFileSync } from 'node:fs';
import type { EntityKind } from '../../../server/engine/entities/entity-tagger.ts';
import type { Chance } from '../../../test/support/documents/specimens/chance.ts';

export const languages = ['en', 'ms', 'zh'] as const;
export type Language = (typeof languages)[number];

export interface Labelled {
  language: Language;
  text: string;
  /** `hidden`: learnt by its place alone. */
  spans: { start: number; end: number; kind: EntityKind; hidden?: boolean }[];
  /** Places that are neither learnt nor counted. */
  undecided?: { start: number; end: number }[];
}

/** Words of a slot by its name; entities by `PER`, `PERF` (given name), `PERL` (surname), `ORG`, `LOC`, `DATE`, `JOB`, `JOBC`. */
export type Slots = (slot: string, chance: Chance) => string;

export const kinds: Record<string, EntityKind> = {
  PER: 'name',
  PERF: 'name',
  PERL: 'name',
  ORG: 'organization',
  LOC: 'place',
  DATE: 'date',
  JOB: 'job_title',
  JOBC: 'job_title',
};

export const readLines = (path: string): string[] =>
  readFileSync(new URL(path, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** `slot: a | b | c` lines. An empty choice stays. */
export const readSlots = (path: string): Map<string, string[]> =>
  new Map(
    readLines(path).map((line) => {
      const at = line.indexOf(':');
      const words = line.slice(at + 1).trim();
      return [
        line.slice(0, at),
        words.includes('|') ? words.split('|').map((word) => word.trim()) : words.split(' '),
      ];
    }),
  );

export function expand(template: string, language: Language, slots: Slots, chance: Chance): Labelled {
  const chosen = template.replaceAll(/\[([^[\]]*\|[^[\]]*)\]/gu, (_, choices: string) =>
    chance.pick(choices.split('|')),
  );
  const spans: Labelled['spans'] = [];
  let text = '';
  for (const part of chosen
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t')
    .split(/(\{[^{}]+\})/u)) {
    const [, said, words] = /^\{=([A-Z]+):([^{}]+)\}$/u.exec(part) ?? [];
    if (said && words) {
      spans.push({ start: text.length, end: text.length + words.length, kind: kinds[said]! });
      text += words;
      continue;
    }
    const slot = /^\{([A-Za-z_]+)(:c)?\}$/u.exec(part);
    if (!slot) {
      text += part;
      continue;
    }
    const value = slots(slot[1]!, chance);
    const kind = kinds[slot[1]!];
    const found = slot[2] ? value.replaceAll(',', '') : value;
    // The article of “the United Nations” is not of the name.
    const skipped =
      kind === 'organization' || kind === 'place' ? (/^the /iu.exec(found)?.[0].length ?? 0) : 0;
    if (kind) spans.push({ start: text.length + skipped, end: text.length + found.length, kind });
    text += found;
  }
  return { language, text, spans };
}

/** Lower case, capitals, missing marks, doubled blanks and slips of the keyboard, with the spans kept in place. */
export function withNoise(example: Labelled, chance: Chance): Labelled {
  const kind = chance.below(100);
  const map = (change: (text: string) => string): Labelled => {
    const text = change(example.text);
    return text.length === example.text.length ? { ...example, text } : example;
  };
  if (kind < 8) return map((text) => text.toLowerCase());
  if (kind < 12) return map((text) => text.toUpperCase());
  if (kind < 21) return onEntities(example, (found) => found.toUpperCase());
  if (
    kind < 24 &&
    /[.!。]$/u.test(example.text) &&
    example.spans.every(({ end }) => end < example.text.length)
  )
    return { ...example, text: example.text.slice(0, -1) };
  if (kind < 27) return map((text) => text.replaceAll('\n', ' '));
  // Headings, and capitals without a reason.
  const capitals = (text: string, share: number) =>
    text.replaceAll(/(?<=^|[\s(“"])\p{Ll}(?=\p{L}{3})/gu, (letter) =>
      chance.happens(share) ? letter.toUpperCase() : letter,
    );
  if (kind < 31) return map((text) => capitals(text, 1));
  if (kind < 35) return map((text) => capitals(text, 0.25));
  return example;
}

function onEntities(example: Labelled, change: (found: string) => string): Labelled {
  let { text } = example;
  for (const { start, end } of example.spans) {
    const found = change(text.slice(start, end));
    if (found.length === end - start) text = text.slice(0, start) + found + text.slice(end);
  }
  return { ...example, text };
}
