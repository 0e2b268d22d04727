import type { EnginePack } from '../../engine.ts';
import type { Steps } from '../../steps.ts';
import { type EntityModel, surelyTagged } from './entities/entity-tagger.ts';
import { loadEntityModel } from './entities/load-entities.ts';
import type { PiiMatch, Recognizer } from './match.ts';
import { findLists, findRepeated, findSpeakers } from './names.ts';
import { loadPiiKnowledge, type PiiKnowledge } from './pii-knowledge.ts';
import { plainView } from './plain-view.ts';

/** A tagged name is worth what a listed one is; where somebody works or lives and when is listed and exposes nobody by itself. */
const taggedNameScore = 0.35;
const taggedScore = 0.3;

/** Beside other personal data a bare name says whose data it is. */
const joinedNameScore = 0.6;

/** Finds personal data in a text, in order, without overlaps; offsets are those of `text`. */
export type PiiDetector = (text: string) => Steps<PiiMatch[]>;

/** @throws EngineError internal_error when neither the pack nor its role's starter has the patterns and names */
export async function loadPiiDetector(pack: Pick<EnginePack, 'folder' | 'starter'>): Promise<PiiDetector> {
  const [knowledge, entities] = await Promise.all([loadPiiKnowledge(pack), loadEntityModel(pack)]);
  return (text) => detectPii(text, knowledge, entities);
}

function* detectPii(
  text: string,
  { find, names }: PiiKnowledge,
  entities: EntityModel | null,
): Steps<PiiMatch[]> {
  const view = plainView(text);
  // The tagger learnt full-width marks as they are; where nothing was taken out, both texts have the same offsets.
  const marked = view.text.length === text.length ? text : view.text;
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
  const found: PiiMatch[] = [];
  for (const recognize of recognizers) {
    found.push(...recognize(view.text));
    yield;
  }
  if (entities) found.push(...(yield* findEntities(marked, entities)));
  const matches = resolve(found, view.text.length);
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

/** A street, quarter or building may bear a person's name, with a title before it. */
const ofAPlace =
  /(?:^|[\s,(])(?:Jalan|Jln\.?|Lorong|Taman|Kampung|Kg\.?|Persiaran|Lebuhraya|Lebuh|Bandar|Menara|Wisma|Stadium) (?:\p{Lu}[\p{L}'’]*\.? ){0,3}$/u;

function* findEntities(text: string, model: EntityModel): Steps<PiiMatch[]> {
  const tagged = yield* surelyTagged(text, model);
  return tagged
    .filter(
      ({ kind, start }) => kind !== 'name' || !ofAPlace.test(text.slice(Math.max(0, start - 60), start)),
    )
    .map(({ kind, start, end }) => ({
      kind,
      start,
      end,
      score: kind === 'name' ? taggedNameScore : taggedScore,
    }));
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
