/**
 * Literals that a regular expression cannot match without: at least one of the answered set is in every match (the idea of
 * RE2's prefilter). Lower case. Null when nothing is certain. Reads RE2 syntax and gives up, safely, on what it does not know.
 */

type Literals = string[] | null;

const MAX_SET = 400;
const MAX_CLASS = 6;

/** A piece of a concatenation: exact strings it may be (null when open-ended) and what any match of it must hold. */
interface Piece {
  exact: string[] | null;
  needs: Literals;
}

const OPEN: Piece = { exact: null, needs: null };

const worth = (literals: Literals) =>
  literals === null
    ? -1
    : literals.reduce((least, text) => Math.min(least, text.length), 99) - literals.length / 1000;
const better = (a: Literals, b: Literals) => (worth(a) >= worth(b) ? a : b);
const usable = (set: string[] | null): Literals =>
  set === null || set.length === 0 || set.some((text) => text === '') ? null : [...new Set(set)];

class Parser {
  readonly #text: string;
  #at = 0;
  constructor(text: string) {
    this.#text = text;
  }

  parse(): Literals {
    const piece = this.#alternation(0);
    return this.#at < this.#text.length ? null : better(usable(piece.exact), piece.needs);
  }

  #alternation(depth: number): Piece {
    if (depth > 40) throw new Error('too deep');
    const branches = [this.#concatenation(depth)];
    while (this.#text[this.#at] === '|') {
      this.#at += 1;
      branches.push(this.#concatenation(depth));
    }
    if (branches.length === 1) return branches[0] as Piece;
    const exact = branches.every((branch) => branch.exact !== null)
      ? branches.flatMap((branch) => branch.exact as string[])
      : null;
    const each = branches.map((branch) => better(usable(branch.exact), branch.needs));
    const needs = each.every((literals) => literals !== null)
      ? [...new Set(each.flatMap((literals) => literals as string[]))]
      : null;
    return {
      exact: exact !== null && exact.length <= MAX_SET ? exact : null,
      needs: needs !== null && needs.length <= MAX_SET ? needs : null,
    };
  }

  #concatenation(depth: number): Piece {
    let exact: string[] | null = [''];
    let run: string[] = [''];
    let needs: Literals = null;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '|' && this.#text[this.#at] !== ')') {
      const piece = this.#repeat(this.#atom(depth));
      needs = better(needs, piece.needs);
      if (piece.exact !== null && run.length * piece.exact.length <= MAX_SET) {
        run = run.flatMap((head) => (piece.exact as string[]).map((tail) => head + tail));
        continue;
      }
      needs = better(needs, usable(run));
      run = piece.exact ?? [''];
      exact = null;
    }
    return { exact: exact === null ? null : run, needs: better(needs, usable(run)) };
  }

  #repeat(piece: Piece): Piece {
    const c = this.#text[this.#at];
    const counted = c === '{' ? /^\{(\d+)(,(\d*))?\}/u.exec(this.#text.slice(this.#at, this.#at + 16)) : null;
    if (counted === null && c !== '*' && c !== '+' && c !== '?') return piece;
    this.#at += counted?.[0].length ?? 1;
    if (this.#text[this.#at] === '?') this.#at += 1;
    const least = counted === null ? (c === '+' ? 1 : 0) : Number(counted[1]);
    if (c === '?' && piece.exact !== null) return { exact: [...piece.exact, ''], needs: null };
    if (least === 0) return OPEN;
    return {
      exact: least === 1 && counted !== null && counted[2] === undefined ? piece.exact : null,
      needs: better(piece.needs, usable(piece.exact)),
    };
  }

  #atom(depth: number): Piece {
    const c = this.#text[this.#at] as string;
    this.#at += 1;
    if (c === '(') return this.#group(depth);
    if (c === '[') return this.#class();
    if (c === '\\') return this.#escape();
    if (c === '^' || c === '$') return { exact: [''], needs: null };
    if (c === '.') return OPEN;
    return { exact: [c.toLowerCase()], needs: null };
  }

  #group(depth: number): Piece {
    if (this.#text[this.#at] === '?') {
      const head = /^\?(?::|P?<\w+>|[imsU-]+[:)])/u.exec(this.#text.slice(this.#at, this.#at + 48));
      if (head === null) throw new Error('unknown group');
      this.#at += head[0].length;
      if (head[0].endsWith(')')) return { exact: [''], needs: null };
    }
    const piece = this.#alternation(depth + 1);
    if (this.#text[this.#at] !== ')') throw new Error('open group');
    this.#at += 1;
    return piece;
  }

  #class(): Piece {
    const from = this.#at;
    if (this.#text[this.#at] === '^') this.#at += 1;
    if (this.#text[this.#at] === ']') this.#at += 1;
    while (this.#at < this.#text.length && this.#text[this.#at] !== ']') {
      if (this.#text.startsWith('[:', this.#at)) this.#at = this.#text.indexOf(':]', this.#at) + 1;
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    }
    const inside = this.#text.slice(from, this.#at).replace(/\\([^\w\s])/gu, '$1');
    this.#at += 1;
    const plain =
      inside.length > 0 &&
      inside.length <= MAX_CLASS &&
      !inside.startsWith('^') &&
      !/[\w]-[\w]|\\/u.test(inside);
    return plain ? { exact: [...new Set(inside.toLowerCase())], needs: null } : OPEN;
  }

  #escape(): Piece {
    const c = this.#text[this.#at] ?? '';
    this.#at += 1;
    if (c === 'b' || c === 'B' || c === 'A' || c === 'z') return { exact: [''], needs: null };
    if (c === 'x') {
      const hex = /^(?:\{[0-9a-f]+\}|[0-9a-f]{2})/iu.exec(this.#text.slice(this.#at, this.#at + 10));
      this.#at += hex?.[0].length ?? 0;
      const code = Number.parseInt((hex?.[0] ?? '').replace(/[{}]/gu, ''), 16);
      return Number.isNaN(code) ? OPEN : { exact: [String.fromCodePoint(code).toLowerCase()], needs: null };
    }
    if (c === 'n' || c === 'r' || c === 't')
      return { exact: [{ n: '\n', r: '\r', t: '\t' }[c]], needs: null };
    if (c === 'p' || c === 'P') {
      this.#at += this.#text[this.#at] === '{' ? this.#text.indexOf('}', this.#at) - this.#at + 1 : 1;
      return OPEN;
    }
    if (c === 'Q') throw new Error('quoted run');
    return /\w/u.test(c) ? OPEN : { exact: [c], needs: null };
  }
}

export function requiredLiterals(pattern: string): Literals {
  try {
    return new Parser(pattern).parse();
  } catch {
    return null;
  }
}
