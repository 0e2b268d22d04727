/** One of the things that a question names to choose among: “Which oven is the quietest: the Norva, the Pell or the Ostia?” */
import { coverageOf, type ReadText } from './features.ts';
import type { Reading } from './reader.ts';
import { lengthOf } from './split.ts';

export interface ChoiceWords {
  /** Between the last two things: “or”. */
  or: RegExp;
  /** Between others: a comma. */
  between: RegExp;
  /** Before a thing, no part of it: articles. */
  article: RegExp;
  /** Between clauses of a sentence; between sentences. */
  clause: RegExp;
  sentence: RegExp;
  denies: RegExp;
}

interface Choosing {
  reading: Reading;
  text: string;
  read: (text: string) => ReadText;
  words: ChoiceWords;
}

const longestOption = 6;
const mostOptions = 8;
const stemLetters = 4;

interface Options {
  /** The question without them. */
  asked: string;
  options: string[];
}

const stemsOf = (text: string): string[] =>
  (text.toLowerCase().match(/\p{Script=Han}+|[\p{L}\d][\p{L}\d-]*/gu) ?? []).map((word) =>
    /^[a-z]+$/u.test(word) ? word.slice(0, Math.max(stemLetters, word.length - 2)) : word,
  );

/** True where a text has every word of a thing, in any form. */
function has(text: string, option: string): boolean {
  const said = text.toLowerCase();
  return stemsOf(option).every((stem) =>
    /\p{Script=Han}/u.test(stem)
      ? said.includes(stem)
      : new RegExp(`(?<![\\p{Script=Latin}\\d])${RegExp.escape(stem)}`, 'u').test(said),
  );
}

/** The last words of a question's begin that the text has: “coach” of “Does the class travel by coach”. */
function lastSaid(text: string, begin: string): string {
  const words = begin.split(/(?<=\s)|(?<=\p{Script=Han})(?=\p{Script=Han})/u).slice(-longestOption);
  for (let from = 0; from < words.length; from += 1) {
    const part = words.slice(from).join('').trim();
    if (text.toLowerCase().includes(part.toLowerCase())) return part;
  }
  return words.at(-1)?.trim() ?? '';
}

const leastHan = 2;

/** “大巴” of “坐大巴前往”: the longest part of a thing's words that the text has. */
function core(text: string, option: string): string {
  if (!/^\p{Script=Han}+$/u.test(option)) return option;
  for (let length = option.length; length >= leastHan; length -= 1)
    for (let from = 0; from + length <= option.length; from += 1)
      if (text.includes(option.slice(from, from + length))) return option.slice(from, from + length);
  return option;
}

/** @returns null where a question names nothing to choose among */
export function optionsIn(question: string, text: string, words: ChoiceWords): Options | null {
  const said = question.trim().replace(/[?？.。]\s*$/u, '');
  const or = said.search(words.or);
  if (or < 0) return null;
  const colon = Math.max(said.lastIndexOf(':', or), said.lastIndexOf('：', or));
  const begin = colon < 0 ? '' : said.slice(0, colon);
  const rest = colon < 0 ? said : said.slice(colon + 1);
  const parts = rest
    .split(words.or)
    .flatMap((part) => part.split(words.between))
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const [first = '', ...others] = parts;
  const isHan = /\p{Script=Han}$/u.test(first);
  const one = colon >= 0 ? first : isHan ? first.slice(first.lastIndexOf('是') + 1) : lastSaid(text, first);
  const options = [one, ...others].map((part) => core(text, part.replace(words.article, '').trim()));
  const areShort = options.every((each) => each !== '' && lengthOf(each) <= longestOption + 2);
  if (options.length < 2 || options.length > mostOptions || !areShort) return null;
  return { asked: colon < 0 ? first.slice(0, first.length - one.length) : begin, options };
}

/** Share of the question that a sentence must have for one of the things in it to be the answer. */
const leastAsked = 0.2;
const holderGain = 0.25;

/** @returns the thing; '' where the text does not tell which; null where the question names nothing to choose among */
export function choiceAnswer(question: string, { read, reading, text, words }: Choosing): string | null {
  const found = optionsIn(question, text, words);
  if (!found) return null;
  const { asked, options } = found;
  const named = options.filter((option) => has(text, option));
  if (named.length === 0) return '';
  const wanted = read(asked);
  const isTurned = words.denies.test(asked);
  const holder = reading.holders[0];
  const scored = text.split(words.sentence).flatMap((sentence) => {
    const told = named.filter((option) => has(sentence, option));
    if (told.length === 0) return [];
    const share = coverageOf(read(sentence), wanted);
    const isHolder = holder && text.slice(holder.start, holder.end).includes(sentence.slice(0, 40));
    const clauses = sentence.split(words.clause).map((clause) => ({
      clause,
      share: coverageOf(read(clause), wanted),
      told: told.filter((option) => has(clause, option)),
    }));
    const best = clauses.reduce((left, right) => (right.share > left.share ? right : left));
    const before = clauses.slice(0, clauses.indexOf(best) + 1).findLast((each) => each.told.length > 0);
    const chosen =
      best.told.length > 0 ? best : (before ?? clauses.find((each) => each.told.length > 0) ?? best);
    const isDenied = words.denies.test(best.clause) !== isTurned;
    // “no transport: morning, noon or night?” of “transport at noon and at night only”
    const all = isTurned && isDenied ? told : chosen.told;
    return [{ told: all, share: share + (isHolder ? holderGain : 0), isDenied }];
  });
  const [best] = scored.sort((a, b) => b.share - a.share);
  if (!best || (best.share < leastAsked && named.length > 1)) return '';
  // “not the pears”: what is left of all is meant, where it is one.
  const left = best.isDenied ? options.filter((option) => !best.told.includes(option)) : best.told;
  return left.length === 1 ? left[0]! : '';
}
