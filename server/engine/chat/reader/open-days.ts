/** “Is the clinic open on Saturday?”: yes or no by the opening days that a text tells: “Mon–Fri 9 to 5, Sat 9 to 12, Sunday closed”. */
import { pieceAround } from './split.ts';

/** Words around opening days (reader.json of a pack). */
export interface OpeningWords {
  /** Asks whether something is open, or closed, on a day. */
  asks: RegExp;
  asksClosed: RegExp;
  open: RegExp;
  closed: RegExp;
  /** Names of several days, Monday being 0. */
  groups: { name: RegExp; days: number[] }[];
  /** Between the first and the last day of several; a last day that is one letter alone: “周一至五”. */
  through: RegExp;
  lastDay: RegExp;
  /** Before days that are left out. */
  except: RegExp;
  /** Ends a sentence, and a part of one. */
  sentence: RegExp;
  part: RegExp;
}

interface Mention {
  days: number[];
  start: number;
  end: number;
}

interface Told {
  isOpen: boolean;
  clause: string;
  /** Days that are told together: fewer say more. */
  size: number;
}

const week = 7;
const mostOfWeek = 5;
const mostText = 20_000;

const daysThrough = (first: number, last: number): number[] =>
  Array.from({ length: ((last - first + week) % week) + 1 }, (_, at) => (first + at) % week);

/** Days in the order of a text, several of them as one. */
function mentionsIn(text: string, weekdays: readonly RegExp[], words: OpeningWords): Mention[] {
  const named = [
    ...weekdays.map((name, day) => ({ name, days: [day] })),
    ...words.groups.map(({ days, name }) => ({ name, days })),
  ].flatMap(({ days, name }) =>
    [...text.matchAll(new RegExp(name, 'giu'))].map(({ 0: said, index }) => ({
      days,
      start: index,
      end: index + said.length,
    })),
  );
  // “sat” and “sun” are words as well.
  const isDay = ({ end, start }: Mention) => end - start > 3 || !/^\p{Ll}/u.test(text.slice(start, end));
  const mentions: Mention[] = [];
  for (const mention of named.filter(isDay).sort((a, b) => a.start - b.start)) {
    const before = mentions.at(-1);
    if (before && mention.start < before.end) continue;
    const isLast =
      before?.days.length === 1 &&
      mention.days.length === 1 &&
      words.through.test(text.slice(before.end, mention.start));
    if (before && isLast) {
      before.days = daysThrough(before.days[0]!, mention.days[0]!);
      before.end = mention.end;
      continue;
    }
    const letter = mention.days.length === 1 ? words.lastDay.exec(text.slice(mention.end)) : null;
    const last = letter
      ? weekdays.findIndex((name) => name.test(text.slice(mention.start, mention.end - 1) + letter[1]))
      : -1;
    if (letter && last >= 0)
      mentions.push({
        days: daysThrough(mention.days[0]!, last),
        start: mention.start,
        end: mention.end + letter[0].length,
      });
    else mentions.push(mention);
  }
  return mentions;
}

/** A day's own part of the sentence tells, else the words before it, else those behind it; hours alone say that it is open. */
function stateOf(text: string, mention: Mention, words: OpeningWords): Told | null {
  const sentence = pieceAround(text, words.sentence, mention);
  const part = pieceAround(text, words.part, mention);
  const [from, to] = [Math.max(sentence.from, part.from), Math.min(sentence.to, part.to)];
  const lead = text.slice(sentence.from, mention.start);
  const clause = text.slice(from, to).trim();
  const told = (isOpen: boolean): Told => ({ isOpen, clause, size: mention.days.length });
  if (words.except.test(lead)) return told(words.closed.test(lead));
  const lastIn = (said: string): boolean | null => {
    const places = [...said.matchAll(new RegExp(`(${words.closed.source})|${words.open.source}`, 'giu'))];
    const last = places.at(-1);
    return last ? last[1] === undefined : null;
  };
  for (const said of [text.slice(from, to), text.slice(sentence.from, from)]) {
    const state = lastIn(said);
    if (state !== null) return told(state);
  }
  if (/\d/u.test(text.slice(mention.end, to))) return told(true);
  const state = lastIn(text.slice(to, sentence.to));
  return state === null ? null : told(state);
}

/** Null where nothing is asked of one day's opening, or the text does not tell it in one voice. */
export function openOn(
  question: string,
  text: string,
  weekdays: readonly RegExp[],
  words: OpeningWords,
): { isTrue: boolean; clause: string } | null {
  if (!words.asks.test(question) || text.length > mostText) return null;
  const [asked, ...others] = mentionsIn(question, weekdays, words);
  if (!asked || asked.days.length !== 1 || others.length > 0 || /\d/u.test(question)) return null;
  const [day] = asked.days;
  const mentions = mentionsIn(text, weekdays, words);
  const statesOf = (of: readonly Mention[]) =>
    of
      .map((mention) => stateOf(text, mention, words))
      .filter((each) => each !== null)
      .sort((a, b) => a.size - b.size);
  const told = statesOf(mentions.filter(({ days }) => days.includes(day!)));
  const isAsked = !words.asksClosed.test(question);
  // “Tuesday to Sunday, 10 to 5”: the day that is left out of most of a week is none of them.
  const [only] = mentions.length === 1 ? statesOf(mentions) : [];
  if (told.length === 0 && only?.isOpen && only.size >= mostOfWeek)
    return { isTrue: !isAsked, clause: only.clause };
  const [first] = told;
  if (!first) return null;
  const same = told.filter(({ size }) => size === first.size);
  if (same.some(({ isOpen }) => isOpen !== first.isOpen)) return null;
  return { isTrue: first.isOpen === isAsked, clause: first.clause };
}
