/** Ranges of place-of-birth codes in a MyKad number: states, abroad, unknown (82). 00, 17–20, 69, 70, 73, 80, 81, 94–97 are never given. */
const given: readonly (readonly [number, number])[] = [
  [1, 16],
  [21, 59],
  [60, 68],
  [71, 72],
  [74, 79],
  [82, 93],
  [98, 99],
];

export function isPlaceOfBirth(code: string): boolean {
  const value = Number(code);
  return given.some(([from, to]) => value >= from && value <= to);
}
