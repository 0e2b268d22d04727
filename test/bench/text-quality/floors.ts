/** What anybody gets without a model: cosine of character n-grams, and BM25 over character pairs and words. */
import type { RowScores } from './measures.ts';

type Bag = Map<string, number>;

const normal = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ');

/** Counts of character n-grams of 2 to 4. */
function grams(text: string): Bag {
  const chars = Array.from(normal(text));
  const bag: Bag = new Map();
  for (let size = 2; size <= 4; size++) {
    for (let start = 0; start + size <= chars.length; start++) {
      const gram = chars.slice(start, start + size).join('');
      bag.set(gram, (bag.get(gram) ?? 0) + 1);
    }
  }
  return bag;
}

/** Unit bags of n-grams weighted by log frequency and rarity among `corpus`. */
function gramBags(corpus: readonly string[]): (text: string) => Bag {
  const seen = new Map<string, number>();
  for (const text of corpus) for (const gram of grams(text).keys()) seen.set(gram, (seen.get(gram) ?? 0) + 1);
  return (text) => {
    const bag = grams(text);
    for (const [gram, count] of bag) {
      bag.set(gram, (1 + Math.log(count)) * Math.log((corpus.length + 1) / (seen.get(gram) ?? 0.5)));
    }
    const norm = Math.sqrt([...bag.values()].reduce((sum, weight) => sum + weight * weight, 0)) || 1;
    for (const [gram, weight] of bag) bag.set(gram, weight / norm);
    return bag;
  };
}

/** Terms for BM25: words, and overlapping pairs of Chinese characters. */
function terms(text: string): string[] {
  return (normal(text).match(/[\u3400-\u9fff]+|[\p{L}\p{N}]+/gu) ?? []).flatMap((run) => {
    if (!/[\u3400-\u9fff]/u.test(run) || run.length === 1) return [run];
    return Array.from({ length: run.length - 1 }, (_, start) => run.slice(start, start + 2));
  });
}

function countTerms(words: readonly string[]): Bag {
  const bag: Bag = new Map();
  for (const word of words) bag.set(word, (bag.get(word) ?? 0) + 1);
  return bag;
}

/** Inverted lists, so that a query touches only the texts that share something with it. */
class Index {
  readonly #lists = new Map<string, [number, number][]>();
  readonly #size: number;

  constructor(bags: readonly Bag[]) {
    this.#size = bags.length;
    for (const [text, bag] of bags.entries()) {
      for (const [term, weight] of bag) {
        const list = this.#lists.get(term);
        if (list) list.push([text, weight]);
        else this.#lists.set(term, [[text, weight]]);
      }
    }
  }

  list(term: string): readonly [number, number][] {
    return this.#lists.get(term) ?? [];
  }

  scores(query: Bag): Float64Array {
    const result = new Float64Array(this.#size);
    for (const [term, weight] of query) {
      for (const [text, other] of this.list(term)) result[text] = result[text]! + weight * other;
    }
    return result;
  }
}

/** Cosine of each left text with the right text of its row. */
export function gramCosines(left: readonly string[], right: readonly string[]): number[] {
  const bagOf = gramBags([...left, ...right]);
  return left.map((text, row) => {
    const other = bagOf(right[row]!);
    let sum = 0;
    for (const [gram, weight] of bagOf(text)) sum += weight * (other.get(gram) ?? 0);
    return sum;
  });
}

export function gramScores(queries: readonly string[], texts: readonly string[]): RowScores {
  const bagOf = gramBags([...queries, ...texts]);
  const index = new Index(texts.map(bagOf));
  return (row) => index.scores(bagOf(queries[row]!));
}

/** Robertson's BM25 with k1 1.2 and b 0.75. */
export function bm25Scores(queries: readonly string[], texts: readonly string[]): RowScores {
  const documents = texts.map(terms);
  const meanLength = documents.reduce((sum, words) => sum + words.length, 0) / documents.length;
  const seen = new Index(documents.map((words) => countTerms([...new Set(words)])));
  const rarity = (term: string) => {
    const count = seen.list(term).length;
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  };
  const weighted = documents.map((words) => {
    const bag = countTerms(words);
    const damping = 1.2 * (0.25 + (0.75 * words.length) / meanLength);
    for (const [term, count] of bag) bag.set(term, (rarity(term) * count * 2.2) / (count + damping));
    return bag;
  });
  const index = new Index(weighted);
  return (row) => index.scores(countTerms(terms(queries[row]!)));
}
