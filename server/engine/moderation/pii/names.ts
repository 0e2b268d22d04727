/** Names that no single pattern tells: those of a list, of a dialogue, and the same name again. */
import type { PiiMatch } from './match.ts';
import type { NameWords } from './name-words.ts';

const speaker = /(?:^|\n) ?(?<value>\p{L}[\p{L}'’-]{1,24}) ?:(?= ?["“\p{Lu}])/gu;
const anyCase = "\\p{L}[\\p{L}'’-]{1,24}";
const list = new RegExp(`(?<!\\p{L})${anyCase}(?:, ${anyCase}){1,20},?(?: (?:and|dan|&) ${anyCase})?`, 'gu');
const maxRepeated = 20;

const toName = (start: number, found: string): PiiMatch => ({
  kind: 'name',
  start,
  end: start + found.length,
  score: 0.35,
});

/** Who speaks in a dialogue: heads of lines of which one is a given name. */
export function findSpeakers(text: string, words: NameWords): PiiMatch[] {
  const heads = [...text.matchAll(speaker)]
    .map(({ index, 0: found, groups }) => ({ index, found, name: groups?.value ?? '' }))
    .filter(({ name }) => words.isName(name));
  if (heads.length < 2 || !heads.some(({ name }) => words.isGiven(name))) return [];
  return heads.map(({ index, found, name }) => toName(index + found.indexOf(name), name));
}

/** A list in which two words are given names is a list of names. */
export function findLists(text: string, words: NameWords): PiiMatch[] {
  return [...text.matchAll(list)].flatMap(({ index, 0: found }) => {
    const parts = [...found.matchAll(new RegExp(anyCase, 'gu'))].filter(
      ([part]) => /^\p{Lu}/u.test(part) || (part === part.toLowerCase() && words.isGiven(part)),
    );
    if (parts.filter(([part]) => words.isGiven(part)).length < 2) return [];
    return parts.filter(([part]) => words.isName(part)).map((part) => toName(index + part.index, part[0]));
  });
}

/** Who was named once is meant wherever the name, or a part of it, stands again. */
export function findRepeated(text: string, names: readonly PiiMatch[], words: NameWords): PiiMatch[] {
  const parts = new Set(
    names.flatMap(({ start, end }) =>
      text
        .slice(start, end)
        .split(/\s+/u)
        .filter((part) => /^\p{Lu}[\p{L}'’-]{2,}$/u.test(part) && words.isName(part)),
    ),
  );
  return [...parts]
    .slice(0, maxRepeated)
    .flatMap((part) =>
      [...text.matchAll(new RegExp(`(?<![\\p{L}'’-])${part}(?![\\p{L}-])`, 'gu'))].map(({ index }) =>
        toName(index, part),
      ),
    );
}
