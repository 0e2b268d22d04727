/** A question that names a label of the text, “What is the total?” over `TOTAL GBP  12.24`, is answered by what stands beside it. */
import { findDates } from '../../quantities/dates.ts';
import { lengthOf, type SplitQuestion } from './split.ts';

/** Words about labels (reader.json of a pack). */
export interface LabelWords {
  /** Words that mean the same in labels and questions: “no.”, “number”; “due date”, “payable by”. */
  same: { said: RegExp; word: string }[];
  /** Words of a question that name nothing: “what is the”. */
  plain: RegExp;
  /** The paper that holds the labels, and words for any value: “on the grocery receipt”, “amount”. */
  about: RegExp;
  /** Words of a label that a question may leave out: “GBP”, “date”. */
  extra: RegExp;
  /** Asks for a day; for how much. */
  when: RegExp;
  amount: RegExp;
}

interface Labelled {
  label: string;
  value: string;
  /** Nothing but a blank parts them. */
  isBare?: boolean;
}

const longestLabel = 48;
const longestValue = 14;
const mostLines = 400;
const longestLine = 200;

const colon = /^([^:：=\n]{1,48}?)\s*[:：=]\s*(\S.*)$/u;
const gap = /\t+|\s{2,}|\s*\|\s*/u;
/** A label without a sign behind it, and a value that begins with a digit. */
const bare =
  /^(\p{L}[\p{L} .,()/&'’%-]{0,46}?)[\s.]*((?:(?:\p{Sc}|\p{Lu}{1,3}\p{Sc}?)\s?)?[-−]?\d\S*(?: \S+){0,3})$/u;
const decimals = /\d[.,]\d{2}(?!\d)/u;

/** The parts of a line that are labels with their values each, else the whole line. */
function partsOf(line: string): string[] {
  const parts = line.split(/\t+|\s{2,}|\s*[|;；]\s*|,\s+(?=\p{L}[^,:：]{1,40}[:：])/u).filter(Boolean);
  return parts.length > 1 && parts.every((part) => colon.test(part) || bare.test(part)) ? parts : [line];
}

function labelledIn(part: string): Labelled | null {
  const [, name, said] = colon.exec(part) ?? [];
  if (name && said && !/\s{2,}|\t|\|/u.test(name)) return { label: name, value: said };
  const cells = part.split(gap);
  const [label = '', ...values] = cells;
  if (values.length === 1) return { label, value: values[0]! };
  // Of a row's cells the last, where it alone is an amount: “Subtotal  3 items  12.00”.
  if (values.filter((value) => decimals.test(value)).length === 1 && decimals.test(values.at(-1)!))
    return { label, value: values.at(-1)! };
  const [, words, value] = cells.length === 1 ? (bare.exec(part) ?? []) : [];
  return words && value ? { label: words, value, isBare: true } : null;
}

/** Labels at the beginning of lines, with what stands beside them. */
function labelledLines(text: string): Labelled[] {
  const lines = text.split('\n', mostLines).map((line) => line.trim());
  return lines
    .filter((line) => line.length <= longestLine)
    .flatMap((line) => partsOf(line.replaceAll(/^(?:[-–•*]\s+|\|\s*)|\s*\|$/gu, '')))
    .flatMap((part) => labelledIn(part) ?? [])
    .filter(
      ({ label, value }) =>
        label.length <= longestLabel && lengthOf(value) <= longestValue && /[\p{L}\p{N}]/u.test(value),
    );
}

/** The words that are left, in one form, in no order. */
function wordsOf(text: string, { same }: LabelWords, ...without: readonly RegExp[]): string {
  const told = same.reduce(
    (words, { said, word }) => words.replaceAll(said, ` ${word} `),
    text.normalize('NFKC').toLowerCase(),
  );
  const rest = without.reduce((words, each) => words.replaceAll(each, ' '), told);
  const words = rest.match(/\p{Script=Han}+|[\p{L}\p{M}]+/gu) ?? [];
  return [...new Set(words.map((word) => word.replace(/(?<=[a-z]{3})s$/u, '')))].sort().join(' ');
}

/** @returns null where the question names no label, or one that has several values */
export function labelAnswer({ context, question }: SplitQuestion, words: LabelWords): string | null {
  if (question.length > longestLine) return null;
  const { about, amount, extra, plain, when } = words;
  const isWhen = when.test(question);
  const isAmount = amount.test(question);
  const lines = labelledLines(context).filter(({ isBare, label, value }) => {
    // “The meeting is at 10” is a sentence.
    if (isBare && wordsOf(label, words) !== wordsOf(label, words, plain)) return false;
    if (!isWhen && !isAmount) return true;
    const isDate = findDates(value, 'day-first').length > 0;
    return isWhen ? isDate || !decimals.test(value) : !isDate && /\d/u.test(value);
  });
  const levels: [ofQuestion: RegExp[], ofLabel: RegExp[]][] = [
    [[plain], [plain]],
    [[about, plain], [plain]],
    [
      [about, plain],
      [about, extra, plain],
    ],
  ];
  for (const [ofQuestion, ofLabel] of levels) {
    const asked = wordsOf(question, words, ...ofQuestion);
    if (asked === '') return null;
    const found = lines.filter(({ label }) => wordsOf(label, words, ...ofLabel) === asked);
    if (found.length === 0) continue;
    const amounts = found.filter(({ value }) => decimals.test(value));
    const values = new Set((amounts.length > 0 ? amounts : found).map(({ value }) => value));
    return values.size === 1 ? [...values][0]! : null;
  }
  return null;
}
