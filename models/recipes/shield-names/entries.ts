/** Lines of an encyclopedia: WordNet's glosses of persons, places and groups by name, with the places and years in them labelled. */
import { readFileSync } from 'node:fs';
import type { Chance } from '../../../test/support/documents/specimens/chance.ts';

interface Entry {
  slot: 'PER' | 'LOC' | 'ORG';
  /** Text with places as `{LOC}` and years as `{=DATE:1879}`. */
  gloss: string;
}

const slotOf: Record<string, Entry['slot']> = { '18': 'PER', '15': 'LOC', '14': 'ORG' };

export function readEntries(wordnet: string): Entry[] {
  const synsets = readFileSync(`${wordnet}/data.noun`, 'latin1')
    .split('\n')
    .flatMap((line) => {
      const found = /^\d{8} (\d\d) n (\w\w) (.*?) \| (.*)$/u.exec(line);
      if (!found) return [];
      const words = found[3]!.split(' ').filter((_, at) => at % 2 === 0);
      const names = words.slice(0, Number.parseInt(found[2]!, 16)).map((word) => word.replaceAll('_', ' '));
      return [
        {
          field: found[1]!,
          names,
          isInstance: found[3]!.includes(' @i '),
          gloss: found[4]!.split(/; "/u)[0]!.trim(),
        },
      ];
    });
  const places = new Set<string>();
  const words = new Set<string>();
  for (const { field, names } of synsets)
    for (const name of names) {
      if (field === '15' && /^\p{Lu}/u.test(name) && name.length > 3) places.add(name);
      else if (/^\p{Lu}/u.test(name)) words.add(name);
    }
  for (const line of readFileSync(`${wordnet}/data.adj`, 'latin1').split('\n'))
    for (const [, word] of line.matchAll(/ (\p{Lu}\p{L}+) \d/gu)) words.add(word!);
  const pattern = new RegExp(
    `\\b(?:${[...places]
      .sort((a, b) => b.length - a.length)
      .map((name) => name.replaceAll(/[.()+*?]/gu, '.'))
      .join('|')})\\b`,
    'gu',
  );
  return synsets.flatMap(({ field, names, isInstance, gloss }) => {
    const slot = slotOf[field];
    if (!slot || !/^\p{Lu}/u.test(names[0]!) || /[[\]{}|]/u.test(gloss) || gloss.length > 200) return [];
    if (field !== '15' && !isInstance) return [];
    const text = gloss
      .replaceAll(pattern, '{LOC}')
      .replaceAll(/\b1[0-9]{3}\b|\b20\d\d\b/gu, (year) => `{=DATE:${year}}`);
    // A capital that is neither a place nor of a people could be anybody.
    const strange = [...text.replaceAll(/\{[^{}]*\}/gu, '').matchAll(/\p{Lu}[\p{L}'-]+/gu)].some(
      ([word]) => !words.has(word),
    );
    return strange ? [] : [{ slot, gloss: text }];
  });
}

export function entryText({ slot, gloss }: Entry, chance: Chance): string {
  const article = /^(?:an?|the) /u.test(gloss) ? '' : `${/^[aeiou]/iu.test(gloss) ? 'an' : 'a'} `;
  return chance.pick([
    `{${slot}}, ${gloss}`,
    `{${slot}} [is|was] ${article}${gloss}.`,
    `{${slot}} (${gloss})`,
    `{${slot}}: ${gloss}.`,
    `{${slot}} - ${gloss}`,
    gloss,
  ]);
}
