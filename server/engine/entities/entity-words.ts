/**
 * Classes of known words: what a word that nobody named means, so that one verb of speech serves for another. Proper names are
 * not among them. A table of 32-bit numbers in order: 24 bits of hash, 8 of class.
 */
export type EntityWords = Uint32Array;

/** Bits of the class of a known name; a table of names has the form of a table of words. */
export const nameClass = { given: 1, surname: 2, place: 4, organization: 8, title: 16 };

/** Chinese classes: 128, three bits of how common the word is, four of its part of speech. Below: the field of meaning of a word. */
export const hanClass = 128;

/** The longest Chinese word that is looked up, in characters. */
const longestHan = 4;

/** Costs of a Chinese word by how common it is (bits 4 to 6 of its class), and of a character that no word has. */
const hanCosts = [12.5, 11.5, 10.5, 9.5, 8.5, 7.5, 6.5, 5.5];
const unknownCost = 13.5;

/** @param state the hash of a text that this one goes on with */
export function hashText(text: string, state = 0x811c9dc5): number {
  for (let index = 0; index < text.length; index++)
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  return state | 0;
}

const keyOf = (hash: number): number => ((hash ^ (hash >>> 24)) & 0xffffff) >>> 0;

export const wordKey = (text: string): number => keyOf(hashText(text));

const lookUp = (text: string, words: EntityWords): number => lookUpKey(wordKey(text), words);

function lookUpKey(key: number, words: EntityWords): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]! >>> 8 < key) low = middle + 1;
    else high = middle;
  }
  return low < words.length && words[low]! >>> 8 === key ? words[low]! & 255 : 0;
}

const endings: readonly (readonly [ending: string, instead: string])[] = [
  ['s', ''],
  ['es', ''],
  ['ies', 'y'],
  ['ed', ''],
  ['ed', 'e'],
  ['ing', ''],
  ['ing', 'e'],
  ['er', ''],
  ['ly', ''],
  ["'s", ''],
  ['’s', ''],
  ['nya', ''],
  ['kan', ''],
  ['an', ''],
  ['lah', ''],
];
const beginnings = ['di', 'ber', 'ter', 'mem', 'men', 'meng', 'me', 'pe', 'ke', 'se', 'un', 're'];

/** The class of a word in small letters, or of what it is made of by a usual ending or beginning; 0 for an unknown one. */
export function latinClass(lower: string, words: EntityWords): number {
  const found = lookUp(lower, words);
  if (found || lower.length < 4) return found;
  for (const [ending, instead] of endings) {
    if (!lower.endsWith(ending) || lower.length - ending.length < 3) continue;
    const stem = lower.slice(0, -ending.length);
    const stemmed =
      lookUp(stem + instead, words) || (stem.at(-1) === stem.at(-2) ? lookUp(stem.slice(0, -1), words) : 0);
    if (stemmed) return stemmed;
  }
  for (const beginning of beginnings) {
    if (!lower.startsWith(beginning) || lower.length - beginning.length < 4) continue;
    const rest = lookUp(lower.slice(beginning.length), words);
    if (rest) return rest;
  }
  return 0;
}

/** For each character of a run of Chinese: where its word begins and ends (exclusive), and the word's class. */
interface HanWords {
  start: Int32Array;
  end: Int32Array;
  kind: Uint8Array;
}

/** The likeliest words of a run of Chinese characters. */
export function hanWords(run: string, words: EntityWords): HanWords {
  const count = run.length;
  const costs = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  const from = new Int32Array(count + 1);
  const kinds = new Uint8Array(count + 1);
  costs[0] = 0;
  for (let at = 0; at < count; at++) {
    for (let size = 1; size <= longestHan && at + size <= count; size++) {
      const kind = lookUp(run.slice(at, at + size), words);
      if (!kind && size > 1) continue;
      const cost = costs[at]! + (kind ? hanCosts[(kind >> 4) & 7]! : unknownCost);
      if (cost >= costs[at + size]!) continue;
      costs[at + size] = cost;
      from[at + size] = at;
      kinds[at + size] = kind;
    }
  }
  const found = { start: new Int32Array(count), end: new Int32Array(count), kind: new Uint8Array(count) };
  for (let end = count; end > 0; end = from[end]!)
    for (let at = from[end]!; at < end; at++) {
      found.start[at] = from[end]!;
      found.end[at] = end;
      found.kind[at] = kinds[end]!;
    }
  return found;
}

/** The longest name that is looked up, in tokens. */
const longestName = { latin: 4, han: 6 };

/** For each token 1 + its name's class × 4 + its place there (alone, first, inside, last); 0 for one of no known name. */
export function nameClasses(
  tokens: readonly { text: string; han: boolean }[],
  names: EntityWords,
): Int32Array {
  const found = new Int32Array(tokens.length);
  const lower = tokens.map(({ text }) => text.toLowerCase());
  for (let at = 0; at < tokens.length; ) {
    const { han } = tokens[at]!;
    let [size, kind] = [1, 0];
    if (/^[\p{L}\p{M}]/u.test(lower[at]!)) {
      let hash: number | undefined;
      for (let to = at; to < tokens.length && to - at < (han ? longestName.han : longestName.latin); to++) {
        if (tokens[to]!.han !== han || tokens[to]!.text === '\n') break;
        hash = hashText(hash === undefined || han ? lower[to]! : ` ${lower[to]!}`, hash);
        const each = lookUpKey(keyOf(hash), names);
        if (each) [size, kind] = [to - at + 1, each];
      }
    }
    if (kind)
      for (let each = 0; each < size; each++)
        found[at + each] = 1 + kind * 4 + (size === 1 ? 0 : each === 0 ? 1 : each === size - 1 ? 3 : 2);
    at += size;
  }
  return found;
}
