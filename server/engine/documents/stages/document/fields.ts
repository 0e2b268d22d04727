/** Things the pages hold apart from a template's fields: tables, boxes to tick, signatures, codes and stamps. */

import { toLocated } from '../../document.ts';
import type { DocumentState } from '../../document-state.ts';
import { allSignatures, formCheckboxes } from '../../fields/form-answers.ts';
import type { Stage } from '../../stage.ts';
import { toParsedTables } from '../../tables/parsed-tables.ts';

export const fields: Stage<DocumentState, null> = {
  name: 'fields',
  async run(state) {
    const { document, result } = state;
    return {
      ...state,
      result: {
        ...result,
        tables: toParsedTables(document.tables),
        checkboxes: formCheckboxes(document),
        signatures: allSignatures(document),
        barcodes: document.barcodes.map(({ format, text, ...mark }) => ({
          format,
          text,
          ...toLocated(mark),
        })),
        stamps: document.stamps.map(toLocated),
      },
    };
  },
};
