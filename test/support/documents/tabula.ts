/** Expected tables of the tabula test files, as rows of text. */

import type { GridCell } from './adjacency.ts';

/** RFC 4180, as tabula writes it. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let field = '';
  let quoted = false;
  const endField = (): void => {
    rows.at(-1)!.push(field);
    field = '';
  };
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (quoted && char === '"' && text[index + 1] === '"') field += text[++index];
    else if (char === '"') quoted = !quoted;
    else if (!quoted && char === ',') endField();
    else if (!quoted && char === '\n') {
      endField();
      rows.push([]);
    } else if (quoted || char !== '\r') field += char;
  }
  endField();
  return rows.filter((row) => row.some((value) => value !== ''));
}

export const rowsToCells = (rows: string[][]): GridCell[] =>
  rows.flatMap((row, rowIndex) =>
    row.map((text, col) => ({ row: rowIndex, col, rowSpan: 1, colSpan: 1, text })),
  );
