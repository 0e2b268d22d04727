/** Sums that a message asks for in so many words, worked out: `What is 12 + 30?`. */

export const operators = ['plus', 'minus', 'times', 'over'] as const;

/** Their words and signs, each wherever it stands. */
export type Operators = Record<(typeof operators)[number], RegExp>;

export interface SumWords extends Operators {
  /** The whole message, its expression as the group `sum`, “15% of 240” as `share` and `whole`; the words around it ask for the value. */
  asked: RegExp;
}

const signs = { plus: '+', minus: '-', times: '*', over: '/' };
const longest = 200;
const token = /\s*(?:(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)|([-+*/()]))/y;
/** `2026-11-27`, `12/3/26`, `603-7788-1234`: a day or a number, no sum. */
const noSum = /^\d+(?:[-/]\d+){2,}$/;

/** @returns the value in digits; null where nothing is to be worked out, or no number can hold it exactly enough */
export function sumAnswer(said: string, words: SumWords): string | null {
  if (said.length > longest) return null;
  const { share, sum, whole } = words.asked.exec(said.replaceAll(/\s+/gu, ' '))?.groups ?? {};
  const expression = sum?.trim() ?? (share && whole ? `${share} / 100 * ${whole}` : '');
  if (expression === '' || noSum.test(expression)) return null;
  const written = operators.reduce((text, each) => text.replace(words[each], signs[each]), expression);
  const tokens = tokensOf(written);
  if (!tokens?.some((each, at) => at > 0 && '+-*/'.includes(each))) return null;
  const value = evaluate(tokens);
  if (value === null || Math.abs(value) >= Number.MAX_SAFE_INTEGER) return null;
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(12)));
}

function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    if (!found) return null;
    tokens.push(found[1]?.replaceAll(',', '') ?? found[2]!);
  }
  return tokens;
}

/** Recursive descent: products before sums, the left one first. */
function evaluate(tokens: readonly string[]): number | null {
  let at = 0;
  const factor = (): number => {
    const next = tokens[at++];
    if (next === '-') return -factor();
    if (next !== '(') return /^\d/.test(next ?? '') ? Number(next) : Number.NaN;
    const inner = sum();
    return tokens[at++] === ')' ? inner : Number.NaN;
  };
  const product = (): number => {
    let value = factor();
    while (tokens[at] === '*' || tokens[at] === '/')
      value = tokens[at++] === '*' ? value * factor() : value / factor();
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-') value += tokens[at++] === '+' ? product() : -product();
    return value;
  };
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : null;
}
