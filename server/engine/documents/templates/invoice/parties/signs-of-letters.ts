/** Signs of letters that recognition dropped, where the page has the word with them elsewhere. */

import type { PlacedSegment } from '../../../fields/reading.ts';

const withoutSigns = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');

const longWord = /[\p{L}\p{M}]{4,}/gu;

/** A value with its words as the page spells them elsewhere with signs: `Freres` beside `Frères`. */
export function withSigns(value: string, pieces: readonly PlacedSegment[]): string {
  const signed = new Map<string, string>();
  for (const { text } of pieces)
    for (const word of text.match(longWord) ?? [])
      if (withoutSigns(word) !== word) signed.set(withoutSigns(word), word);
  return value.replace(longWord, (word) => signed.get(word) ?? word);
}
