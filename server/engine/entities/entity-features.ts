import type { EntityToken } from './entity-tokens.ts';
import { type EntityWords, hanWords, hashText, latinClass, nameClasses } from './entity-words.ts';

/**
 * Hashed features of a token as the recipe (models/recipes/shield-names) trains on them and the tagger reads them: words around
 * it, their beginnings, endings and shapes, and the words on both sides of the run of capitalized words that it stands in. A
 * model pins the version.
 */
export const entityFeatureVersion = 4;

/** Features that tell the word itself, not its place: training leaves them out at times, since most names are not known. */
export const identityFeatures = 12;

const nothing = 0x2545f491;

function mix(a: number, b: number): number {
  let state = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ (b + 0x165667b1);
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  return state ^ (state >>> 13);
}

/** `Xx`, `X`, `x`, `XxX`, `9999`, `H` for Chinese, the mark itself. */
function shapeOf({ text, han }: EntityToken): string {
  if (han) return 'H';
  if (/^\p{N}/u.test(text)) return `9${Math.min(text.length, 5)}`;
  if (!/^[\p{L}\p{M}]/u.test(text)) return text.trim() === '' ? '\n' : text;
  const lower = text.toLowerCase();
  if (text === lower) return text === text.toUpperCase() ? 'L' : 'x';
  if (text === text.toUpperCase()) return text.length === 1 ? 'X' : 'XX';
  return text.slice(1) === lower.slice(1) ? 'Xx' : 'XxX';
}

const linking = new Set([
  ...'bin binti bt bte al ap a l p s o d van von de da del der den la le di dos das du ibn of the and & dan'.split(
    ' ',
  ),
  ...['-', '.', '/', "'", '’', '@', '·', '•'],
]);

interface Words {
  lower: Int32Array;
  shape: Int32Array;
  /** Beginnings of one to three letters and endings of one to four; 0 where the word is shorter. */
  parts: Int32Array;
  /** The run of capitalized words around each token: first and last token of it; itself for a token in none. */
  runStart: Int32Array;
  runEnd: Int32Array;
  /** Meaning of the word, 0 for one that no list has; of a Chinese character, its word's part of speech and place in it. */
  kinds: Int32Array;
  /** Classes of known names, and all of those of a run of capitalized words together. */
  names: Int32Array;
  runNames: Int32Array;
  /** First token of a character's Chinese word and the token after its last; of other tokens, themselves. */
  hanStart: Int32Array;
  hanEnd: Int32Array;
  tokens: readonly EntityToken[];
}

const partCount = 7;

/** Known words and known names. */
export interface EntityLists {
  words: EntityWords;
  names: EntityWords;
}

function readWords(tokens: readonly EntityToken[], known: EntityLists): Words {
  const count = tokens.length;
  const words: Words = {
    lower: new Int32Array(count),
    shape: new Int32Array(count),
    parts: new Int32Array(count * partCount),
    runStart: Int32Array.from({ length: count }, (_, at) => at),
    runEnd: Int32Array.from({ length: count }, (_, at) => at),
    kinds: new Int32Array(count),
    names: nameClasses(tokens, known.names),
    runNames: new Int32Array(count),
    hanStart: Int32Array.from({ length: count }, (_, at) => at),
    hanEnd: Int32Array.from({ length: count }, (_, at) => at + 1),
    tokens,
  };
  for (const [at, token] of tokens.entries()) {
    const lower = token.text.toLowerCase();
    words.lower[at] = hashText(/^\p{N}/u.test(lower) && lower.length > 4 ? '00000' : lower);
    words.shape[at] = hashText(shapeOf(token));
    if (token.han || !/^[\p{L}\p{M}]/u.test(lower)) continue;
    words.kinds[at] = latinClass(lower, known.words);
    for (let size = 1; size <= 3; size++)
      if (lower.length > size) words.parts[at * partCount + size - 1] = hashText(lower.slice(0, size));
    for (let size = 1; size <= 4; size++)
      if (lower.length > size) words.parts[at * partCount + size + 2] = hashText(lower.slice(-size));
  }
  findRuns(words);
  findHanWords(words, known.words);
  return words;
}

