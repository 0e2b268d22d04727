/**
 * Words of one meaning in several languages: `concepts.tsv` of the pack, `concept<TAB>words`, | between words. A word that ends with *
 * stands for all that begin with it; several words are a phrase; Chinese words are found wherever they stand, the longest first.
 */
import type { EnginePack } from '../../engine.ts';
import { packTsv } from '../../pack-data.ts';
import { packFiles } from '../../pack-files.ts';

const HAN = /\p{Script=Han}/u;
/** Runs of Chinese, words, and each other mark by itself. */
const TOKEN = /\p{Script=Han}+|[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{N}]/gu;
export const wordTokens = (text: string): string[] => [...text.matchAll(TOKEN)].map(([token]) => token);

const LONGEST_HAN = 6;
/** Beginnings are not shorter than this, nor longer: a run of letters without end costs no more than a word. */
const SHORTEST_PREFIX = 3;
const LONGEST_PREFIX = 24;

interface Phrase {
  /** Words behind the first. */
  rest: string[];
  isPrefix: boolean;
  concept: string;
}

const put = <Value>(map: Map<string, Value[]>, key: string, value: Value) => {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else if (!values.includes(value)) values.push(value);
};

export class Concepts {
  readonly #words = new Map<string, string[]>();
  readonly #prefixes = new Map<string, string[]>();
  readonly #han = new Map<string, string[]>();
  readonly #phrases = new Map<string, Phrase[]>();

  constructor(rows: readonly (readonly string[])[] = []) {
    for (const [concept = '', words = ''] of rows)
      for (const word of words.split('|')) this.#add(concept, word.trim().toLowerCase());
  }

  #add(concept: string, word: string): void {
    if (HAN.test(word) && !/[a-z]/u.test(word)) {
      put(this.#han, word, concept);
      return;
    }
    const isPrefix = word.endsWith('*');
    const [first, ...rest] = wordTokens(isPrefix ? word.slice(0, -1) : word);
    if (first === undefined) return;
    if (rest.length > 0) put(this.#phrases, first, { rest, isPrefix, concept });
    else put(isPrefix ? this.#prefixes : this.#words, first, concept);
  }

  /** Concepts of the tokens of a lower-cased text in their order, each as often as it occurs. */
  of(tokens: readonly string[]): string[] {
    const found: string[] = [];
    for (let at = 0; at < tokens.length; at += 1) {
      const token = tokens[at] as string;
      if (HAN.test(token)) this.#ofHan(token, found);
      else at += this.#ofWord(tokens, at, found);
    }
    return found;
  }

  #ofHan(run: string, found: string[]): void {
    for (let at = 0; at < run.length; ) {
      let size = Math.min(LONGEST_HAN, run.length - at);
      while (size > 0 && !this.#han.has(run.slice(at, at + size))) size -= 1;
      if (size > 0) found.push(...(this.#han.get(run.slice(at, at + size)) as string[]));
      at += Math.max(size, 1);
    }
  }

  /** Number of further words that a phrase has taken. */
  #ofWord(tokens: readonly string[], at: number, found: string[]): number {
    const token = tokens[at] as string;
    let taken = 0;
    for (const { rest, isPrefix, concept } of this.#phrases.get(token) ?? []) {
      const isThere = rest.every((word, i) => {
        const next = tokens[at + 1 + i] ?? '';
        return isPrefix && i === rest.length - 1 ? next.startsWith(word) : next === word;
      });
      if (!isThere) continue;
      found.push(concept);
      taken = Math.max(taken, rest.length);
    }
    if (taken > 0) return taken;
    const whole = this.#words.get(token);
    if (whole !== undefined) found.push(...whole);
    else found.push(...this.#byPrefix(token));
    return 0;
  }

  #byPrefix(token: string): readonly string[] {
    for (let size = Math.min(token.length, LONGEST_PREFIX); size >= SHORTEST_PREFIX; size -= 1) {
      const concepts = this.#prefixes.get(token.slice(0, size));
      if (concepts !== undefined) return concepts;
    }
    return [];
  }
}

const FILE = 'concepts.tsv';

/**
 * None where the pack has no table: its weights were learnt without one, and the starter's would be misread by them.
 * @throws EngineError internal_error when a row of the table has not two cells
 */
export async function loadConcepts({ folder }: Pick<EnginePack, 'folder'>): Promise<Concepts> {
  const hasTable = await packFiles('guard').exists(folder, FILE);
  return new Concepts(hasTable ? await packTsv({ folder }, FILE, 2) : []);
}
