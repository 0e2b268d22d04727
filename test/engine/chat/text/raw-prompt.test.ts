import { describe, expect, it } from 'vitest';
import { encodeRawPrompt } from '../../../../server/engine/chat/text/raw-prompt.ts';
import { StopStrings } from '../../../../server/engine/chat/text/stop-strings.ts';
import type { ChatTokenizer } from '../../../../server/engine/chat/text/tokenizer.ts';
import { Vocabulary } from '../../../../server/engine/grammar/vocabulary.ts';

/** A token a character; `gap` are the added ones, from 200 on. */
function tokenizerWith(gap: readonly string[], bos: number | null): ChatTokenizer {
  const tokens = gap.map((piece, index) => ({ id: 200 + index, piece, added: true, control: true }));
  return {
    vocabulary: new Vocabulary({ tokens, alphabet: 'plain', size: 256, endIds: [0] }),
    stripFirstSpace: false,
    bos,
    encode: (text) => [...text].map((char) => char.codePointAt(0)!),
  };
}

describe('a raw prompt', () => {
  it('begins as the model’s texts do', () => {
    expect(encodeRawPrompt(tokenizerWith([], 1), { text: 'ab', suffix: null })).toEqual([1, 97, 98]);
    expect(encodeRawPrompt(tokenizerWith([], null), { text: 'ab', suffix: null })).toEqual([97, 98]);
  });

  it.each([
    [['<|fim_prefix|>', '<|fim_suffix|>', '<|fim_middle|>']],
    [['<fim_prefix>', '<fim_suffix>', '<fim_middle>']],
    [['<｜fim▁begin｜>', '<｜fim▁hole｜>', '<｜fim▁end｜>']],
  ])('has the sides of a gap behind the tokens the model knows: %j', (gap) => {
    const tokens = encodeRawPrompt(tokenizerWith(gap, null), { text: 'a', suffix: 'b' });
    expect(tokens).toEqual([200, 97, 201, 98, 202]);
  });

  it('is refused with a suffix where one of them is missing', () => {
    const tokenizer = tokenizerWith(['<|fim_prefix|>', '<|fim_suffix|>'], null);
    expect(() => encodeRawPrompt(tokenizer, { text: 'a', suffix: 'b' })).toThrow(/suffix/);
  });
});

describe('the stop string that was found', () => {
  it('is the first in the text, not in the list', () => {
    const stops = new StopStrings(['two', 'one']);
    expect([stops.push('say on'), stops.found]).toEqual(['say ', null]);
    expect([stops.push('e two'), stops.found]).toEqual(['', 'one']);
  });
});
