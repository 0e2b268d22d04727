/** Towns, states and countries of recognized addresses in which one letter was misread: told by the names of the vocabulary. */

import { documentWords } from '../../../vocabulary/words.ts';

const lettersOf = (text: string): string => text.toUpperCase().replace(/[^\p{L}\d]/gu, '');

/** True if one letter is another, is missing or is too much. */
function isOneSlipApart(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [rest, other] = [a.slice(start), b.slice(start)];
  return rest.slice(1) === other.slice(1) || rest.slice(1) === other || rest === other.slice(1);
}

const maxWords = 4;

/** The place that some words stand for, in their case and with the sign behind them; null where they are none, or hold it whole. */
function placeFor(words: readonly string[], places: readonly string[]): string | null {
  const read = lettersOf(words.join(''));
  const place = places.find((name) => isOneSlipApart(read, lettersOf(name)));
  const parts = [words.slice(1), words.slice(0, -1)].map((part) => lettersOf(part.join('')));
  if (!place || places.some((name) => lettersOf(name) === read) || parts.includes(lettersOf(place)))
    return null;
  const sign = /[,.;]*$/.exec(words.at(-1)!)![0];
  const written = words.some((word) => /\p{Ll}{2}/u.test(word)) ? place : place.toUpperCase();
  return place.endsWith('.') ? written + sign.replace(/^\./, '') : written + sign;
}

/** Signs of postcodes that were read as their like: a nought for an O where letters stand, and the other way round. */
const misreadCodes: [RegExp, (code: string) => string][] = [
  // `GL56 oAF`: behind the blank of a British postcode stand a digit and two letters.
  [
    /(?<![\p{L}\d])[A-Z]{1,2}\d[A-Z\d]?\s?[oOIl][ABD-HJLNP-UW-Z]{2}(?=[.,]?$)/gu,
    (code) => code.replace(/[oO](?=..$)/, '0').replace(/[Il](?=..$)/, '1'),
  ],
  // `0H 43017`: a state has two letters.
  [/(?<![\p{L}\d])(?:0[HKR]|[CM]0)(?=\s\d{5}(?!\d))/gu, (code) => code.replace('0', 'O')],
];

/** A line that was recognized with the postcode at its end as it is written. */
export const withKnownCodes = (address: string): string =>
  misreadCodes.reduce((text, [pattern, written]) => text.replace(pattern, written), address);

const postcode = /^\D?\d{4,6},?$/;

/** An address with the places behind its postcode as they are written. */
export function withKnownPlaces(address: string): string {
  const { places } = documentWords();
  const words = address.split(' ');
  const first = words.findIndex((word) => postcode.test(word)) + 1;
  if (first === 0) return address;
  for (let count = maxWords; count > 0; count--)
    for (let from = first; from + count <= words.length; from++) {
      const place = placeFor(words.slice(from, from + count), places);
      if (place) words.splice(from, count, place);
    }
  return words.join(' ');
}
