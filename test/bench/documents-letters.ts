/**
 * PDFs and pictures of letters, invoices, forms and reports as Markdown beside Markdown that was written by hand for each (`documents/letters`, by an
 * author who did not know the reader). Of words, headings, list items and rows of tables: `recall` the share of theirs that ours has, `precision`
 * the share of ours that theirs has; `paragraphs` those that are the same from end to end; `order` the share of neighbouring parts, of all
 * theirs, that ours has one behind the other. Odd numbers were never looked at: `unseen`.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { openStarter } from '../support/documents/open-starter.ts';
import { markdownKey, markdownParts, shared } from './documents-office.ts';
import type { Figures } from './gates.ts';
import { rounded } from './measure.ts';

const kinds = ['words', 'headings', 'items', 'rows', 'paragraphs'] as const;
type Kind = (typeof kinds)[number];

const isRule = (line: string): boolean => /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*$/.test(line);

/** Rows as the texts of their cells; a cell over several columns counts once, empty ones do not. */
function rowsOf(markdown: string): string[] {
  const rows = markdown.split('\n').filter((line) => /^\s*\|.*\|\s*$/.test(line) && !isRule(line));
  return rows
    .map((line) =>
      line
        .trim()
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map(markdownKey),
    )
    .map((cells) => cells.filter((cell, at) => cell !== '' && cell !== cells[at - 1]).join(' | '))
    .filter((row) => row !== '');
}

/** Headings, paragraphs, items and whole tables, as they stand. */
const blocksOf = (markdown: string): string[] =>
  markdown.split(/\n{2,}|\n(?=\s*(?:[-*+]|\d+[.)])\s)/).filter((block) => markdownKey(block) !== '');

const isParagraph = (block: string): boolean => !/^\s*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|\|)/.test(block);

function partsOf(markdown: string): Record<Kind, string[]> {
  const { words, headings, items } = markdownParts(markdown);
  const paragraphs = blocksOf(markdown).filter(isParagraph).map(markdownKey);
  return { words, headings, items, rows: rowsOf(markdown), paragraphs };
}

/** A part is found by so many of its first words. */
const firstWords = 6;

/** Neighbours of which ours has the second behind the first. */
export function neighboursInOrder(theirs: string, ours: string): [right: number, all: number] {
  const text = ` ${markdownKey(ours)} `;
  const starts = blocksOf(theirs).map((block) => {
    const words = markdownKey(
      block
        .split('\n')
        .filter((line) => !isRule(line))
        .join(' '),
    );
    return ` ${words.split(' ').slice(0, firstWords).join(' ')} `;
  });
  let right = 0;
  for (const [at, start] of starts.slice(0, -1).entries()) {
    const from = text.indexOf(start);
    if (from >= 0 && text.indexOf(starts[at + 1]!, from + start.length - 1) >= 0) right++;
  }
  return [right, Math.max(0, starts.length - 1)];
}

/** Where `LOKAL_BENCH_SHOW=1`: what is missed and invented in files that may be read. */
const show = process.env.LOKAL_BENCH_SHOW === '1';

const left = (wanted: readonly string[], given: readonly string[]): string => {
  const held = new Set(given);
  return wanted.filter((text) => !held.has(text)).join(' · ');
};

type Tally = Record<Kind, { hit: number; theirs: number; ours: number }> & { order: [number, number] };

const emptyTally = (): Tally =>
  Object.assign(
    { order: [0, 0] as [number, number] },
    Object.fromEntries(kinds.map((kind) => [kind, { hit: 0, theirs: 0, ours: 0 }])) as Record<
      Kind,
      { hit: number; theirs: number; ours: number }
    >,
  );

const share = (part: number, all: number): number | null => (all === 0 ? null : rounded(part / all));

const figuresOf = (tally: Tally): Figures => ({
  ...Object.fromEntries(
    kinds.map((kind) => {
      const { hit, theirs, ours } = tally[kind];
      return [kind, { recall: share(hit, theirs), precision: share(hit, ours) }];
    }),
  ),
  order: share(...tally.order),
});

export async function run({ quick }: { quick: boolean }): Promise<object> {
  const folder = new URL('documents/letters/', import.meta.url);
  const names = readdirSync(folder).filter((name) => !name.endsWith('.markdown'));
  const tallies = { development: emptyTally(), unseen: emptyTally() };
  const engine = await openStarter();
  for (const name of quick ? names.slice(0, 2) : names.toSorted()) {
    const isUnseen = Number(/\d+/.exec(name)![0]) % 2 === 1;
    const tally = tallies[isUnseen ? 'unseen' : 'development'];
    const params = { bytes: readFileSync(new URL(name, folder)), template: null, pages: null };
    let ours = '';
    for await (const item of engine.methods.parse(
      { ...params, outputFormat: 'markdown' },
      { signal: new AbortController().signal },
    ))
      if (item.kind === 'result') ours = item.result.markdown ?? '';
    const theirs = readFileSync(new URL(name.replace(/\.\w+$/, '.markdown'), folder), 'utf8');
    const [wanted, given] = [partsOf(theirs), partsOf(ours)];
    const [right, all] = neighboursInOrder(theirs, ours);
    tally.order[0] += right;
    tally.order[1] += all;
    for (const kind of kinds) {
      tally[kind].hit += shared(wanted[kind], given[kind]);
      tally[kind].theirs += wanted[kind].length;
      tally[kind].ours += given[kind].length;
      const [missed, invented] = [left(wanted[kind], given[kind]), left(given[kind], wanted[kind])];
      if (show && !isUnseen && missed + invented !== '')
        process.stderr.write(`${name} ${kind}: missed ${missed}\n    invented ${invented}\n`);
    }
    if (show && !isUnseen && right < all) process.stderr.write(`${name} order: ${right} of ${all}\n`);
  }
  await engine.close();
  return {
    files: names.length,
    development: figuresOf(tallies.development),
    unseen: figuresOf(tallies.unseen),
  };
}
