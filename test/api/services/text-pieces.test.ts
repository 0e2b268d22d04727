import { describe, expect, it } from 'vitest';
import {
  cutStream,
  cutText,
  maxPieceBytes,
  maxPieces,
  utf8Bytes,
} from '../../../server/api/services/text-pieces.ts';

describe('pieces of a long text', () => {
  it.each([
    ['lines', Array.from({ length: 4000 }, (_, at) => `line ${at} é`).join('\n')],
    ['a line of words', 'wörter und mehr '.repeat(6000)],
    ['a line of signs without blanks', `head\n${'漢😀'.repeat(12_000)}\ntail`],
  ])('of %s fit a request each and are the whole text', (_name, text) => {
    const pieces = cutText(text)!;
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    for (const { text: part, start, lines } of pieces) {
      expect(utf8Bytes(part)).toBeLessThanOrEqual(maxPieceBytes);
      expect(part.isWellFormed()).toBe(true);
      expect(text.slice(start, start + part.length)).toBe(part);
      expect(text.slice(0, start).split('\n').length - 1).toBe(lines);
    }
  });

  it('end behind lines, else behind blanks', () => {
    const ends = cutText(`${'some words here\n'.repeat(4000)}${'words '.repeat(8000)}`)!.map(({ text }) =>
      text.at(-1),
    );
    expect(new Set(ends)).toEqual(new Set(['\n', ' ']));
  });

  it('a short text is one, an endless one is refused', () => {
    expect(cutText('one\ntwo')).toEqual([{ text: 'one\ntwo', start: 0, lines: 0 }]);
    expect(cutText(`${'x'.repeat(maxPieceBytes - 1)}\n`.repeat(maxPieces + 1))).toBeNull();
  });

  it('that comes bit by bit are the same, and are there before its end', async () => {
    const text = `${Array.from({ length: 9000 }, (_, at) => `line ${at} é`).join('\n')}\n${'漢😀 '.repeat(20_000)}\n\n`;
    async function* bits(size: number) {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    }
    for (const size of [7, 50_000, text.length])
      expect(await Array.fromAsync(cutStream(bits(size)))).toEqual(cutText(text));
    async function* endless() {
      for (;;) yield `${'x'.repeat(99)}\n`;
    }
    for await (const { lines, text } of cutStream(endless())) {
      expect(text.length).toBe(Math.floor(maxPieceBytes / 100) * 100);
      if (lines > 10_000) break;
    }
    expect(
      await Array.fromAsync(
        cutStream(
          (async function* () {
            yield ' \n';
          })(),
        ),
      ),
    ).toEqual([]);
  });
});
