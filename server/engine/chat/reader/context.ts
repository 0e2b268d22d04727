/** The settings and figures that all plans of an answer share. */

import type { ChoiceWords } from './choice-answer.ts';
import type { ClassWords } from './classify.ts';
import type { DigitGroups } from './digit-groups.ts';
import type { SeveralWords } from './enumerated-calls.ts';
import type { ObjectWords } from './free-object.ts';
import type { DeniedName, HintWords } from './hints.ts';
import type { LabelWords } from './labelled-lines.ts';
import type { Entities, ListedNameWords } from './listed-names.ts';
import type { AmountWords } from './lists.ts';
import type { OpeningWords } from './open-days.ts';
import type { PhraseWords } from './phrase-rows.ts';
import { outcomes, type Reader, type Reading } from './reader.ts';
import type { RequestWords } from './requests.ts';
import type { RoleWords } from './roles.ts';
import type { QuestionWords } from './split.ts';
import type { StepWords } from './step-answer.ts';
import type { SumWords } from './sum-answer.ts';
import type { TableWords } from './table-answer.ts';
import type { ResultWords, TalkWords, talkKinds } from './talk-words.ts';
import type { ValueWords } from './values.ts';

export type ReadingLanguage = 'en' | 'ms' | 'zh';

export interface ReadingSettings {
  question: QuestionWords;
  values: ValueWords;
  /** Asks for a summary. */
  summary: RegExp;
  /** Greetings, thanks and signatures, which tell nothing. */
  polite: RegExp;
  /** “in at most 20 words”, “in two sentences”: the first group is the number; words count as characters in Chinese. */
  limit: RegExp;
  sentences: RegExp;
  malay: RegExp;
  /** In a field's description: leads to the values to choose among; says what holds where nothing is told. */
  options: RegExp;
  usual: RegExp;
  /** Between two things that are asked for at once. */
  joins: RegExp;
  several: SeveralWords;
  tables: TableWords;
  /** Fields that are known by their names, and the form of their values: e-mail addresses, dates. */
  kinds: { key: RegExp; value: RegExp; isStrict: boolean }[];
  entities: ListedNameWords;
  hints: HintWords;
  requests: RequestWords;
  phrases: PhraseWords;
  classes: ClassWords;
  choices: ChoiceWords;
  talk: TalkWords;
  sums: SumWords;
  results: ResultWords;
  roles: RoleWords;
  steps: StepWords;
  objects: ObjectWords;
  labels: LabelWords;
  digits: DigitGroups;
  opening: OpeningWords;
  /** Fields that say whether something is so, and words that say that it is or is not: “paid in cash”, “belum dibayar”; `isUnsaid`: nothing else says it. */
  states: { key: RegExp; yes: RegExp; no: RegExp; isUnsaid: boolean }[];
  /** Words around a value that are no part of it: articles before it, particles behind it; `owner`: behind a name, what makes it a place's; `item`: before the first thing of a list; `role`: before a name; `address`: names of fields that hold one, and what it goes on with. */
  trim: {
    before: RegExp;
    item: RegExp;
    after: RegExp;
    owner: RegExp;
    role: RegExp;
    address: RegExp;
    addressRest: RegExp;
  };
  /** Fields of two moments, the earlier one and the later one: “check in”, “check out”. */
  pairs: { earlier: RegExp; later: RegExp }[];
  /** Fields of amounts, and words that say that nothing is to be paid. */
  free: { key: RegExp; words: RegExp };
  /** Before a field's name: there is none of it; a value that says so: “none”; before what is no item of a list; beside a field's name. */
  denied: { before: RegExp; nothing: RegExp; item: RegExp; name: DeniedName };
  /** Amounts of a list's items. */
  amounts: AmountWords;
  /** Words with capitals before and behind a place, with the small ones between them. */
  capitals: { before: RegExp; after: RegExp };
  /**
   * Allows something under a condition; says that it is not allowed all the same. Words of a “no”; what parts clauses; what joins them; says
   * that all stays well: “not affected”; what a question asks for and words that say the opposite: “to be paid”, “free”.
   */
  conditions: {
    holds: RegExp;
    denies: RegExp;
    saysNo: RegExp;
    clause: RegExp;
    joint: RegExp;
    keeps: RegExp;
    opposites: { asks: RegExp; says: RegExp }[];
  };
  /** Questions that ask for an amount, an age, a day, a person, and what the sentence, or the words (`ofWords`), that answer one must have. */
  answerKinds: { asks: RegExp; has: RegExp; ofWords: boolean }[];
  /** A conjunction that a cut sentence ends with. */
  conjunction: RegExp;
  answers: Record<
    ReadingLanguage,
    {
      none: string;
      yes: string;
      no: string;
      noTool: string;
      missing: string;
      notCalled: string;
      unsure: string;
      /** Before what went wrong with a function; in place of a result that is empty. */
      failed: string;
      noResult: string;
      /** In place of what the decoder would make up; of what it would write. */
      other: string;
      writing: string;
    } & Record<(typeof talkKinds)[number], string>
  >;
  /**
   * Log odds: that “not told” and “no” must win by (`saysNo`: what a word of denial beside the answer gives a “no”, and its lack takes); that a field, and one of several values, which may stay empty, (`optional`: or be left
   * out), and a function and one of several in a request, must reach. `said`: of several values, for one
   * whose words the text has. `named`: share of a value's words that the text must have. `usual`: how much more a field needs whose
   * description says what holds otherwise. `sure`: a place less likely than this is told with its sentence.
   */
  thresholds: {
    none: number;
    no: number;
    saysNo: number;
    told: number;
    choice: number;
    optional: number;
    tool: number;
    part: number;
    said: number;
    named: number;
    usual: number;
    sure: number;
    condition: number;
  };
}

export interface Context {
  reader: Reader;
  settings: ReadingSettings;
  signal: AbortSignal;
  entities?: Entities;
  /** Words times questions that fields may still ask, those of objects within objects too; less than none: it is all given up. */
  budget?: { left: number };
  /** Arguments that a function needs and the text does not tell are put here, and nothing is made up for them. */
  missing?: Set<string>;
  /** Fields that must be there and are not told are empty: '', 0. */
  isEmptied?: boolean;
  /** A call must be made: arguments that are not told are empty. */
  isForced?: boolean;
  /** The day that the request calls today, as YYYY-MM-DD. */
  today?: string | undefined;
  /** The request asks for dates as YYYY-MM-DD. */
  isIso?: boolean;
}

/** Logarithm of an outcome's probability. */
export const chanceOf = (reading: Reading, outcome: (typeof outcomes)[number]): number =>
  reading.outcomes[outcomes.indexOf(outcome)] ?? -Infinity;

/** Log odds that the text tells it. */
export const told = (reading: Reading): number => chanceOf(reading, 'span') - chanceOf(reading, 'none');
