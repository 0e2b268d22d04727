/** Machine-readable zones of invented people, and misreadings of them. */

import { checkDigit } from '../../../server/engine/documents/mrz/mrz-check.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const lookAlike: Record<string, string> = {
  '0': 'O',
  '1': 'I',
  '2': 'Z',
  '5': 'S',
  '6': 'G',
  '8': 'B',
  O: '0',
  I: '1',
  Z: '2',
  S: '5',
  G: '6',
  B: '8',
};

/** A small repeatable stream of numbers below `limit` (Park and Miller). */
function stream(seed: number): (limit: number) => number {
  let state = seed * 48_271;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

const pad = (value: number, length: number): string => String(value).padStart(length, '0');

/** A passport's two lines with right check digits. */
export function makeMrz(seed: number): { lines: [string, string]; number: string } {
  const next = stream(seed);
  const word = (length: number): string => Array.from({ length }, () => letters[next(26)]).join('');
  const number = letters[next(26)]! + pad(next(100_000_000), 8);
  const date = (first: number, years: number): string =>
    pad((first + next(years)) % 100, 2) + pad(1 + next(12), 2) + pad(1 + next(28), 2);
  const [birth, expiry] = [date(50, 50), date(27, 9)];
  const personal = (word(2) + pad(next(1_000_000), 6)).padEnd(14, '<');
  const body = [number, birth, expiry, personal].map((part) => part + checkDigit(part)) as [
    string,
    string,
    string,
    string,
  ];
  const names = `P<UTO${word(4 + next(6))}<<${word(3 + next(5))}<${word(3 + next(5))}`.padEnd(44, '<');
  const sex = 'MF'[next(2)];
  const second = `${body[0]}UTO${body[1]}${sex}${body[2]}${body[3]}${checkDigit(body.join(''))}`;
  return { lines: [names, second], number };
}

/** The MRZ with up to two characters of its number and dates exchanged for look-alikes. */
export function misreadMrz([first, second]: [string, string], seed: number): [string, string] {
  const next = stream(seed + 7919);
  const chars = [...second];
  const candidates = chars
    .slice(0, 28)
    .flatMap((char, index) => (lookAlike[char] && !(index >= 9 && index < 13) ? [index] : []));
  for (let swap = 0; swap < next(3) && candidates.length > 0; swap++) {
    const [index] = candidates.splice(next(candidates.length), 1);
    chars[index!] = lookAlike[chars[index!]!]!;
  }
  return [first, chars.join('')];
}
