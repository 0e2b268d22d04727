/**
 * Office, mail and web files as Markdown beside that of another converter: of its words, headings, list items and cells, the
 * share that ours has too. Every third file, by name, was never looked at: `unseen`. The other's output is no truth.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { folder } from './documents/data.ts';
import { parse } from './documents/parse.ts';
import type { Figures } from './gates.ts';
import { rounded } from './measure.ts';

const kinds = ['words', 'headings', 'items', 'cells'] as const;
type Kind = (typeof kinds)[number];
type Parts = Record<Kind, string[]>;

const plain = (text: string): string =>
  text
    .replace(/!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, '$1')
    .replace(/\[[ x]\]/g, '')
    // Formulas in TeX: its commands are no words of the document.
    .replace(/\$[^$]+\$/g, (formula) => formula.replace(/\\[a-zA-Z]+/g, ' '))
    .replace(/&#124;/g, '|')
    .replace(/<br\s*\/?>/g, ' ')
    .replace(/<!--.*?-->/g, '')
    .replace(/&amp;/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/\\(.)/g, '$1')
    .toLowerCase();

/** Letters and digits alone: signs of emphasis, white space and escapes differ. */
export const markdownKey = (text: string): string => (plain(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

/** The parts of a Markdown text. */
export function markdownParts(markdown: string): Parts {
  const parts: Parts = { words: [], headings: [], items: [], cells: [] };
  for (const line of markdown.split('\n')) {
    if (/^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(line)) continue;
    const [, title] = /^#{1,6}\s+(.*)$/.exec(line) ?? [];
    const [, item] = /^\s*(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line) ?? [];
    const cells = /^\s*\|.*\|\s*$/.test(line)
      ? line
          .trim()
          .slice(1, -1)
          .split(/(?<!\\)\|/)
      : [];
    if (title !== undefined) parts.headings.push(markdownKey(title));
    else if (item !== undefined) parts.items.push(markdownKey(item));
    parts.cells.push(...cells.map(markdownKey));
    parts.words.push(...markdownKey(line).split(' '));
  }
  for (const kind of kinds) parts[kind] = parts[kind].filter((text) => text !== '');
  return parts;
}

/** Of these, how many the others have, each once. */
export function shared(wanted: readonly string[], given: readonly string[]): number {
  const left = new Map<string, number>();
  for (const text of given) left.set(text, (left.get(text) ?? 0) + 1);
  return wanted.filter((text) => {
    const count = left.get(text) ?? 0;
    if (count > 0) left.set(text, count - 1);
    return count > 0;
  }).length;
}

/** Where `LOKAL_BENCH_SHOW=1`: what each file of the development part misses. */
const show = process.env.LOKAL_BENCH_SHOW === '1';

export async function run({ quick }: { quick: boolean }): Promise<object> {
  const [files, gold] = [folder('doc-office-dev/files'), folder('doc-office-dev/gold')];
  const count = () =>
    Object.fromEntries(kinds.map((kind) => [kind, { hit: 0, all: 0 }])) as Record<
      Kind,
      { hit: number; all: number }
    >;
  const tallies = { development: count(), unseen: count() };
  const failed: string[] = [];
  const names = files && gold ? readdirSync(files).toSorted() : [];
  for (const [index, name] of names.entries()) {
    if (quick && index % 6 > 2) continue;
    const part = index % 3 === 2 ? 'unseen' : 'development';
    let markdown = '';
    try {
      const result = await parse(readFileSync(new URL(name, files!)), 'markdown');
      markdown = result.markdown ?? '';
    } catch (error) {
      failed.push(part === 'unseen' ? 'an unseen file' : `${name}: ${String(error)}`);
    }
    let expected: Parts;
    try {
      expected = markdownParts(readFileSync(new URL(`${name}.md`, gold!), 'utf8'));
    } catch {
      continue;
    }
    const ours = markdownParts(markdown);
    for (const kind of kinds) {
      const hit = shared(expected[kind], ours[kind]);
      tallies[part][kind].hit += hit;
      tallies[part][kind].all += expected[kind].length;
      if (show && part === 'development' && hit < expected[kind].length)
        process.stderr.write(
          `${name} ${kind} ${hit}/${expected[kind].length}: ${missing(expected[kind], ours[kind])}\n`,
        );
    }
  }
  const shares = (tally: ReturnType<typeof count>): Figures =>
    Object.fromEntries(
      kinds.map((kind) => [kind, tally[kind].all === 0 ? null : rounded(tally[kind].hit / tally[kind].all)]),
    );
  return {
    files: names.length,
    development: shares(tallies.development),
    unseen: shares(tallies.unseen),
    failed,
  };
}

const missing = (wanted: readonly string[], given: readonly string[]): string => {
  const held = new Set(given);
  return wanted
    .filter((text) => !held.has(text))
    .slice(0, 12)
    .join(' · ');
};
