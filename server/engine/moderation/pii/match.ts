import { personalDataKinds } from '../../../api/services/redaction.ts';

export const piiKinds = personalDataKinds;

/** Kinds of personal data that spans name. */
export type PiiKind = (typeof piiKinds)[number];

/** A place in the text, UTF-16, with the certainty that it is personal data of this kind. */
export interface PiiMatch {
  kind: PiiKind;
  start: number;
  end: number;
  score: number;
}

/** Finds one family of personal data. Patterns are linear: bounded repeats, no nested ones. */
export type Recognizer = (text: string) => PiiMatch[];

/** Reach of context words before and after a match, in UTF-16 units. */
const before = 60;
const after = 24;

const textBefore = (text: string, start: number, reach: number) =>
  text.slice(Math.max(0, start - reach), start);

/** True where a context word (a phone number's `tel`, a card's `visa`) stands near [start, end): Presidio's method. */
const inContext = (text: string, start: number, end: number, words: RegExp): boolean =>
  words.test(textBefore(text, start, before)) || words.test(text.slice(end, end + after));

export interface PatternRule {
  kind: PiiKind;
  /** With the flags `d` and `g`; the match is its group `value` where it has one. */
  pattern: RegExp;
  /** Score without a context word, and with one. */
  score: number;
  contextScore: number;
  context: RegExp | null;
  /** Words right before a match that say it is something else, unless a context word stands near. */
  against: RegExp | null;
  /** Checks that a pattern cannot make: checksums, dates, codes. */
  valid: ((found: string) => boolean) | null;
}

/** Words right before matches of a family that say they are something else; scores above `upTo` stand. */
interface NotAfter {
  words: RegExp;
  /** UTF-16 units. */
  reach: number;
  upTo: number;
}

/** A recognizer from rules of pattern, validation and context. */
export function fromRules(rules: readonly PatternRule[], not: NotAfter | null): Recognizer {
  const isElse = (text: string, { score, start }: PiiMatch) =>
    not !== null && score <= not.upTo && not.words.test(textBefore(text, start, not.reach));
  return (text) => rules.flatMap((rule) => applyRule(rule, text)).filter((match) => !isElse(text, match));
}

function applyRule({ kind, pattern, valid, context, against, ...rule }: PatternRule, text: string) {
  const matches: PiiMatch[] = [];
  for (const found of text.matchAll(pattern)) {
    const [start, end] = found.indices?.groups?.value ?? found.indices![0]!;
    if (valid && !valid(text.slice(start, end))) continue;
    const near = context !== null && inContext(text, start, end, context);
    if (!near && against?.test(textBefore(text, start, before))) continue;
    const score = near ? rule.contextScore : rule.score;
    if (score > 0) matches.push({ kind, start, end, score });
  }
  return matches;
}
