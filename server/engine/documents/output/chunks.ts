/** A document as passages for search: each lies on one page, under one heading, and is about as long as a paragraph or three. */

import { unionBox } from '../../vision/geometry.ts';
import type { FlowBlock, PageTable } from '../document.ts';
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

/** @param before tables that others continue */
export function toChunks(
  pages: readonly PageBlocks[],
  before: ReadonlyMap<PageTable, PageTable> = new Map(),
): DocumentChunk[] {
  const chunks: DocumentChunk[] = [];
  let heading: string | null = null;
  for (const { page, blocks } of pages) {
    let open: { texts: string[]; length: number; blocks: FlowBlock[] } | null = null;
    const close = (): void => {
      if (open && open.texts.length > 0)
        chunks.push({
          text: open.texts.join('\n'),
          page: page.number,
          bbox: page.toView(unionBox(open.blocks.map(({ box }) => box))),
          heading,
        });
      open = null;
    };
    for (const block of blocks) {
      if (block.kind === 'heading') {
        close();
        heading = block.text.replace(/\s+/g, ' ').trim();
        continue;
      }
      for (const text of blockPieces(block, before)) {
        if (open && open.length + text.length > fullLength) close();
        open ??= { texts: [], length: 0, blocks: [] };
        open.texts.push(text);
        open.length += text.length;
        open.blocks.push(block);
      }
    }
    close();
  }
  return chunks;
}
