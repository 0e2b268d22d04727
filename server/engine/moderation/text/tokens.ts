import { type FoldedText, foldText } from './fold.ts';
import type { Simplified } from './simplified.ts';

/** A word, a Chinese character or a telling mark, with its place in the original text (UTF-16). */
export interface Token {
  form: string;
  start: number;
  end: number;
  /** True for one Han or kana character. */
  han: boolean;
}

const hanPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const wordPattern = /[\p{L}\p{N}]/u;
const emojiPattern = /\p{Extended_Pictographic}/u;
/** Marks that stand for letters inside a word: `sh!t`, `f*ck`, `@ss`, `don't`. */
const joiners = new Set(["'", '’', '*', '@', '$', '!', '+', '|']);
/** Marks that carry meaning of their own (a question, a quotation, a role label). */
const marks = new Set([
  '?',
  '!',
  '"',
  '“',
  '”',
  '「',
  '」',
  ':',
  '？',
  '！',
  '：',
  '#',
  '<',
  '>',
  '[',
  ']',
  '{',
  '}',
]);

type Kind = 'space' | 'word' | 'han' | 'joiner' | 'mark' | 'other';
const kinds = new Map<string, Kind>();

function kindOf(unit: string): Kind {
  const known = kinds.get(unit);
  if (known !== undefined) return known;
  let kind: Kind = 'other';
  if (/\s/u.test(unit)) kind = 'space';
  else if (hanPattern.test(unit)) kind = 'han';
  else if (wordPattern.test(unit)) kind = 'word';
  else if (joiners.has(unit)) kind = 'joiner';
  else if (marks.has(unit) || emojiPattern.test(unit)) kind = 'mark';
  if (kinds.size < 20_000) kinds.set(unit, kind);
  return kind;
}

const leet: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '+': 't',
  '|': 'l',
};

/** `k1ll` → `kill`, `a$$` → `ass`; `mp3`, `covid19` and `2024` stay: digits at the end count as a number. */
function unleet(form: string): string {
  if (/^\p{N}+$/u.test(form)) return `#${Math.min(form.length, 6)}`;
  if (!/[0-9@$!+|]/.test(form) || !/[a-z]/.test(form)) return form;
  const inside = /[a-z*][0-9@$!+|]+[a-z*]/.test(form) || /^[@$][a-z]/.test(form) || /[a-z]\$+$/.test(form);
  if (!inside) return form;
  const body = form.replace(/\d+$/, '');
  const tail = form.slice(body.length);
  return (
    body.replace(/[0-9@$!+|]/g, (sign) => leet[sign] ?? sign) +
    (tail.length === 1 ? (leet[tail] ?? tail) : tail)
  );
}

/** Three or more of one letter say no more than two; stars between single letters are spacing. */
function squeeze(form: string): string {
  const spaced = /^(?:\p{L}[*|+!'])+\p{L}$/u.test(form) ? form.replace(/[*|+!']/g, '') : form;
  return spaced.replace(/(.)\1{2,}/gu, '$1$1').replace(/['’]/g, '');
}

function readWord(folded: FoldedText, from: number): { token: Token; next: number } {
  let next = from;
  while (next < folded.units.length) {
    const kind = kindOf(folded.units[next] ?? '');
    if (kind !== 'word' && kind !== 'joiner') break;
    next++;
  }
  let last = next;
  while (last > from + 1 && /['’@!+|]/.test(folded.units[last - 1] ?? '')) last--;
  const form = squeeze(unleet(folded.units.slice(from, last).join('')));
  const token = { form, start: folded.starts[from] ?? 0, end: folded.ends[last - 1] ?? 0, han: false };
  return { token, next: last };
}

function startsWord(folded: FoldedText, at: number): boolean {
  const kind = kindOf(folded.units[at] ?? '');
  if (kind === 'word') return true;
  return (
    kind === 'joiner' && /[@$*]/.test(folded.units[at] ?? '') && kindOf(folded.units[at + 1] ?? '') === 'word'
  );
}

function splitTokens(folded: FoldedText): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < folded.units.length) {
    const unit = folded.units[at] ?? '';
    const kind = kindOf(unit);
    const start = folded.starts[at] ?? 0;
    const end = folded.ends[at] ?? 0;
    if (startsWord(folded, at)) {
      const word = readWord(folded, at);
      tokens.push(word.token);
      at = word.next;
      continue;
    }
    if (kind === 'han') tokens.push({ form: unit, start, end, han: true });
    else if (kind === 'mark' || unit === '!') {
      if (tokens.at(-1)?.form !== unit) tokens.push({ form: unit, start, end, han: false });
    }
    at++;
  }
  return tokens;
}

const single = /^\p{L}$/u;

/** `k i l l` (four or more letters) and `k.i.l.l` (three or more) become one word. */
function joinSpacedLetters(tokens: Token[], text: string): Token[] {
  const joined: Token[] = [];
  let at = 0;
  while (at < tokens.length) {
    let next = at;
    let gap = '';
    while (
      next + 1 < tokens.length &&
      single.test(tokens[next]?.form ?? '') &&
      single.test(tokens[next + 1]?.form ?? '')
    ) {
      const between = text.slice(tokens[next]?.end, tokens[next + 1]?.start);
      if (tokens[next]?.han || tokens[next + 1]?.han || between.length > 3 || (next > at && between !== gap))
        break;
      gap = between;
      next++;
    }
    const needed = gap.trim() === '' ? 4 : 3;
    const run = tokens.slice(at, next + 1);
    if (run.length >= needed) {
      const form = squeeze(run.map((token) => token.form).join(''));
      joined.push({ form, start: run[0]?.start ?? 0, end: run.at(-1)?.end ?? 0, han: false });
    } else joined.push(...run);
    at = next + 1;
  }
  return joined;
}

export function tokenize(text: string, simplified: Simplified): Token[] {
  return joinSpacedLetters(splitTokens(foldText(text, simplified)), text);
}
