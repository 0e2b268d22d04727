import { expect, test } from 'vitest';
import { isGuessed, isTextFile } from '../../../../../server/engine/documents/office/text/bytes-to-text.ts';

test.each(['', 'a', 'ab'])('a long Chinese text is one wherever its sample is cut: behind “%s”', (before) => {
  expect(isTextFile(Buffer.from(before + '中文'.repeat(20_000)))).toBe(true);
  const gb18030 = Buffer.from([0xd6, 0xd0, 0xce, 0xc4]).toString('latin1').repeat(20_000);
  expect(isTextFile(Buffer.from(before + gb18030, 'latin1'))).toBe(true);
});

test('bytes that are no characters are no text', () => {
  expect(isTextFile(Buffer.alloc(70_000, 0x80))).toBe(false);
  expect(isTextFile(Buffer.from([0xe4, 0xb8]))).toBe(false);
});

test.each([
  ['Grüße aus Köln', true],
  ['Olá João, são três maçãs à vista', true],
  ['señor, ¿qué tal?', true],
  ['plain', false],
])('“%s” in Latin-1 is text, and told as guessed where it must be', (text, guessed) => {
  const bytes = Buffer.from(text, 'latin1');
  expect(isTextFile(bytes)).toBe(true);
  expect(isGuessed(bytes)).toBe(guessed);
  expect(isGuessed(Buffer.from(text))).toBe(false);
});
