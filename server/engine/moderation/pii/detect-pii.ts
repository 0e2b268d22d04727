import { findAddresses } from './address.ts';
import { findContact } from './contact.ts';
import { findBirthDates } from './dates.ts';
import { findFinance } from './finance.ts';
import { findIdentity } from './identity.ts';
import type { PiiMatch, Recognizer } from './match.ts';
import { findNames } from './names/names.ts';
import { findNetworkPii } from './network.ts';
import { plainView } from './plain-view.ts';
import { findSecrets } from './secrets.ts';

const recognizers: readonly Recognizer[] = [
  findIdentity,
  findFinance,
  findContact,
  findNetworkPii,
  findSecrets,
  findBirthDates,
  findAddresses,
  findNames,
];

/** Beside other personal data a bare name says whose data it is. */
const joinedNameScore = 0.6;

/** The surest reading of every place: higher score first, then the longer one. */
function resolve(matches: PiiMatch[], length: number): PiiMatch[] {
  const kept: PiiMatch[] = [];
  const taken = new Uint8Array(length);
  for (const match of matches.sort((a, b) => b.score - a.score || b.end - b.start - (a.end - a.start))) {
    if (taken.subarray(match.start, match.end).includes(1)) continue;
    taken.fill(1, match.start, match.end);
    kept.push(match);
  }
  return kept.sort((a, b) => a.start - b.start);
}

/** Personal data in a text, in order, without overlaps; offsets are those of `text`. */
export function detectPii(text: string): PiiMatch[] {
  const view = plainView(text);
  const matches = resolve(
    recognizers.flatMap((find) => find(view.text)),
    view.text.length,
  );
  const exposed = matches.some((match) => match.kind !== 'name' && match.score >= 0.5);
  return matches.map((match) => {
    const [start, end] = view.toOriginal(match.start, match.end);
    const score = exposed && match.kind === 'name' ? Math.max(match.score, joinedNameScore) : match.score;
    return { ...match, start, end, score };
  });
}
