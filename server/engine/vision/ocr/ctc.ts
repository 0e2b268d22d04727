/** From a recognizer's steps to characters: CTC's best path (Graves et al., ICML 2006), with where each was seen. */

import { readingsPerStep, type StripReadings } from './text-models.ts';

export interface ReadCharacter {
  text: string;
  /** Probability of the character where it was seen best. */
  confidence: number;
  /** Steps at which it was seen first and last. */
  from: number;
  to: number;
  /** Other readings of the place with their probabilities, best first. */
  others: Reading[];
}

export interface ReadStrip {
  characters: ReadCharacter[];
  /** Probability of a blank at each step. */
  blanks: Float32Array;
  /** Steps that the strip itself filled; padding lies behind. */
  steps: number;
  /** What a step could be, best first; the empty text is "no new character". */
  readingsAt(step: number): Reading[];
}

export interface Reading {
  text: string;
  confidence: number;
}

export interface StripPlace {
  index: number;
  /** Share of the tensor's width that the strip filled. */
  filled: number;
}

/** The characters of one strip of a batch. Blanks that the network gave are left out here: spacing.ts sets all. */
export function readCharacters(
  readings: StripReadings,
  characters: readonly string[],
  { index, filled }: StripPlace,
): ReadStrip {
  const steps = Math.min(readings.steps, Math.ceil(readings.steps * filled));
  const base = index * readings.steps;
  const found: ReadCharacter[] = [];
  let previous = 0;
  for (let step = 0; step < steps; step++) {
    const at = (base + step) * readingsPerStep;
    const best = readings.classes[at]!;
    const score = readings.scores[at]!;
    const text = characters[best] ?? '';
    if (best !== 0 && text !== ' ') {
      const last = found.at(-1);
      if (best === previous && last) {
        last.to = step;
        if (score > last.confidence) Object.assign(last, { confidence: score, others: othersAt(at) });
      } else found.push({ text, confidence: score, from: step, to: step, others: othersAt(at) });
    }
    previous = best;
  }
  const readingsAt = (step: number): Reading[] =>
    Array.from({ length: readingsPerStep }, (_, rank) => {
      const at = (base + step) * readingsPerStep + rank;
      return { text: characters[readings.classes[at]!] ?? '', confidence: readings.scores[at]! };
    });
  return { characters: found, blanks: readings.blanks.subarray(base, base + steps), steps, readingsAt };

  function othersAt(at: number): ReadCharacter['others'] {
    const others: ReadCharacter['others'] = [];
    for (let rank = 1; rank < readingsPerStep; rank++) {
      const text = characters[readings.classes[at + rank]!] ?? '';
      if (text !== '' && text !== ' ') others.push({ text, confidence: readings.scores[at + rank]! });
    }
    return others;
  }
}
