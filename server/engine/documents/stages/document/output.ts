/** The document as Markdown, or cut into passages for search, where that was asked for. */

import type { DocumentState } from '../../document-state.ts';
import { pageBlocks } from '../../layout/page-blocks.ts';
import { toChunks } from '../../output/chunks.ts';
import { toMarkdown } from '../../output/markdown.ts';
import type { Stage } from '../../stage.ts';
import { continuedTables } from '../../tables/continued.ts';

export const output: Stage<DocumentState, null> = {
  name: 'output',
  async run(state) {
    const { document, request, result } = state;
    const { outputFormat: format } = request;
    if (format !== 'markdown' && format !== 'chunks') return state;
    const pages = document.pages.map((page) => ({ page, blocks: pageBlocks(page, document.tables) }));
    if (format === 'chunks') return { ...state, result: { ...result, chunks: toChunks(pages) } };
    const before = continuedTables(document.tables);
    const continuing = new Set(document.tables.filter((_, index) => before[index] !== null));
    return { ...state, result: { ...result, markdown: toMarkdown(pages, continuing) } };
  },
};
