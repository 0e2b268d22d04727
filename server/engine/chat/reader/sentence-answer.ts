/** An answer that is said with the sentence around it, where the network is not sure of its words. */
import type { ReadingSettings } from './context.ts';
import type { ReadText } from './features.ts';
import type { Place, Reading } from './reader.ts';
import { lengthOf, pieceAround, type SplitQuestion } from './split.ts';

/** Words of an answer that is a sentence of the text. */
const longestSentence = 38;

/** The words themselves where the network is sure of them; else the sentence that most likely holds them. */
export function answerOf(
  { holders, place }: Reading,
  { text }: ReadText,
  settings: ReadingSettings,
): string | null {
  const [holder] = holders;
  if (!place || !holder) return null;
  const chance = Math.exp(place.score);
  const best = holder.best;
  if (chance >= settings.thresholds.sure || text.slice(holder.start, holder.end).includes('|'))
    return best.text;
  const sentence = text.slice(holder.start, holder.end).trim();
  if (lengthOf(sentence) <= longestSentence) return sentence;
  return clauseAround(text, holder, best);
}

/** The sentence that allows something under a condition, which is neither yes nor no; null: none does. */
export function conditionOf(
  { place }: Reading,
  { sentenceOf, sentences, text, words }: ReadText,
  { conditions }: ReadingSettings,
): string | null {
  const at = place ? words.findIndex(({ end }) => end > place.start) : -1;
  if (at < 0) return null;
  const sentence = sentenceOf[at]!;
  const next = sentences[sentence + 1];
  const said = text.slice(
    words[sentences[sentence]!]!.start,
    next === undefined ? undefined : words[next]!.start,
  );
  const isOne = conditions.holds.test(said) && !conditions.denies.test(said);
  return isOne && lengthOf(said) <= longestSentence ? said.trim() : null;
}

/** A clause that says so much of a question denies all of it by one word. */
const wholeShare = 0.75;
const surely = 4;

/**
 * 1 where the clause that holds the answer has a word of denial, 4 where it says the question besides, else -1: “The text is finished” is no “no”. Of several clauses
 * within the answer, “prepared but not needed”, the one that says most of the question.
 */
export function denialOf(
  { place }: Reading,
  { context: text, question }: SplitQuestion,
  shareOf: (clause: string) => number,
  { conditions }: ReadingSettings,
): number {
  if (!place) return 0;
  const piece = pieceAround(text, conditions.clause, place);
  const clause = likest(text.slice(piece.from, piece.to).split(conditions.joint), shareOf);
  const { keeps, opposites } = conditions;
  if (keeps.test(clause) && !keeps.test(question)) return -surely;
  if (
    opposites.some(({ asks, says }) => asks.test(question) && says.test(place.text) && !says.test(question))
  )
    return surely;
  if (!conditions.saysNo.test(clause)) return -1;
  if (conditions.saysNo.test(question)) return 0;
  const sentence = pieceAround(text, sentenceEnd, place);
  const within = text.slice(Math.max(piece.from, sentence.from), Math.min(piece.to, sentence.to));
  const own = likest(within.split(conditions.joint), shareOf);
  return conditions.denies.test(own) && shareOf(own) >= wholeShare ? surely : 1;
}

/** Of several clauses the one that says most of the question. */
function likest(clauses: readonly string[], shareOf: (clause: string) => number): string {
  const first = clauses.slice(0, mostClauses);
  const shares = first.map(shareOf);
  return first[shares.indexOf(Math.max(...shares))] ?? '';
}

const mostClauses = 8;
const sentenceEnd = /(?<=[.!?])\s+|[。！？\n]/gu;

/** False where a question asks for an amount of money, an age, a number, and the sentence that would answer it holds none. */
export function tellsKind(
  place: Place,
  { context, question }: SplitQuestion,
  { answerKinds }: ReadingSettings,
): boolean {
  const { from, to } = pieceAround(context, sentenceEnd, place);
  const said = context.slice(from, to);
  const line = pieceAround(context, /\n/gu, place);
  // A cell has its column's name for what it is.
  const isCell = /[|\t]| {2}|^[^。！？]*\S,\S+,[^\s。！？]*$/u.test(context.slice(line.from, line.to).trim());
  return answerKinds
    .filter(({ asks, ofWords }) => asks.test(question) && (ofWords || !isCell))
    .every(({ has, ofWords }) => has.test(ofWords ? place.text : said));
}

const clauseEnds = /[,，；;、:：–—]\s*/gu;

/** As many clauses around a place as a short answer holds. */
function clauseAround(text: string, holder: { start: number; end: number }, place: Place): string {
  const borders = [
    holder.start,
    ...[...text.slice(holder.start, holder.end).matchAll(clauseEnds)].map(
      ({ 0: sign, index }) => holder.start + index + sign.length,
    ),
    holder.end,
  ];
  let low = borders.findLastIndex((border) => border <= place.start);
  let high = borders.findIndex((border) => border >= place.end);
  const size = (a: number, b: number) => lengthOf(text.slice(borders[a], borders[b]));
  if (low < 0 || high < 0 || size(low, high) > longestSentence) return place.text;
  for (;;) {
    const before = low > 0 && size(low - 1, high) <= longestSentence;
    const after = high + 1 < borders.length && size(low, high + 1) <= longestSentence;
    if (after) high += 1;
    else if (before) low -= 1;
    else break;
  }
  return text
    .slice(borders[low], borders[high])
    .trim()
    .replace(/[,，；;、:：–—]$/u, '');
}
