/**
 * Second thoughts on a word: the listed word that a recognizer's timesteps say best (CTC prefix search, Hannun et al. 2014,
 * kept to the beginnings of listed words), against the word as it was read. A recognizer decides letter by letter and
 * takes `Total` for `Totai`; which of the two is a word decides where it wavers.
 */

import type { ReadCharacter, ReadCrop } from './ctc.ts';
import { hasWord, type Lexicon, lowerBound, priorOf } from './lexicon.ts';

/** Letters that a digit or a sign may have been read for. */
const letterFor: Record<string, string[]> = {
  '0': ['o'],
  '1': ['i', 'l'],
  '5': ['s'],
  '8': ['b'],
  '|': ['i', 'l'],
  '!': ['i', 'l', 't'],
};
/** Such a reading speaks for the letter this much less than the letter itself. */
const lookAlikeShare = 0.3;
/** No timestep is quite sure that nothing new begins, nor that a character goes on. */
const minProbability = 1e-4;
const beamWidth = 16;
/** Weight of the lists against what was seen. */
const priorWeight = 0.5;
/** Log odds by which another word must win. */
const margin = 0.5;

/** Probabilities of small letters at a timestep, and of nothing new. */
interface Timestep {
  nothing: number;
  letters: Map<string, number>;
}

function timestepOf(readings: { text: string; confidence: number }[]): Timestep {
  const letters = new Map<string, number>();
  let nothing = minProbability;
  for (const { text, confidence } of readings) {
    if (text === '' || text === ' ') nothing += confidence;
    else {
      const letter = /^[A-Za-z]$/.test(text) ? text.toLowerCase() : null;
      if (letter) letters.set(letter, (letters.get(letter) ?? 0) + confidence);
      for (const other of letterFor[text] ?? [])
        letters.set(other, (letters.get(other) ?? 0) + lookAlikeShare * confidence);
    }
  }
  return { nothing, letters };
}

interface Beam {
  /** Probability of having read the prefix, ending in nothing or in its last letter. */
  nothing: number;
  letter: number;
}

const total = (beam: Beam): number => beam.nothing + beam.letter;

/** True if a listed word begins so. */
const begins = (words: readonly string[], prefix: string): boolean =>
  words[lowerBound(words, prefix)]?.startsWith(prefix) ?? false;

/** Log probabilities of the likeliest beginnings of listed words that all the timesteps may say. */
function search(timesteps: Timestep[], words: readonly string[]): Map<string, number> {
  let beams = new Map<string, Beam>([['', { nothing: 1, letter: 0 }]]);
  let scale = 0;
  for (const { nothing, letters } of timesteps) {
    const next = new Map<string, Beam>();
    const at = (prefix: string): Beam => {
      const known = next.get(prefix);
      if (known) return known;
      const fresh = { nothing: 0, letter: 0 };
      next.set(prefix, fresh);
      return fresh;
    };
    for (const [prefix, beam] of beams) {
      const last = prefix.at(-1);
      const same = at(prefix);
      same.nothing += total(beam) * nothing;
      if (last) same.letter += beam.letter * (letters.get(last) ?? minProbability);
      for (const [letter, probability] of letters) {
        const longer = prefix + letter;
        if (!begins(words, longer)) continue;
        at(longer).letter += (letter === last ? beam.nothing : total(beam)) * probability;
      }
    }
    const best = [...next].sort((a, b) => total(b[1]) - total(a[1])).slice(0, beamWidth);
    const top = Math.max(Number.MIN_VALUE, total(best[0]![1]));
    scale += Math.log(top);
    beams = new Map(
      best.map(([prefix, { nothing: n, letter }]) => [prefix, { nothing: n / top, letter: letter / top }]),
    );
  }
  return new Map(
    [...beams].map(([prefix, beam]) => [prefix, Math.log(Math.max(1e-300, total(beam))) + scale]),
  );
}

const isLetterLike = ({ text }: ReadCharacter): boolean => /^[A-Za-z]$/.test(text) || text in letterFor;
const isLetter = ({ text }: ReadCharacter): boolean => /^[A-Za-z]$/.test(text);

/** In the case that the word was read in; what looks like a small l or a digit may have been a capital. */
function cased(word: string, run: ReadCharacter[]): string {
  const letters = run.filter(isLetter).map(({ text }) => text);
  const upper = letters.filter((text) => text === text.toUpperCase()).length;
  if (2 * upper > letters.length) return word.toUpperCase();
  const first = run[0]!.text;
  const capital = /[A-Z\d|]/.test(first) || (first === 'l' && word.startsWith('i'));
  return capital ? word[0]!.toUpperCase() + word.slice(1) : word;
}

/** Timesteps beyond the ends of a run that may still belong to it. */
const maxEdgeTimesteps = 2;

/** The word that a run of letters is, where another than the one read is likelier. */
function otherWord(read: ReadCrop, [first, last]: [number, number], lexicon: Lexicon): string | null {
  const run = read.characters.slice(first, last + 1);
  const from = Math.max((read.characters[first - 1]?.to ?? -1) + 1, run[0]!.from - maxEdgeTimesteps);
  const to = Math.min(
    (read.characters[last + 1]?.from ?? read.timesteps) - 1,
    run.at(-1)!.to + maxEdgeTimesteps,
  );
  const readings = Array.from({ length: to - from + 1 }, (_, index) => read.readingsAt(from + index));
  const timesteps = readings.map(timestepOf);
  const own = run.map(({ text }) => text.toLowerCase()).join('');
  // Digits and signs are no part of the search: the likeliest path stands for all that say the same.
  const path = readings.reduce(
    (sum, [top]) => sum + Math.log(Math.max(minProbability, top?.confidence ?? 0)),
    0,
  );
  const seen = Math.max(path, search(timesteps, [own]).get(own) ?? Number.NEGATIVE_INFINITY);
  let [best, bestScore] = ['', seen + priorWeight * priorOf(lexicon, own) + margin];
  for (const [word, score] of search(timesteps, lexicon.words)) {
    if (word === own || !hasWord(lexicon, word)) continue;
    const sum = score + priorWeight * priorOf(lexicon, word);
    if (sum > bestScore) [best, bestScore] = [word, sum];
  }
  return best === '' ? null : cased(best, run);
}

const minLetters = 3;
/** In a run with more digits than this, they are digits. */
const minLetterShare = 0.7;

/** The characters of one word, its runs of letters spelt as the listed words that they most likely are. */
export function beamSearchLexicon(
  read: ReadCrop,
  [first, last]: [number, number],
  lexicon: Lexicon,
): ReadCharacter[] {
  const spelt: ReadCharacter[] = [];
  for (let start = first; start <= last; ) {
    let end = start;
    while (end <= last && isLetterLike(read.characters[end]!)) end++;
    // At the end of a word such a sign is one.
    while (end > start && /[|!]/.test(read.characters[end - 1]!.text)) end--;
    const run = read.characters.slice(start, end);
    const letters = run.filter(isLetter).length;
    const word =
      letters >= 2 && run.length >= minLetters && letters >= minLetterShare * run.length
        ? otherWord(read, [start, end - 1], lexicon)
        : null;
    if (word === null) spelt.push(...run);
    else
      spelt.push(
        ...[...word].map((text, index) => ({ ...run[Math.min(index, run.length - 1)]!, text, others: [] })),
      );
    if (end <= last) spelt.push(read.characters[end]!);
    start = end + 1;
  }
  return spelt;
}
