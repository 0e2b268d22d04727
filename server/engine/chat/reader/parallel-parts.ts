/** Parts of a text that tell of one thing each in the same way: “Finding 7 … Finding 8 …”, clauses and items with as many numbers. */
import { numberPlaces } from './number-places.ts';
import type { PhraseWords } from './phrase-rows.ts';
import type { ValueWords } from './values.ts';

interface PartSettings {
  phrases: PhraseWords;
  values: ValueWords;
}

const mostRead = 6_000;
const mostParts = 64;

/** “Motion 3: … Motion 4: …”: a word with another number each time, at the begin of a sentence. */
const head = /(?<=^|\n|[.!?;。；]\s?)(\p{L}{2,20})\s?(\d{1,4})(?=[^.:：\n\d]{0,24}[:：])/gu;

function headed(text: string): string[] {
  const heads = Map.groupBy(text.matchAll(head), ([, word]) => word!.toLowerCase());
  const most = [...heads.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  const numbers = new Set(most.map(([, , number]) => number));
  if (most.length < 2 || numbers.size < most.length) return [];
  return most.map(({ index }, at) => text.slice(index, most[at + 1]?.index).trim());
}

/** The longest run of neighbours with as many numbers each, one at least. */
function run(parts: readonly string[], { values }: PartSettings): string[] {
  const told = parts.filter((part) => /\p{L}/u.test(part));
  const counts = told.map((part) => numberPlaces(part, values).length);
  let best: string[] = [];
  for (let from = 0; from < told.length; ) {
    let to = from + 1;
    while (to < told.length && counts[to] === counts[from]) to += 1;
    if (counts[from]! > 0 && to - from > best.length) best = told.slice(from, to);
    from = to;
  }
  return best.length > 1 ? best : [];
}

const sentence = /(?<=[.!?])\s+|(?<=[。！？])|\n/u;
const clause = /(?<=[.!?])\s+|(?<=[。！？])|\n|[;；]\s*/u;

/** Ways to part a text, the surest first. */
export function parallelParts(text: string, settings: PartSettings): string[][] {
  if (text.length > mostRead) return [];
  const items = text.split(sentence).map((part) => run(part.split(settings.phrases.border), settings));
  const longest = items.sort((a, b) => b.length - a.length)[0] ?? [];
  return [headed(text), run(text.split(clause), settings), longest].filter(
    ({ length }) => length > 1 && length <= mostParts,
  );
}
