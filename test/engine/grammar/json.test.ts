import { describe, expect, it } from 'vitest';
import type { Acceptor } from '../../../server/engine/grammar/acceptor.ts';
import { AcceptorMask, MaskSource } from '../../../server/engine/grammar/token-mask.ts';
import { write } from '../../support/chat/random-writer.ts';
import { acceptorOf, accepts } from '../../support/chat/schema-suite.ts';
import { testVocabulary } from '../../support/chat/vocabulary.ts';

const vocabulary = testVocabulary();

function start(schema: unknown): Acceptor {
  const made = acceptorOf(schema);
  if ('refusal' in made) throw new Error(made.refusal);
  return made.acceptor;
}

/** What a model writes that takes a blank wherever it may. */
const lovingBlanks = (schema: unknown, maxTokens: number): string => {
  const mask = new AcceptorMask(new MaskSource(vocabulary), start(schema));
  return write(vocabulary, mask, { maxTokens, taste: 'blanks', next: () => 0 }).text;
};

const poor: [string, unknown, RegExp][] = [
  [
    'an object that takes no property',
    { type: 'object', properties: {}, additionalProperties: false },
    /^\{\s*\}$/,
  ],
  ['an object that takes no further property', { type: 'object', additionalProperties: false }, /^\{\s*\}$/],
  [
    'an object whose one property is false',
    { type: 'object', properties: { a: false }, additionalProperties: false },
    /^\{\s*\}$/,
  ],
  ['an object of no properties by number', { type: 'object', maxProperties: 0 }, /^\{\s*\}$/],
  ['an array of no items', { type: 'array', items: false }, /^\[\s*\]$/],
  ['an array of no items by number', { type: 'array', maxItems: 0 }, /^\[\s*\]$/],
  ['an empty constant', { const: {} }, /^\{\s*\}$/],
  ['an empty list in an enum', { enum: [[]] }, /^\[\s*\]$/],
  ['a constant', { const: null }, /^null$/],
  ['an enum', { enum: ['a', 'b'] }, /^"[ab]"$/],
  [
    'a member that takes no property',
    { type: 'object', properties: { a: { const: {} } }, required: ['a'], additionalProperties: false },
    /^\{\s*"a":\s*\{\s*\}\s*\}$/,
  ],
];
const budgets = [8, 16, 64, 256, 1024, 4096];

describe('JSON under a schema of few choices', () => {
  it.each(poor)('%s has no dead end, whatever the budget', (_name, schema, whole) => {
    for (const budget of budgets) {
      const text = lovingBlanks(schema, budget);
      if (budget >= 64) expect(JSON.stringify(JSON.parse(text))).toMatch(whole);
    }
  });

  it('takes the empty key where it is a property', () => {
    const schema = {
      type: 'object',
      properties: { '': { type: 'null' } },
      required: [''],
      additionalProperties: false,
    };
    expect(accepts(start(schema), '{"":null}')).toBe(true);
  });
});

describe('blanks', () => {
  const nested = {
    type: 'object',
    properties: {
      a: {
        type: 'array',
        items: {
          type: 'object',
          properties: { b: { type: 'null' } },
          required: ['b'],
          additionalProperties: false,
        },
        minItems: 1,
        maxItems: 1,
      },
    },
    required: ['a'],
    additionalProperties: false,
  };

  it('stand between parts one at a time, with an indentation that the depth explains, and not in front', () => {
    const text = lovingBlanks(nested, 4096);
    expect(JSON.parse(text)).toEqual({ a: [{ b: null }] });
    expect(text.trimStart()).toBe(text);
    for (const blank of text.match(/\s+/g) ?? []) expect(blank).toMatch(/^( |\n {0,12})$/);
  });

  it.each([0, 1, 2, 4])('let JSON be written with an indentation of %i', (indent) => {
    const text = JSON.stringify({ a: [{ b: null }] }, null, indent);
    expect(accepts(start(nested), text)).toBe(true);
  });

  it.each([
    ' {"a":[{"b":null}]}',
    '{  "a":[{"b":null}]}',
    '{\n\n"a":[{"b":null}]}',
    '{"a" :[{"b":null}]}',
    '{"a":[{"b":null}]} ',
    '{\n     "a":[{"b":null}]}',
  ])('are refused in %j', (text) => expect(accepts(start(nested), text)).toBe(false));
});
