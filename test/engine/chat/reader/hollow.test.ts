import { expect, test } from 'vitest';
import { smallestOf } from '../../../../server/engine/chat/reader/hollow.ts';
import type { Json } from '../../../../server/engine/pack-files.ts';

const listOf = (items: Json): Json => ({ type: 'array', minItems: 16, items });

test('the smallest value of a schema', () => {
  expect(smallestOf({ type: 'integer', minimum: 3 })).toBe(3);
  expect(smallestOf({ type: 'integer', minimum: 0.5 })).toBe(1);
  expect(smallestOf({ type: 'string', minLength: -1 })).toBe('');
  expect(smallestOf({ type: 'string', format: 'constructor' })).toBe('');
  expect(smallestOf({ type: 'string', format: 'email' })).toBe('unknown@example.invalid');
  expect(smallestOf({ type: 'array', minItems: 2, items: { type: 'boolean' } })).toEqual([false, false]);
  expect(smallestOf({ type: 'object', properties: { a: { enum: ['x'] } }, required: ['a', 'b'] })).toEqual({
    a: 'x',
    b: null,
  });
});

test('lists within lists are no more than a message holds', () => {
  const nested = Array.from({ length: 12 }).reduce<Json>(listOf, { type: 'boolean' });
  expect(JSON.stringify(smallestOf(nested)).length).toBeLessThan(2_000);
});
