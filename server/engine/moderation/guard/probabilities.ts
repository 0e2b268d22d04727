/** Probabilities of words and labels from what a model thinks of the next token. */
import type { TokenScore } from '../../chat/types.ts';

const withSelf = ({ token, logprob, top }: TokenScore) =>
  top.some((one) => one.token === token) ? top : [{ token, logprob }, ...top];

/** A token may be a word's beginning, or the word and more. */
const begins = (word: string, token: string) =>
  token !== '' && (word.startsWith(token) || token.startsWith(word));

export interface Verdict {
  /** Share of harm among the verdict words, 0 to 1. */
  harm: number;
  /** Probability that any verdict word comes at all. */
  sure: number;
}

/** Reads the first token that is more than white space. */
export function readVerdict(
  scores: readonly TokenScore[],
  verdicts: Readonly<Record<string, number>>,
): Verdict {
  const first = scores.find(({ token }) => token.trim() !== '');
  let [harm, sure] = [0, 0];
  for (const { token, logprob } of first ? withSelf(first) : []) {
    const spelled = token.trim().toLowerCase();
    // `un` begins `unsafe` alone; `s` would begin two words of which the first counts.
    const word = Object.keys(verdicts).find((name) => begins(name, spelled));
    if (word === undefined) continue;
    sure += Math.exp(logprob);
    harm += Math.exp(logprob) * (verdicts[word] as number);
  }
  return { harm: sure === 0 ? 0 : harm / sure, sure };
}

/**
 * Probability that each label comes next. A token that is all that is left of a label speaks for it alone; one that begins
 * several, for each of them.
 * @param written what the prompt holds of every label already, e.g. `S`
 */
export function readLabels(
  next: TokenScore | undefined,
  labels: readonly string[],
  written: string,
): Map<string, number> {
  const found = new Map(labels.map((label) => [label, 0]));
  for (const { token, logprob } of next ? withSelf(next) : []) {
    const spelled = token.trim();
    const rests = labels.map((label) => ({ label, rest: label.slice(written.length) }));
    const exact = rests.filter(({ rest }) => rest === spelled);
    const meant = exact.length > 0 ? exact : rests.filter(({ rest }) => begins(rest, spelled));
    for (const { label } of meant)
      found.set(label, Math.min(1, (found.get(label) as number) + Math.exp(logprob)));
  }
  return found;
}

/** Labels that the model went on to list. */
export function listedLabels(text: string, labels: readonly string[]): string[] {
  const items = text.split(/[,\n]/u).map((item) => item.trim());
  return labels.filter((label) => items.includes(label));
}
