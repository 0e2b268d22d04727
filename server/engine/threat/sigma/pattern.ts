/**
 * Sigma strings: `*` and `?` are wildcards, a backslash before a wildcard or a backslash makes it plain, any other backslash
 * is itself (Sigma specification 2, "Escaping").
 */

export const STAR = Symbol('*');
export const ANY = Symbol('?');
export type Part = string | typeof STAR | typeof ANY;

export function parsePattern(text: string): Part[] {
  const parts: Part[] = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') parts.push(plain);
    plain = '';
  };
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i] as string;
    const next = text[i + 1];
    if (c === '\\' && (next === '*' || next === '?' || next === '\\')) {
      plain += next;
      i += 1;
    } else if (c === '*' || c === '?') {
      flush();
      const wild = c === '*' ? STAR : ANY;
      if (wild === ANY || parts.at(-1) !== STAR) parts.push(wild);
    } else plain += c;
  }
  flush();
  return parts;
}

/** The plain text of a pattern without wildcards, else null. */
export function plainText(parts: readonly Part[]): string | null {
  if (parts.length === 0) return '';
  return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : null;
}

export function mapPlain(parts: readonly Part[], change: (text: string) => string): Part[] {
  return parts.map((part) => (typeof part === 'string' ? change(part) : part));
}

/** The longest run of plain text: what must be in a value for the pattern to match. */
export function longestPlain(parts: readonly Part[]): string {
  let longest = '';
  for (const part of parts) if (typeof part === 'string' && part.length > longest.length) longest = part;
  return longest;
}

export type Test = (value: string) => boolean;

/** A matcher over the whole value. The four common shapes are single string calls; the rest walks once. */
export function patternTest(parts: readonly Part[]): Test {
  const [first, second, third] = parts;
  if (parts.length === 0) return (value) => value === '';
  if (parts.length === 1 && first === STAR) return () => true;
  if (parts.length === 1 && typeof first === 'string') return (value) => value === first;
  if (parts.length === 2 && first === STAR && typeof second === 'string')
    return (value) => value.endsWith(second);
  if (parts.length === 2 && typeof first === 'string' && second === STAR)
    return (value) => value.startsWith(first);
  if (parts.length === 3 && first === STAR && typeof second === 'string' && third === STAR)
    return (value) => value.includes(second);
  return (value) => matchParts(parts, value);
}

/** Plain parts between stars are found leftmost-first, which is enough for globs: no backtracking beyond the last star. */
function matchParts(parts: readonly Part[], value: string): boolean {
  const groups = splitAtStars(parts);
  const firstGroup = groups[0] as Part[];
  if (!fitsAt(firstGroup, value, 0)) return false;
  let position = lengthOf(firstGroup);
  if (groups.length === 1) return position === value.length;
  for (const group of groups.slice(1, -1)) {
    const found = findGroup(group, value, position);
    if (found < 0) return false;
    position = found + lengthOf(group);
  }
  const last = groups.at(-1) as Part[];
  const start = value.length - lengthOf(last);
  return start >= position && fitsAt(last, value, start);
}

function splitAtStars(parts: readonly Part[]): Part[][] {
  const groups: Part[][] = [[]];
  for (const part of parts) {
    if (part === STAR) groups.push([]);
    else groups.at(-1)?.push(part);
  }
  return groups;
}

const lengthOf = (group: readonly Part[]) =>
  group.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0);

function fitsAt(group: readonly Part[], value: string, at: number): boolean {
  let position = at;
  for (const part of group) {
    if (typeof part === 'string') {
      if (!value.startsWith(part, position)) return false;
      position += part.length;
    } else {
      if (position >= value.length) return false;
      position += 1;
    }
  }
  return true;
}

function findGroup(group: readonly Part[], value: string, from: number): number {
  const anchor = group.findIndex((part) => typeof part === 'string');
  const last = value.length - lengthOf(group);
  if (anchor < 0) return from <= last ? from : -1;
  const text = group[anchor] as string;
  for (let at = value.indexOf(text, from + anchor); at >= 0; at = value.indexOf(text, at + 1)) {
    const start = at - anchor;
    if (start > last) return -1;
    if (fitsAt(group, value, start)) return start;
  }
  return -1;
}
