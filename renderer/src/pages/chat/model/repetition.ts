/** Recognizes an answer that runs in a circle. Pure. */

/** Longest passage that is looked for, in UTF-16 units. */
const maxUnit = 160;
/** A table's rules, a row of dots or a list of zeros repeats as well: only long stretches count. */
const minRepeats = 6;
const minLength = 240;

/**
 * Length of the end of `text` that is one passage over and over; 0: it is none. Small models fall into such loops and do not
 * leave them.
 */
export function repeatedTail(text: string): number {
  for (let unit = 1; unit <= maxUnit; unit += 1) {
    const length = Math.max(minLength, unit * minRepeats);
    if (length > text.length) return 0;
    if (repeats(text, unit, length)) return length;
  }
  return 0;
}

function repeats(text: string, unit: number, length: number): boolean {
  const end = text.length;
  for (let at = end - 1; at >= end - length + unit; at -= 1) if (text[at] !== text[at - unit]) return false;
  return true;
}
