import type { EnginePack } from '../../engine.ts';
import { type EntityModel, surelyTagged, type TaggedText } from '../../entities/entity-tagger.ts';
import { loadEntityModel } from '../../entities/load-entities.ts';
import type { Steps } from '../../steps.ts';
import { overLines } from './address-lines.ts';
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

function* detectPii(text: string, knowledge: PiiKnowledge, entities: EntityModel | null): Steps<PiiMatch[]> {
  const { find } = knowledge;
  const view = plainView(text);
  // The tagger learnt full-width marks as they are; where nothing was taken out, both texts have the same offsets.
  const marked = view.text.length === text.length ? text : view.text;
  const recognizers: Recognizer[] = [
    find.identity,
    find.finance,
    find.emails,
    find.phones,
    (view) => {
      const joined = joinNumbers(view);
      return joined === view ? [] : [...find.finance(joined), ...find.phones(joined)];
    },
    find.network,
    find.secrets,
    find.dates,
    (view) => joinTouching(overLines(view, joinTouching(find.addresses(view)))),
    (view) => findNames(joinNames(view), knowledge).map((match) => wholeName(view, match)),
  ];
  const found: PiiMatch[] = [];
  for (const recognize of recognizers) {
    found.push(...recognize(view.text));
    yield;
  }
  const listed = found.length;
  const tagged = entities ? yield* findEntities(marked, entities, knowledge) : noEntities;
  found.push(...tagged.found.map((match) => wholeName(view.text, match)));
  const doubted = (match: PiiMatch, at: number): boolean =>
    at < listed && isBareName(match) && tagged.nameOdds(match.start, match.end) < leastOdds;
  const matches = resolve(
    found.filter((match, at) => !doubted(match, at) && !isOfAnother(match, found)),
    view.text.length,
  );
  const exposed = matches.some((match) => match.kind !== 'name' && match.score >= 0.5);
  return matches.map((match) => {
    const [start, end] = view.toOriginal(match.start, match.end);
    const score = exposed && match.kind === 'name' ? Math.max(match.score, joinedNameScore) : match.score;
    return { ...match, start, end, score };
  });
}

/** A name without a title or a label beside it, as lists and the tagger find it. */
const isBareName = ({ kind, score }: PiiMatch): boolean => kind === 'name' && score <= taggedNameScore;

/** Under this probability the tagger says that a listed word is no name here: “Will”, “Grace”, “Baju Kurung”. */
const leastOdds = 0.03;

const noEntities: Tagged = { found: [], nameOdds: () => 1 };

/** A listed name inside an organization, a place or a date that the tagger found is a part of it: “Ali's Kitchen”, “8 Jun”. */
const isOfAnother = (match: PiiMatch, found: readonly PiiMatch[]): boolean =>
  isBareName(match) &&
  found.some(
    ({ kind, start, end, score }) =>
      kind !== 'name' && score === taggedScore && start <= match.start && match.end <= end,
  );

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

/** A number that a line's end cuts in two goes on over it; lengths stay. */
const joinNumbers = (text: string): string =>
  text.replace(/(?<=\d{2})\n(?=[A-Z\d]{2,6}(?:[ -]\d{2,6}){0,5} ?(?:\n|$))/g, ' ');

/** A name goes on over a line's end where a part of it says that it does; lengths stay. */
const joinNames = (text: string): string =>
  text.replace(
    /(?<= (?:bin|binti|bt|a\/l|a\/p|s\/o|d\/o|anak))\n|\n(?=(?:bin|binti|a\/l|a\/p|s\/o|d\/o) )/gi,
    ' ',
  );

/** Said to a person or of one, and no part of the name. */
const salutation =
  /^(?:(?:Dear|Hi|Hello|Hey|Attn|Mr|Mrs|Ms|Mdm|Miss|Madam|Dr|Prof|Professor|Sir|Encik|En|Puan|Pn|Cik|Tuan|Kepada|Yang|尊敬的|亲爱的)(?:[.,:]? |\.)|尊敬的|亲爱的)+(?=\S)/u;

/** Without what only addresses the person, and with the last character of a Chinese name. */
function wholeName(text: string, match: PiiMatch): PiiMatch {
  if (match.kind !== 'name') return match;
  const start = match.start + (salutation.exec(text.slice(match.start, match.end))?.[0].length ?? 0);
  const run = /^\p{Script=Han}{2,3}(?!\p{Script=Han})/u.exec(text.slice(start, start + 4))?.[0] ?? '';
  const alone = !/\p{Script=Han}/u.test(text.slice(start - 1, start));
  return { ...match, start, end: alone ? Math.max(match.end, start + run.length) : match.end };
}

type Tagged = Pick<TaggedText, 'nameOdds'> & { found: PiiMatch[] };

/** Neither a short number or a code, nor a piece of a longer one: “12-08-5533” of “850412-08-5533”. */
const isWholeDate = (text: string, start: number, end: number, code: RegExp): boolean =>
  !code.test(text.slice(start, end)) &&
  !/^\d{1,3}$/.test(text.slice(start, end)) &&
  !/[\d][-/.]?$/.test(text.slice(Math.max(0, start - 2), start)) &&
  !/^[-/.]?\d/.test(text.slice(end, end + 2));

function* findEntities(text: string, model: EntityModel, { code, ofAPlace }: PiiKnowledge): Steps<Tagged> {
  const { found, nameOdds } = yield* surelyTagged(text, model);
  const matches = found
    .filter(
      ({ kind, start }) => kind !== 'name' || !ofAPlace.test(text.slice(Math.max(0, start - 60), start)),
    )
    .filter(({ kind, start, end }) => kind !== 'date' || isWholeDate(text, start, end, code))
    .map(({ kind, start, end }) => ({
      kind,
      start,
      end,
      score: kind === 'name' ? taggedNameScore : taggedScore,
    }));
  return { found: matches, nameOdds };
}

/** Overlapping readings of one address become one. */
function joinTouching(matches: PiiMatch[]): PiiMatch[] {
  const merged: PiiMatch[] = [];
  for (const match of matches.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && match.start <= last.end + 1) {
      last.end = Math.max(last.end, match.end);
      if (match.score > last.score) [last.score, last.kind] = [match.score, match.kind];
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
