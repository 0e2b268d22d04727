/**
 * Log templates by Drain (He et al., ICWS 2017): lines fall through a tree of fixed depth (token count, first tokens) and join
 * the most similar group of their leaf, whose differing tokens become wildcards.
 */

const DEPTH = 1;
const SIMILARITY = 0.5;
const MAX_TOKENS = 48;
const MAX_GROUPS = 64;

export interface LogTemplate {
  tokens: string[];
  /** Numbers of the lines that belong to it, as handed in. */
  lines: number[];
}

const hasDigit = /\d/u;

export class Drain {
  readonly #leaves = new Map<string, LogTemplate[]>();

  add(text: string, line: number): void {
    const tokens = text
      .split(/[\s=,]+/u)
      .slice(0, MAX_TOKENS)
      .map((token) => (hasDigit.test(token) ? '*' : token));
    const key = `${tokens.length}\u0000${tokens.slice(0, DEPTH).join('\u0000')}`;
    const leaf = this.#leaves.get(key);
    if (leaf === undefined) {
      this.#leaves.set(key, [{ tokens, lines: [line] }]);
      return;
    }
    const best = mostSimilar(leaf, tokens);
    if (best === null) {
      if (leaf.length < MAX_GROUPS) leaf.push({ tokens, lines: [line] });
      return;
    }
    best.lines.push(line);
    for (const [i, token] of tokens.entries()) if (best.tokens[i] !== token) best.tokens[i] = '*';
  }

  templates(): LogTemplate[] {
    return [...this.#leaves.values()].flat();
  }
}

function mostSimilar(leaf: readonly LogTemplate[], tokens: readonly string[]): LogTemplate | null {
  let best: LogTemplate | null = null;
  let most = SIMILARITY;
  for (const template of leaf) {
    let same = 0;
    for (const [i, token] of tokens.entries())
      if (template.tokens[i] === token || template.tokens[i] === '*') same += 1;
    const share = same / tokens.length;
    if (share >= most) {
      best = template;
      most = share;
    }
  }
  return best;
}
