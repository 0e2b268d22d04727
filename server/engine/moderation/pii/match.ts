/** Kinds of personal data that spans name. */
export type PiiKind =
  | 'address'
  | 'api_key'
  | 'bank_account'
  | 'card'
  | 'date_of_birth'
  | 'driving_licence'
  | 'email'
  | 'iban'
  | 'ip_address'
  | 'mac_address'
  | 'mykad'
  | 'name'
  | 'national_id'
  | 'passport'
  | 'phone';

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

/** True where a context word (a phone number's `tel`, a card's `visa`) stands near [start, end): Presidio's method. */
export function inContext(text: string, start: number, end: number, words: RegExp): boolean {
  return (
    words.test(text.slice(Math.max(0, start - before), start)) || words.test(text.slice(end, end + after))
  );
}

export interface PatternRule {
  kind: PiiKind;
  pattern: RegExp;
  /** Score without a context word, and with one. */
  score: number;
  contextScore?: number;
  context?: RegExp;
  /** Words right before a match that say it is something else, unless a context word stands near. */
  against?: RegExp;
  /** Checks that a pattern cannot make: checksums, dates, codes. */
  valid?: (found: string) => boolean;
  /** The match is this named group; the whole by default. */
  group?: string;
}

/** A recognizer from rules of pattern, validation and context. Patterns need the `d` and `g` flags. */
export function fromRules(rules: PatternRule[]): Recognizer {
  return (text) => rules.flatMap((rule) => applyRule(rule, text));
}

function applyRule(rule: PatternRule, text: string): PiiMatch[] {
  const matches: PiiMatch[] = [];
  for (const found of text.matchAll(rule.pattern)) {
    const range = rule.group ? found.indices?.groups?.[rule.group] : found.indices?.[0];
    if (!range) continue;
    const [start, end] = range;
    if (rule.valid && !rule.valid(text.slice(start, end))) continue;
    const near = rule.context !== undefined && inContext(text, start, end, rule.context);
    const isElse = !near && rule.against?.test(text.slice(Math.max(0, start - before), start)) === true;
    if (isElse) continue;
    const score = near ? (rule.contextScore ?? rule.score) : rule.score;
    if (score > 0) matches.push({ kind: rule.kind, start, end, score });
  }
  return matches;
}