/** Cuts runs of Chinese characters into words. */
function findHanWords({ tokens, kinds, hanStart, hanEnd }: Words, known: EntityWords): void {
  for (let from = 0; from < tokens.length; ) {
    let to = from;
    while (to < tokens.length && tokens[to]!.han) to++;
    if (to > from) {
      const run = tokens.slice(from, to).map(({ text }) => text);
      // Rare characters take two UTF-16 units: one stand-in each keeps places those of tokens.
      const found = hanWords(run.map((text) => (text.length === 1 ? text : '〇')).join(''), known);
      for (let at = 0; at < to - from; at++) {
        [hanStart[from + at], hanEnd[from + at]] = [from + found.start[at]!, from + found.end[at]!];
        const place = at - found.start[at]!;
        kinds[from + at] =
          (found.kind[at]! & 15) * 32 +
          (found.end[at]! - found.start[at]!) * 4 +
          place +
          (found.kind[at] ? 512 : 0);
      }
    }
    from = to + 1;
  }
}

/** Capitalized words, with the small words and marks between them that names have. */
function findRuns({ tokens, runStart, runEnd, names, runNames }: Words): void {
  const isCapital = (at: number) => /^\p{Lu}/u.test(tokens[at]?.text ?? '');
  for (let from = 0; from < tokens.length; ) {
    let [last, next] = [from, from + 1];
    if (isCapital(from)) {
      while (next < tokens.length && next - last <= 2) {
        if (isCapital(next)) last = next;
        else if (!linking.has(tokens[next]!.text.toLowerCase())) break;
        next++;
      }
    }
    let together = 0;
    for (let at = from; at <= last; at++) together |= (names[at]! - 1) >> 2 > 0 ? (names[at]! - 1) >> 2 : 32;
    for (let at = from; at <= last; at++) [runStart[at], runEnd[at], runNames[at]] = [from, last, together];
    from = last + 1;
  }
}

interface EntityRow {
  /** Identifiers of features, from 1 to `buckets` − 1; the first `identityFeatures` of them tell the word. */
  ids: Int32Array;
  /** Tie to the token before: one of `linkCount`. */
  link: number;
}

/** Features of each token in turn. */
export function* entityFeatures(
  tokens: readonly EntityToken[],
  buckets: number,
  known: EntityLists,
): Generator<EntityRow> {
  const words = readWords(tokens, known);
  for (const [at, token] of tokens.entries())
    yield {
      ids: toBuckets(token.han ? hanFeatures(words, at) : wordFeatures(words, at), buckets),
      link: linkOf(words, at),
    };
}

function toBuckets(hashes: readonly number[], buckets: number): Int32Array {
  const ids = new Int32Array(hashes.length);
  for (let at = 0; at < ids.length; at++) ids[at] = ((hashes[at]! >>> 0) % (buckets - 1)) + 1;
  return ids;
}

const isWritten = ({ text }: EntityToken): boolean => /^[\p{L}\p{M}]/u.test(text);

function linkOf({ tokens, runStart, hanStart }: Words, at: number): number {
  if (at === 0) return 0;
  if (isWritten(tokens[at]!) && isWritten(tokens[at - 1]!) && tokens[at]!.han !== tokens[at - 1]!.han)
    return 3;
  if (tokens[at]!.han) return hanStart[at]! < at ? 2 : 0;
  return runStart[at]! < at ? 1 : 0;
}

