import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { RE2JS } from 're2js';
import { expect, it } from 'vitest';
import { expandFragments } from '../../../server/engine/pack-data.ts';
import { lateRegex } from '../../../server/engine/threat/late-regex.ts';
import { loadWebKnowledge } from '../../../server/engine/threat/web/web-knowledge.ts';
import { guardPack } from '../../support/threat-engine.ts';

it('compiles when it is asked', () => {
  const open = lateRegex('(a');
  expect(() => open.test('a')).toThrow();
  expect(lateRegex('a.b').test('a\nb')).toBe(true);
});

/** Since none is compiled at opening, a slip would be found by whoever sends the text that asks for it. */
it('can compile each pattern that the pack has', async () => {
  const file = load(readFileSync(`${guardPack}text-signatures.yml`, 'utf8')) as {
    fragments: Record<string, string>;
    families: { signatures: { patterns: string[] }[] }[];
    weighed: { signs: { pattern: string }[] }[];
  };
  const texts = [
    ...file.families.flatMap(({ signatures }) => signatures.flatMap(({ patterns }) => patterns)),
    ...file.weighed.flatMap(({ signs }) => signs.map(({ pattern }) => pattern)),
  ].map((pattern) => expandFragments(pattern, file.fragments));
  const { signatures } = await loadWebKnowledge({ folder: guardPack });
  const all = [...texts, ...signatures.flatMap(({ patterns }) => patterns)];
  expect(all.length).toBeGreaterThan(500);
  for (const pattern of all) expect(() => RE2JS.compile(pattern), pattern).not.toThrow();
});
