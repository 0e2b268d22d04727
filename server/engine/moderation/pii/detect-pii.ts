import type { EnginePack } from '../../engine.ts';
import type { PiiMatch, Recognizer } from './match.ts';
import { findLists, findRepeated, findSpeakers } from './names.ts';
import { loadPiiKnowledge, type PiiKnowledge } from './pii-knowledge.ts';
import { plainView } from './plain-view.ts';

/** Beside other personal data a bare name says whose data it is. */
const joinedNameScore = 0.6;

/** Finds personal data in a text, in order, without overlaps; offsets are those of `text`. */
export type PiiDetector = (text: string) => PiiMatch[];

/** @throws EngineError internal_error when neither the pack nor its role's starter has the patterns and names */
export async function loadPiiDetector(pack: Pick<EnginePack, 'folder' | 'starter'>): Promise<PiiDetector> {
  const knowledge = await loadPiiKnowledge(pack);
  return (text) => detectPii(text, knowledge);
}

function detectPii(text: string, { find, names }: PiiKnowledge): PiiMatch[] {
  const recognizers: Recognizer[] = [
    find.identity,
    find.finance,
    find.emails,
    find.phones,
    find.network,
    find.secrets,
    find.dates,
    (view) => joinTouching(find.addresses(view)),
    (view) => findNames(view, { find, names }),
  ];
  const view = plainView(text);
  const matches = resolve(
    recognizers.flatMap((recognize) => recognize(view.text)),
    view.text.length,
  );
  const exposed = matches.some((match) => match.kind !== 'name' && match.score >= 0.5);
  return matches.map((match) => {
    const [start, end] = view.toOriginal(match.start, match.end);
    const score = exposed && match.kind === 'name' ? Math.max(match.score, joinedNameScore) : match.score;
    return { ...match, start, end, score };
  });
}

function findNames(text: string, { find, names }: PiiKnowledge): PiiMatch[] {
  const found = [
    ...find.persons(text),
    ...find.beside(text),
    ...findLists(text, names),
    ...findSpeakers(text, names),
    ...find.local(text),
  ];
  return [...found, ...findRepeated(text, found, names)];
}

/** Overlapping readings of one address become one. */
function joinTouching(matches: PiiMatch[]): PiiMatch[] {
  const merged: PiiMatch[] = [];
  for (const match of matches.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && match.start <= last.end + 1) {
      last.end = Math.max(last.end, match.end);
      last.score = Math.max(last.score, match.score);
    } else merged.push(match);
  }
  return merged;
}

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