function wordFeatures(
  { lower, shape, parts, runStart, runEnd, kinds, names, runNames, tokens }: Words,
  at: number,
): number[] {
  const word = (offset: number) => lower[at + offset] ?? nothing;
  const form = (offset: number) => shape[at + offset] ?? nothing;
  const part = (offset: number, which: number) => parts[(at + offset) * partCount + which] ?? 0;
  const [first, last] = [runStart[at]!, runEnd[at]!];
  const [before, after] = [lower[first - 1] ?? nothing, lower[last + 1] ?? nothing];
  const before2 = mix(lower[first - 2] ?? nothing, before);
  const place = Math.min(at - first, 3) * 4 + Math.min(last - at, 3);
  const kind = (offset: number) => (at + offset in tokens ? kinds[at + offset]! + 1 : 0);
  const name = (offset: number) => names[at + offset] ?? -1;
  const [kindBefore, kindAfter] = [kind(first - 1 - at), kind(last + 1 - at)];
  let unknown = 0;
  for (let each = first; each <= last; each++) if (kinds[each] === 0) unknown++;
  const known = Math.min(unknown, 3) * 4 + Math.min(last - first + 1 - unknown, 3);
  const own = Array.from({ length: partCount }, (_, which) => mix(100 + which, part(0, which)));
  // Other words of the run, wherever they stand in it: “Borough” and “Council” tell of “Brightwell”.
  const beside: number[] = [];
  for (let each = Math.max(first, last - mostBeside); each <= last; each++)
    if (each !== at) beside.push(mix(92, mix(lower[each]!, each < at ? 0 : 1)), mix(93, kinds[each]!));
  return [
    // The word itself: identityFeatures of them.
    mix(1, word(0)),
    mix(2, mix(word(-1), word(0))),
    mix(3, mix(word(0), word(1))),
    mix(4, mix(word(0), form(0))),
    mix(5, mix(word(-1), mix(word(0), word(1)))),
    ...own,
    // Around it.
    mix(10, word(-1)),
    mix(11, word(1)),
    mix(12, word(-2)),
    mix(13, word(2)),
    mix(14, word(-3)),
    mix(15, word(3)),
    mix(16, mix(word(-2), word(-1))),
    mix(17, mix(word(1), word(2))),
    mix(18, mix(word(-1), form(0))),
    mix(19, mix(word(1), form(0))),
    mix(20, mix(mix(word(-2), word(-1)), form(0))),
    mix(21, mix(mix(word(-3), word(-2)), word(-1))),
    mix(22, mix(word(-1), word(1))),
    mix(23, mix(mix(word(-2), form(-1)), form(0))),
    mix(24, mix(form(0), mix(form(1), word(2)))),
    // Shapes.
    mix(30, form(0)),
    mix(31, mix(form(-1), form(0))),
    mix(32, mix(form(0), form(1))),
    mix(33, mix(mix(form(-1), form(0)), form(1))),
    mix(34, mix(mix(form(-2), form(-1)), mix(form(0), mix(form(1), form(2))))),
    mix(35, mix(part(-1, 5), form(0))),
    mix(36, mix(part(1, 5), form(0))),
    mix(37, mix(part(0, 5), form(0))),
    mix(38, mix(form(0), Math.min(tokens[at]!.text.length, 9))),
    // The run.
    mix(40, mix(before, place)),
    mix(41, mix(after, place)),
    mix(42, mix(before2, at === first ? 0 : 1)),
    mix(43, mix(mix(before, after), place)),
    mix(44, mix(lower[first]!, place)),
    mix(45, mix(lower[last]!, place)),
    mix(46, mix(parts[last * partCount + 5] ?? 0, place)),
    mix(47, mix(place, form(0))),
    mix(48, mix(after, lower[last + 2] ?? nothing)),
    mix(49, mix(mix(before, lower[last]!), at === first ? 0 : 1)),
    // Meaning of words.
    mix(
      60,
      mix(
        kind(0),
        mix(form(0), at === 0 || tokens[at - 1]!.text === '\n' || tokens[at - 1]!.text === '.' ? 1 : 0),
      ),
    ),
    mix(61, mix(kind(-1), form(-1))),
    mix(62, mix(kind(1), form(1))),
    mix(63, mix(kind(-2), mix(kind(-1), form(0)))),
    mix(64, mix(kind(1), mix(kind(2), form(0)))),
    mix(65, mix(kind(-1), mix(kind(0), form(0)))),
    mix(66, mix(kind(0), mix(kind(1), form(0)))),
    mix(67, mix(mix(kind(-1), kind(0)), mix(kind(1), form(0)))),
    mix(68, mix(kindBefore, mix(place, known))),
    mix(69, mix(kindAfter, mix(place, known))),
    mix(70, mix(mix(kindBefore, kindAfter), mix(at === first ? 0 : 1, unknown > 0 ? 1 : 0))),
    mix(71, mix(known, place)),
    mix(72, mix(before, mix(kindAfter, at === first ? 0 : 1))),
    mix(73, mix(kindBefore, mix(after, at === first ? 0 : 1))),
    mix(74, mix(kind(last - at), place)),
    mix(75, mix(mix(word(-1), kind(0)), form(0))),
    mix(76, mix(mix(word(-2), kind(-1)), mix(kind(0), form(0)))),
    // Known names.
    mix(80, mix(name(0), form(0))),
    mix(81, mix(mix(name(-1), name(0)), form(0))),
    mix(82, mix(mix(name(0), name(1)), form(0))),
    mix(83, mix(name(0), mix(kind(0), form(0)))),
    mix(84, mix(mix(name(-1), name(0)), name(1))),
    mix(85, mix(name(0), word(-1))),
    mix(86, mix(name(0), word(1))),
    mix(87, mix(name(0), mix(runNames[at]!, place))),
    mix(88, mix(runNames[at]!, mix(kindBefore, at === first ? 0 : 1))),
    mix(89, mix(runNames[at]!, mix(before, at === first ? 0 : 1))),
    mix(90, mix(name(0), mix(kindBefore, kindAfter))),
    mix(91, mix(name(0), mix(word(-2), word(-1)))),
    mix(94, mix(mix(kind(first - at), kind(last - at)), place)),
    mix(95, mix(lower[first]!, mix(lower[last]!, at === first ? 0 : 1))),
    ...beside,
  ];
}

