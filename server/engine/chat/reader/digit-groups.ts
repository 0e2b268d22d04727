/** Digits that are no number by themselves: those of a phone, an account, a date, a code. */
import type { Place } from './reader.ts';

/** Groups of digits, and the fields that may have a piece of one (reader.json of a pack). */
export type DigitGroups = { group: RegExp; field: RegExp }[];

/** @returns true for places of the text that belong to such a group, which a field of this name has no use for */
export function piecesOf(
  text: string,
  name: string,
  groups: DigitGroups,
): (place: Pick<Place, 'start' | 'end'>) => boolean {
  const found = groups
    .filter(({ field }) => !field.test(name))
    .flatMap(({ group }) =>
      [...text.matchAll(group)].map(({ 0: said, index }) => ({ start: index, end: index + said.length })),
    );
  return ({ end, start }) => found.some((group) => start < group.end && group.start < end);
}
