import { randomNumbers } from './random.ts';

const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789.,!?这张发票已到期请在本月底之前付款'];
const syllables = ['ba', 'ke', 'lo', 'mi', 'nu', 'ra', 'si', 'ta', 'vo', 'ye', 'an', 'er', 'in', 'or', 'un'];

/** `count` made-up words of two to four syllables, all different. */
export function madeUpWords(count: number, seed = 1): string[] {
  const random = randomNumbers(seed);
  const words = new Set<string>();
  while (words.size < count) {
    const length = 2 + Math.floor(random() * 3);
    words.add(Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join(''));
  }
  return [...words];
}

/** Tokens of a WordPiece vocabulary of the given size: special ones, letters alone and continued, made-up words. */
function vocabulary(size: number): string[] {
  const pieces = [...special, ...letters, ...letters.map((letter) => `##${letter}`)];
  return [...pieces, ...madeUpWords(size - pieces.length)];
}

/** tokenizer.json of an uncased BERT. */
export function wordPieceTokenizer(size: number): Record<string, unknown> {
  const tokens = vocabulary(size);
  const id = (token: string) => tokens.indexOf(token);
  const at = (token: string) => ({ SpecialToken: { id: token, type_id: 0 } });
  const specialToken = (token: string) => ({ id: token, ids: [id(token)], tokens: [token] });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special.map((content) => ({ id: id(content), content, special: true, normalized: false })),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [at('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, at('[SEP]')],
      pair: [
        at('[CLS]'),
        { Sequence: { id: 'A', type_id: 0 } },
        at('[SEP]'),
        { Sequence: { id: 'B', type_id: 1 } },
      ],
      special_tokens: { '[CLS]': specialToken('[CLS]'), '[SEP]': specialToken('[SEP]') },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tokens.map((token, index) => [token, index])),
    },
  };
}
