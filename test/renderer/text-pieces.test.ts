import { describe, expect, it } from 'vitest';
import { cutText, maxPieceBytes, maxPieces, utf8Length } from '../../renderer/src/format/text-pieces.ts';

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
      expect(utf8Length(part)).toBeLessThanOrEqual(maxPieceBytes);
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
});
