import { describe, expect, it } from 'vitest';
import { Detokenizer } from '../../../../server/engine/chat/text/detokenizer.ts';
import { type PieceAlphabet, Vocabulary } from '../../../../server/engine/grammar/vocabulary.ts';

/** Pieces by id; `<…>` with a bar inside are control tokens. */
function vocabularyOf(pieces: string[], alphabet: PieceAlphabet): Vocabulary {
  const tokens = pieces.map((piece, id) => ({
    id,
    piece,
    added: piece.startsWith('<|'),
    control: piece.startsWith('<|'),
  }));
  return new Vocabulary({ tokens, alphabet, size: pieces.length + 2, endIds: [] });
}

const pushAll = (detokenizer: Detokenizer, ids: number[]) => ids.map((id) => detokenizer.push(id));
const plain = { stripFirstSpace: false, visible: new Set<number>() };

describe('Detokenizer', () => {
  it('waits for the last byte of a character, byte-level', () => {
    // 😀 is f0 9f 98 80, written ð Ł ĺ Ģ in GPT-2's alphabet.
    const vocabulary = vocabularyOf(['ð', 'Ł', 'ĺĢ', 'Ġhi', '<|end|>'], 'byte-level');
    const detokenizer = new Detokenizer(vocabulary, plain);
    expect(pushAll(detokenizer, [3, 0, 1, 2, 3])).toEqual([' hi', '', '', '😀', ' hi']);
  });

  it('joins characters and the rest of one in one token', () => {
    // "é" is c3 a9: Ã ©; the second token ends it and begins the next.
    const vocabulary = vocabularyOf(['Ã', '©Ã', '©!'], 'byte-level');
    expect(pushAll(new Detokenizer(vocabulary, plain), [0, 1, 2])).toEqual(['', 'é', 'é!']);
  });

  it('reads SentencePiece spaces and byte fallback', () => {
    const vocabulary = vocabularyOf(
      ['▁Hello', '▁wor', 'ld', '<0xF0>', '<0x9F>', '<0x98>', '<0x80>'],
      'sentencepiece',
    );
    const detokenizer = new Detokenizer(vocabulary, { ...plain, stripFirstSpace: true });
    expect(pushAll(detokenizer, [0, 1, 2, 3, 4, 5, 6]).join('|')).toBe('Hello| wor|ld||||😀');
  });

  it('replaces bytes that are no character, and drops an unfinished one at the end', () => {
    const vocabulary = vocabularyOf(['<0xFF>', '<0xC3>', 'a'], 'sentencepiece');
    expect(pushAll(new Detokenizer(vocabulary, plain), [0, 2, 1]).join('')).toBe('\uFFFDa');
    expect(pushAll(new Detokenizer(vocabulary, plain), [1, 2]).join('')).toBe('\uFFFDa');
  });

  it('says nothing for control tokens and padding, unless they are to be seen', () => {
    const vocabulary = vocabularyOf(['a', '<|call|>'], 'byte-level');
    expect(pushAll(new Detokenizer(vocabulary, plain), [0, 1, 2, 3, 0]).join('')).toBe('aa');
    const seeing = new Detokenizer(vocabulary, { ...plain, visible: new Set([1]) });
    expect(pushAll(seeing, [0, 1]).join('')).toBe('a<|call|>');
  });

  it('never ends a piece inside a character, for any cut of any text', () => {
    const text = 'naïve 漢字 👩‍👩‍👧 🇲🇾 e\u0301 \u{10FFFF}';
    const bytes = [...Buffer.from(text)];
    const pieces = Array.from(
      { length: 256 },
      (_, byte) => `<0x${byte.toString(16).padStart(2, '0').toUpperCase()}>`,
    );
    const detokenizer = new Detokenizer(vocabularyOf(pieces, 'sentencepiece'), plain);
    const parts = pushAll(detokenizer, bytes);
    expect(parts.join('')).toBe(text);
    for (const part of parts) expect(part.isWellFormed() && !part.includes('\uFFFD')).toBe(true);
  });
});
