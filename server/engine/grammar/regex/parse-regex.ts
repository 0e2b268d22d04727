/** Regular expressions of JSON Schema (`pattern`, ECMA-262 with `u`), as a tree: what finite automata can do of them. */

export type Ranges = [low: number, high: number][];

export type Tree =
  | { kind: 'set'; ranges: Ranges }
  | { kind: 'sequence'; parts: Tree[] }
  | { kind: 'choice'; parts: Tree[] }
  | { kind: 'repeat'; part: Tree; least: number; most: number | null }
  | { kind: 'start' }
  | { kind: 'end' };

const last = 0x10ffff;
/** More copies of a part than this make automata too large. */
const mostCopies = 1000;

/** @throws Error naming what is not supported: look-around, back-references, word borders */
export function parseRegex(source: string): Tree {
  const parser = new Parser(source);
  const tree = parser.choice();
  if (!parser.done) throw new Error('the pattern has an unmatched parenthesis');
  return tree;
}

class Parser {
  private readonly characters: string[];
  private at = 0;

  constructor(source: string) {
    this.characters = [...source];
  }

  get done(): boolean {
    return this.at >= this.characters.length;
  }

  choice(): Tree {
    const parts = [this.sequence()];
    while (this.take('|')) parts.push(this.sequence());
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  }

  private sequence(): Tree {
    const parts: Tree[] = [];
    while (!this.done && this.peek() !== '|' && this.peek() !== ')') parts.push(this.repeated());
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  }

  private repeated(): Tree {
    let part = this.atom();
    for (let bounds = this.bounds(); bounds; bounds = this.bounds()) {
      this.take('?'); // lazy or greedy: the language is the same
      part = { kind: 'repeat', part, ...bounds };
    }
    return part;
  }

  private bounds(): { least: number; most: number | null } | null {
    if (this.take('*')) return { least: 0, most: null };
    if (this.take('+')) return { least: 1, most: null };
    if (this.take('?')) return { least: 0, most: 1 };
    const counted = /^\{(\d+)(,(\d*))?\}/.exec(this.characters.slice(this.at, this.at + 24).join(''));
    if (!counted) return null;
    this.at += counted[0].length;
    const least = Number(counted[1]);
    const most = counted[2] === undefined ? least : counted[3] === '' ? null : Number(counted[3]);
    if (Math.max(least, most ?? 0) > mostCopies)
      throw new Error(`the pattern repeats more than ${mostCopies} times`);
    return { least, most };
  }

  private atom(): Tree {
    const character = this.next();
    switch (character) {
      case '(':
        return this.group();
      case '[':
        return { kind: 'set', ranges: this.charClass() };
      case '.':
        return {
          kind: 'set',
          ranges: negate([
            [10, 10],
            [13, 13],
            [0x2028, 0x2029],
          ]),
        };
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '\\':
        return { kind: 'set', ranges: this.escape(false) };
      case '*':
      case '+':
      case '?':
        throw new Error('the pattern repeats nothing');
      default:
        return { kind: 'set', ranges: single(character) };
    }
  }

  private group(): Tree {
    if (this.take('?')) {
      if (this.take('<')) {
        if (this.peek() === '=' || this.peek() === '!')
          throw new Error('look-behind in a pattern is not supported');
        while (!this.take('>')) this.next();
      } else if (!this.take(':')) throw new Error('look-ahead in a pattern is not supported');
    }
    const tree = this.choice();
    if (!this.take(')')) throw new Error('the pattern has an unmatched parenthesis');
    return tree;
  }

  private charClass(): Ranges {
    const negated = this.take('^');
    const ranges: Ranges = [];
    while (!this.take(']')) {
      const low = this.member();
      if (
        this.peek() === '-' &&
        this.characters[this.at + 1] !== ']' &&
        low.length === 1 &&
        low[0]![0] === low[0]![1]
      ) {
        this.next();
        const high = this.member();
        if (high.length !== 1 || high[0]![0] < low[0]![0])
          throw new Error('the pattern has a character range out of order');
        ranges.push([low[0]![0], high[0]![1]]);
      } else ranges.push(...low);
    }
    return negated ? negate(ranges) : merge(ranges);
  }

