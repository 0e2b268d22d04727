/** A document as passages for search: each lies on one page, under one heading, and is about as long as a paragraph or three. */

import { unionBox } from '../../vision/geometry.ts';
import type { FlowBlock } from '../document.ts';
import { cellText } from '../tables/table.ts';
import type { DocumentChunk } from '../types.ts';
import type { PageBlocks } from './markdown.ts';

/** Characters at which a passage is full; a longer block is cut at the ends of sentences. */
const fullLength = 1_200;

/** Rows of a table as lines, their cells parted by bars. */
function textOf(block: FlowBlock): string {
  if (block.kind !== 'table')
    return block.kind === 'item' ? `${block.marker ?? '-'} ${block.text}` : block.text;
  const { table } = block;
  const rows = Array.from({ length: table.rowCount }, (_, row) =>
    table.cells
      .filter((cell) => cell.row === row)
      .toSorted((a, b) => a.col - b.col)
      .map((cell) => cellText(cell).replace(/\s+/g, ' '))
      .join(' | '),
  );
  return rows.join('\n');
}

/** Pieces that are no longer than full, cut behind a line, a sentence or a word, in that order of liking. */
function* pieces(text: string): Generator<string> {
  let rest = text.trim();
  while (rest.length > fullLength) {
    const head = rest.slice(0, fullLength);
    const cut = [/\n(?=[^\n]*$)/, /[.!?。！？]\s*(?=[^.!?。！？]*$)/u, /\s(?=\S*$)/u]
      .map((pattern) => pattern.exec(head))
      .find((match) => match !== null && match.index > fullLength / 2);
    const at = cut ? cut.index + cut[0].length : fullLength;
    yield rest.slice(0, at).trim();
    rest = rest.slice(at).trim();
  }
  if (rest !== '') yield rest;
}

export function toChunks(pages: readonly PageBlocks[]): DocumentChunk[] {
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
      for (const text of pieces(textOf(block))) {
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
