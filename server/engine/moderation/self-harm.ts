import { foldText } from './text/fold.ts';

/**
 * A sentence that tells its reader to end their life and says nothing else. A rule, because so few words give the classifier
 * little to go by; in longer sentences ("kill yourself laughing", "he told her to …") it decides alone.
 */
const urged =
  /^\W*(?:(?:just|please|pls|now|so|then|and|ok|hey|u|you|should|ought to|better|why don'?t you|go|do it|do everyone a favou?r)\W+)*(?:(?:kill|hang|drown|shoot|off) (?:yourself|urself|yourselves)|end your life|slit your wrists)(?:\W+(?:already|now|today|tonight|then|please|pls|you|u|loser|idiot|bitch|lol|lah|and die))*\W*$/;

const urgedScore = 0.85;

/** The certainty that a sentence urges its reader to end their life, which is self-harm and harassment alike. */
export function urgedSelfHarmScore(sentence: string): number {
  return urged.test(foldText(sentence).units.join('')) ? urgedScore : 0;
}
