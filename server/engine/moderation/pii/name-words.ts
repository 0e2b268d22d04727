/** Words that are names, and words that look like names and are none: `names.tsv` of the pack. */
export const nameWordKinds = ['given', 'no_name', 'chinese_surname', 'chinese_word'] as const;
type Kind = (typeof nameWordKinds)[number];

export class NameWords {
  readonly #words: Record<Kind, ReadonlySet<string>>;
  readonly #notLast: RegExp;

  /** @param notLast last words of places, streets and companies */
  constructor(words: Record<Kind, ReadonlySet<string>>, notLast: RegExp) {
    this.#words = words;
    this.#notLast = notLast;
  }

  /** Alternatives of a regular expression. */
  get surnames(): string {
    return `(?:${[...this.#words.chinese_surname].join('|')})`;
  }

  isGiven(word: string): boolean {
    return this.#words.given.has(word.toLowerCase());
  }

  /** True where the first of some words is a frequent given name. */
  beginsGiven(found: string): boolean {
    return this.isGiven(found.split(' ')[0] ?? '');
  }

  /** Capitalized words of which neither the first nor all are known to be none, nor the last the end of a place or company. */
  isName(found: string): boolean {
    const words = found.split(/[ .]+/).filter(Boolean);
    if (words.length > 1 && this.#notLast.test(words.at(-1) ?? '')) return false;
    const isNone = (part: string) => this.#words.no_name.has(part.toLowerCase());
    return !words.every(isNone) && !isNone(words[0] ?? '');
  }

  /** True unless the characters begin a word that is no name. */
  isChineseName(found: string): boolean {
    return !this.#words.chinese_word.has(found.slice(0, 2));
  }
}