  private member(): Ranges {
    const character = this.next();
    return character === '\\' ? this.escape(true) : single(character);
  }

  private escape(inClass: boolean): Ranges {
    const character = this.next();
    const known = classes[character];
    if (known) return known;
    if (character === 'b' && inClass) return [[8, 8]];
    if (character === 'b' || character === 'B')
      throw new Error('word borders in a pattern are not supported');
    if (character in controls) return [[controls[character]!, controls[character]!]];
    if (character === 'p' || character === 'P') return this.property(character === 'P');
    if (character === 'x') return this.code(2);
    if (character === 'u') return this.take('{') ? this.bracedCode() : this.code(4);
    if (character === 'c')
      return [[this.next().charCodeAt(0) & 31, 31 & (this.characters[this.at - 1] ?? '').charCodeAt(0)]];
    if (/[1-9k]/.test(character)) throw new Error('back-references in a pattern are not supported');
    return single(character);
  }

  private code(digits: number): Ranges {
    const text = this.characters.slice(this.at, this.at + digits).join('');
    if (!/^[0-9a-fA-F]+$/.test(text) || text.length !== digits)
      throw new Error('the pattern has a malformed escape');
    this.at += digits;
    return single(String.fromCodePoint(Number.parseInt(text, 16)));
  }

  private bracedCode(): Ranges {
    let text = '';
    while (!this.take('}')) text += this.next();
    return single(String.fromCodePoint(Number.parseInt(text, 16)));
  }

  private property(negated: boolean): Ranges {
    if (!this.take('{')) throw new Error('the pattern has a malformed escape');
    let name = '';
    while (!this.take('}')) name += this.next();
    return unicodeProperty(name, negated);
  }

  private peek(): string | undefined {
    return this.characters[this.at];
  }

  private take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.at += 1;
    return true;
  }

  private next(): string {
    const character = this.characters[this.at];
    if (character === undefined) throw new Error('the pattern ends too early');
    this.at += 1;
    return character;
  }
}

const single = (character: string): Ranges => [[character.codePointAt(0)!, character.codePointAt(0)!]];

export function merge(ranges: Ranges): Ranges {
  const merged: Ranges = [];
  for (const [low, high] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before && low <= before[1] + 1) before[1] = Math.max(before[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

export function negate(ranges: Ranges): Ranges {
  const result: Ranges = [];
  let from = 0;
  for (const [low, high] of merge(ranges)) {
    if (low > from) result.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= last) result.push([from, last]);
  return result;
}

const digits: Ranges = [[48, 57]];
const words: Ranges = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
const spaces: Ranges = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const classes: Record<string, Ranges> = {
  d: digits,
  D: negate(digits),
  w: words,
  W: negate(words),
  s: spaces,
  S: negate(spaces),
};
const controls: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

const properties = new Map<string, Ranges>();

/** By asking the engine's own tables, once a property. */
function unicodeProperty(name: string, negated: boolean): Ranges {
  let ranges = properties.get(name);
  if (!ranges) {
    try {
      new RegExp(`\\p{${name}}`, 'u');
    } catch {
      throw new Error('the pattern names an unknown Unicode property');
    }
    ranges = rangesOf(name);
    properties.set(name, ranges);
  }
  return negated ? negate(ranges) : ranges;
}

const blockSize = 256;

/** Block by block: most are of one kind, which one look tells. */
function rangesOf(property: string): Ranges {
  const [all, none] = ['p', 'P'].map((letter) => new RegExp(`^\\${letter}{${property}}*$`, 'u'));
  const found: Ranges = [];
  for (let from = 0; from <= last; from += blockSize) {
    if (from >= 0xd800 && from < 0xe000) continue;
    const characters = Array.from({ length: blockSize }, (_, at) => String.fromCodePoint(from + at));
    const block = characters.join('');
    if (none!.test(block)) continue;
    if (all!.test(block)) found.push([from, from + blockSize - 1]);
    else
      for (const [at, character] of characters.entries())
        if (all!.test(character)) found.push([from + at, from + at]);
  }
  return merge(found);
}
