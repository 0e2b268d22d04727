import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AhoCorasick } from '../../../server/engine/threat/sigma/literals/aho-corasick.ts';

function found(literals: readonly string[], text: string): Set<number> {
  const hits = new Set<number>();
  new AhoCorasick(literals).search(text, (literal) => hits.add(literal));
  return hits;
}

test('finds what includes finds, for any literals and text', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\\'), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', '\\'), maxLength: 60 }),
      (literals, text) => {
        const expected = literals.flatMap((literal, i) => (text.includes(literal) ? [i] : []));
        expect([...found(literals, text)].toSorted((a, b) => a - b)).toEqual(expected);
      },
    ),
    { numRuns: 300 },
  );
});

test('more characters than classes still miss nothing', () => {
  const literals = Array.from({ length: 600 }, (_, i) => String.fromCharCode(0x4e00 + i).repeat(2));
  for (const i of [0, 254, 255, 400, 599]) expect(found(literals, `x${literals[i]}y`)).toContain(i);
});
