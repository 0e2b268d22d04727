/** From a recognizer's timesteps to characters: CTC's best path (Graves et al., ICML 2006), with where each was seen. */

import { type TopKScores, topK } from './models/text-models.ts';

export interface ReadCharacter {
  text: string;
  /** Probability of the character where it was seen best. */
  confidence: number;
  /** Timesteps at which it was seen first and last. */
  from: number;
  to: number;
  /** Other readings of the place with their probabilities, best first. */
  others: CtcReading[];
}

export interface ReadCrop {
  characters: ReadCharacter[];
  /** Probability of a blank at each timestep. */
  blanks: Float32Array;
  /** Timesteps that the crop itself filled; padding lies behind. */
  timesteps: number;
  /** Candidates of a timestep, best first; the empty text is "no new character". */
  readingsAt(timestep: number): CtcReading[];
}

export interface CtcReading {
  text: string;
  confidence: number;
}

export interface CropPlace {
  index: number;
  /** Share of the tensor's width that the crop filled. */
  filled: number;
}

/** The characters of one crop of a batch. Blanks that the network gave are left out here: spacing.ts sets all. */
export function readCharacters(
  readings: TopKScores,
  characters: readonly string[],
  { index, filled }: CropPlace,
): ReadCrop {
  const timesteps = Math.min(readings.timesteps, Math.ceil(readings.timesteps * filled));
  const base = index * readings.timesteps;
  const found: ReadCharacter[] = [];
  let previous = 0;
  for (let timestep = 0; timestep < timesteps; timestep++) {
    const at = (base + timestep) * topK;
    const best = readings.classes[at]!;
    const score = readings.scores[at]!;
    const text = characters[best] ?? '';
    if (best !== 0 && text !== ' ') {
      const last = found.at(-1);
      if (best === previous && last) {
        last.to = timestep;
        if (score > last.confidence) Object.assign(last, { confidence: score, others: othersAt(at) });
      } else found.push({ text, confidence: score, from: timestep, to: timestep, others: othersAt(at) });
    }
    previous = best;
  }
  const readingsAt = (timestep: number): CtcReading[] =>
    Array.from({ length: topK }, (_, rank) => {
      const at = (base + timestep) * topK + rank;
      return { text: characters[readings.classes[at]!] ?? '', confidence: readings.scores[at]! };
    });
  return {
    characters: found,
    blanks: readings.blanks.subarray(base, base + timesteps),
    timesteps,
    readingsAt,
  };

  function othersAt(at: number): ReadCharacter['others'] {
    const others: ReadCharacter['others'] = [];
    for (let rank = 1; rank < topK; rank++) {
      const text = characters[readings.classes[at + rank]!] ?? '';
      if (text !== '' && text !== ' ') others.push({ text, confidence: readings.scores[at + rank]! });
    }
    return others;
  }
}
