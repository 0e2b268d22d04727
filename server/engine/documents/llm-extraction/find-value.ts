/** Finds a text on the pages. */

import { type Box, contains, unionBox } from '../../vision/geometry.ts';
import type { PageLine } from '../types.ts';

export interface ValuePlace {
  page: number;
  bbox: Box;
  /** Of each word. */
  words: Box[];
  /** As the page has it. */
  raw: string;
}

const escaped = (char: string): string => char.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** A letter or digit of a script that is written with spaces between its words. */
const wordChar = String.raw`(?:(?!\p{Script=Han})[\p{L}\p{N}])`;

/** Whole words and numbers only: `50` does not stand in `12.50`, nor `red` in `credit`. Spaces do not count. */
function patternOf(text: string): RegExp | null {
  const chars = [...text.normalize('NFKC').replace(/\s+/g, '')];
  if (!chars.some((char) => /[\p{L}\p{N}]/u.test(char))) return null;
  const body = chars.map(escaped).join(String.raw`\s*`);
  return new RegExp(String.raw`(?<!${wordChar})(?<!\d[.,])${body}(?!${wordChar})(?![.,]\d)`, 'giu');
}

interface WrittenWord {
  text: string;
  bbox: Box;
  from: number;
}

interface WrittenPage {
  number: number;
  text: string;
  words: WrittenWord[];
}

function toPages(lines: readonly PageLine[]): WrittenPage[] {
  const pages = new Map<number, WrittenPage>();
  for (const { page, words } of lines) {
    const written = pages.get(page) ?? { number: page, text: '', words: [] };
    pages.set(page, written);
    for (const { text, bbox } of words) {
      const normal = text.normalize('NFKC');
      written.words.push({ text: normal, bbox, from: written.text.length });
      written.text += `${normal} `;
    }
  }
  return [...pages.values()];
}

/** A box that belongs to another field. */
export interface Taken {
  page: number;
  bbox: Box;
}

/**
 * The first place in reading order that is no other field's; a value may run over several lines. Null if there is none.
 */
export function findValue(
  text: string,
  lines: readonly PageLine[],
  taken: readonly Taken[] = [],
): ValuePlace | null {
  const pattern = patternOf(text);
  if (!pattern) return null;
  for (const page of toPages(lines)) {
    for (const match of page.text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      const words = page.words
        .filter((word) => word.from < end && word.from + word.text.length > match.index)
        .map(({ bbox }) => bbox);
      const isTaken = taken.some(
        (other) => other.page === page.number && words.some((w) => contains(other.bbox, w)),
      );
      if (!isTaken) return { page: page.number, bbox: unionBox(words), words, raw: match[0] };
    }
  }
  return null;
}
