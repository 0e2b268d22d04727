/** A parsed document as the wire has it. Pure. */
import type { DocumentField, DocumentsResult } from '../../api/services/documents.ts';
import type { FieldEntry, ParseResult } from '../../engine/documents/types.ts';

type Parts = Pick<DocumentsResult, 'fields' | 'tables' | 'signatures'>;

export const toWire = <T extends Pick<ParseResult, keyof Parts>>(
  result: T,
): Omit<T, keyof Parts> & Parts => ({
  ...result,
  fields: Object.fromEntries(Object.entries(result.fields).map(([name, entry]) => [name, toField(entry)])),
  tables: result.tables.map((table) => ({
    ...table,
    cells: table.cells.map(({ rowSpan, colSpan, ...cell }) => ({
      ...cell,
      row_span: rowSpan,
      col_span: colSpan,
    })),
  })),
  signatures: result.signatures.map(({ signedAt, ...signature }) => ({
    ...signature,
    ...(signedAt === undefined ? {} : { signed_at: signedAt }),
  })),
});

const toField = ({ mrzValid, filledBy, ...entry }: FieldEntry): DocumentField => ({
  ...entry,
  ...(mrzValid === undefined ? {} : { mrz_valid: mrzValid }),
  ...(filledBy === undefined ? {} : { filled_by: filledBy }),
});
