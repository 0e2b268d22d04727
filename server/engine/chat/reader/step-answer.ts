/** Answers that are one small step from what a text tells: how long from one time to another, when something ends that takes so long. */
import { lengthOf, pieceAround, type SplitQuestion } from './split.ts';
import { numberOf, timeOf, type ValueWords } from './values.ts';

export interface StepWords {
  /** Asks how long something takes; when it is over; by when something before it must be done. */
  howLong: RegExp;
  arrives: RegExp;
  byWhen: RegExp;
  /** “takes 35 minutes”, “30 minutes before”: the first two groups that matched are the number and its unit. */
  takes: RegExp;
  before: RegExp;
  /** A time of day; from one to another. */
  time: RegExp;
  range: RegExp;
  /** One hour, several hours, minutes, and what stands between a number and its unit. */
  units: Record<string, { hour: string; hours: string; minutes: string; blank: string }>;
}

interface Stepping {
  words: StepWords;
  values: ValueWords;
  /** Share of the question that words say. */
  shareOf: (words: string) => number;
  /** The likeliest place of the answer. */
  place: { start: number; end: number } | null;
  language: string;
}

const sentenceEnd = /(?<=[.!?])\s+|[。！？\n]/gu;
const longestQuestion = 60;
const minutesPerDay = 1440;

function minutesOf(said: string, values: ValueWords, near = ''): number | null {
  const time = timeOf(said, values, near);
  if (!time) return null;
  const [hour, minute] = time.split(':').map(Number);
  return hour! * 60 + minute!;
}

/** As many minutes as “35 minutes”, “half an hour” are. */
function durationOf(found: RegExpMatchArray, values: ValueWords): number | null {
  const [count, unit] = found.slice(1).filter((part) => part !== undefined);
  const kind = values.units.find((each) => each.kind === 'time' && each.unit.test(unit ?? ''));
  const value = numberOf(count ?? '', values);
  return kind && value !== undefined ? Math.round((value * kind.size) / 60) : null;
}

/** The time of day so many minutes later, written as the other one is: “8.40 pagi”, “12:10”. */
function shifted(said: string, minutes: number): string | null {
  const [, hour, sign, minute, rest = ''] = /^(\d{1,2})([:.：])(\d{2})(.*)$/su.exec(said.trim()) ?? [];
  if (!hour || !sign) return null;
  const at = (Number(hour) * 60 + Number(minute) + minutes + minutesPerDay) % minutesPerDay;
  return `${Math.floor(at / 60)}${sign}${String(at % 60).padStart(2, '0')}${rest}`;
}

/** The one whose clause says most of the question; null where none is told. */
const nearest = (text: string, pattern: RegExp, shareOf: Stepping['shareOf']): RegExpMatchArray | null => {
  const found = [...text.matchAll(pattern)].slice(0, mostFound);
  const shares = found.map(({ 0: said, index }) => {
    const { from, to } = pieceAround(text, clauseEnd, { start: index, end: index + said.length });
    return shareOf(text.slice(from, to));
  });
  return found[shares.indexOf(Math.max(...shares))] ?? null;
};

const mostFound = 12;
const clauseEnd = /[,.;]\s|[，。；\n]/gu;

/** @returns null where no such step is asked for, or the text does not tell what it takes */
export function stepAnswer(
  { context, question }: SplitQuestion,
  { language, place, shareOf, values, words }: Stepping,
): string | null {
  if (lengthOf(question) > longestQuestion) return null;
  const asked = words.time.exec(question)?.[0];
  const isEarlier = words.byWhen.test(question);
  const isLater = !isEarlier && words.arrives.test(question);
  if (asked && (isLater || isEarlier)) {
    const found = nearest(context, isLater ? words.takes : words.before, shareOf);
    const minutes = found && durationOf(found, values);
    return minutes === null ? null : shifted(asked, isLater ? minutes : -minutes);
  }
  if (!place || !words.howLong.test(question)) return null;
  const { from, to } = pieceAround(context, sentenceEnd, place);
  const [range, ...others] = context.slice(from, to).matchAll(words.range);
  if (!range || others.length > 0) return null;
  const [first, second] = range.slice(1).map((part) => minutesOf(part ?? '', values, range[0]));
  if (first == null || second == null || second <= first) return null;
  const [hour, minute] = [Math.floor((second - first) / 60), (second - first) % 60];
  const { blank, hours, minutes, ...one } = words.units[language]!;
  return [
    ...(hour > 0 ? [`${hour}${blank}${hour === 1 ? one.hour : hours}`] : []),
    ...(minute > 0 ? [`${minute}${blank}${minutes}`] : []),
  ].join(blank);
}
