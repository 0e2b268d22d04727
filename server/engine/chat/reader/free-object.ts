/** An object whose keys nobody has named: the text's own pairs, “'math': 90, 'science': 75”. */

const pair =
  /(?:^|[\s{,，(])(?:['"]([\p{L}\d][\p{L}\d _-]{0,40})['"]|(\p{L}[\p{L}\d_-]{0,30})['"]?)\s*[:=]\s*(\[[^[\]\n]{0,400}\]|'[^'\n]{0,200}'|"[^"\n]{0,200}"|-?\d+(?:\.\d+)?(?![\p{L}\d:/]))/gu;
const mostPairs = 60;

const plainOf = (words: string): string | number => {
  const bare = words.trim().replaceAll(/^['"]|['"]$/gu, '');
  return bare === words.trim() && /^-?\d+(?:\.\d+)?$/u.test(bare) ? Number(bare) : bare;
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
