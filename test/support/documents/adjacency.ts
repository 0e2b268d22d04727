/**
 * The measure of the ICDAR 2013 table competition: every cell that has text is related to its nearest neighbour with
 * text to the right and below; found relations are compared with the annotated ones (Göbel et al., ICDAR 2013).
 */

export interface GridCell {
  row: number;
  col: number;
  rowSpan: number;
  colSpan: number;
  text: string;
}

/** Spaces, dot leaders and look-alike signs differ between readers and say nothing about the table. */
const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\u00ad.…·_]+/g, '')
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/[’‘`´]/g, "'")
    .toLowerCase();

function gridOf(cells: GridCell[]): Map<string, GridCell> {
  const grid = new Map<string, GridCell>();
  for (const cell of cells) {
    for (let row = cell.row; row < cell.row + cell.rowSpan; row++)
      for (let col = cell.col; col < cell.col + cell.colSpan; col++) grid.set(`${row},${col}`, cell);
  }
  return grid;
}

/** One string for each relation: direction and the two texts. */
export function adjacencyRelations(all: GridCell[]): string[] {
  const cells = all.filter((cell) => normalize(cell.text) !== '');
  const grid = gridOf(cells);
  const rows = Math.max(0, ...cells.map((cell) => cell.row + cell.rowSpan));
  const cols = Math.max(0, ...cells.map((cell) => cell.col + cell.colSpan));
  const relations: string[] = [];
  for (const cell of cells) {
    const neighbours = new Set<string>();
    for (let row = cell.row; row < cell.row + cell.rowSpan; row++)
      for (let col = cell.col + cell.colSpan; col < cols; col++) {
        const other = grid.get(`${row},${col}`);
        if (!other) continue;
        neighbours.add(`right|${normalize(other.text)}`);
        break;
      }
    for (let col = cell.col; col < cell.col + cell.colSpan; col++)
      for (let row = cell.row + cell.rowSpan; row < rows; row++) {
        const other = grid.get(`${row},${col}`);
        if (!other) continue;
        neighbours.add(`below|${normalize(other.text)}`);
        break;
      }
    for (const neighbour of neighbours) relations.push(`${normalize(cell.text)}|${neighbour}`);
  }
  return relations;
}

/** Size of the intersection of two multisets. */
export function countShared(found: string[], expected: string[]): number {
  const left = new Map<string, number>();
  for (const relation of expected) left.set(relation, (left.get(relation) ?? 0) + 1);
  let shared = 0;
  for (const relation of found) {
    const count = left.get(relation) ?? 0;
    if (count === 0) continue;
    left.set(relation, count - 1);
    shared++;
  }
  return shared;
}

export const f1 = (precision: number, recall: number): number =>
  precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
