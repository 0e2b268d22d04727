/** The places of personal data in a text, and the text with some of them replaced. */
import type { AnonymizeResult } from '../../../../server/api/services/redaction.ts';

export type ReplacedPlace = AnonymizeResult['entities'][number];

/** @param left indices of the places that stay as they are */
export function replacePlaces(
  text: string,
  places: readonly ReplacedPlace[],
  left: ReadonlySet<number>,
): string {
  let at = 0;
  let made = '';
  places.forEach(({ start, end, replacement }, index) => {
    if (left.has(index)) return;
    made += text.slice(at, start) + replacement;
    at = end;
  });
  return made + text.slice(at);
}

/** Indices by kind, in the order in which the kinds first stand in the text. */
export function placesByKind(places: readonly ReplacedPlace[]): { kind: string; indices: number[] }[] {
  const kinds = Map.groupBy(places.keys(), (index) => places[index]?.kind ?? '');
  return [...kinds].map(([kind, indices]) => ({ kind, indices }));
}

/** Indices of the places that were left as they are before. */
export const leftAgain = (
  before: readonly ReplacedPlace[],
  places: readonly ReplacedPlace[],
): ReadonlySet<number> =>
  new Set(
    places.flatMap(({ start, end }, index) =>
      before.some((each) => each.start === start && each.end === end) ? [index] : [],
    ),
  );
