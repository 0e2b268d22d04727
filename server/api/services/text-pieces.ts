/** Texts longer than one request takes, cut into pieces: behind a line, else behind a blank, else between characters. Pure. */

/** UTF-8 bytes of one request. */
export const maxPieceBytes = 32_768;
/** Pieces of one text on a page; longer ones are for the command line. */
export const maxPieces = 400;

export interface TextPart {
  text: string;
  /** UTF-16 offset of its first character, and line ends before it. */
  start: number;
  lines: number;
}

const encoder = new TextEncoder();
export const utf8Bytes = (text: string): number => encoder.encode(text).length;

/** Pieces that fit a request each and are together the whole text. Null: there are too many. */
export function cutText(text: string): TextPart[] | null {
  const pieces = toPieces(text);
  if (pieces.length > 1 && isBlank(pieces.at(-1)!)) pieces.pop();
  return pieces.length > maxPieces ? null : pieces;
}

const isBlank = ({ text }: TextPart): boolean => text.trim() === '';

/** The pieces of `cutText` of a text of any length, each as soon as it is whole; none of a text that is blank. */
export async function* cutStream(texts: AsyncIterable<string>): AsyncGenerator<TextPart> {
  let held: TextPart = { text: '', start: 0, lines: 0 };
  const cut = () =>
    toPieces(held.text).map(({ text, start, lines }) => ({
      text,
      start: held.start + start,
      lines: held.lines + lines,
    }));
  for await (const text of texts) {
    held.text += text;
    // Cut at each arrival, a text that comes line by line would be cut anew for every line.
    if (held.text.length < 2 * maxPieceBytes) continue;
    const pieces = cut();
    held = pieces.pop()!;
    yield* pieces;
  }
  yield* cut().filter((piece) => !isBlank(piece));
}

function toPieces(text: string): TextPart[] {
  const pieces: TextPart[] = [];
  let open: TextPart = { text: '', start: 0, lines: 0 };
  let [size, start, lines] = [0, 0, 0];
  for (const line of text.split(/(?<=\n)/)) {
    for (const part of partsOf(line)) {
      const bytes = utf8Bytes(part);
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
  return [...pieces, open];
}

/** A line that fits no request, cut where it has blanks. */
function* partsOf(line: string): Generator<string> {
  let rest = line;
  while (rest.length * 3 > maxPieceBytes && utf8Bytes(rest) > maxPieceBytes) {
    const { read } = encoder.encodeInto(rest, new Uint8Array(maxPieceBytes));
    const blank = rest.lastIndexOf(' ', read - 1);
    const end = blank > read / 2 ? blank + 1 : read;
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
  yield rest;
}
