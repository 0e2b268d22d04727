/** A summary from a text's own sentences. */
import type { ChatMessage } from '../../../api/services/chat.ts';
import type { ReadingSettings } from './context.ts';
import type { Reading } from './reader.ts';
import { lengthOf, messageText, type SplitQuestion } from './split.ts';
import { numberOf } from './values.ts';
import { segmentWords } from './words.ts';

const longestAsking = 60;
const usualSummary = { words: 50, share: 0.4, most: 0.7 };

/** A message whose first or last line asks for a summary of the rest, whatever other questions its text holds. */
export function summaryAsked(messages: readonly ChatMessage[], summary: RegExp): SplitQuestion | null {
  const lines = messageText(messages.at(-1)!).trim().split('\n');
  for (const isLast of [true, false]) {
    const question = (isLast ? lines.at(-1) : lines[0]) ?? '';
    const context = (isLast ? lines.slice(0, -1) : lines.slice(1))
      .join('\n')
      .replaceAll(/^\s*(?:"{3}|-{3,}|`{3})\s*$/gmu, '')
      .trim();
    if (
      lengthOf(question) < longestAsking &&
      summary.test(question) &&
      lengthOf(context) > lengthOf(question)
    )
      return { question, context };
  }
  return null;
}

/** The sentences that weigh most, in their order, within the limit that was asked for. */
export function summaryOf({ sentences }: Reading, question: string, settings: ReadingSettings): string {
  const asked = (pattern: RegExp) =>
    numberOf(pattern.exec(question)?.slice(1).find(Boolean) ?? '', settings.values);
  const whole = sentences.reduce((sum, { text }) => sum + lengthOf(text), 0);
  const mostSentences = asked(settings.sentences) ?? sentences.length;
  const isHan = /\p{Script=Han}/u.test(sentences[0]?.text ?? '');
  const isCounted = mostSentences < sentences.length;
  const { first, next } = sentenceWords[isHan ? 'han' : 'words'];
  const usual = isCounted
    ? first + (mostSentences - 1) * next
    : Math.max(usualSummary.words, whole * usualSummary.share);
  // Three sentences or more are not told whole.
  const isWhole = usual >= whole && sentences.length > 2 && !isCounted;
  const limit = asked(settings.limit);
  const mostWords = limit ?? (isWhole ? whole * usualSummary.most : usual);
  const byWeight = weighed(sentences, settings.polite);
  let left = mostWords;
  const kept: typeof sentences = [];
  for (const sentence of byWeight) {
    if (kept.length >= (isCounted ? mostSentences * joinedSentences : mostSentences)) break;
    // More than so many sentences only of what is long.
    const room =
      kept.length < mostSentences ? left : Math.min(left, left - mostWords + whole * usualSummary.most);
    // Cut sentences seldom stand by themselves.
    const text =
      lengthOf(sentence.text) <= room
        ? sentence.text
        : kept.length === 0 || limit !== undefined
          ? shortened(sentence.text, left, settings.conjunction)
          : '';
    if (text === '') continue;
    kept.push({ ...sentence, text });
    left -= lengthOf(text);
  }
  // One that is too long is cut rather than nothing said.
  if (kept.length === 0) return segmentsWithin(byWeight[0]?.text ?? '', mostWords);
  const words = kept.toSorted((one, other) => one.start - other.start).map(({ text }) => text);
  return inSentences(words, mostSentences, isHan);
}

/** So many sentences, of which the first ones are two, parted by a semicolon. */
function inSentences(words: readonly string[], most: number, isHan: boolean): string {
  const joints = words.length - most;
  const [joint, gap] = isHan ? ['；', ''] : ['; ', ' '];
  return words.reduce((all, text, at) => (at <= joints ? withoutStop(all) + joint : all + gap) + text);
}

/** One sentence of a summary is made of up to so many of the text, parted by semicolons, within so many words. */
const joinedSentences = 2;
const sentenceWords = { words: { first: 48, next: 12 }, han: { first: 55, next: 15 } };

const withoutStop = (text: string): string => text.replace(/[.。!！;；]+$/u, '');

/** The heaviest first: what comes early, holds figures and names and is no short aside weighs more than the network says. */
function weighed(sentences: Reading['sentences'], polite: RegExp): Reading['sentences'] {
  const told = sentences.filter(({ text }) => !polite.test(text));
  let at = 0;
  const all = told.length > 0 ? told : sentences;
  const central = centralityOf(all.map(({ text }) => text));
  const weights = new Map(
    all.map((each, index) => {
      const figures = each.text.match(/\d+/gu)?.length ?? 0;
      const names = each.text.match(/(?<!^)(?<![.!?]\s)\p{Lu}[\p{L}'’-]{2,}/gu)?.length ?? 0;
      const weight =
        weightOf(each) +
        (isHeading(each.text) ? 0 : (weightOfPlace[at++] ?? 0)) +
        0.8 * Math.min(2, figures) +
        0.5 * Math.min(2, names) +
        centralWeight * central[index]! +
        0.5 * Math.log(lengthOf(each.text) / usualSentence);
      return [each, weight];
    }),
  );
  return [...weights.keys()].sort((a, b) => weights.get(b)! - weights.get(a)!);
}

/** Words that sentences speak of, in a form that others share: their first letters, Chinese signs by pairs. */
function topicsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{Script=Latin}{4,}/gu) ?? [];
  const han = (text.match(/\p{Script=Han}+/gu) ?? []).flatMap((run) =>
    Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
  );
  return new Set([...words.map((word) => word.slice(0, topicLetters)), ...han]);
}

/** Of each sentence the mean share of its words that another one has: what a text is about comes again. */
function centralityOf(texts: readonly string[]): number[] {
  const topics = texts.map(topicsOf);
  return topics.map((own, at) => {
    const shared = topics.filter((other, index) => index !== at && !own.isDisjointFrom(other)).length;
    return texts.length > 1 ? shared / (texts.length - 1) : 0;
  });
}

const topicLetters = 6;
const centralWeight = 2;

const weightOfPlace = [3, 0.7];
const usualSentence = 15;

const leastSentence = 5;
const longestHeading = 9;

const isHeading = (text: string): boolean =>
  lengthOf(text) < longestHeading && !/[.。!！?？…”"')）]$/u.test(text);

/** Greetings, signatures and questions seldom tell what matters. */
const weightOf = ({ score, text }: Reading['sentences'][number]): number =>
  score -
  (lengthOf(text) < leastSentence || /[,，:：]$/u.test(text) ? 1.5 : 0) -
  (/[?？]\s*$/u.test(text) ? 1 : 0) -
  (isHeading(text) ? 0.7 : 0);

/** A sentence without what stands in brackets and without its last clauses; nothing where too little would be left. */
function shortened(sentence: string, most: number, conjunction: RegExp): string {
  const plain = sentence.replaceAll(/\s*[(（][^()（）]*[)）]/gu, '');
  if (lengthOf(plain) <= most) return plain;
  const ends = [...plain.matchAll(/[,，;；、]|\s[–—-]\s/gu)].map(({ index }) => index).reverse();
  const end = ends.find((at) => lengthOf(plain.slice(0, at)) <= most);
  const text = end === undefined ? '' : plain.slice(0, end).replace(conjunction, '').trim();
  const least = Math.max(leastSentence, lengthOf(plain) * 0.35);
  return lengthOf(text) < least ? '' : text + (/\p{Script=Han}/u.test(text) ? '。' : '.');
}

/** So many words of a text from its begin, a Chinese character as one. */
function segmentsWithin(text: string, most: number): string {
  const words = segmentWords(text).filter(({ kind }) => kind !== 'sign');
  return text.slice(0, words[Math.floor(most) - 1]?.end ?? text.length);
}
