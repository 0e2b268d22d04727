/**
 * Text read as SQL, whether it is or not: each token becomes one letter, so that rules are short expressions over the letters.
 * The method is libinjection's (N. Galbraith, 2012); code and rules are ours.
 *
 *   1 number  s string  n word  v variable  f function before `(`  X dangerous function before `(`
 *   & and, or, ||, &&  ! not  = comparison for equality  o other comparison  a arithmetic
 *   U union  E select  F from  W where  A as  I into  B order by, group by, limit …  T beginning of another statement  D one that no prose has
 *   k all, distinct, top …  t true, null …  C comment without a word  d of one word  c of more: prose
 *   ( ) , ; . { } themselves  ? anything else
 */
import type { SqlWords } from './sql-words.ts';

export interface SqlTokens {
  kinds: string;
  words: string[];
  /** A comment stood between two tokens without a space: how filters are passed. */
  glued: boolean;
}

const NUMBER = /0x[0-9a-f]+|0b[01]+|\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?/uy;
/** Pictures are words of prose too. */
const WORD = /[a-z_\u{80}-\u{10ffff}][\w$\u{80}-\u{10ffff}]*/uy;
const VARIABLE = /@@?[\w$.]+/uy;
const OPERATOR = /<=>|<>|!=|<=|>=|==|:=|\|\||&&|->>?|#>>?|@>|<@|::|[=<>+\-*/%^|&~!]/uy;
const EQUALITY = new Set(['=', '==', '<>', '!=', '<=>', '@>', '<@']);
const SPACE = /\s+/uy;
/** Words that a lenient lexer reads behind a number without a space, as in `1e0union`. */
const GLUED_WORD = /^(?:union|select|from|or|and|xor|where|order|into|having)$/u;
/** Words of prose but before a query. */
const SET_OPERATORS = /^(?:except|intersect|minus)(?: all)? ?\(? ?select\b/u;
const PAIRED = /^ ?by\b/u;

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

class Lexer {
  readonly #text: string;
  #at: number;
  readonly #most: number;
  readonly #vocabulary: SqlWords;
  #kinds = '';
  readonly #words: string[] = [];
  #glued = false;

  constructor(text: string, { at, most, words }: SqlReading) {
    this.#text = text;
    this.#vocabulary = words;
    this.#at = at;
    this.#most = most;
  }

  read(): SqlTokens {
    while (this.#at < this.#text.length && this.#words.length < this.#most) this.#next();
    return { kinds: this.#kinds, words: this.#words, glued: this.#glued };
  }

  #push(kind: string, word: string): void {
    this.#kinds += kind;
    this.#words.push(word);
    this.#at += word.length;
  }

  #next(): void {
    const text = this.#text;
    const char = text[this.#at] as string;
    const space = match(SPACE, text, this.#at);
    if (space !== '') this.#at += space.length;
    else if (char === "'" || char === '"' || char === '`') this.#string(char);
    else if (text.startsWith('/*', this.#at)) this.#block();
    else if (char === '#' && !/[>-]/u.test(text[this.#at + 1] ?? '')) this.#toEnd(1);
    else if (text.startsWith('--', this.#at)) this.#toEnd(2);
    else if (/[(),;.{}]/u.test(char) && match(NUMBER, text, this.#at) === '') this.#push(char, char);
    else this.#atom(char);
  }

  #atom(char: string): void {
    const text = this.#text;
    const number = match(NUMBER, text, this.#at);
    const word = match(WORD, text, this.#at + number.length);
    const variable = match(VARIABLE, text, this.#at);
    const operator = match(OPERATOR, text, this.#at);
    // `5th` and `2fa` are words.
    if (word !== '' && number !== '' && GLUED_WORD.test(word)) this.#push('1', number);
    else if (word !== '') this.#word(number + word);
    else if (number !== '') this.#push('1', number);
    else if (variable !== '') this.#push('v', variable);
    else if (operator !== '') this.#push(operatorKind(operator), operator);
    else this.#push('?', char);
  }

  #word(word: string): void {
    const after = this.#at + word.length;
    const rest = this.#text.slice(after, after + 80);
    const spaced = rest.replace(/^(?:\s|\/\*[^*]{0,40}\*\/)+/u, ' ');
    if ((word === 'order' || word === 'group') && PAIRED.test(spaced)) {
      this.#push('B', word);
      this.#at = this.#text.indexOf('by', this.#at) + 2;
    } else this.#push(kindOfWord(word, { rest, spaced }, this.#vocabulary), word);
  }

  #string(quote: string): void {
    const text = this.#text;
    let end = this.#at + 1;
    while (end < text.length) {
      if (text[end] === '\\') end += 1;
      else if (text[end] === quote && text[end + 1] === quote) end += 1;
      else if (text[end] === quote) break;
      end += 1;
    }
    this.#push(quote === '`' ? 'n' : 's', text.slice(this.#at, end + 1));
  }

  /** A comment in the middle says nothing but that it is there; one that never ends, ends the statement. */
  #block(): void {
    const end = this.#text.indexOf('*/', this.#at + 2);
    if (end < 0 || end + 2 >= this.#text.trimEnd().length) {
      this.#push('C', this.#text.slice(this.#at));
      return;
    }
    const before = this.#text[this.#at - 1] ?? ' ';
    const after = this.#text[end + 2] ?? ' ';
    if (end - this.#at < 60 && /[\w)'"]/u.test(before) && /[\w('"@-]/u.test(after)) this.#glued = true;
    // `/*!50000select*/` is run by MySQL.
    const executable = /^\/\*!\d{0,6}/u.exec(this.#text.slice(this.#at, this.#at + 10));
    this.#at = executable === null ? end + 2 : this.#at + executable[0].length;
    if (executable !== null) this.#glued = true;
  }

  #toEnd(mark: number): void {
    const body = this.#text.slice(this.#at + mark);
    const kind = /^[^\p{L}\d]*$/u.test(body)
      ? 'C'
      : mark === 2 && /^[^\p{L}\d]*[\p{L}\d]{1,8}[^\p{L}\d]*$/u.test(body)
        ? 'd'
        : 'c';
    this.#push(kind, this.#text.slice(this.#at));
  }
}

/** `rest` follows the word; `spaced` is the same with comments and space as one space. */
function kindOfWord(
  word: string,
  { rest, spaced }: { rest: string; spaced: string },
  vocabulary: SqlWords,
): string {
  const both = `${word}${spaced}`;
  if (vocabulary.statements.get(word)?.test(spaced.trimStart()))
    return vocabulary.definite.test(both) ? 'D' : 'T';
  const isCall = /^(?:\.\w+)? ?\(/u.test(spaced);
  if (isCall && vocabulary.dangerous.test(word)) return 'X';
  const kind = SET_OPERATORS.test(both) ? 'U' : vocabulary.kinds.get(word);
  if (kind !== undefined) return kind;
  // Functions whose name is a word of prose too are called without a space.
  const isNear = word.includes('_') ? isCall : rest.startsWith('(');
  return isNear && vocabulary.functions.test(word) ? 'f' : 'n';
}

function operatorKind(operator: string): string {
  if (operator === '||' || operator === '&&') return '&';
  if (EQUALITY.has(operator)) return '=';
  if (/^[<>]=?$/u.test(operator)) return 'o';
  // Between the parameters of a whole query.
  if (operator === '&') return '?';
  return operator === '!' || operator === '~' ? '!' : 'a';
}

export interface SqlReading {
  /** Offset of the first token. */
  at: number;
  /** Tokens at most. */
  most: number;
  words: SqlWords;
}

/** `text` is lower case. Each character is looked at a bounded number of times. */
export function sqlTokens(text: string, reading: SqlReading): SqlTokens {
  return new Lexer(text, reading).read();
}
