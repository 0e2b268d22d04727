/** Texts longer than one request takes, cut into pieces: behind a line, else behind a blank, else between characters. Pure. */

/** UTF-8 bytes of one request. */
export const maxPieceBytes = 32_768;
/** Pieces of one text: a gigabyte is for a pipeline, not for a page. */
export const maxPieces = 400;

export interface TextPart {
  text: string;
  /** UTF-16 offset of its first character, and line ends before it. */
  start: number;
  lines: number;
}

const encoder = new TextEncoder();
export const utf8Length = (text: string): number => encoder.encode(text).length;

/** Pieces that fit a request each and are together the whole text. Null: there are too many. */
export function cutText(text: string): TextPart[] | null {
  const pieces: TextPart[] = [];
  let open: TextPart = { text: '', start: 0, lines: 0 };
  let [size, start, lines] = [0, 0, 0];
  for (const line of text.split(/(?<=\n)/)) {
    for (const part of partsOf(line)) {
      const bytes = utf8Length(part);
      if (size > 0 && size + bytes > maxPieceBytes) {
        pieces.push(open);
        open = { text: '', start, lines };
        size = 0;
      }
      open.text += part;
      size += bytes;
      start += part.length;
    }
    lines += 1;
  }
  if (open.text.trim() !== '' || pieces.length === 0) pieces.push(open);
  return pieces.length > maxPieces ? null : pieces;
}

/** A line that fits no request, cut where it has blanks. */
function* partsOf(line: string): Generator<string> {
  let rest = line;
  while (rest.length * 3 > maxPieceBytes && utf8Length(rest) > maxPieceBytes) {
    const { read } = encoder.encodeInto(rest, new Uint8Array(maxPieceBytes));
    const blank = rest.lastIndexOf(' ', read - 1);
    const end = blank > read / 2 ? blank + 1 : read;
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
  yield rest;
}
