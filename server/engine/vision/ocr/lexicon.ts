/**
 * Words that print is made of, in three sections of words.txt: those of trade and forms, common ones, rare ones
 * (models/recipes/recognizer-words). English and Malay.
 */

import { readFileSync } from 'node:fs';

export interface Lexicon {
  /** Sorted, in small letters. */
  readonly words: readonly string[];
  /** Log probability of each word in print, about. */
  readonly priors: Float32Array;
}

/** A word of each section, and one that none lists. */
const sectionPriors = [-5, -10, -13];
const unknownPrior = -5;
const unknownLetterPrior = -2;

export function parseLexicon(text: string): Lexicon {
  const prior = new Map<string, number>();
  for (const [section, words] of text.split('\n\n').entries())
    for (const word of words.split(/\s+/)) if (word !== '') prior.set(word, sectionPriors[section]!);
  const words = [...prior.keys()].sort();
  return { words, priors: Float32Array.from(words, (word) => prior.get(word)!) };
}

let shipped: Lexicon | null = null;

/** The list that ships, read at first use. */
export function shippedLexicon(): Lexicon {
  shipped ??= parseLexicon(readFileSync(new URL('words.txt', import.meta.url), 'utf8'));
  return shipped;
}

/** The first place whose word is not less than `text`. */
export function lowerBound(words: readonly string[], text: string): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const hasWord = ({ words }: Lexicon, word: string): boolean => words[lowerBound(words, word)] === word;

/** Prior of a word before anything is seen; `word` in small letters. */
export function priorOf({ words, priors }: Lexicon, word: string): number {
  const at = lowerBound(words, word);
  return words[at] === word ? priors[at]! : unknownPrior + unknownLetterPrior * word.length;
}
