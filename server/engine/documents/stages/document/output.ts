/** The document as Markdown, or cut into passages for search, where that was asked for. */

import type { FlowBlock, PageTable } from '../../document.ts';
import type { DocumentState } from '../../document-state.ts';
import { pageBlocks } from '../../layout/page-blocks.ts';
import { toChunks } from '../../output/chunks.ts';
import { toMarkdown } from '../../output/markdown.ts';
import { tickedDocument } from '../../output/ticks.ts';
import type { Stage } from '../../stage.ts';
import { continuedTables } from '../../tables/continued.ts';

const tablesOf = (blocks: readonly FlowBlock[]): PageTable[] =>
  blocks.flatMap((block) => (block.kind === 'table' ? [block.table] : []));

const continuations = (tables: PageTable[]): [PageTable, PageTable][] =>
  continuedTables(tables).flatMap((before, index): [PageTable, PageTable][] =>
    before === null ? [] : [[tables[index]!, tables[before]!]],
  );

export const output: Stage<DocumentState, null> = {
  name: 'output',
  async run(state) {
    const { request, result } = state;
    const { outputFormat: format } = request;
    if (format !== 'markdown' && format !== 'chunks') return state;
    const document = tickedDocument(state.document);
    const pages = document.pages.map((page) => ({ page, blocks: pageBlocks(page, document.tables) }));
    // Pages that tell their blocks have tables of their own there.
    const told = pages.flatMap(({ page, blocks }) => (page.blocks ? tablesOf(blocks) : []));
    const before = new Map([...continuations(document.tables), ...continuations(told)]);
    if (format === 'chunks') return { ...state, result: { ...result, chunks: toChunks(pages, before) } };
    const markdown = toMarkdown(pages, new Set(before.keys()));
    return { ...state, result: { ...result, markdown } };
  },
};
