/** Vocabularies for tests of masks: every byte, and pieces of text as a real one would have. */
import { Vocabulary } from '../../../server/engine/grammar/vocabulary.ts';
import { random } from './tiny-decoder.ts';

const pieces = [
  '{"',
  '":',
  '": "',
  '", "',
  '"}',
  '"]',
  '[{"',
  '}, {"',
  ', ',
  ': ',
  ' "',
  '",\n  "',
  'true',
  'false',
  'null',
  '0.',
  '-1',
  '10',
  '00',
  'name',
  'id',
  'foo',
  'bar',
  'value',
  ' the',
  ' and',
  'ing',
  '日本',
  '中',
  '\\n',
  '\\"',
  '<tool_call>',
  '"name',
];

/** @param size fills up with made-up words, to the size of a real vocabulary */
export function testVocabulary(size = 256 + pieces.length + 1): Vocabulary {
  const next = random(5);
  const tokens = [];
  for (let id = 0; id < 256; id += 1)
    tokens.push({ id, piece: `<0x${id.toString(16).padStart(2, '0')}>`, added: false, control: false });
  for (const [index, piece] of pieces.entries())
    tokens.push({ id: 256 + index, piece: piece.replaceAll(' ', '▁'), added: false, control: false });
  const letters = 'etaoinshrdlucmfwypvbgkjqxz';
  for (let id = 256 + pieces.length; id < size - 1; id += 1) {
    const length = 2 + Math.floor(next() * 8);
    const word = Array.from({ length }, () => letters[Math.floor(next() ** 2 * letters.length)]).join('');
    const kind = next();
    const piece = kind < 0.55 ? `▁${word}` : kind < 0.97 ? word : kind < 0.985 ? `"${word}` : `${word}",`;
    tokens.push({ id, piece, added: false, control: false });
  }
  tokens.push({ id: size - 1, piece: '<|end|>', added: true, control: true });
  return new Vocabulary({ tokens, alphabet: 'sentencepiece', size, endIds: [size - 1] });
}
