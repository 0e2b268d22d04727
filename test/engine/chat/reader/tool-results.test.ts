import { expect, test } from 'vitest';
import { resultObject } from '../../../../server/engine/chat/reader/tool-results.ts';

const given = (content: string) => resultObject([{ role: 'tool', tool_call_id: 'call_1', content }]);

test('a result as an object, however deep it is nested', () => {
  expect(given('{"a":1}')).toEqual({ a: 1 });
  expect(given('[1]')).toEqual({ result: [1] });
  expect(given('sunny')).toEqual({ result: 'sunny' });
  for (const depth of [1_000, 3_000, 6_000, 20_000])
    expect(JSON.stringify(given('['.repeat(depth) + ']'.repeat(depth))).length).toBeGreaterThan(depth);
});
