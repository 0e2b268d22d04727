/** A document as passages for search: each lies on one page, under one heading, and is about as long as a paragraph or three. */

import { unionBox } from '../../vision/geometry.ts';
import type { FlowBlock, Page, PageTable, TextBlock } from '../document.ts';
import { headOf } from '../tables/heads.ts';
import { cellText } from '../tables/table.ts';
import type { DocumentChunk } from '../types.ts';
import type { PageBlocks } from './markdown.ts';

/** Characters at which a passage is full; a longer block is cut at the ends of sentences. */
const fullLength = 1_200;
const longestHead = 400;

/** Rows of a table as lines, their cells parted by bars. */
const linesOf = (table: PageTable): string[] =>
  Array.from({ length: table.rowCount }, (_, row) =>
    table.cells
      .filter((cell) => cell.row === row)
      .toSorted((a, b) => a.col - b.col)
      .map((cell) => cellText(cell).replace(/\s+/g, ' '))
      .join(' | '),
  );

/** The head stands over each piece of its table, where it is short. */
function* tablePieces(table: PageTable, head: readonly string[] | null): Generator<string> {
  const lines = linesOf(table);
  const names = head?.filter((text) => text !== '').join(' | ') ?? '';
  if (names === '' || names.length > longestHead) return yield* pieces(lines.join('\n'));
  const isHead = lines[0]?.split(' | ').filter(Boolean).join(' | ') === names;
  const rows = isHead ? lines.slice(1) : lines;
  if (rows.length === 0) yield names;
  for (const piece of pieces(rows.join('\n'), fullLength - names.length - 1)) yield `${names}\n${piece}`;
}

const blockPieces = (block: FlowBlock, before: ReadonlyMap<PageTable, PageTable>): Generator<string> =>
  block.kind === 'table'
    ? tablePieces(block.table, headOf(block.table, before))
    : pieces(block.kind === 'item' ? `${block.marker ?? '-'} ${block.text}` : block.text);

/** Pieces that are no longer than full, cut behind a line, a sentence or a word, in that order of liking. */
function* pieces(text: string, full = fullLength): Generator<string> {
  let rest = text.trim();
  while (rest.length > full) {
    const head = rest.slice(0, full);
    const cut = [/\n(?=[^\n]*$)/, /[.!?。！？]\s*(?=[^.!?。！？]*$)/u, /\s(?=\S*$)/u]
      .map((pattern) => pattern.exec(head))
      .find((match) => match !== null && match.index > full / 2);
    const at = cut ? cut.index + cut[0].length : full;
    yield rest.slice(0, at).trim();
    rest = rest.slice(at).trim();
  }
  if (rest !== '') yield rest;
}

/** Of a page's height: what ends or begins nearer to its edge than this may be its running head or foot. */
const margin = 0.12;
const fewestPages = 3;

/**
 * Running heads and feet: texts that half of the pages have at their edge, from the second page on, and numbers that go up with
 * the pages, alone or in the foot.
 */
function runningBlocks(pages: readonly PageBlocks[]): Set<FlowBlock> {
  const places = new Map<string, { pages: Set<Page>; blocks: FlowBlock[]; isCounted: boolean }>();
  const running = new Set<FlowBlock>();
  const fewest = Math.max(fewestPages, pages.length / 2);
  for (const { page, blocks } of pages)
    for (const block of blocks) {
      const [, top, , bottom] = page.toView(block.box);
      if (block.kind === 'table' || (bottom > margin && top < 1 - margin)) continue;
      const text = titleOf(block);
      const counted = text.replace(/\d{1,6}/, (number) => `#${Number(number) - page.number}`);
      const isNumber = top >= 1 - margin || !/\p{L}/u.test(text);
      for (const key of isNumber && counted !== text ? [text, counted] : [text]) {
        const place = places.get(key) ?? { pages: new Set(), blocks: [], isCounted: key !== text };
        place.pages.add(page);
        place.blocks.push(block);
        places.set(key, place);
      }
    }
  for (const { pages: on, blocks, isCounted } of places.values())
    if (on.size >= fewest) for (const block of blocks.slice(isCounted ? 0 : 1)) running.add(block);
  return running;
}

interface Passage {
  page: Page;
  heading: string | null;
  texts: string[];
  blocks: FlowBlock[];
}

const titleOf = ({ text }: TextBlock): string => text.replace(/\s+/g, ' ').trim();

const toChunk = ({ page, heading, texts, blocks }: Passage): DocumentChunk => ({
  text: texts.join('\n'),
  page: page.number,
  bbox: page.toView(unionBox(blocks.map(({ box }) => box))),
  heading,
});

/** Passages in the making: no word is lost, as a heading that another follows at once, or nothing, becomes text. */
class Passages {
  readonly #done: Passage[] = [];
  #open: (Passage & { length: number }) | null = null;
  #heading: string | null = null;
  /** Headings of one page, one behind the other, that no passage has told yet; the last is the nearest. */
  #bare: { page: Page; blocks: TextBlock[]; length: number } | null = null;

  addHeading(page: Page, block: TextBlock): void {
    this.close();
    if (this.#bare?.page !== page || this.#bare.length > fullLength) this.#keep(this.#bare?.blocks);
    this.#heading = titleOf(block);
    this.#bare ??= { page, blocks: [], length: 0 };
    this.#bare.blocks.push(block);
    this.#bare.length += this.#heading.length;
  }

  addText(page: Page, block: FlowBlock, text: string): void {
    if (this.#open && this.#open.length + text.length > fullLength) this.close();
    this.#open ??= this.#begin(page);
    this.#open.texts.push(text);
    this.#open.blocks.push(block);
    this.#open.length += text.length;
  }

  close(): void {
    if (this.#open) this.#done.push(this.#open);
    this.#open = null;
  }

  end(): Passage[] {
    this.close();
    this.#keep(this.#bare?.blocks);
    return this.#done;
  }

  /** The headings above the nearest one begin the text where they are of its page. */
  #begin(page: Page) {
    const above = this.#bare?.blocks.slice(0, -1) ?? [];
    const here = this.#bare?.page === page ? above : [];
    if (here.length === 0) this.#keep(above);
    this.#bare = null;
    const blocks: FlowBlock[] = [...here];
    return { page, heading: this.#heading, texts: here.map(titleOf), blocks, length: 0 };
  }

  #keep(blocks: readonly TextBlock[] = []): void {
    if (this.#bare && blocks.length > 0)
      this.#done.push({
        page: this.#bare.page,
        heading: null,
        texts: blocks.map(titleOf),
        blocks: [...blocks],
      });
    this.#bare = null;
  }
}

/**
 * Running heads and feet, and what stands beside the content of a web page, are left out.
 * @param before tables that others continue
 */
export function toChunks(
  pages: readonly PageBlocks[],
  before: ReadonlyMap<PageTable, PageTable> = new Map(),
): DocumentChunk[] {
  const running = runningBlocks(pages);
  const passages = new Passages();
  for (const { page, blocks } of pages) {
    for (const block of blocks) {
      if (running.has(block) || block.isAside) continue;
      if (block.kind === 'heading') passages.addHeading(page, block);
      else for (const text of blockPieces(block, before)) passages.addText(page, block, text);
    }
    passages.close();
  }
  return passages.end().map(toChunk);
}
