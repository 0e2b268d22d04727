/** Names as identity cards print them: recognition loses blanks around the words that join a name to the father's. */

/** Marks that stand alone are scratches and the print of the card below the name. */
const loneMarks = /(?<=^|\s)[-–.,'’@/]+(?=\s|$)/gu;

/** `BIN`, `BINTI`, `ANAK`, `A/L`, `A/P`: son or daughter of. */
export function tidyName(text: string): string {
  return text
    .toUpperCase()
    .replace(loneMarks, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\p{L}{2,} )A([LP])(?= \p{L}{2,})/u, 'A/$1')
    .replace(/(\p{L}{2,})\s?(BINTI)\s?(\p{L}{2,})/u, '$1 $2 $3')
    .replace(/\s?\b(A\/[LP])\s?|(?<=\p{L})(A\/[LP])\s?/u, ' $1$2 ')
    .replace(/\s+/g, ' ')
    .trim();
}
