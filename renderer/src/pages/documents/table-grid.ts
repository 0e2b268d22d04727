/** A table's cells in rows for HTML: spans kept, places without a cell filled with an empty one. */
import type { DocumentsResult } from '../../../../server/api/services/documents.ts';

export interface GridCell {
  row: number;
  col: number;
  rowSpan: number;
  colSpan: number;
  text: string;
}

export function toGrid({
  rows,
  cells,
}: Pick<DocumentsResult['tables'][number], 'rows' | 'cells'>): GridCell[][] {
  const height = Math.max(rows.length, ...cells.map((cell) => cell.row + cell.row_span));
  const width = Math.max(
    0,
    ...rows.map((row) => row.length),
    ...cells.map((cell) => cell.col + cell.col_span),
  );
  const byPlace = new Map(cells.map((cell) => [`${cell.row}:${cell.col}`, cell]));
  const covered = new Set<string>();
  return Array.from({ length: height }, (_, row) => {
    const line: GridCell[] = [];
    for (let col = 0; col < width; col += 1) {
      if (covered.has(`${row}:${col}`)) continue;
      const cell = byPlace.get(`${row}:${col}`);
      const [rowSpan, colSpan] = [cell?.row_span ?? 1, cell?.col_span ?? 1];
      for (let r = row; r < row + rowSpan; r += 1)
        for (let c = col; c < col + colSpan; c += 1) covered.add(`${r}:${c}`);
      line.push({ row, col, rowSpan, colSpan, text: cell?.text ?? rows[row]?.[col] ?? '' });
    }
    return line;
  });
}
