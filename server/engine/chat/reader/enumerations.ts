/** Things that a sentence counts up, “the oats, two eggs and some salt”: its parts by their signs, and which of them a reading means. */
import type { Place } from './reader.ts';
import { lengthOf } from './split.ts';
import { segmentWords } from './words.ts';

export interface ItemPlace {
  start: number;
  end: number;
}

/** Parts of a sentence that are joined to each other. */
export interface Enumeration {
  parts: ItemPlace[];
  /** Signs or words join it that join nothing else. */
  isJoined: boolean;
}

/** Stands between items: a comma, “and”, a joining word in three languages. */
const separators =
  /\s*(?:[,，、;；&](?:\s*(?:and|or|dan|serta|atau)(?![\p{L}\d])|\s*(?:和|与|及|以及))?|(?<![\p{L}\d])(?:and|or|plus|dan|serta|atau)(?![\p{L}\d])|(?<=[\p{L}\d])(?:和|与|以及|及)(?=[\p{L}\d])|(?<=[》”])(?=[《“])|\s[+/]\s)\s*/giu;
const joint = /(?<!\p{L})(?:and|or|plus|dan|serta|atau)(?!\p{L})|[和与及&+/]/iu;
const sentenceEnds = /[.。！？!?](?=\s|$|\p{Script=Han})|[\n:：]|[。！？]/gu;

