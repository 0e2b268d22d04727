/** A text as words with their places: letters together, numbers whole, each Chinese character, each sign and each line's end by itself. */

export interface TextWord {
  start: number;
  end: number;
  /** Small letters, without accents, digits without thousands' commas. */
  form: string;
  kind: (typeof kinds)[number];
}

/** Addresses, paths and names with underscores are words; so are codes that begin with a letter (B1004), not amounts that do (RM5, 5kg). */
const pattern = new RegExp(
  [
    String.raw`(?<han>\p{Script=Han})`,
    String.raw`(?<code>[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}|https?:\/\/[^\s<>"，。]{0,300}[\w\/]|~?(?:\/[\w.-]{1,100}){2,12}|[A-Za-z]\w{0,60}_\w{1,60}|(?!(?:RM|USD|EUR|GBP|SGD|MYR|CNY|HK|US)\d)[A-Za-z]{1,4}\d[A-Za-z\d]*(?:-\d[A-Za-z\d]*)*)`,
    String.raw`(?<number>\d+(?:[.,]\d+)*)`,
    String.raw`(?<letters>(?:(?!\p{Script=Han})[\p{L}\p{M}])+(?:['’](?![sS]\b)(?:(?!\p{Script=Han})[\p{L}\p{M}])+)*)`,
    String.raw`(?<line>\n)`,
    String.raw`(?<sign>\S)`,
  ].join('|'),
  'gu',
);

const accents = /\p{M}+/gu;

export function formOf(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(accents, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/gu, '');
}

const kinds = ['han', 'code', 'number', 'letters', 'line', 'sign'] as const;

export function segmentWords(text: string): TextWord[] {
  return Array.from(text.matchAll(pattern), (match) => {
    const kind = kinds.find((each) => match.groups![each] !== undefined)!;
    const form = kind === 'line' ? '\n' : formOf(match[0]);
    return { start: match.index, end: match.index + match[0].length, form, kind };
  });
}

/** Words whose full stop ends no sentence. */
const abbreviations = new Set(
  'dr mr mrs ms prof st no jl jln tn pn hj tel ext approx vs fig p pp jr sr en sdn'.split(' '),
);

/** So is a single capital letter: the initial of a name. */
const isAbbreviation = (text: string, before: TextWord | undefined): boolean =>
  before !== undefined &&
  (abbreviations.has(before.form) ||
    (before.kind === 'letters' && /^\p{Lu}$/u.test(text.slice(before.start, before.end))));

/** Of a text's words, the index of each sentence's first, and of each line's first. A full stop within a number or before a small letter ends nothing. */
export function sentenceStarts(
  text: string,
  words: readonly TextWord[],
): { sentences: number[]; lines: number[] } {
  const sentences: number[] = [];
  const lines: number[] = [];
  let isSentence = true;
  let isLine = true;
  words.forEach((word, at) => {
    if (word.kind === 'line') {
      isSentence = true;
      isLine = true;
      return;
    }
    if (isLine) lines.push(at);
    if (isSentence) sentences.push(at);
    isLine = false;
    const next = words[at + 1];
    isSentence =
      '。！？!?；'.includes(word.form) ||
      (word.form === '.' &&
        !isAbbreviation(text, words[at - 1]) &&
        next !== undefined &&
        next.start > word.end &&
        !/^\p{Ll}/u.test(text.slice(next.start)));
    // A closing quote belongs to the sentence before it.
    if (isSentence && next && '”"’」』)）'.includes(next.form)) isSentence = false;
    else if ('”"」』'.includes(word.form) && at > 0 && '.。！？!?'.includes(words[at - 1]!.form))
      isSentence = true;
  });
  return { sentences, lines };
}
