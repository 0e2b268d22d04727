import type { EntityToken } from './entity-tokens.ts';

/**
 * Hashed features of a token as the recipe (models/recipes/shield-names) trains on them and the tagger reads them: words around
 * it, their beginnings, endings and shapes, and the words on both sides of the run of capitalized words that it stands in. A
 * model pins the version.
 */
export const entityFeatureVersion = 1;

/** Features that tell the word itself, not its place: training leaves them out at times, since most names are not known. */
export const identityFeatures = 12;

const nothing = 0x2545f491;

function hashText(text: string): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  return state | 0;
}

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
  tokens: readonly EntityToken[];
}

const partCount = 7;

function readWords(tokens: readonly EntityToken[]): Words {
  const count = tokens.length;
  const words: Words = {
    lower: new Int32Array(count),
    shape: new Int32Array(count),
    parts: new Int32Array(count * partCount),
    runStart: Int32Array.from({ length: count }, (_, at) => at),
    runEnd: Int32Array.from({ length: count }, (_, at) => at),
    tokens,
  };
  for (const [at, token] of tokens.entries()) {
    const lower = token.text.toLowerCase();
    words.lower[at] = hashText(/^\p{N}/u.test(lower) && lower.length > 4 ? '00000' : lower);
    words.shape[at] = hashText(shapeOf(token));
    if (token.han || !/^[\p{L}\p{M}]/u.test(lower)) continue;
    for (let size = 1; size <= 3; size++)
      if (lower.length > size) words.parts[at * partCount + size - 1] = hashText(lower.slice(0, size));
    for (let size = 1; size <= 4; size++)
      if (lower.length > size) words.parts[at * partCount + size + 2] = hashText(lower.slice(-size));
  }
  findRuns(words);
  return words;
}

/** Capitalized words, with the small words and marks between them that names have. */
function findRuns({ tokens, runStart, runEnd }: Words): void {
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
    for (let at = from; at <= last; at++) [runStart[at], runEnd[at]] = [from, last];
    from = last + 1;
  }
}

/** Calls `each` with the identifiers of every token's features, from 1 to `buckets` − 1; the first `identityFeatures` slots tell the word. */
export function entityFeatures(tokens: readonly EntityToken[], buckets: number): Int32Array[] {
  const words = readWords(tokens);
  return tokens.map((token, at) =>
    Int32Array.from(
      token.han ? hanFeatures(words, at) : wordFeatures(words, at),
      (id) => ((id >>> 0) % (buckets - 1)) + 1,
    ),
  );
}

function wordFeatures({ lower, shape, parts, runStart, runEnd, tokens }: Words, at: number): number[] {
  const word = (offset: number) => lower[at + offset] ?? nothing;
  const form = (offset: number) => shape[at + offset] ?? nothing;
  const part = (offset: number, which: number) => parts[(at + offset) * partCount + which] ?? 0;
  const [first, last] = [runStart[at]!, runEnd[at]!];
  const [before, after] = [lower[first - 1] ?? nothing, lower[last + 1] ?? nothing];
  const before2 = mix(lower[first - 2] ?? nothing, before);
  const place = Math.min(at - first, 3) * 4 + Math.min(last - at, 3);
  const own = Array.from({ length: partCount }, (_, which) => mix(100 + which, part(0, which)));
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
  ];
}

function hanFeatures({ lower, shape }: Words, at: number): number[] {
  const word = (offset: number) => lower[at + offset] ?? nothing;
  const form = (offset: number) => shape[at + offset] ?? nothing;
  const pair = (offset: number) => mix(word(offset), word(offset + 1));
  const three = (offset: number) => mix(pair(offset), word(offset + 2));
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
  ];
}
