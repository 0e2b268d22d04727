/** A document of any length read as many pages at a time as one answer takes, and the answers as one. */
import type { DocumentsRequest, DocumentsResult } from '../api/services/documents.ts';
import { maxPages, pageSelections } from '../engine/page-range.ts';
import { ApiError } from '../errors.ts';

interface Reader {
  parse(request: DocumentsRequest): Promise<DocumentsResult>;
  countPages(): Promise<number>;
}

/** Files that are made of one answer. */
const whole = new Set<DocumentsRequest['output_format']>(['searchable_pdf', 'xlsx']);

/** @throws ApiError what the service refuses a piece with */
export async function parseInPieces(request: DocumentsRequest, reader: Reader): Promise<DocumentsResult> {
  try {
    return await reader.parse(request);
  } catch (error) {
    const isLong = error instanceof ApiError && error.code === 'invalid_page_range';
    if (!isLong || request.pages !== undefined || whole.has(request.output_format)) throw error;
  }
  const results: DocumentsResult[] = [];
  for (const pages of pageSelections(await reader.countPages()))
    results.push(await reader.parse({ ...request, pages }));
  return joined(results);
}

const joinedText = (texts: (string | undefined)[], between: string): string | undefined =>
  texts.every((text) => text === undefined) ? undefined : texts.map((text = '') => text).join(between);

function joinedList<T>(lists: (T[] | undefined)[]): T[] | undefined {
  const found = lists.filter((list) => list !== undefined);
  return found.length > 0 ? found.flat() : undefined;
}

/** Passages before the first heading of a piece are under the last one of the piece before. */
function underHeadings() {
  let above: string | null = null;
  return <Chunk extends { heading: string | null }>(chunk: Chunk): Chunk => {
    above = chunk.heading ?? above;
    return { ...chunk, heading: above };
  };
}

/** Each once: what is said of the file as a whole comes with every piece. */
const once = <T>(items: T[]): T[] => [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];

/** A field is the first piece's that has it; type and name of the answer are the first's. */
function joined(results: readonly DocumentsResult[]): DocumentsResult {
  const fields: DocumentsResult['fields'] = {};
  const tables: DocumentsResult['tables'] = [];
  for (const result of results) {
    for (const [name, field] of Object.entries(result.fields)) fields[name] ??= field;
    const before = tables.length;
    for (const table of result.tables)
      tables.push(table.continues === undefined ? table : { ...table, continues: table.continues + before });
  }
  const sure = Object.values(fields).map(({ confidence }) => confidence);
  const mean = sure.reduce((sum, one) => sum + one, 0) / Math.max(1, sure.length);
  const risks = joinedList(results.map((result) => result.risks));
  const parts = {
    barcodes: joinedList(results.map(({ barcodes }) => barcodes)),
    stamps: joinedList(results.map(({ stamps }) => stamps)),
    chunks: joinedList(results.map(({ chunks }) => chunks))?.map(underHeadings()),
    csv: joinedList(results.map(({ csv }) => csv)),
    risks: risks && once(risks),
    text: joinedText(
      results.map(({ text }) => text),
      '\n\f\n',
    ),
    markdown: joinedText(
      results.map(({ markdown }) => markdown),
      '\n',
    ),
  };
  const told = `The document was read ${maxPages} pages at a time: what goes on from one part to the next may stand apart.`;
  return {
    ...results[0]!,
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)),
    fields,
    tables,
    checkboxes: results.flatMap(({ checkboxes }) => checkboxes),
    signatures: results.flatMap(({ signatures }) => signatures),
    confidence: Math.round(mean * 100) / 100,
    warnings: [told, ...once(results.flatMap(({ warnings }) => warnings))],
    usage: { pages: results.reduce((sum, { usage }) => sum + usage.pages, 0) },
  };
}
