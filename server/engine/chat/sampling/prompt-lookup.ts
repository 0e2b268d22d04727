/**
 * Speculation by prompt look-up (https://github.com/apoorvumang/prompt-lookup-decoding): what followed the last few tokens
 * when they stood in the text before may follow again. Drafts are checked by the model in one run, which costs little
 * more than a run of one token; only tokens that would have been sampled anyway are kept.
 */

const longestMatch = 4;
const shortestMatch = 2;

/** Up to `most` tokens that followed the latest earlier occurrence of the longest matching end of `tokens`; may be none. */
export function draftTokens(tokens: readonly number[], most: number): number[] {
  for (let length = longestMatch; length >= shortestMatch; length -= 1) {
    const at = lastOccurrence(tokens, length);
    if (at >= 0) return tokens.slice(at + length, at + length + most);
  }
  return [];
}

/** Place at which the last `length` tokens stood before, with at least one token behind; -1: nowhere. */
function lastOccurrence(tokens: readonly number[], length: number): number {
  const end = tokens.length - length;
  for (let at = end - 1; at >= 0; at -= 1) {
    let same = 0;
    while (same < length && tokens[at + same] === tokens[end + same]) same += 1;
    if (same === length) return at;
  }
  return -1;
}

/**
 * Length of the next draft: more after success, nothing for a while after failure, so that text without repetition pays next to
 * nothing. Lengths are odd: with the token before them runs have an even number of rows, which the kernels take in pairs.
 */
export class DraftLength {
  #length = first;
  #rest = 0;
  #failures = 0;

  next(): number {
    if (this.#rest === 0) return this.#length;
    this.#rest -= 1;
    return 0;
  }

  /** Reports a draft's outcome. */
  report(drafted: number, accepted: number): void {
    if (accepted === 0) {
      this.#failures += 1;
      this.#length = first;
      this.#rest = Math.min(2 ** this.#failures, longestRest);
      return;
    }
    this.#failures = 0;
    this.#length = accepted === drafted ? Math.min(2 * this.#length + 1, longest) : first;
  }
}

const first = 3;
const longest = 15;
const longestRest = 32;
