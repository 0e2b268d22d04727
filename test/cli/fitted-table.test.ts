import { expect, test } from 'vitest';
import { steersNothing } from '../../server/cli/fitted-table.ts';

test('words of a document steer no terminal', () => {
  const text = 'a\tb\n\u001b]0;title\u0007\u009b2J 中é';
  expect(steersNothing(text, true)).toBe('a\tb\n\ufffd]0;title\ufffd\ufffd2J 中é');
  expect(steersNothing(text, false)).toBe(text);
});
