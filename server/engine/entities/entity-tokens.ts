/** A word, a number, a Chinese character, a mark or a line's end, with its place in the text (UTF-16). */
export interface EntityToken {
  text: string;
  start: number;
  end: number;
  han: boolean;
}

const pattern =
  /\p{Script=Han}|[[\p{L}\p{M}]--\p{Script=Han}]+(?:['’`.][[\p{L}\p{M}]--\p{Script=Han}]+)*|\p{N}+|\r?\n|[^\s\p{L}\p{M}\p{N}]/gv;
const hanPattern = /^\p{Script=Han}/u;

/** Blanks stand between tokens, in none; `O'Brien` is one word, `Ann-Marie` three tokens, and a name of letters ends where Chinese goes on. */
export const entityTokens = (text: string): EntityToken[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    text: found,
    start: index,
    end: index + found.length,
    han: hanPattern.test(found),
  }));
