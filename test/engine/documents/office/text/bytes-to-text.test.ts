import { expect, test } from 'vitest';
import { isTextFile } from '../../../../../server/engine/documents/office/text/bytes-to-text.ts';

test.each(['', 'a', 'ab'])('a long Chinese text is one wherever its sample is cut: behind “%s”', (before) => {
  expect(isTextFile(Buffer.from(before + '中文'.repeat(20_000)))).toBe(true);
  const gb18030 = Buffer.from([0xd6, 0xd0, 0xce, 0xc4]).toString('latin1').repeat(20_000);
  expect(isTextFile(Buffer.from(before + gb18030, 'latin1'))).toBe(true);
});

test('bytes that are no characters are no text', () => {
  expect(isTextFile(Buffer.alloc(70_000, 0x80))).toBe(false);
  expect(isTextFile(Buffer.from([0xe4, 0xb8]))).toBe(false);
});