/** Words of a run that are told to its others: from the end on, where names of organizations say what they are. */
const mostBeside = 5;

/** Pronouns, prepositions, conjunctions, particles, directions: jieba's parts of speech r, p, c, u and f. */
const linkingParts = new Set([4, 7, 8, 9, 11]);

function hanFeatures({ lower, shape, kinds, names, hanStart, hanEnd, tokens }: Words, at: number): number[] {
  const word = (offset: number) => lower[at + offset] ?? nothing;
  const form = (offset: number) => shape[at + offset] ?? nothing;
  const pair = (offset: number) => mix(word(offset), word(offset + 1));
  const three = (offset: number) => mix(pair(offset), word(offset + 2));
  const kind = (offset: number) => kinds[at + offset] ?? -1;
  const name = (offset: number) => names[at + offset] ?? -1;
  const isWord = (from: number, to: number) => to - from > 1;
  /** The Chinese word that the token before `end` ends; a mark or a word of letters counts as one. */
  const wordText = (from: number, to: number): number => {
    if (from < 0 || from >= lower.length) return nothing;
    let hash = lower[from]!;
    for (let each = from + 1; each < to; each++) hash = mix(hash, lower[each]!);
    return hash;
  };
  // The stretch of single characters that no longer word covers: names of persons fall apart so.
  let [first, last] = [at, at];
  const isLoose = (each: number) =>
    tokens[each]?.han === true &&
    !isWord(hanStart[each]!, hanEnd[each]!) &&
    !linkingParts.has((kinds[each]! >> 5) & 15);
  if (isWord(hanStart[at]!, hanEnd[at]!)) [first, last] = [hanStart[at]!, hanEnd[at]! - 1];
  else if (isLoose(at)) {
    while (at - first < 4 && isLoose(first - 1)) first--;
    while (last - at < 4 && isLoose(last + 1)) last++;
  }
  const left = first > 0 ? hanStart[first - 1]! : -1;
  const right = last + 1;
  const [leftWord, leftKind] = [left < 0 ? nothing : wordText(left, first), left < 0 ? -1 : kinds[left]!];
  const [rightWord, rightKind] =
    right < lower.length ? [wordText(right, hanEnd[right]!), kinds[right]!] : [nothing, -1];
  const place = Math.min(at - first, 3) * 4 + Math.min(last - at, 3);
  // Words farther on and farther back in the same stretch of characters: a name of an organization ends in what it is.
  const farther: number[] = [];
  for (let each = right, step = 0; step < mostFarther && tokens[each]?.han === true; step++) {
    const [text, to] = [wordText(each, hanEnd[each]!), hanEnd[each]!];
    if (step > 0) farther.push(mix(292, text), mix(293, mix(text, Math.min(step, 2))));
    if (step > 0) farther.push(mix(294, mix(kinds[each]!, step)));
    each = to;
  }
  const left2 = left > 0 && tokens[left - 1]!.han ? hanStart[left - 1]! : -1;
  if (left2 >= 0)
    farther.push(mix(295, wordText(left2, left)), mix(296, mix(wordText(left2, left), leftWord)));
  return [
    // The word itself: identityFeatures of them.
    mix(201, word(0)),
    mix(202, pair(-1)),
    mix(203, pair(0)),
    mix(204, three(-2)),
    mix(205, three(-1)),
    mix(206, three(0)),
    mix(207, mix(three(-2), word(1))),
    mix(208, mix(three(-1), word(2))),
    mix(209, mix(three(0), word(3))),
    mix(210, mix(three(-3), word(0))),
    mix(211, mix(word(-1), mix(word(0), form(1)))),
    mix(212, mix(form(-1), mix(word(0), word(1)))),
    // Around it.
    mix(220, word(-1)),
    mix(221, word(1)),
    mix(222, word(-2)),
    mix(223, word(2)),
    mix(224, word(-3)),
    mix(225, word(3)),
    mix(226, pair(-2)),
    mix(227, pair(1)),
    mix(228, pair(-3)),
    mix(229, pair(2)),
    mix(230, pair(-4)),
    mix(231, pair(3)),
    mix(232, three(-3)),
    mix(233, three(1)),
    mix(234, three(-4)),
    mix(235, three(2)),
    mix(236, mix(word(-1), word(1))),
    mix(237, mix(pair(-2), word(1))),
    mix(238, mix(word(-1), pair(1))),
    mix(239, mix(pair(-2), pair(1))),
    mix(240, mix(word(-3), mix(word(0), word(1)))),
    mix(241, mix(word(-1), mix(word(0), word(3)))),
    mix(242, mix(mix(form(-2), form(-1)), mix(form(1), form(2)))),
    mix(243, mix(pair(-3), word(0))),
    mix(244, mix(word(0), pair(2))),
    mix(245, mix(word(0), pair(3))),
    mix(246, mix(pair(-4), pair(0))),
    mix(247, mix(pair(-3), pair(2))),
    // Words of a dictionary.
    mix(260, kind(0)),
    mix(261, mix(kind(-1), kind(0))),
    mix(262, mix(kind(0), kind(1))),
    mix(263, mix(mix(kind(-1), kind(0)), kind(1))),
    mix(264, mix(mix(kind(-2), kind(-1)), mix(kind(0), kind(1)))),
    mix(265, mix(mix(kind(0), kind(1)), mix(kind(2), kind(3)))),
    mix(266, mix(leftWord, place)),
    mix(267, mix(rightWord, place)),
    mix(268, mix(leftKind, place)),
    mix(269, mix(rightKind, place)),
    mix(270, mix(mix(leftKind, rightKind), place)),
    mix(271, mix(mix(leftWord, rightKind), place)),
    mix(272, mix(mix(leftKind, rightWord), place)),
    mix(273, mix(mix(leftWord, rightWord), at === first ? 0 : 1)),
    mix(274, mix(word(at - first > 0 ? first - at : 0), place)),
    mix(275, mix(leftKind, mix(word(0), place))),
    // Known names.
    mix(280, mix(name(0), place)),
    mix(281, mix(name(-1), name(0))),
    mix(282, mix(name(0), name(1))),
    mix(283, mix(mix(name(-2), name(-1)), name(0))),
    mix(284, mix(name(0), mix(name(1), name(2)))),
    mix(285, mix(name(0), leftWord)),
    mix(286, mix(name(0), rightWord)),
    mix(287, mix(name(0), mix(leftKind, rightKind))),
    mix(288, mix(name(0), mix(kind(0), kind(1)))),
    mix(289, mix(name(-1), mix(name(0), kind(0)))),
    mix(290, mix(name(first - at), mix(place, leftKind))),
    mix(291, mix(mix(name(first - 1 - at), name(0)), name(last + 1 - at))),
    ...farther,
  ];
}

/** Chinese words to the right that a character is told of. */
const mostFarther = 5;
