/** Words of messages without a text, and of what functions give back (reader.json of a pack). */

/** Messages that are answered without a text. */
export const talkKinds = ['greeting', 'thanks', 'farewell', 'identity', 'skills'] as const;

export interface TalkWords extends Record<(typeof talkKinds)[number], RegExp> {
  /** Asks for what the decoder was trained to do. */
  decoder: RegExp;
  /** Wants an answer without anything beside it: “yes or no only”. */
  brief: RegExp;
  /** Asks to write, correct or translate. */
  writing: RegExp;
  /** Asks for nothing but what a picture shows. */
  picture: RegExp;
}

/** Keys of results (reader.json of a pack). */
export interface ResultWords {
  /** Holds what went wrong; a text that begins so tells it. */
  error: RegExp;
  errorText: RegExp;
  /** Holds the unit of a number beside it. */
  unit: RegExp;
}
