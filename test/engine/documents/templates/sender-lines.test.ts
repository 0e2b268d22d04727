/** Names in a line that holds more than a name. */

import { expect, test } from 'vitest';
import {
  addressOnly,
  namesInLine,
} from '../../../../server/engine/documents/templates/invoice/parties/sender-lines.ts';

test('a name between its label and its address is whole, and its first word is no part of the label', () => {
  const names = namesInLine('From: Delta Paper Supplies Pte Ltd, 10 Anson Road, Singapore 079903');
  const texts = names.map(({ text }) => text);
  expect(texts).toContain('Delta Paper Supplies Pte Ltd');
  expect(texts.filter((text) => text.startsWith('Paper'))).toEqual([]);
});

test.each(['-', ' ,', '| ', '- ', '(', 'a@'])('an address before a long row of “%s” is read', (sign) => {
  const line = `12 Jalan Ria ${sign.repeat(10_000)}a`;
  expect(addressOnly(line)).toMatch(/^12 Jalan Ria/);
  expect(namesInLine(line).length).toBeLessThan(20);
});
