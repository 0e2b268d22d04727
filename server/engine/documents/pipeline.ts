/** The stages of reading, in their order. Each is a file of stages/; to replace one, replace it here. */

import type { Document, Page } from './document.ts';
import type { DocumentState } from './document-state.ts';
import { PageClock } from './page-clock.ts';
import type { PageState, Stage, StageTools } from './stage.ts';
import { rasterCheckboxes, vectorCheckboxes } from './stages/checkboxes.ts';
import { codes } from './stages/codes.ts';
import { concealment } from './stages/concealment.ts';
import { fields } from './stages/document/fields.ts';
import { output } from './stages/document/output.ts';
import { readingOrder } from './stages/document/reading-order.ts';
import { risks } from './stages/document/risks.ts';
import { template } from './stages/document/template.ts';
import { legibility } from './stages/legibility.ts';
import { mrz } from './stages/mrz.ts';
import { ocr } from './stages/ocr.ts';
import { ocrRepair } from './stages/ocr-repair.ts';
import { orient } from './stages/orient.ts';
import { extract, preprocess } from './stages/preprocess.ts';
import { drawnInk, rasterRulings } from './stages/rulings.ts';
import { signatures } from './stages/signatures.ts';
import { tables } from './stages/tables.ts';
import { words } from './stages/words.ts';
import type { ParseParams, ParseResult } from './types.ts';

/** From the file to the words of a page: all that marking places on it needs. */
const wordStages: Stage<PageState>[] = [extract, preprocess, orient, ocr, mrz, words, concealment];

export const pageStages: Stage<PageState>[] = [
  ...wordStages,
  rasterRulings,
  rasterCheckboxes,
  ocrRepair,
  drawnInk,
  signatures,
  codes,
  vectorCheckboxes,
  tables,
  legibility,
];

/** Of a page that tells its words and tables itself. */
const toldStages: Stage<PageState>[] = [extract, vectorCheckboxes, legibility];

const documentStages: Stage<DocumentState, null>[] = [readingOrder, fields, output, template, risks];

const tooSlow = (number: number): string =>
  `Page ${number} takes too long to read: what was not found in time is left out.`;

/** A page whose time is over keeps what its stages gave until then. */
async function readStages(stages: typeof pageStages, number: number, tools: PageTools): Promise<PageState> {
  const { source, clock = new PageClock(), keepHidden = false } = tools;
  const models = async () => clock.uncounted(await tools.models());
  let state = unread(number);
  for (const stage of stages) {
    try {
      if (!clock.isSpent()) state = await stage.run(state, { source, clock, models, keepHidden });
    } catch (error) {
      if (!clock.isSpent()) throw error;
    }
  }
  return clock.isSpent() ? { ...state, warnings: [...state.warnings, tooSlow(number)] } : state;
}

export const unread = (number: number): PageState => ({
  number,
  page: {
    number,
    width: 1,
    height: 1,
    words: [],
    horizontal: [],
    vertical: [],
    frames: [],
    fills: [],
    slants: [],
    toView: (box) => box,
  },
  damaged: false,
  widgets: [],
  warnings: [],
  doubt: 'none',
  picture: null,
  orientation: null,
  lines: null,
  read: null,
  raster: null,
  components: [],
  contours: [],
  checkboxes: [],
  barcodes: [],
  signatures: [],
  stamps: [],
  tables: [],
});

/** Tools that a page is read with; without a clock it may take any time. */
export type PageTools = Omit<StageTools, 'clock'> & { clock?: PageClock };

/** One page with all that is on it: a document of one page, without its pictures. */
export interface ReadPage {
  document: Document;
  warnings: readonly string[];
  damaged: boolean;
}

/**
 * Reads one page through all stages.
 * @throws document_unreadable when a page of a picture file, or of a scan, cannot be drawn
 */
export async function readPage(number: number, tools: PageTools): Promise<ReadPage> {
  const stages = tools.source.isTold?.(number) ? toldStages : pageStages;
  const state = await readStages(stages, number, tools);
  const { page, warnings, damaged } = state;
  const placed = <E>(elements: readonly E[]): (E & { page: Page })[] =>
    elements.map((element) => ({ ...element, page }));
  return {
    document: {
      pages: [page],
      tables: placed(state.tables),
      widgets: [...state.widgets],
      checkboxes: placed(state.checkboxes),
      barcodes: placed(state.barcodes),
      stamps: placed(state.stamps),
      inkSignatures: placed(state.signatures),
      digitalSignatures: [],
    },
    warnings,
    damaged,
  };
}

/** The words of one page. @throws document_unreadable as `readPage` does */
export const readWords = async (number: number, tools: PageTools): Promise<Page> =>
  (await readStages(tools.source.isTold?.(number) ? [extract] : wordStages, number, tools)).page;

const noText: DocumentState['text'] = {
  rows: [],
  pieces: [],
  text: '',
  decimal: null,
  dayOrder: 'day-first',
  currency: null,
};

/** The answer for a document whose pages were read. */
export async function readDocument(
  document: Document,
  request: Pick<ParseParams, 'template' | 'outputFormat' | 'withLines'>,
  warnings: readonly string[],
): Promise<ParseResult> {
  const result: ParseResult = {
    type: 'generic',
    fields: {},
    tables: [],
    checkboxes: [],
    signatures: [],
    barcodes: [],
    stamps: [],
    confidence: 0,
    warnings: [...warnings],
    pages: document.pages.length,
  };
  let state: DocumentState = { document, request, text: noText, result };
  for (const stage of documentStages) state = await stage.run(state, null);
  return state.result;
}
