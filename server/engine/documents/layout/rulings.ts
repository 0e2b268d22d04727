/** Merges drawn line pieces into rulings: dashes, doubled strokes and cell borders drawn cell by cell become one. */
import type { Ruling } from '../../vision/geometry.ts';

const snapTolerance = 1.6;
const joinTolerance = 3;
const minLength = 3;

/** Rulings sorted by position; pieces that lie on one line and touch are joined. */
export function mergeRulings(pieces: Ruling[]): Ruling[] {
  const sorted = pieces.toSorted((a, b) => a.at - b.at);
  const merged: Ruling[] = [];
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1;
    while (
      end < sorted.length &&
      sorted[end]!.at - sorted[end - 1]!.at < snapTolerance &&
      sorted[end]!.at - sorted[start]!.at < 2 * snapTolerance
    )
      end++;
    merged.push(...joinOnLine(sorted.slice(start, end)));
    start = end;
  }
  return merged.filter((ruling) => ruling.to - ruling.from >= minLength);
}

function joinOnLine(pieces: Ruling[]): Ruling[] {
  const at = pieces.reduce((sum, piece) => sum + piece.at, 0) / pieces.length;
  const joined: Ruling[] = [];
  for (const { from, to } of pieces.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && from <= last.to + joinTolerance) last.to = Math.max(last.to, to);
    else joined.push({ at, from, to });
  }
  return joined;
}
