import type { LogChunk } from './event.ts';

/** Offsets of line starts, to turn any offset into a line number. */
export class LineMap {
  readonly starts: number[] = [0];
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) this.starts.push(i + 1);
  }

  lineAt(offset: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  piece(start: number, end: number): LogChunk {
    return {
      line: this.lineAt(start),
      endLine: this.lineAt(Math.max(start, end - 1)),
      start,
      end,
      raw: this.#text.slice(start, end),
    };
  }

  /** The line that begins at `start`, without its line break. */
  linePiece(start: number): LogChunk {
    let end = this.#text.indexOf('\n', start);
    if (end < 0) end = this.#text.length;
    if (end > start && this.#text.charCodeAt(end - 1) === 13) end -= 1;
    return this.piece(start, end);
  }
}