/** The full stop of an initial or an abbreviation ends nothing. */
const isInitial = (text: string, at: number): boolean =>
  text[at] === '.' && /(?:^|[\s(])(?:\p{Lu}|\p{Lu}\p{Ll}{1,2})$/u.test(text.slice(Math.max(0, at - 5), at));

/** Between the digits of a number, and in brackets, nothing is parted. */
export function partsOf(text: string, from: number, to: number): ItemPlace[] {
  const parts: ItemPlace[] = [];
  let start = from;
  let depth = 0;
  let seen = from;
  for (const { 0: sign, index } of text.slice(from, to).matchAll(separators)) {
    const at = from + index;
    for (const each of text.slice(seen, at))
      depth += '(（['.includes(each) ? 1 : ')）]'.includes(each) ? -1 : 0;
    seen = at;
    if (depth > 0 || (/\d/u.test(text[at - 1] ?? '') && /^,\d{3}(?!\d)/u.test(text.slice(at, at + 6))))
      continue;
    parts.push({ start, end: at });
    start = at + sign.length;
  }
  parts.push({ start, end: to });
  return parts;
}

function* sentencesOf(text: string): Generator<ItemPlace> {
  let start = 0;
  for (const { 0: sign, index } of text.matchAll(sentenceEnds)) {
    if (isInitial(text, index)) continue;
    yield { start, end: index };
    start = index + sign.length;
  }
  yield { start, end: text.length };
}

/** “and” ends an enumeration at the part behind it; a long part behind it begins the next one too. */
export function enumerationsOf(text: string): Enumeration[] {
  const found: Enumeration[] = [];
  for (const { end, start } of sentencesOf(text)) {
    const [first, ...others] = partsOf(text, start, end);
    const signs = others.map((part, at) => text.slice((others[at - 1] ?? first!).end, part.start));
    // A Chinese comma parts clauses where other signs join things.
    const isHan = /\p{Script=Han}/u.test(text.slice(start, end));
    const hasListSign = signs.some((sign) => sign.includes('、') || (isHan && joint.test(sign)));
    let current: Enumeration = { parts: [first!], isJoined: false };
    let isClosed = false;
    others.forEach((part, at) => {
      const sign = signs[at]!;
      const isJoint = joint.test(sign);
      const last = current.parts.at(-1)!;
      const isShared = isJoint && isClosed && lengthOf(text.slice(last.start, last.end)) > longestJoined;
      const isEnd = isShared || (!isJoint && !sign.includes('、') && (isClosed || hasListSign));
      if (isEnd) {
        found.push(current);
        current = { parts: isShared ? [last] : [], isJoined: false };
      }
      current.parts.push(part);
      current.isJoined ||= (isJoint || sign.includes('、')) && current.parts.length > 1;
      isClosed = isJoint;
    });
    found.push(current);
  }
  return found;
}

/** Words of a part that an enumeration goes on behind. */
const longestJoined = 4;

interface Meaning {
  /** Words that the reading marks as items. */
  places: readonly ItemPlace[];
  within(start: number, end: number, isWhole?: boolean): Place | null;
  /** The field's own name. */
  isName: (words: string) => boolean;
  /** “no fever”: none of them. */
  denied: RegExp;
}

/** The items of an enumeration that a reading means, and their log odds. */
export function itemsMeant(
  text: string,
  { isJoined, parts }: Enumeration,
  { denied, isName, places, within }: Meaning,
): { items: ItemPlace[]; score: number } {
  const scored = parts.flatMap((part) => {
    const best = within(part.start, part.end);
    return best ? [{ ...part, best }] : [];
  });
  // “the inspectors, Mr Quayle and Ms Idowu”: the field's name is none of them.
  const isOwnName = ({ end, start }: ItemPlace) => {
    const last = text.slice(start, end).trim().split(/\s+/u).at(-1)!;
    return /^\p{Script=Latin}+$/u.test(last) && isName(last);
  };
  while (scored.length > 1 && isOwnName(scored[0]!)) scored.shift();
  const score = Math.max(...scored.map(({ best }) => best.score));
  const least = score - (isJoined ? furthest.joined : furthest.other);
  while (scored.length > 1 && scored[0]!.best.score < least) scored.shift();
  // “Hi, I'd like to enrol Ava and Sofia”: a part that leads to its item is the first one.
  const opening = scored.findLastIndex(
    ({ best, end, start }) => lengthOf(text.slice(start, best.start)) > longestLead && best.end <= end,
  );
  if (opening > 0) scored.splice(0, opening);
  while (scored.length > 1 && scored.at(-1)!.best.score < least) scored.pop();
  const [first] = scored;
  if (!first) return { items: [], score: -Infinity };
  if (scored.length === 1) return { items: [first.best], score };
  const marked = places.findLast(({ end, start }) => first.start <= start && end === first.end);
  const items = scored.map((part, at) => ({
    start: at > 0 ? part.start : likeliest(text, part, within, 'start', marked?.start),
    end: at === scored.length - 1 ? likeliest(text, part, within, 'end') : part.end,
  }));
  const told = items.filter(({ end, start }) => !denied.test(text.slice(start, end)));
  return { items: told.length > 0 ? told : items, score: score + (items.length > 1 ? several : 0) };
}

/** Log odds by which an item may be less likely than the likeliest; that several things are no single one. */
const furthest = { joined: 9, other: 3.5 };
const several = 2;
/** Log odds by which words before or behind the likeliest border still belong to an item. */
const nearly = 1.2;
/** The same of a sentence's first word before a name. */
const capitalLoss = 2.5;
/** Words in a part before its item. */
const longestLead = 2;

/** The place at which the first item begins behind what leads to it, or the last one ends before the sentence goes on; `marked`: as the reading marks it. */
function likeliest(
  text: string,
  { end, start }: ItemPlace,
  within: Meaning['within'],
  side: 'start' | 'end',
  marked?: number,
): number {
  const words = segmentWords(text.slice(start, end)).filter(({ kind }) => kind !== 'sign' && kind !== 'line');
  const borders = words.map((word) => start + word[side]);
  const scores = borders.map(
    (border) =>
      (side === 'start' ? within(border, end, true) : within(start, border, true))?.score ?? -Infinity,
  );
  const known = marked === undefined ? -1 : borders.indexOf(marked);
  let at = known < 0 ? scores.indexOf(Math.max(...scores)) : known;
  const most = scores[at]!;
  const step = side === 'start' ? -1 : 1;
  // Chinese signs are no words.
  const goesOn = (next: number): boolean => {
    const [word, own] = [words[next], words[at]!];
    if (!word) return false;
    // “2号楼”, “Encik Wong”
    const isNumber =
      side === 'start' && own.kind === 'han' && word.kind === 'number' && word.end === own.start;
    const isName = [word, own].every((each) => /^\p{Lu}/u.test(text.slice(start + each.start)));
    const isSentences = next === 0 && scores[next]! < most - capitalLoss;
    return (
      isNumber ||
      (side === 'start' && isName && !isSentences) ||
      (own.kind !== 'han' && scores[next]! >= most - nearly)
    );
  };
  while (goesOn(at + step)) at += step;
  return borders[at] ?? (side === 'start' ? start : end);
}
