/** The condition language: and, or, not, parentheses, `1 of x*`, `all of them`. */

import type { Node } from './node.ts';
import { allOf, anyOf, atLeast, not } from './node.ts';
import { SigmaError } from './sigma-error.ts';

const TOKEN = /\s*(\(|\)|[^\s()]+)/gy;
const MAX_TOKENS = 1000;
const MAX_DEPTH = 64;

function tokenize(text: string): string[] {
  const tokens = [...text.matchAll(TOKEN)].map((match) => match[1] as string);
  if (tokens.length === 0) throw new SigmaError('the condition is empty');
  if (tokens.length > MAX_TOKENS) throw new SigmaError('the condition is too long');
  return tokens;
}

class Parser {
  readonly #tokens: string[];
  readonly #selections: ReadonlyMap<string, Node>;
  #at = 0;
  #depth = 0;
  constructor(tokens: string[], selections: ReadonlyMap<string, Node>) {
    this.#tokens = tokens;
    this.#selections = selections;
  }

  parse(): Node {
    const node = this.#or();
    if (this.#at < this.#tokens.length)
      throw new SigmaError(`unexpected "${this.#tokens[this.#at]}" in the condition`);
    return node;
  }

  #peek = () => this.#tokens[this.#at]?.toLowerCase();

  #or(): Node {
    const nodes = [this.#and()];
    while (this.#peek() === 'or') {
      this.#at += 1;
      nodes.push(this.#and());
    }
    return anyOf(nodes);
  }

  #and(): Node {
    const nodes = [this.#not()];
    while (this.#peek() === 'and') {
      this.#at += 1;
      nodes.push(this.#not());
    }
    return allOf(nodes);
  }

  #not(): Node {
    if (this.#peek() !== 'not') return this.#primary();
    this.#at += 1;
    this.#enter();
    const node = not(this.#not());
    this.#depth -= 1;
    return node;
  }

  #enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new SigmaError('the condition is nested too deeply');
  }

  #primary(): Node {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new SigmaError('the condition ends too early');
    this.#at += 1;
    if (token === '(') {
      this.#enter();
      const node = this.#or();
      if (this.#tokens[this.#at] !== ')') throw new SigmaError('a parenthesis is not closed');
      this.#at += 1;
      this.#depth -= 1;
      return node;
    }
    if (this.#peek() === 'of' && /^(?:\d{1,3}|any|all)$/iu.test(token))
      return this.#quantifier(token.toLowerCase());
    const node = this.#selections.get(token);
    if (node === undefined) throw new SigmaError(`the condition names "${token}", which is not defined`);
    return node;
  }

  #quantifier(count: string): Node {
    this.#at += 1;
    const pattern = this.#tokens[this.#at];
    if (pattern === undefined) throw new SigmaError('"of" names nothing');
    this.#at += 1;
    const nodes = this.#named(pattern);
    if (nodes.length === 0) throw new SigmaError(`"of ${pattern}" names nothing that is defined`);
    if (count === 'all') return allOf(nodes);
    return atLeast(count === 'any' ? 1 : Number(count), nodes);
  }

  #named(pattern: string): Node[] {
    const found: Node[] = [];
    for (const [name, node] of this.#selections) {
      if (pattern.toLowerCase() === 'them' ? !name.startsWith('_') : fitsName(name, pattern))
        found.push(node);
    }
    return found;
  }
}

function fitsName(name: string, pattern: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return name === pattern;
  const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1).replaceAll('*', '')];
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}

/** @throws SigmaError when the condition is missing, too long or deep, or names what is not defined */
export function compileCondition(condition: unknown, selections: ReadonlyMap<string, Node>): Node {
  const list = Array.isArray(condition) ? condition : [condition];
  return anyOf(
    list.map((text) => {
      if (typeof text !== 'string') throw new SigmaError('the condition is missing');
      if (text.includes('|'))
        throw new SigmaError('aggregation in a condition is not Sigma 2: use a correlation rule');
      return new Parser(tokenize(text), selections).parse();
    }),
  );
}
