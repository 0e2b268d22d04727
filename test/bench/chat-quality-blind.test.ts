import { describe, expect, test } from 'vitest';
import { alwaysRefusing, blindItems, blindKinds, echoing, isBlindRight } from './chat-quality/blind.ts';

const says = (text: string, calls: { name: string; arguments: string }[] = []) => ({ text, calls });
const right = (expected: object, said: ReturnType<typeof says>, lang: 'en' | 'ms' | 'zh' = 'en') =>
  isBlindRight({ expect: expected as never, lang }, said);

describe('blind questions', () => {
  const items = blindItems();

  test('are at least 300, each kind in each language, each id once', () => {
    expect(items.length).toBeGreaterThan(300);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    for (const kind of blindKinds)
      expect(new Set(items.filter((item) => item.kind === kind).map(({ lang }) => lang)).size).toBe(3);
  });

  test('the wanted answer of every question is right', () => {
    const wanted = items.map((item) => {
      const { expect: wants } = item;
      if ('answers' in wants) return says(wants.answers[0]!);
      if ('json' in wants) return says(JSON.stringify(wants.json));
      if ('must' in wants) return says(wants.must.map(([variant]) => variant).join(' '));
      if ('unanswerable' in wants) return alwaysRefusing(item);
      const chosen = (value: unknown) => (value as { any_of?: unknown[] } | null)?.any_of?.at(0) ?? value;
      return says(
        '',
        wants.calls.map(({ name, arguments: values }) => ({
          name,
          arguments: JSON.stringify(
            Object.fromEntries(
              Object.entries(values)
                .map(([key, value]) => [
                  key,
                  (value as { any_of?: unknown[] })?.any_of?.[0] === null ? null : chosen(value),
                ])
                .filter(([, value]) => value !== null),
            ),
          ),
        })),
      );
    });
    expect(items.filter((item, at) => !isBlindRight(item, wanted[at]!)).map(({ id }) => id)).toEqual([]);
  });

  test('refusing reaches what the no-answer questions are, repeating little', () => {
    const score = (how: typeof echoing) =>
      items.filter((item) => isBlindRight(item, how(item))).length / items.length;
    expect(score(alwaysRefusing)).toBeLessThan(0.14);
    expect(score(echoing)).toBeLessThan(0.09);
  });

  test.each<[what: string, expected: object, text: string, is: boolean]>([
    ['a number inside a number', { answers: ['3'] }, 'There were 13.', false],
    ['a decimal', { answers: ['3'] }, '3.5 km', false],
    ['thousands', { answers: ['12400'] }, 'It cost **12,400** pounds.', true],
    ['a word inside a word', { answers: ['ten'] }, 'written', false],
    ['a number where the text does not tell', { unanswerable: true }, 'No, it is 5.', false],
    ['too long', { answers: ['Ann'] }, `Ann ${'and so on '.repeat(30)}`, false],
    ['too many words', { must: [['a']], must_not: [], max_words: 2 }, 'a b c', false],
    [
      'what must not be said',
      { must: [['park']], must_not: ['museum'], max_words: 9 },
      'park, museum',
      false,
    ],
    ['another type', { json: { total: 5 } }, '{"total":"5"}', false],
  ])('%s', (_, expected, text, is) => {
    expect(right(expected, says(text))).toBe(is);
  });

  test('calls come in any order, with what may be left out left out, and nothing more', () => {
    const calls = [
      { name: 'a', arguments: { x: 1, y: { any_of: ['k', null] } } },
      { name: 'b', arguments: {} },
    ];
    const b = { name: 'b', arguments: '{}' };
    expect(right({ calls }, says('', [b, { name: 'a', arguments: '{"x":1}' }]))).toBe(true);
    expect(right({ calls }, says('', [b, { name: 'a', arguments: '{"x":1,"y":"z"}' }]))).toBe(false);
    expect(right({ calls }, says('', [b, { name: 'a', arguments: '{"x":1,"w":2}' }]))).toBe(false);
    expect(right({ calls }, says('', [b]))).toBe(false);
    expect(right({ calls: [] }, says('No function fits.'))).toBe(true);
  });
});
