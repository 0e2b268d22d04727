/** An object whose keys nobody has named: the text's own pairs, “'math': 90, 'science': 75”. */

const pair =
  /(?:^|[\s{,，(])(?:['"]([\p{L}\d][\p{L}\d _-]{0,40})['"]|(\p{L}[\p{L}\d_-]{0,30})['"]?)\s*[:=]\s*(\[[^[\]\n]{0,400}\]|'[^'\n]{0,200}'|"[^"\n]{0,200}"|-?\d+(?:\.\d+)?(?![\p{L}\d:/]))/gu;
const mostPairs = 60;

/** Words of a message that is to be told as an object (reader.json of a pack). */
export interface ObjectWords {
  /** Asks for all of a kind, “list the e-mail addresses”: the first group that matched. */
  all: RegExp;
  /** Between two pairs. */
  border: RegExp;
  /** “name is Tom”, “my age is 3”: the first group is the key, the second the value. */
  copula: RegExp;
  /** “name Tom”: the same with names of fields that need no sign behind them. */
  label: RegExp;
  /** Names the keys that are wanted: the first group. */
  keys: RegExp;
  /** Asks for one thing by its name, “extract the e-mail address”: the first group. */
  one: RegExp;
  /** Asks for JSON. */
  json: RegExp;
  /** An order before a pair. */
  order: RegExp;
}

const plainOf = (words: string): string | number => {
  const bare = words.trim().replaceAll(/^['"]|['"]$/gu, '');
  return bare === words.trim() && /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/u.test(bare) ? Number(bare) : bare;
};

export function pairsOf(text: string): Record<string, unknown> {
  const pairs = [...text.matchAll(pair)]
    .slice(0, mostPairs)
    .map(([, quoted, word, words]): [string, unknown] => {
      const key = quoted ?? word!;
      if (!words!.startsWith('[')) return [key, plainOf(words!)];
      const inner = words!.slice(1, -1);
      return [key, inner.trim() === '' ? [] : inner.split(',').map(plainOf)];
    });
  return Object.fromEntries(pairs);
}

const colon = /^(\p{L}[\p{L}\d _-]{0,30}?)\s*[:：=]\s*(\S[^\n]*)$/u;
const conjunction = /\s+(?:and|dan)\s+|和/u;
const longestWords = 12;
/** “Please: as JSON: …”: orders before a pair. */
const mostOrders = 3;

type Pair = [key: string, value: string, isSigned: boolean];

function pairIn(said: string, words: ObjectWords, orders = mostOrders): Pair | null {
  const text = said.trim().replace(/[.。!！]$/u, '');
  const signed = colon.exec(text);
  // “As JSON: name is Tom”
  if (signed && orders > 0 && words.order.test(signed[1]!)) return pairIn(signed[2]!, words, orders - 1);
  if (signed) return [signed[1]!, signed[2]!, true];
  if (/[?？]/u.test(text) || text.split(/\s/u).length > longestWords) return null;
  const [, key, value] =
    words.copula.exec(text)?.filter((group) => group !== undefined) ??
    words.label.exec(text)?.filter((group) => group !== undefined) ??
    [];
  return key && value ? [key, value.trim(), false] : null;
}

/** Columns of a printed page lie so far apart; patterns that begin with a gap take long at each of its blanks. */
const wideGap = /[^\S\n]{20,}/gu;

/** The pairs that a message tells by labels: “name Tom, age 3”, “Total: 45.90”; words behind a comma go on with a value that has a sign. */
export function labelledPairs(text: string, words: ObjectWords): Record<string, unknown> {
  const found: Pair[] = [];
  for (const part of text.replaceAll(wideGap, ' ').split('\n')) {
    for (const piece of part.split(words.border)) {
      const halves = piece.split(conjunction).map((half) => pairIn(half, words));
      const pairs = halves.every((pair) => pair !== null) ? halves : [pairIn(piece, words)];
      const last = found.at(-1);
      for (const pair of pairs) {
        if (pair) found.push(pair);
        else if (last?.[2] && piece !== part && piece.trim() !== '' && !words.order.test(piece))
          last[1] += `, ${piece.trim()}`;
      }
    }
  }
  return Object.fromEntries(
    found.slice(0, mostPairs).map(([key, value]): [string, unknown] => [key, plainOf(value)]),
  );
}

/** Keys that are named: “with the keys name and age”. */
export function keysIn(text: string, words: ObjectWords): string[] {
  const named = words.keys.exec(text)?.slice(1).find(Boolean);
  const keys = (named ?? '')
    .split(/\s*[,，、;\s]\s*(?:and|dan|plus)?\s+|\s+(?:and|dan)\s+|[,，、和]/u)
    .map((key) => key.replaceAll(/["'“”`.]|^(?:the|a|an|my|his|her)\s/gu, '').trim());
  return keys.filter((key) => /^[\p{L}][\p{L}\d_ -]{0,30}$/u.test(key)).slice(0, mostPairs);
}

/** The text without the words that name the keys, where a colon ends them. */
export function withoutKeys(text: string, words: ObjectWords): string {
  const named = words.keys.exec(text);
  const rest = named ? text.slice(named.index + named[0].length) : '';
  return /^[.\s]*[:：]/u.test(rest) ? rest.replace(/^[.\s]*[:：]\s*/u, '') : text;
}

/** A number that a text tells as such is one. */
export const plainValue = (value: unknown): unknown => (typeof value === 'string' ? plainOf(value) : value);
