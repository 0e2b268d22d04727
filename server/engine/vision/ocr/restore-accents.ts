/**
 * Accents that the recognizer saw but passed over. It knows them and leaves them out where it doubts; on letters without
 * one it hardly considers them: of some thousand an e was taken for an é with a probability of 0.03 at most.
 */

import type { ReadCharacter } from './ctc.ts';

const minProbability = 0.15;

const withoutMarks = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');

export const restoreAccents = (characters: ReadCharacter[]): ReadCharacter[] =>
  characters.map((character) => {
    if (!/^[a-z]$/i.test(character.text)) return character;
    const accented = character.others.find(
      ({ text, confidence }) =>
        confidence >= minProbability && text !== character.text && withoutMarks(text) === character.text,
    );
    return accented ? { ...character, text: accented.text } : character;
  });
