/**
 * Signs that the recognizer saw but passed over: points within amounts and times, colons behind labels, brackets that
 * would stay open. Where such a sign is expected, far less than a majority of a timestep is enough.
 */

import type { ReadCharacter, ReadCrop } from './ctc.ts';

/** Probability from which an expected sign is taken for one. */
const [minPoint, minColon, minBracket, minComma] = [0.06, 0.3, 0.1, 0.13];
/** Timesteps between two digits that a point may lie in; a blank is wider. */
const maxTimesteps = 6;

/** The timestep of [from, to] that says one of the signs best. */
function bestSign(read: ReadCrop, [from, to]: [number, number], signs: string): ReadCharacter | null {
  let best: ReadCharacter | null = null;
  for (let timestep = Math.max(0, from); timestep <= Math.min(read.timesteps - 1, to); timestep++)
    for (const { text, confidence } of read.readingsAt(timestep))
      if (text !== '' && signs.includes(text) && confidence > (best?.confidence ?? 0))
        best = { text, confidence, from: timestep, to: timestep, others: [] };
  return best;
}

const isDigit = (character: ReadCharacter | undefined): boolean => /^\d$/.test(character?.text ?? '');

/** True if the digits behind `at` are two and no more, and those up to it are an amount's or an hour's. */
function expectsPoint(characters: ReadCharacter[], at: number): boolean {
  if (![at, at + 1, at + 2].every((index) => isDigit(characters[index])) || isDigit(characters[at + 3]))
    return false;
  let first = at;
  while (isDigit(characters[first - 1])) first--;
  return at - first < 4 && !/^[./-]$/.test(characters[first - 1]?.text ?? '');
}

function betweenDigits(read: ReadCrop): ReadCharacter[] {
  return read.characters.flatMap((character, at) => {
    const next = read.characters[at + 1];
    if (!next || next.from - character.to > maxTimesteps || !expectsPoint(read.characters, at))
      return [character];
    const sign = bestSign(read, [character.to + 1, next.from - 1], '.:');
    return sign && sign.confidence >= minPoint ? [character, sign] : [character];
  });
}

function atEnd(read: ReadCrop, characters: ReadCharacter[]): ReadCharacter[] {
  const last = characters.at(-1)!;
  const open = characters.findLastIndex(({ text }) => text === '(' || text === '（');
  const isOpen = open >= 0 && !characters.slice(open).some(({ text }) => text === ')' || text === '）');
  const sign = bestSign(read, [last.to + 1, read.timesteps], isOpen ? ')）' : '.:：');
  if (!sign || sign.text === '.' || (!isOpen && !/^\p{L}$/u.test(last.text))) return characters;
  return sign.confidence >= (isOpen ? minBracket : minColon) ? [...characters, sign] : characters;
}

/** A line that closes a bracket which it does not open: often it stands before the first letter, cut close. */
function atBegin(read: ReadCrop, characters: ReadCharacter[]): ReadCharacter[] {
  const close = characters.findIndex(({ text }) => text === ')' || text === '）');
  const isOpen = close > 0 && !characters.slice(0, close).some(({ text }) => text === '(' || text === '（');
  const sign = isOpen ? bestSign(read, [0, characters[0]!.from - 1], '(（') : null;
  return sign && sign.confidence >= minBracket ? [sign, ...characters] : characters;
}

/** Within a line a stop before a letter is more often a comma, which faint print makes a point of. */
const withCommas = (characters: ReadCharacter[]): ReadCharacter[] =>
  characters.map((character, at) => {
    const comma = character.others.find(({ text }) => text === ',');
    const goesOn = /^\p{L}$/u.test(characters[at + 1]?.text ?? '');
    const faint = character.text === '.' && goesOn && (comma?.confidence ?? 0) >= minComma;
    return faint ? { ...character, text: ',' } : character;
  });

/** The crop with the signs that it most likely has. */
export function restorePunctuation(read: ReadCrop): ReadCrop {
  if (read.characters.length === 0) return read;
  return { ...read, characters: withCommas(atBegin(read, atEnd(read, betweenDigits(read)))) };
}
