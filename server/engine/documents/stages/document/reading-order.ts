/** The text of all pages in the order it is read in: as templates look at it, as plain text and as lines. */

import type { DocumentState } from '../../document-state.ts';
import { toDocumentText } from '../../fields/reading.ts';
import { toPageLines } from '../../layout/page-lines.ts';
import { pageText } from '../../layout/text.ts';
import { tickedDocument } from '../../output/ticks.ts';
import type { Stage } from '../../stage.ts';

export const readingOrder: Stage<DocumentState, null> = {
  name: 'reading order',
  async run(state) {
    const { document, request, result } = state;
    const text = toDocumentText(document.pages);
    const { confidence, warnings, pages, ...first } = result;
    return {
      ...state,
      text,
      result: {
        ...first,
        ...(request.outputFormat === 'text'
          ? { text: tickedDocument(document).pages.map(pageText).join('\n\f\n') }
          : {}),
        ...(request.withLines ? { lines: toPageLines(toDocumentText(document.pages, true)) } : {}),
        confidence,
        warnings,
        pages,
      },
    };
  },
};
