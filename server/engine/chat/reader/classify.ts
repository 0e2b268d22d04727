/** Puts a text under one of the names that an instruction lists: a mood by a lexicon, a language by its words, others by likeness. */
import type { ChatMessage } from '../../../api/services/chat.ts';
import type { ReadText } from './features.ts';
import { lengthOf, messageText } from './split.ts';

interface Sign {
  option: RegExp;
  words: RegExp;
}

export interface ClassWords {
  /** Tells to choose a name for a text. */
  asks: RegExp;
  /** Two names or more: “positive, negative or neutral”. The first group is the row; `border` parts it. */
  row: RegExp;
  border: RegExp;
  /** “not urgent”: the first group is the name without its negation. */
  opposite: RegExp;
  /** Names that are taken where no other fits. */
  otherwise: RegExp;
  positive: Sign;
  negative: Sign;
  neutral: RegExp;
  /** A degree that is taken where nothing speaks for a higher or lower one: “medium”. */
  usual: RegExp;
  /** Fields of an object that such names are for: “category”. */
  field: RegExp;
  /** Turns the word behind it round. */
  negation: RegExp;
  /** Words that speak for a name. */
  signs: Sign[];
}

export interface Classifying {
  options: string[];
  text: string;
}

const longestInstruction = 60;
const leastOptions = 2;

/** Null where no text is to be put under one of several names. */
export function classifying(messages: readonly ChatMessage[], classes: ClassWords): Classifying | null {
  const said = messageText(messages.at(-1)!).trim();
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(messageText)
    .join('\n');
  const own = listed(said, classes);
  if (own && own.rest !== '') return { options: own.options, text: own.rest };
  const order = listed(system, classes);
  return order && said !== '' ? { options: order.options, text: said } : null;
}

/** The names that an instruction lists, and the text that stands behind it or before it. */
function listed(text: string, { asks, border, row }: ClassWords): { options: string[]; rest: string } | null {
  const asked = asks.exec(text);
  if (!asked) return null;
  const line = text.lastIndexOf('\n', asked.index) + 1;
  const found = row.exec(text.slice(line));
  if (!found || found.index > longestInstruction * 4) return null;
  const options = found[1]!
    .split(border)
    .map((option) => option.trim().replaceAll(/^["'“”‘’「『]+|["'“”‘’」』]+$/gu, ''))
    .filter(Boolean);
  if (options.length < leastOptions) return null;
  const behind = text.slice(line + found.index + found[0].length);
  const end = /^[^\n.:：。?？]*?(?:[.:：。?？)]\s*|\n|$)/u.exec(behind)?.[0].length ?? 0;
  const rest = [text.slice(0, line), behind.slice(end)].map((part) => part.trim()).filter(Boolean);
  return {
    options,
    rest: rest
      .join('\n')
      .replace(/^\S{1,12}\s?[:：](?!\S*\/\/)\s*/u, '')
      .trim(),
  };
}

/** Sum of a text's words of good mood less those of bad, each turned round by a negation before it. */
function moodOf(text: string, { negation, negative, positive }: ClassWords): number {
  const count = (words: RegExp, sign: number): number =>
    [...text.matchAll(words)].reduce((sum, { index }) => {
      const clause = text
        .slice(Math.max(0, index - reach), index)
        .split(/[,.;!?，。；！？]/u)
        .at(-1)!;
      return sum + (negation.test(clause) ? -sign : sign);
    }, 0);
  return count(positive.words, 1) + count(negative.words, -1);
}

const reach = 24;

/** Null: nothing tells. */
export function classOf(
  { options, text }: Classifying,
  prepare: (text: string) => ReadText,
  classes: ClassWords,
): string | null {
  const good = options.find((option) => classes.positive.option.test(option));
  const bad = options.find((option) => classes.negative.option.test(option));
  const otherwise = options.find((option) => classes.otherwise.test(option)) ?? null;
  if (good && bad) {
    const mood = moodOf(text, classes);
    if (mood !== 0) return mood > 0 ? good : bad;
    return options.find((option) => classes.neutral.test(option)) ?? null;
  }
  const signed = options.map((option) =>
    classes.signs
      .filter((sign) => sign.option.test(option))
      .reduce((sum, { words }) => sum + [...text.matchAll(words)].length, 0),
  );
  // “urgent or not urgent”: the one, or that it is not.
  for (const [at, option] of options.entries()) {
    const plain = classes.opposite.exec(option)?.[1]?.toLowerCase();
    const other = options.findIndex((each) => each.toLowerCase() === plain);
    if (plain === undefined || other < 0 || options.length > 2) continue;
    const isKnown = classes.signs.some(({ option: name }) => name.test(plain));
    if (isKnown) return signed[other]! - signed[at]! > 0 ? options[other]! : option;
  }
  const most = Math.max(...signed);
  if (most > 0 && signed.filter((count) => count === most).length === 1)
    return options[signed.indexOf(most)]!;
  const usual = options.find((option) => classes.usual.test(option));
  if (usual !== undefined) return usual;
  const read = prepare(text);
  const named = options.filter((option) => option !== otherwise);
  const likeness = named.map((option) => likenessOf(read, prepare(option)));
  const [first = 0, second = 0] = likeness.toSorted((a, b) => b - a);
  // “ok”, “Just saying hi”: so few words are like anything.
  if (lengthOf(text) > strongest && first >= leastLike && first - second >= leastAhead)
    return named[likeness.indexOf(first)]!;
  return otherwise;
}

const strongest = 3;
const leastLike = 0.12;
const leastAhead = 0.04;

/** Of a text's words those most like an option's, together. */
function likenessOf({ known }: ReadText, option: ReadText): number {
  const names = option.known.filter((word) => word !== null);
  if (names.length === 0) return 0;
  const likes = new Map<number, number>();
  for (const word of known) {
    if (!word || likes.has(word.row)) continue;
    const near = names.map(({ vector }) => {
      let sum = 0;
      for (let at = 0; at < vector.length; at += 1) sum += vector[at]! * word.vector[at]!;
      return (sum / 127 ** 2) * word.weight;
    });
    likes.set(word.row, Math.max(...near));
  }
  const best = [...likes.values()].sort((a, b) => b - a).slice(0, strongest);
  return best.reduce((sum, value) => sum + value, 0) / strongest;
}

/** The name that is taken where a text tells nothing. */
export const unsaidOption = <Option>(
  options: readonly Option[],
  { neutral, otherwise, usual }: ClassWords,
): Option | undefined =>
  [otherwise, neutral, usual].flatMap((each) => options.filter((option) => each.test(String(option))))[0];

/** Words of a text that speak for a name, less those that speak for its opposite; null: no words are known for it. */
export function speaksFor(name: string, text: string, { signs }: ClassWords): number | null {
  const count = (option: string): number =>
    signs
      .filter((sign) => sign.option.test(option))
      .reduce((sum, { words }) => sum + [...text.matchAll(words)].length, 0);
  return signs.some(({ option }) => option.test(name)) ? count(name) - 2 * count(`not ${name}`) : null;
}
